"""Where an episode stands, rebuilt from its recorded turns; the same whether it went on or was resumed."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, cast

from siturec.markers.ablation import assistant_past, user_table
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
from siturec.protocol.vocabulary import Condition


@dataclass(frozen=True)
class RecordedTurn:
    """One turn's row as plain data; what is None has not happened.

    ``seen`` is the observation itself where it is at hand, which saves reading it again.
    """

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
    seen: Observation | None = None


@dataclass(frozen=True)
class Remembered:
    """A finished turn as each role remembers it; made once, for it is told in every turn after it."""

    full: PastTurn

    @cached_property
    def user(self) -> PastTurn:
        """Without the assistant's markers."""
        visible = self.full.visible
        return self.full.model_copy(update={"visible": None if visible is None else user_table(visible)})

    @cached_property
    def seen(self) -> PastTurn:
        """As an assistant that sees tables remembers it: without the user's markers."""
        return assistant_past(self.full, "full")

    @cached_property
    def bare(self) -> PastTurn:
        """Without anything that could be seen."""
        return self.full.model_copy(update={"visible": None})

    def assistant(self, condition: Condition) -> PastTurn:
        """As an assistant remembers it under its condition."""
        return self.bare if condition == "no_ego_view_no_caption" else self.seen


@dataclass(frozen=True)
class Progress:
    """The machine's state, what both roles remember, where the shopper is, and the turn under way.

    ``picked_at``: where the shopper stood when picking up each thing in the cart, then what is held.
    """

    machine: EpisodeState
    pose: Pose
    state: ShopperState
    memory: tuple[Remembered, ...] = ()
    current: RecordedTurn | None = None
    client_ids: frozenset[str] = frozenset()
    picked_at: tuple[Pose, ...] = ()

    @property
    def history(self) -> tuple[PastTurn, ...]:
        """Every finished turn, whole."""
        return tuple(turn.full for turn in self.memory)

    def closed(self, turn: RecordedTurn) -> "Progress":
        """A turn is over: both roles remember it from now on."""
        return replace(self, memory=(*self.memory, Remembered(past_turn(turn))), current=None)


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
    return observation.model_dump(mode="json", exclude={"visible": {"__all__": {"outlines"}}})


def past_turn(turn: RecordedTurn) -> PastTurn:
    """A finished turn as it is remembered."""
    assistant, user = cast(dict[str, Any], turn.assistant), cast(dict[str, Any], turn.user)
    call = user["tool_call"]
    seen = turn.seen
    if seen is None and turn.observation is not None:
        seen = Observation.model_validate(turn.observation)
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


def picked_after(
    picked_at: tuple[Pose, ...], *, pose: Pose, before: ShopperState, after: ShopperState
) -> tuple[Pose, ...]:
    """``picked_at`` after a turn that began at ``pose`` and led from one state to the other."""
    put_away = picked_at[: len(after.cart)]
    if after.held is None:
        return put_away
    return (*put_away, pose) if before.held is None else picked_at


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
        progress,
        machine=state,
        state=after,
        pose=Pose.model_validate(turn.pose_after),
        current=turn,
        picked_at=picked_after(progress.picked_at, pose=progress.pose, before=progress.state, after=after),
    )
    if state.next == "moderate" and turn.moderator is not None:
        progress = replace(
            progress, machine=machine.moderated(state, ModeratorDecision.model_validate(turn.moderator))
        )
    if progress.machine.next == "moderate":
        return progress
    return progress.closed(turn)
