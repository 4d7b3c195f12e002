"""Walking: a round body that sweeps over the floor plan, slides along what it meets, never passes through.

Everything here is geometry: metres on the floor plan, no clock. The arithmetic is in ``walking_kernels``.
"""

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from storefront import walking_kernels as kernels
from storefront.walking_kernels import STANDING, Floats

Point = tuple[float, float]
Box = tuple[float, float, float, float]

SLIDE_STEP_M = 0.02
"""While in contact the body goes on in steps of this length, so that it follows round corners."""
STOPPED = 0.03
"""A step that gets on by less than this share of its length is the end of the movement: whoever walks into a
wall within two degrees of head-on stops, all others slide."""


class Contact(NamedTuple):
    """Where a sweep first meets a solid: the share of the move that is free, and the outward normal there."""

    share: float
    nx: float
    ny: float


class FloorPlan:
    """The solids a body meets, within the walls of a floor.

    Args:
        solids: rectangles (x0, y0, x1, y1) in metres.
        floor: the rectangle the body stays in.
        radius: the body's, in metres.
    """

    def __init__(self, solids: Iterable[Sequence[float]], floor: Box, radius: float) -> None:
        corners = np.array([tuple(map(float, solid)) for solid in solids], float).reshape(-1, 2, 2)
        self.boxes: Floats = _outermost(np.hstack((corners.min(axis=1), corners.max(axis=1))))
        self.floor: Floats = np.array(floor, float)
        self.radius = radius

    def clearance(self, x: float, y: float) -> float:
        """Metres between the body's skin and the nearest solid or wall; negative when it overlaps one."""
        return kernels.clearance(self.boxes, self.floor, self.radius, x, y)

    def free(self, x: float, y: float) -> bool:
        """Whether a body can stand here; touching counts as free."""
        return self.clearance(x, y) >= -STANDING

    def sweep(self, x: float, y: float, mx: float, my: float) -> Contact:
        """The first contact of a body that moves from (x, y) by (mx, my)."""
        return Contact(*kernels.sweep(self.boxes, self.floor, self.radius, x, y, mx, my))

    def step(self, x: float, y: float, mx: float, my: float) -> Point:
        """Move by (mx, my), sliding along whatever is met; ends where nothing more can be gained."""
        return kernels.step(self.boxes, self.floor, self.radius, x, y, mx, my)

    def nearest_free(self, x: float, y: float) -> Point:
        """The nearest place to stand, to about a centimetre; the point itself when it is free already."""
        return kernels.nearest_free(self.boxes, self.floor, self.radius, x, y)


def _outermost(boxes: Floats) -> Floats:
    """Rectangles without those that lie wholly within another."""
    kept: list[Floats] = []
    area = (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])
    for box in boxes[np.argsort(-area, kind="stable")]:
        if not any((box[:2] >= other[:2]).all() and (box[2:] <= other[2:]).all() for other in kept):
            kept.append(box)
    return np.array(kept, float).reshape(-1, 4)


class Leg(NamedTuple):
    """A straight piece of a walk: the length asked for up to its end (metres), and where it ends."""

    asked_m: float
    x: float
    y: float


def walk_legs(plan: FloorPlan, x: float, y: float, ux: float, uy: float, length_m: float) -> list[Leg]:
    """Walk ``length_m`` in the unit direction (ux, uy), sliding, and stop for good where nothing is gained.

    Returns: the legs, in order; none when the body is blocked at once. A body that starts inside a solid may
    leave it but not go deeper.
    """
    legs: list[Leg] = []
    done = 0.0
    while length_m - done > 1e-9:
        left = length_m - done
        free = plan.sweep(x, y, ux * left, uy * left).share * left
        if free > SLIDE_STEP_M or free >= left:
            done += free
            x, y = x + ux * free, y + uy * free
            legs.append(Leg(done, x, y))
            continue
        asked = min(SLIDE_STEP_M, left)
        to_x, to_y = plan.step(x, y, ux * asked, uy * asked)
        if math.hypot(to_x - x, to_y - y) < STOPPED * asked:
            break
        done += asked
        x, y = to_x, to_y
        legs.append(Leg(done, x, y))
    return legs
