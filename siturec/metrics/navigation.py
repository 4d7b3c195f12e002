"""Navigation effectiveness: does the user do what the assistant expects?

Source: SituRecBench C.1 (S48, S49).
"""

from collections.abc import Iterator
from typing import NamedTuple

from siturec.trajectory_schema import CallRecord, Trajectory

_SIDEWAYS = frozenset({"left", "right"})
_DIRECTIONS: dict[str, frozenset[str]] = {
    "turn_and_move": _SIDEWAYS,
    "move_and_turn": _SIDEWAYS,
    "side_step": _SIDEWAYS,
    "turn": _SIDEWAYS,
    "look_up_down": frozenset({"up", "down"}),
}
_TARGET_KIND = {"move_to_fixture": "fixture", "move_to_store": "store", "move_to_area": "area"}


class NavigationEvent(NamedTuple):
    """One turn with a legal expected action: did the tool match, and (None: not comparable) the parameter?"""

    expected: str
    followed: bool
    aligned: bool | None
    within_navigate: bool


def navigation_events(record: Trajectory, legal: frozenset[str]) -> Iterator[NavigationEvent]:
    """Every turn whose expected tool is legal in the scene; following ignores arguments and outcomes."""
    calls = first_calls(record)
    for turn in record["turns"]:
        expected = turn["assistant"]["expected_user_action"]
        if expected is None or expected["tool"] not in legal:
            continue
        actual = calls.get(turn["turn"])
        followed = actual is not None and actual["tool"] == expected["tool"]
        action = turn["assistant"]["action"]
        yield NavigationEvent(
            expected=expected["tool"],
            followed=followed,
            aligned=local_alignment(expected, actual),
            within_navigate=action is not None and action["type"] == "Navigate",
        )


def first_calls(record: Trajectory) -> dict[int, CallRecord]:
    """The user's first tool call of each turn number."""
    calls: dict[int, CallRecord] = {}
    for turn in record["turns"]:
        call = turn["user"]["tool_call"]
        if call is not None:
            calls.setdefault(turn["turn"], call)
    return calls


def local_alignment(expected: CallRecord, actual: CallRecord | None) -> bool | None:
    """Whether tool and local parameter match, or None where the expected parameter cannot be compared.

    Directions only for the five directional tools; the entity for ``move_to_*``, across the two marker
    alphabets; for ``move_to_store`` also the approach, when the expected action gives one.
    """
    tool = expected["tool"]
    wanted = _parameter(expected)
    if wanted is None:
        return None
    if actual is None or actual["tool"] != tool or _parameter(actual) != wanted:
        return False
    if tool == "move_to_store":
        approach = _word(expected, "approach")
        return approach is None or approach == _word(actual, "approach")
    return True


def _parameter(call: CallRecord) -> str | None:
    allowed = _DIRECTIONS.get(call["tool"])
    if allowed is not None:
        direction = _word(call, "direction")
        return direction if direction in allowed else None
    kind = _TARGET_KIND.get(call["tool"])
    if kind is None:
        return None
    target = (call.get("resolved") or {}).get("target")
    # A target of another kind, such as a product behind move_to_fixture, is no usable destination.
    return target if target and (":" not in target or target.startswith(f"{kind}:")) else None


def _word(call: CallRecord, name: str) -> str | None:
    resolved = call.get("resolved") or {}
    found = resolved.get(name) or call["args"].get(name)
    return found.strip().casefold() if isinstance(found, str) and found.strip() else None
