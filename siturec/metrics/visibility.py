"""Cumulative goal visibility, CGV(h). Source: SituRecBench C.1 (S50).

A navigation goal counts as seen once it appears in any saved observation from its own turn to ``h`` turns
later. Its own observation must have been saved. In Home a visible product that stands in the goal's store
or area counts as seeing it, which needs the scene's places.
"""

from bisect import bisect_left
from collections.abc import Mapping
from typing import Final

from siturec.metrics.facts import SceneFacts
from siturec.trajectory_schema import ObservationRecord, Trajectory

HORIZONS: Final = (0, 1, 2, 3, 4, 5)
NEVER: Final = -1
_GOAL_KINDS: dict[str | None, tuple[str, ...]] = {
    "supermarket": ("fixture:",),
    "home": ("store:", "area:"),
    None: ("fixture:", "store:", "area:"),
}


def goal_delays(record: Trajectory, facts: SceneFacts) -> list[int]:
    """For each checkable navigation goal, after how many turns it was first seen (0: at once; -1: never).

    Raises: ValueError for a home scene whose places are unknown.
    """
    if facts.kind == "home" and facts.places is None:
        raise ValueError(f"where products stand in scene {facts.slug!r} is not known")
    places = facts.places if facts.kind == "home" else None
    turns = sorted(record["turns"], key=lambda turn: turn["turn"])
    goals = [_goal(turn["assistant"]["action"], facts.kind) for turn in turns]
    if not any(goals):
        return []
    seen = [_entities(turn["observation"], places) for turn in turns]
    numbers = [turn["turn"] for turn in turns]
    delays: list[int] = []
    for index, goal in enumerate(goals):
        if goal is None or seen[index] is None:
            continue
        # A turn recorded twice is one turn: either record's observation is its current one.
        start = bisect_left(numbers, numbers[index])
        later = (at for at in range(start, len(turns)) if goal in (seen[at] or ()))
        first = next(later, None)
        delays.append(NEVER if first is None else numbers[first] - numbers[index])
    return delays


def _goal(action: Mapping[str, object] | None, kind: str | None) -> str | None:
    goal = action.get("navigation_goal") if action is not None else None
    return goal if isinstance(goal, str) and goal.startswith(_GOAL_KINDS[kind]) else None


def _entities(
    observation: ObservationRecord | None, places: Mapping[str, frozenset[str]] | None
) -> set[str] | None:
    if observation is None:
        return None
    seen = {sighting["entity"] for sighting in observation["visible"]}
    if places is not None:
        products = [entity[8:] for entity in seen if entity.startswith("product:")]
        seen.update(*(places.get(product, ()) for product in products))
    return seen
