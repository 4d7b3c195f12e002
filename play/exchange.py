"""Asking the minds: what is sent back once, what is recorded as a violation, and what counts as missing."""

from collections.abc import Awaitable
from dataclasses import dataclass, field
from typing import Any, TypeVar

from agents.identity import IdentityCheck, IdentityPolicy, identity_check
from agents.registry import UnknownMind
from play.grounding import goal_entity
from play.progress import resolved_json
from play.setting import Cast, Setting
from siturec.markers.leaks import leaked_markers
from siturec.protocol.actions import Refusal, validate_call
from siturec.protocol.actions_expected import resolve_expected
from siturec.protocol.messages import (
    AssistantInput,
    AssistantMessage,
    ModeratorDecision,
    ModeratorInput,
    Observation,
    ResolvedAction,
    ShopperState,
    ToolCall,
    UserInput,
    UserMessage,
)
from siturec.protocol.ports import Answer
from siturec.protocol.vocabulary import UserKind

T = TypeVar("T")
IDLE = ToolCall(tool="idle")
NO_MARKERS = "Do not say markers aloud ({markers}): the shopper sees other labels. Use names and places."
NO_NAMES = "Do not say who or what model you are ({names})."
NO_WORDS = "Reply in words, too: an empty reply is not possible."


class MindFailed(Exception):
    """A mind gave no usable answer; ``kind`` says how it failed."""

    def __init__(self, role: str, kind: str, raw: str) -> None:
        super().__init__(f"the {role} gave no answer: {kind}")
        self.role, self.kind, self.raw = role, kind, raw


@dataclass(frozen=True)
class AssistantTurn:
    """An assistant's answer as it is recorded and shown, with the digest of what it was given."""

    message: AssistantMessage
    record: dict[str, Any]
    digest: str
    notes: dict[str, Any] = field(default_factory=dict)
    version: str = ""


@dataclass(frozen=True)
class UserTurn:
    """A user's reply and the validated action; ``client_id`` is a browser's, else empty."""

    message: UserMessage
    action: ResolvedAction
    record: dict[str, Any]
    client_id: str = ""
    notes: dict[str, Any] = field(default_factory=dict)
    version: str = ""


def scene_names(setting: Setting) -> tuple[str, ...]:
    """Every name that may be said without being taken for a marker or a model."""
    return setting.names


async def ask_assistant(
    setting: Setting, cast: Cast, given: AssistantInput, seen: Observation
) -> AssistantTurn:
    """One answer; one that says markers or a name is sent back once with the reason, then recorded as it is.

    A name is masked in what is shown even then. Where the study only flags names, they are neither sent back
    nor masked, but noted. Raises: MindFailed.
    """
    names = scene_names(setting)
    answer = await _asked("assistant", cast.assistant.respond(given))
    message = _value("assistant", answer)
    notes = _repairs(answer)
    secret = _secret(setting, cast)
    faults = _faults(setting, secret, message.utterance, seen)
    if faults:
        notes["sent_back"] = {"utterance": message.utterance, "reason": " ".join(faults)}
        again = await _asked(
            "assistant",
            cast.assistant.respond(given.model_copy(update={"correction": " ".join(faults)})),
        )
        if again.value is not None:
            answer, message = again, again.value
            notes |= _repairs(again)
        left = _faults(setting, secret, message.utterance, seen)
        if left:
            notes["violation"] = " ".join(left)
    shown = _told(secret, message.utterance, names)
    if shown.leaks and secret.policy == "flag":
        notes["named"] = {"names": list(shown.leaks)}
    elif shown.leaks:
        notes["masked"] = {"utterance": message.utterance, "names": list(shown.leaks)}
        message = message.model_copy(update={"utterance": shown.text})
    record = _assistant_record(setting, message, seen, notes)
    return AssistantTurn(message, record, given.digest(), notes, answer.policy_version)


async def _asked(role: str, asking: Awaitable[Answer[T]]) -> Answer[T]:
    try:
        return await asking
    except UnknownMind as error:
        raise MindFailed(role, "unknown_mind", str(error)) from error


@dataclass(frozen=True)
class _Secret:
    """The words that would tell who an assistant is, and what becomes of them."""

    words: tuple[str, ...]
    policy: IdentityPolicy


def _secret(setting: Setting, cast: Cast) -> _Secret:
    """The study's assistants' names and this model's own; the study's policy before the model's."""
    own: tuple[str, ...] = getattr(cast.assistant, "own_words", ())
    theirs: IdentityPolicy = getattr(cast.assistant, "identity_policy", "mask")
    return _Secret((*setting.hidden, *own), setting.rules.identity_policy or theirs)


def _told(secret: _Secret, utterance: str, names: tuple[str, ...]) -> IdentityCheck:
    """The utterance masked, with what gave it away. A word within a product's name is none of it."""
    found = identity_check(utterance, own=secret.words)
    # Looking at products' names takes longer, and is seldom needed.
    return identity_check(utterance, own=secret.words, product_names=names) if found.leaks else found


def _faults(setting: Setting, secret: _Secret, utterance: str, seen: Observation) -> list[str]:
    faults: list[str] = []
    names = scene_names(setting)
    markers = leaked_markers(utterance, seen.visible, names=names, places=setting.mapped["assistant"])
    if markers:
        faults.append(NO_MARKERS.format(markers=", ".join(markers)))
    told = _told(secret, utterance, names).leaks
    if told and secret.policy == "mask":
        faults.append(NO_NAMES.format(names=", ".join(told)))
    return faults


def _value(role: str, answer: Answer[AssistantMessage]) -> AssistantMessage:
    if answer.value is None:
        raise MindFailed(role, answer.failure or answer.outcome, answer.raw)
    return answer.value


def _repairs(answer: Answer[Any]) -> dict[str, Any]:
    notes: dict[str, Any] = {}
    if answer.outcome == "repaired":
        notes["repaired"] = True
    if answer.calls:
        notes["calls"] = list(answer.calls)
    return notes


def _assistant_record(
    setting: Setting, message: AssistantMessage, seen: Observation, notes: dict[str, Any]
) -> dict[str, Any]:
    """The trajectory's form: goals as entities, the expectation resolved or noted as unusable."""
    action = message.action.model_dump(mode="json", exclude_none=True)
    for key in ("navigation_goal", "next_waypoint"):
        if key in action:
            action[key] = goal_entity(str(action[key]), knowledge=setting.knowledge, seen=seen)
    expected = message.expected_user_action
    dumped: dict[str, Any] | None = None
    if expected is not None:
        found = resolve_expected(
            expected, observation=seen, knowledge=setting.knowledge, condition=setting.condition
        )
        if isinstance(found, Refusal):
            notes["expected_unusable"] = found.reason
            found = expected.model_copy(update={"resolved": None})
        dumped = found.model_dump(mode="json")
    return {
        "utterance": message.utterance,
        "action": action,
        "ranking": list(message.ranking) if message.ranking is not None else None,
        "expected_user_action": dumped,
    }


async def ask_user(setting: Setting, cast: Cast, given: UserInput, state: ShopperState) -> UserTurn:
    """One reply with one valid call.

    A person is refused as often as it takes, which costs nothing. A model is sent back once; a call refused
    again becomes ``idle`` with the refusal in the record, an empty reply again is a failure.
    Raises: MindFailed.
    """
    notes: dict[str, Any] = {}
    sent_back = False
    while True:
        answer = await _asked("user", cast.user.respond(given))
        if answer.value is None:
            raise MindFailed("user", answer.failure or answer.outcome, answer.raw)
        message = answer.value
        action = validate_call(
            message.tool_call, kind=setting.pack.info.kind, observation=given.observation, state=state
        )
        silent = setting.user_kind == "simulated" and not message.reply.strip()
        if isinstance(action, ResolvedAction) and not silent:
            return _user_turn(answer, message, action, notes, setting.user_kind)
        reason = action.reason if isinstance(action, Refusal) else NO_WORDS
        if setting.user_kind == "simulated" and sent_back:
            if silent:
                raise MindFailed("user", "empty_reply", answer.raw)
            notes["refused"] = {**message.tool_call.model_dump(mode="json"), "reason": reason}
            return _user_turn(answer, message, ResolvedAction(tool="idle"), notes, setting.user_kind)
        if setting.user_kind == "simulated":
            notes["sent_back_user"] = {**message.model_dump(mode="json"), "reason": reason}
        sent_back = True
        given = given.model_copy(update={"refusal": reason})


def _user_turn(
    answer: Answer[UserMessage],
    message: UserMessage,
    action: ResolvedAction,
    notes: dict[str, Any],
    kind: UserKind,
) -> UserTurn:
    call = IDLE if "refused" in notes else message.tool_call
    record: dict[str, Any] = {
        "reply": message.reply,
        "tool_call": {"tool": action.tool, "args": call.args, "resolved": resolved_json(action)},
        "outcome": None,
    }
    if "refused" in notes:
        record["refused"] = notes["refused"]
    client_id = answer.calls[0] if kind == "human" and answer.calls else ""
    repairs = _repairs(answer) if kind == "simulated" else {}
    if "calls" in repairs:
        repairs["user_calls"] = repairs.pop("calls")
    return UserTurn(message, action, record, client_id, notes | repairs, answer.policy_version)


async def ask_moderator(cast: Cast, given: ModeratorInput) -> tuple[ModeratorDecision, str]:
    """A strict yes or no, and the moderator's version.

    Anything else is asked once more, then counts as no and is recorded as missing.
    """
    raw, version = "", ""
    for _ in range(2):
        answer = await _asked("moderator", cast.moderator.decide(given))
        raw, version = answer.raw, answer.policy_version
        if answer.value is not None and not answer.value.missing:
            return answer.value, version
    return ModeratorDecision(stop=False, missing=True, raw=raw), version
