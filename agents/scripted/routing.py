"""Where to send the shopper next: the goal if it is in view, else something on the way, else a turn."""

import math
import re
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from agents.scripted.index import StoreIndex
from siturec.protocol.actions_tools import ANGLES_DEG
from siturec.protocol.messages import Approach, AssistantInput, PastTurn, Sighting, TargetEntry

Cue = Literal["walk", "front", "back", "enter", "outside", "turn", "forward", "side", "veer", "down", "up"]
_FACING = 35.0
_AWAY = 50.0
_GAIN_M = 1.0
_NEAR_M = 4.0
_MARGIN_M = 2.2
_PATIENCE = 5
_STRIDE_M = 3.8
_LOST = re.compile(r"\b(can't see|don't see|can't find|which way)\b")


@dataclass(frozen=True)
class Step:
    """One suggestion: the tool expected of the user, in the assistant's markers, and how to say it."""

    cue: Cue
    goal: TargetEntry
    tool: str
    args: dict[str, Any] = field(default_factory=dict)
    via: TargetEntry | None = None
    approach: Approach | None = None


def bearing(given: AssistantInput, place: TargetEntry) -> float:
    """Degrees to turn clockwise (to the right) until facing a place; in [-180, 180)."""
    towards = math.degrees(math.atan2(place.y_m - given.pose.y_m, place.x_m - given.pose.x_m))
    return (towards - given.pose.yaw_deg + 180.0) % 360.0 - 180.0


def distance(given: AssistantInput, place: TargetEntry) -> float:
    """Metres on the floor plan."""
    return math.hypot(place.x_m - given.pose.x_m, place.y_m - given.pose.y_m)


def in_view(given: AssistantInput, place: TargetEntry) -> bool:
    """Whether one may be sent straight there; without a marker table, whether one faces it by the map."""
    if given.observation is None:
        return abs(bearing(given, place)) <= _FACING + 5
    return given.observation.by_entity(place.entity) is not None


def allowed(given: AssistantInput, place: TargetEntry) -> tuple[Approach, ...]:
    """The approaches on offer now: the marker table's, else the static index's."""
    seen = given.observation.by_entity(place.entity) if given.observation is not None else None
    return seen.approaches if seen is not None else place.approaches


def tried(history: tuple[PastTurn, ...], entity: str) -> list[str]:
    """The approaches that have brought the shopper to a place, in order."""
    return [
        past.action.approach or "nearest"
        for past in history
        if past.action is not None
        and past.action.target == entity
        and past.outcome is not None
        and past.outcome.ok
    ]


def last_place(history: tuple[PastTurn, ...]) -> tuple[str | None, Approach | None]:
    """The target the shopper last reached, and by which approach."""
    for past in reversed(history):
        if past.action is not None and past.action.target and past.outcome is not None and past.outcome.ok:
            return past.action.target, past.action.approach
    return None, None


def idle_since(history: tuple[PastTurn, ...], entity: str) -> int:
    """Turns spent near a place since it was last reached, without anything picked up in between."""
    count = 0
    for past in reversed(history):
        if past.action is None or past.action.tool in ("pick_up_item", "check_item", "drop_item", "idle"):
            return count
        if past.action.target == entity:
            return count
        count += 1
    return count


def _turn(goal: TargetEntry, degrees: float) -> Step:
    angle = min(ANGLES_DEG, key=lambda offered: abs(offered - abs(degrees)))
    return Step("turn", goal, "turn", {"direction": "right" if degrees > 0 else "left", "angle": angle})


def _walk(given: AssistantInput, goal: TargetEntry, via: TargetEntry, approach: Approach) -> Step:
    marker = via.assistant_marker
    if via.kind == "area":
        return Step("walk", goal, "move_to_area", {"target": marker}, via)
    args = {"target": marker, "approach": approach}
    if via.kind == "store":
        cue: Cue = "enter" if approach == "inside_doorway" else "outside"
        return Step(cue, goal, "move_to_store", args, via, approach)
    cue = approach if approach in ("front", "back") else "walk"
    return Step(cue, goal, "move_to_fixture", args, via, approach)


def _approach(given: AssistantInput, place: TargetEntry) -> Approach:
    if place.kind == "store":
        return "inside_doorway"
    offered = allowed(given, place)
    done = tried(given.history, place.entity)
    for approach in ("front", "back"):
        if approach in offered and approach not in done:
            return approach
    return "front" if "front" in offered else "nearest"


def _turns_in_a_row(history: tuple[PastTurn, ...]) -> int:
    count = 0
    for past in reversed(history):
        if past.action is None or past.action.tool not in ("turn", "look_up_down", "idle"):
            break
        count += past.action.tool == "turn"
    return count


def _on_the_way(index: StoreIndex, given: AssistantInput, goal: TargetEntry) -> TargetEntry | None:
    """A visible place clearly nearer to the goal than the shopper is, other than the one last reached."""
    if given.observation is None:
        return None
    here, _ = last_place(given.history)
    own = inside_of(index, given)
    now = distance(given, goal)
    best: tuple[float, TargetEntry] | None = None
    for seen in given.observation.visible:
        place = index.targets.get(seen.entity)
        if (
            place is None
            or place.entity == here
            or place == own
            or (place.kind == "area" and place.store != goal.store)
        ):
            continue
        rest = math.hypot(place.x_m - goal.x_m, place.y_m - goal.y_m)
        if rest < now - _GAIN_M and (best is None or rest < best[0]):
            best = (rest, place)
    return best[1] if best else None


def inside_of(index: StoreIndex, given: AssistantInput) -> TargetEntry | None:
    """The store whose display areas surround the shopper, or None on the corridor and in a supermarket."""
    for store in given.store.targets:
        areas = index.areas.get(store.entity, ())
        if not areas:
            continue
        x, y = given.pose.x_m, given.pose.y_m
        across = min(a.x_m for a in areas) - _MARGIN_M <= x <= max(a.x_m for a in areas) + _MARGIN_M
        along = min(a.y_m for a in areas) - _MARGIN_M <= y <= max(a.y_m for a in areas) + _MARGIN_M
        if across and along:
            return store
    return None


def searched(history: tuple[PastTurn, ...]) -> frozenset[str]:
    """Places where the shopper looked around for a while and inspected nothing."""
    found: set[str] = set()
    here, looked = None, 0
    for past in history:
        if past.action is None:
            continue
        if past.action.tool in ("pick_up_item", "check_item"):
            here, looked = None, 0
        elif past.action.target is not None:
            here, looked = past.action.target, 0
        elif past.action.tool != "idle":
            looked += 1
        if here is not None and looked >= _PATIENCE:
            found.add(here)
    return frozenset(found)


def towards(index: StoreIndex, given: AssistantInput, goal: TargetEntry) -> Step:
    """The next step to a place that may not be in view yet."""
    if given.observation is None and in_view(given, goal) and _LOST.search(_last_reply(given)):
        return Step("forward", goal, "move_forward", {"distance": "long"})
    if in_view(given, goal):
        return _walk(given, goal, goal, _approach(given, goal))
    if goal.kind == "area" and goal.store in index.targets:
        store = index.targets[goal.store]
        if inside_of(index, given) != store:
            return replace(towards(index, given, store), goal=goal)
    return _search(index, given, goal)


def _search(index: StoreIndex, given: AssistantInput, goal: TargetEntry) -> Step:
    """A goal out of view: leave the store one is in, turn towards it, or go to something nearer to it."""
    off, turns = bearing(given, goal), _turns_in_a_row(given.history)
    own = inside_of(index, given)
    leaving = own is not None and own.entity not in (goal.entity, goal.store)
    if own is not None and leaving and in_view(given, own):
        return _walk(given, goal, own, "outside_doorway")
    if abs(off) > _FACING and turns < 2:
        return _turn(goal, off)
    via = _on_the_way(index, given, goal)
    if via is not None:
        return _walk(given, goal, via, "outside_doorway" if via.kind == "store" else _approach(given, via))
    if leaving or _just(given, "move_forward"):
        return _turn(goal, 90.0 if off > 0 else -90.0)
    return Step("forward", goal, "move_forward", {"distance": "medium" if turns >= 2 else "long"})


def _last_reply(given: AssistantInput) -> str:
    return given.history[-1].reply.lower() if given.history else ""


def _just(given: AssistantInput, tool: str) -> bool:
    last = given.history[-1].action if given.history else None
    return last is not None and last.tool == tool


def at(given: AssistantInput, place: TargetEntry) -> bool:
    """Whether the shopper was brought to a place and is still near it."""
    return bool(tried(given.history, place.entity)) and distance(given, place) < _NEAR_M


def closer(given: AssistantInput, goal: TargetEntry, seen: Sighting) -> Step:
    """A step towards something in view but out of reach."""
    far = "short" if seen.distance_m < _STRIDE_M else "medium"
    if seen.side == "ahead":
        return Step("forward", goal, "move_forward", {"distance": far})
    if goal.kind == "fixture":
        return Step("side", goal, "side_step", {"direction": seen.side, "distance": "short"})
    return Step("veer", goal, "turn_and_move", {"direction": seen.side, "angle": 30, "distance": "short"})


def _other_side(given: AssistantInput, goal: TargetEntry) -> Step | None:
    """To the side of a fixture not stood at yet; by way of something beyond it where that is not on offer."""
    done = tried(given.history, goal.entity)
    missing = [side for side in goal.approaches if side in ("front", "back") and side not in done]
    if not missing:
        return None
    if missing[0] in allowed(given, goal) and in_view(given, goal):
        return _walk(given, goal, goal, missing[0])
    if given.observation is None:
        return None
    x, y = given.pose.x_m - goal.x_m, given.pose.y_m - goal.y_m
    beyond = [
        (math.hypot(place.x_m - goal.x_m, place.y_m - goal.y_m), place)
        for place in given.store.targets
        if place.kind == "fixture"
        and in_view(given, place)
        and (place.x_m - goal.x_m) * x + (place.y_m - goal.y_m) * y < -_GAIN_M
    ]
    if not beyond:
        return None
    via = min(beyond, key=lambda pair: (pair[0], pair[1].entity))[1]
    return _walk(given, goal, via, _approach(given, via))


def explore(given: AssistantInput, goal: TargetEntry) -> Step | None:
    """What to try at a place where the product is not in view yet; None when everything was tried."""
    spent = idle_since(given.history, goal.entity)
    if goal.kind == "fixture":
        off = bearing(given, goal)
        if abs(off) > _AWAY and _turns_in_a_row(given.history) < 2:
            return _turn(goal, off)
        if (side := _other_side(given, goal)) is not None:
            return side
    if goal.kind == "fixture":
        plan: tuple[Step, ...] = (
            Step("side", goal, "side_step", {"direction": "left", "distance": "short"}),
            Step("side", goal, "side_step", {"direction": "right", "distance": "medium"}),
            Step("down", goal, "look_up_down", {"direction": "down", "angle": 30}),
        )
    else:
        plan = (
            Step("turn", goal, "turn", {"direction": "left", "angle": 45}),
            Step("turn", goal, "turn", {"direction": "right", "angle": 90}),
            Step("up", goal, "look_up_down", {"direction": "up", "angle": 30}),
            Step("turn", goal, "turn", {"direction": "left", "angle": 45}),
            Step("turn", goal, "turn", {"direction": "right", "angle": 90}),
        )
    return plan[spent] if spent < len(plan) else None
