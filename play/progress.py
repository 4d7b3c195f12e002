"""Where an episode stands, rebuilt from its recorded turns; the same whether it went on or was resumed."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

from siturec.protocol import episode as machine
from siturec.protocol.episode import EpisodeState
from siturec.protocol.messages import (
    ModeratorDecision,
    Observation,
    Outcome,
    PastTurn,
    Pose,
    ResolvedAction,
    ShopperState,
)
from siturec.protocol.study import Limits


@dataclass(frozen=True)
class RecordedTurn:
    """One turn's row as plain data; what is None has not happened."""

    index: int
    observation: dict[str, Any] | None = None
    assistant: dict[str, Any] | None = None
    user: dict[str, Any] | None = None
    moderator: dict[str, Any] | None = None
    pose_after: dict[str, Any] | None = None
    state_after: dict[str, Any] | None = None
    user_frame: str = ""
    client_id: str = ""
    notes: dict[str, Any] | None = None
    timings: dict[str, float] | None = None


@dataclass(frozen=True)
class Progress:
    """The machine's state, what both roles remember, where the shopper is, and the turn under way."""

    machine: EpisodeState
    pose: Pose
    state: ShopperState
    history: tuple[PastTurn, ...] = ()
    current: RecordedTurn | None = None
    client_ids: frozenset[str] = frozenset()


def resolved_json(action: ResolvedAction) -> dict[str, Any]:
    """A validated action as records keep it; metres and degrees, and nothing that is not there."""
    dumped = action.model_dump(mode="json", exclude_none=True)
    dumped.pop("tool")
    renamed = {"distance_m": "distance", "angle_deg": "angle"}
    return {renamed.get(key, key): value for key, value in dumped.items()}


def resolved_action(tool: str, resolved: dict[str, Any]) -> ResolvedAction:
    """The validated action that ``resolved_json`` came from."""
    named = {"distance": "distance_m", "angle": "angle_deg"}
    return ResolvedAction.model_validate(
        {"tool": tool, **{named.get(key, key): value for key, value in resolved.items()}}
    )


def stored_observation(observation: Observation) -> dict[str, Any]:
    """An observation as the record keeps it, without outlines: those are pixels of a picture."""
    visible = tuple(seen.model_copy(update={"outlines": ()}) for seen in observation.visible)
    dumped = observation.model_copy(update={"visible": visible}).model_dump(mode="json")
    for sighting in dumped["visible"]:
        del sighting["outlines"]
    return dumped


def past_turn(turn: RecordedTurn) -> PastTurn:
    """A finished turn as it is remembered."""
    assistant, user = cast(dict[str, Any], turn.assistant), cast(dict[str, Any], turn.user)
    call = user["tool_call"]
    seen = Observation.model_validate(turn.observation) if turn.observation is not None else None
    return PastTurn(
        turn=turn.index,
        utterance=assistant["utterance"],
        reply=user["reply"],
        action=resolved_action(call["tool"], call["resolved"]),
        outcome=Outcome.model_validate(user["outcome"]),
        visible=seen.visible if seen is not None else None,
    )


def begin(limits: Limits, start: Pose) -> Progress:
    """An episode of which nothing is recorded."""
    return Progress(machine=machine.begin(limits), pose=start, state=ShopperState())


def rebuild(turns: Sequence[RecordedTurn], *, limits: Limits, start: Pose) -> Progress:
    """Run the recorded steps through the machine. Raises: IllegalStep when the record contradicts itself."""
    progress = begin(limits, start)
    for turn in turns:
        progress = replay_turn(replace(progress, current=turn), turn)
        if progress.machine.next == "ended":
            break
    ids = frozenset(turn.client_id for turn in turns if turn.client_id)
    return replace(progress, client_ids=ids)


def replay_turn(progress: Progress, turn: RecordedTurn) -> Progress:
    """Take the steps of one turn as far as they are recorded."""
    state = progress.machine
    if turn.observation is None:
        return progress
    state = machine.observed(state)
    if turn.assistant is not None:
        state = machine.assistant_answered(state, turn.assistant["action"]["type"])
    if turn.user is not None:
        state = machine.user_answered(state, turn.user["tool_call"]["tool"])
    if turn.user is None or turn.user.get("outcome") is None:
        return replace(progress, machine=state)
    after = ShopperState.model_validate(turn.state_after)
    state = machine.executed(state, Outcome.model_validate(turn.user["outcome"]), cart=after.cart)
    progress = replace(
        progress, machine=state, state=after, pose=Pose.model_validate(turn.pose_after), current=turn
    )
    if state.next == "moderate" and turn.moderator is not None:
        progress = replace(
            progress, machine=machine.moderated(state, ModeratorDecision.model_validate(turn.moderator))
        )
    if progress.machine.next == "moderate":
        return progress
    return replace(progress, history=(*progress.history, past_turn(turn)), current=None)
