"""The assistant's side of the ablation: what each condition takes away, now and in every past turn.

Source: SituRecBench D.4 (S71) and docs/protocol.md. Users are never affected.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from siturec.protocol.messages import Observation, PastTurn, Sighting
from siturec.protocol.vocabulary import Condition


@dataclass(frozen=True)
class AssistantSight:
    """What is left of the view for an assistant under its condition."""

    observation: Observation | None
    frame: bytes | None
    history: tuple[PastTurn, ...]


def assistant_sight(
    *,
    observation: Observation,
    frame: bytes | None,
    history: Sequence[PastTurn],
    condition: Condition,
) -> AssistantSight:
    """Apply a condition to the current view and to the past alike.

    The user's markers and the outlines (pixels of the picture) are not the assistant's in any condition.
    """
    past = tuple(assistant_past(turn, condition) for turn in history)
    if condition == "no_ego_view_no_caption":
        return AssistantSight(observation=None, frame=None, history=past)
    return AssistantSight(
        observation=observation.model_copy(update={"visible": _table(observation.visible)}),
        frame=frame if condition == "full" else None,
        history=past,
    )


def assistant_past(turn: PastTurn, condition: Condition) -> PastTurn:
    """A past turn as an assistant may remember it under its condition."""
    if condition == "no_ego_view_no_caption" or turn.visible is None:
        return turn.model_copy(update={"visible": None})
    return turn.model_copy(update={"visible": _table(turn.visible)})


def _table(visible: Sequence[Sighting]) -> tuple[Sighting, ...]:
    return tuple(seen.model_copy(update={"user_marker": "", "outlines": ()}) for seen in visible)


def user_table(visible: Sequence[Sighting]) -> tuple[Sighting, ...]:
    """A past table as a user may remember it: without the assistant's markers and old outlines."""
    return tuple(seen.model_copy(update={"assistant_marker": "", "outlines": ()}) for seen in visible)
