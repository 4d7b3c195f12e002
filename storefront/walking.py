"""Walking: a round body that sweeps over the floor plan, slides along what it meets, never passes through.

Everything here is geometry: metres on the floor plan, no clock. Solids are axis-aligned rectangles; a circle
of radius r against a rectangle is a point against the rectangle grown by r with round corners.
"""

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

Point = tuple[float, float]
Box = tuple[float, float, float, float]

TOUCHING = 1e-9
"""Metres within which a body counts as touching; contact alone never blocks a move along or away."""
SLIDE_STEP_M = 0.02
"""While in contact the body goes on in steps of this length, so that it follows round corners."""
STOPPED = 1e-3
"""A step that gets on by less than this share of its length is the end of the movement."""
_BUMPS = 4


class Contact(NamedTuple):
    """Where a sweep first meets a solid: the share of the move that is free, and the outward normal there."""

    share: float
    nx: float
    ny: float


FREE = Contact(1.0, 0.0, 0.0)


def _nearest_normal(box: Box, x: float, y: float) -> tuple[float, float, float]:
    """Distance from a point to a rectangle and the outward direction; negative inside."""
    x0, y0, x1, y1 = box
    qx, qy = min(max(x, x0), x1), min(max(y, y0), y1)
    dx, dy = x - qx, y - qy
    distance = math.hypot(dx, dy)
    if distance > 0.0:
        return distance, dx / distance, dy / distance
    ways = ((x - x0, -1.0, 0.0), (x1 - x, 1.0, 0.0), (y - y0, 0.0, -1.0), (y1 - y, 0.0, 1.0))
    depth, nx, ny = min(ways)
    return -depth, nx, ny


def _enter_slab(low: float, high: float, start: float, move: float) -> tuple[float, float] | None:
    """When a coordinate that starts at ``start`` is within [low, high]: shares of the move, or None."""
    if move == 0.0:
        return (-math.inf, math.inf) if low <= start <= high else None
    a, b = (low - start) / move, (high - start) / move
    return (a, b) if a <= b else (b, a)


def _enter_box(box: Box, x: float, y: float, mx: float, my: float) -> float | None:
    """Share of the move after which a point enters a rectangle, or None when it does not within the move."""
    across = _enter_slab(box[0], box[2], x, mx)
    along = _enter_slab(box[1], box[3], y, my)
    if across is None or along is None:
        return None
    enter, leave = max(across[0], along[0]), min(across[1], along[1])
    return enter if 0.0 <= enter <= 1.0 and enter <= leave else None


def _enter_disc(centre: Point, radius: float, x: float, y: float, mx: float, my: float) -> float | None:
    """Share of the move after which a point enters a disc, or None."""
    px, py = x - centre[0], y - centre[1]
    a = mx * mx + my * my
    b = px * mx + py * my
    inside = b * b - a * (px * px + py * py - radius * radius)
    if a == 0.0 or b >= 0.0 or inside < 0.0:
        return None
    share = (-b - math.sqrt(inside)) / a
    return share if 0.0 <= share <= 1.0 else None


def _meet(box: Box, radius: float, x: float, y: float, mx: float, my: float) -> Contact:
    """The first contact of a moving disc with one rectangle."""
    distance, nx, ny = _nearest_normal(box, x, y)
    if distance <= radius + TOUCHING:
        return Contact(0.0, nx, ny) if mx * nx + my * ny < 0.0 else FREE
    x0, y0, x1, y1 = box
    entries = [
        _enter_box((x0 - radius, y0, x1 + radius, y1), x, y, mx, my),
        _enter_box((x0, y0 - radius, x1, y1 + radius), x, y, mx, my),
        *(_enter_disc((cx, cy), radius, x, y, mx, my) for cx in (x0, x1) for cy in (y0, y1)),
    ]
    share = min((entry for entry in entries if entry is not None), default=None)
    if share is None:
        return FREE
    _, nx, ny = _nearest_normal(box, x + share * mx, y + share * my)
    return Contact(share, nx, ny)


class FloorPlan:
    """The solids a body meets, within the walls of a floor.

    Args:
        solids: rectangles (x0, y0, x1, y1) in metres.
        floor: the rectangle the body stays in.
        radius: the body's, in metres.
    """

    def __init__(self, solids: Iterable[Sequence[float]], floor: Box, radius: float) -> None:
        self.solids: tuple[Box, ...] = tuple(
            (min(a, c), min(b, d), max(a, c), max(b, d)) for a, b, c, d in ((*map(float, s),) for s in solids)
        )
        self.floor = floor
        self.radius = radius

    def clearance(self, x: float, y: float) -> float:
        """Metres between the body's skin and the nearest solid or wall; negative when it overlaps one."""
        x0, y0, x1, y1 = self.floor
        nearest = min(x - x0, y - y0, x1 - x, y1 - y)
        for box in self.solids:
            nearest = min(nearest, _nearest_normal(box, x, y)[0])
        return nearest - self.radius

    def free(self, x: float, y: float) -> bool:
        """Whether a body can stand here (touching counts as free)."""
        return self.clearance(x, y) >= -1e-7

    def sweep(self, x: float, y: float, mx: float, my: float, near: Sequence[Box] | None = None) -> Contact:
        """The first contact of a body that moves from (x, y) by (mx, my)."""
        first = self._meet_walls(x, y, mx, my)
        reach = self.radius + TOUCHING
        left, right = min(x, x + mx) - reach, max(x, x + mx) + reach
        low, high = min(y, y + my) - reach, max(y, y + my) + reach
        for box in self.solids if near is None else near:
            if box[0] > right or box[2] < left or box[1] > high or box[3] < low:
                continue
            contact = _meet(box, self.radius, x, y, mx, my)
            if contact.share < first.share:
                first = contact
        return first

    def _meet_walls(self, x: float, y: float, mx: float, my: float) -> Contact:
        x0, y0, x1, y1 = self.floor
        r = self.radius
        first = FREE
        for gap, towards, nx, ny in (
            (x - x0 - r, -mx, 1.0, 0.0),
            (x1 - r - x, mx, -1.0, 0.0),
            (y - y0 - r, -my, 0.0, 1.0),
            (y1 - r - y, my, 0.0, -1.0),
        ):
            if towards > 0.0 and gap < towards:
                share = max(0.0, gap / towards)
                if share < first.share:
                    first = Contact(share, nx, ny)
        return first

    def step(self, x: float, y: float, mx: float, my: float, near: Sequence[Box] | None = None) -> Point:
        """Move by (mx, my), sliding along whatever is met; ends where nothing more can be gained."""
        for _ in range(_BUMPS):
            contact = self.sweep(x, y, mx, my, near)
            x, y = x + mx * contact.share, y + my * contact.share
            if contact.share >= 1.0:
                break
            rest = 1.0 - contact.share
            mx, my = mx * rest, my * rest
            inward = mx * contact.nx + my * contact.ny
            mx, my = mx - inward * contact.nx, my - inward * contact.ny
            if math.hypot(mx, my) < 1e-12:
                break
        return x, y

    def nearby(self, x: float, y: float, within: float) -> tuple[Box, ...]:
        """The solids a body may touch within a distance of (x, y)."""
        reach = within + self.radius + TOUCHING
        return tuple(
            box
            for box in self.solids
            if box[0] <= x + reach and box[2] >= x - reach and box[1] <= y + reach and box[3] >= y - reach
        )

    def nearest_free(self, x: float, y: float) -> Point:
        """The nearest place to stand, found ring by ring; the point itself when it is free already."""
        x0, y0, x1, y1 = self.floor
        r = self.radius
        x, y = min(max(x, x0 + r), max(x0 + r, x1 - r)), min(max(y, y0 + r), max(y0 + r, y1 - r))
        if self.free(x, y):
            return x, y
        ring = 0.02
        while ring < math.hypot(x1 - x0, y1 - y0):
            count = max(16, int(math.tau * ring / 0.05))
            for k in range(count):
                angle = math.tau * k / count
                px, py = x + ring * math.cos(angle), y + ring * math.sin(angle)
                if self.free(px, py):
                    return px, py
            ring = ring * 1.1 + 0.01
        return x, y


class Leg(NamedTuple):
    """A straight piece of a walk: the length asked for up to its end (metres), and where it ends."""

    asked_m: float
    x: float
    y: float


def walk_legs(plan: FloorPlan, x: float, y: float, ux: float, uy: float, length_m: float) -> list[Leg]:
    """Walk ``length_m`` in the unit direction (ux, uy), sliding, and stop for good where nothing is gained.

    Returns: the legs, in order; none when the body is blocked at once. Starting inside a solid (after a
    teleport) the body may leave it but not go deeper.
    """
    legs: list[Leg] = []
    done = 0.0
    near: tuple[Box, ...] = ()
    anchor: Point | None = None
    while length_m - done > 1e-9:
        left = length_m - done
        free = plan.sweep(x, y, ux * left, uy * left).share * left
        if free > SLIDE_STEP_M or free >= left:
            done += free
            x, y = x + ux * free, y + uy * free
            legs.append(Leg(done, x, y))
            continue
        if anchor is None or math.hypot(x - anchor[0], y - anchor[1]) > 0.5:
            anchor, near = (x, y), plan.nearby(x, y, 1.0)
        asked = min(SLIDE_STEP_M, left)
        to_x, to_y = plan.step(x, y, ux * asked, uy * asked, near)
        if math.hypot(to_x - x, to_y - y) < STOPPED * asked:
            break
        done += asked
        x, y = to_x, to_y
        legs.append(Leg(done, x, y))
    return legs
