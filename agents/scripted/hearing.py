"""What a shopper makes of an utterance: a product shown, a place to go, a way to turn, a question asked."""

import re
from dataclasses import dataclass, field
from typing import Any

from agents.scripted.words import mentions
from siturec.protocol.messages import Sighting, ToolCall, UserInput

_TURN = re.compile(
    r"\b(?:turn|face|look)\b[^.?!]{0,24}?\b"
    r"(slightly |sharply |a little |a bit )?(?:to (?:the|your) )?(left|right)\b"
)
_AROUND = re.compile(r"\b(turn|look|face)(ing)? (right )?(around|round|back)\b|\bbehind (you|us)\b")
_SIDE = re.compile(r"\bstep(?:s)? (?:a little |slightly )?to (?:the|your) (left|right)\b")
_AHEAD = re.compile(r"\b(straight (ahead|on)|forward|keep going|carry on|ahead a little|closer)\b")
_BACK = re.compile(r"\b(step back|move back|backwards?)\b")
_DOWN = re.compile(r"\blook(ing)? (a little |slightly )?down\b|\blower (row|shel|part|board)")
_UP = re.compile(r"\blook(ing)? (a little |slightly )?up\b|\b(upper|top|higher) (row|shel|part|board)")
_OFFER = re.compile(
    r"\b(recommend|suggest|suggestion|how about|take the|try the|best seller|closer look|pick up|"
    r"have a look at|go for|"
    r"comparing|shall we put|in your cart|consider)\b"
)
_LEADS = re.compile(
    r"\b(walk (over )?(to|into)|head (over )?to|go (over )?to|go and stand|step inside|go in through)\b"
)
_ASKS = re.compile(r"\?")
_CART = re.compile(r"\bcart\b")
_SHORT = re.compile(r"\b(a step|a bit|closer|a little)\b")


@dataclass(frozen=True)
class Heard:
    """One utterance, understood as far as the shopper can: only what is in view can be meant by name."""

    product: Sighting | None = None
    place: Sighting | None = None
    offers: bool = False
    asks: bool = False
    leads: bool = False
    call: ToolCall | None = None
    products: tuple[Sighting, ...] = field(default=())


def longest_first(seen: Sighting) -> tuple[int, float]:
    """Longer names first, then nearer things."""
    return -len(seen.name), seen.distance_m


def hear(given: UserInput) -> Heard:
    """Understand the assistant's latest words against the shopper's own view."""
    text = given.utterance
    lowered = text.lower()
    visible = sorted(given.observation.visible, key=longest_first)
    products = _distinct([s for s in visible if s.kind == "product" and mentions(lowered, s.name)], lowered)
    places = [s for s in visible if s.kind != "product" and mentions(lowered, s.name)]
    place = _best_place(places, lowered)
    return Heard(
        product=products[0] if products else None,
        place=place,
        offers=_OFFER.search(lowered) is not None,
        asks=_ASKS.search(text) is not None,
        leads=_LEADS.search(lowered) is not None,
        call=_walk_to(place, lowered) if place is not None else _motion(lowered),
        products=tuple(products),
    )


def _distinct(found: list[Sighting], text: str) -> list[Sighting]:
    """Without names that are only part of a longer name found, in the order of the sentence."""
    kept: list[Sighting] = []
    for seen in found:
        if not any(seen.name.lower() in other.name.lower() for other in kept):
            kept.append(seen)
    return sorted(kept, key=lambda seen: text.find(seen.name.lower()))


def _best_place(places: list[Sighting], text: str) -> Sighting | None:
    """The place meant: the first named; one named only as where something should be is none to walk to."""
    if _TURN.search(text) or _AROUND.search(text):
        return None
    return min(places, key=lambda s: (text.find(s.name.lower()), -len(s.name)), default=None)


def _walk_to(place: Sighting, text: str) -> ToolCall:
    marker = place.user_marker
    if place.kind == "area":
        return ToolCall(tool="move_to_area", args={"target": marker})
    args: dict[str, Any] = {"target": marker}
    if place.kind == "store":
        outside = re.search(r"\b(outside|entrance|in front of)\b", text) is not None
        args["approach"] = "outside_doorway" if outside else "inside_doorway"
        return ToolCall(tool="move_to_store", args=args)
    wanted = "back" if re.search(r"\bback( side)?\b", text) else "front"
    args["approach"] = wanted if wanted in place.approaches else "nearest"
    return ToolCall(tool="move_to_fixture", args=args)


def _motion(text: str) -> ToolCall | None:
    """The first free movement a text asks for, with the amount its words suggest."""
    side = _SIDE.search(text)
    if side:
        return ToolCall(tool="side_step", args={"direction": side.group(1), "distance": "short"})
    if _AROUND.search(text):
        return ToolCall(tool="turn", args={"direction": "right", "angle": 180})
    turn = _TURN.search(text)
    if turn:
        angle = {"s": 30, "a": 30}.get((turn.group(1) or "")[:1], 90)
        angle = 120 if (turn.group(1) or "").startswith("sharply") else angle
        if _AHEAD.search(text):
            args = {"direction": turn.group(2), "angle": angle, "distance": "short"}
            return ToolCall(tool="turn_and_move", args=args)
        return ToolCall(tool="turn", args={"direction": turn.group(2), "angle": angle})
    for pattern, direction in ((_DOWN, "down"), (_UP, "up")):
        if pattern.search(text):
            return ToolCall(tool="look_up_down", args={"direction": direction, "angle": 30})
    if _BACK.search(text):
        return ToolCall(tool="move_backward", args={"distance": "short"})
    if _AHEAD.search(text):
        return ToolCall(tool="move_forward", args={"distance": "short" if _SHORT.search(text) else "medium"})
    return None
