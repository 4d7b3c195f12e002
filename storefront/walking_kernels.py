"""The compiled geometry of walking: a disc against axis-aligned rectangles. Metres; no clock, no state.

A disc of radius r against a rectangle is a point against the rectangle grown by r with round corners.
Compiled without fast-math: walking relies on exact comparisons at contact.
"""

import math
from collections.abc import Callable
from typing import Any, TypeVar, cast

import numpy as np
from numba import njit
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
F = TypeVar("F", bound=Callable[..., Any])

TOUCHING = 1e-9
"""Metres within which a body counts as touching; contact alone never blocks a move along or away."""
STANDING = 1e-7
"""A body that overlaps by no more than this still counts as standing free."""
ALONG = 1e-12
"""A move into a solid by no more than this share of its length goes along it: that is rounding, and taking
it for a contact would hold a body that slides for good."""
_BUMPS = 4
_STILL = 1e-12


def _kernel(function: F) -> F:
    return cast(F, njit(nogil=True, cache=True, error_model="numpy")(function))


@_kernel
def _nearest(box: Floats, x: float, y: float) -> tuple[float, float, float]:
    """Distance from a point to a rectangle, negative inside, and the outward direction there."""
    dx = x - min(max(x, box[0]), box[2])
    dy = y - min(max(y, box[1]), box[3])
    distance = math.hypot(dx, dy)
    if distance > 0.0:
        return distance, dx / distance, dy / distance
    depth, nx, ny = x - box[0], -1.0, 0.0
    if box[2] - x < depth:
        depth, nx, ny = box[2] - x, 1.0, 0.0
    if y - box[1] < depth:
        depth, nx, ny = y - box[1], 0.0, -1.0
    if box[3] - y < depth:
        depth, nx, ny = box[3] - y, 0.0, 1.0
    return -depth, nx, ny


@_kernel
def _slab(low: float, high: float, start: float, move: float) -> tuple[float, float]:
    """Shares of a move between which a coordinate is within [low, high]; never is (inf, -inf)."""
    if move == 0.0:
        if low <= start <= high:
            return -np.inf, np.inf
        return np.inf, -np.inf
    a, b = (low - start) / move, (high - start) / move
    return min(a, b), max(a, b)


@_kernel
def _enter_box(x0: float, y0: float, x1: float, y1: float, x: float, y: float, mx: float, my: float) -> float:
    """Share of a move after which a point enters a rectangle; inf when it does not."""
    ax, bx = _slab(x0, x1, x, mx)
    ay, by = _slab(y0, y1, y, my)
    enter, leave = max(ax, ay), min(bx, by)
    if 0.0 <= enter <= 1.0 and enter <= leave:
        return enter
    return np.inf


@_kernel
def _enter_disc(cx: float, cy: float, radius: float, x: float, y: float, mx: float, my: float) -> float:
    """Share of a move after which a point enters a disc; inf when it does not."""
    px, py = x - cx, y - cy
    a, b = mx * mx + my * my, px * mx + py * my
    inside = b * b - a * (px * px + py * py - radius * radius)
    if a == 0.0 or b >= 0.0 or inside < 0.0:
        return np.inf
    share = (-b - math.sqrt(inside)) / a
    if 0.0 <= share <= 1.0:
        return share
    return np.inf


@_kernel
def _meet(box: Floats, r: float, x: float, y: float, mx: float, my: float) -> tuple[float, float, float]:
    """First contact of a moving disc with one rectangle: share of the move, normal; (1, 0, 0) is none."""
    distance, nx, ny = _nearest(box, x, y)
    if distance <= r + TOUCHING:
        if mx * nx + my * ny < -ALONG * math.hypot(mx, my):
            return 0.0, nx, ny
        return 1.0, 0.0, 0.0
    x0, y0, x1, y1 = box[0], box[1], box[2], box[3]
    share = min(
        _enter_box(x0 - r, y0, x1 + r, y1, x, y, mx, my), _enter_box(x0, y0 - r, x1, y1 + r, x, y, mx, my)
    )
    share = min(share, _enter_disc(x0, y0, r, x, y, mx, my), _enter_disc(x0, y1, r, x, y, mx, my))
    share = min(share, _enter_disc(x1, y0, r, x, y, mx, my), _enter_disc(x1, y1, r, x, y, mx, my))
    if share > 1.0:
        return 1.0, 0.0, 0.0
    _, nx, ny = _nearest(box, x + share * mx, y + share * my)
    return share, nx, ny


@_kernel
def _wall(gap: float, towards: float, share: float) -> float:
    """Share of a move after which a wall at ``gap`` is met, if that is before ``share``."""
    if towards > 0.0 and gap < towards:
        return min(share, max(0.0, gap / towards))
    return share


@_kernel
def sweep(
    boxes: Floats, floor: Floats, r: float, x: float, y: float, mx: float, my: float
) -> tuple[float, float, float]:
    """First contact of a disc that moves from (x, y) by (mx, my) within the floor, among the boxes (n, 4).

    Returns: the share of the move that is free, and the outward normal of what is met (0, 0 if nothing is).
    """
    first, first_x, first_y = 1.0, 0.0, 0.0
    for wall in range(4):
        if wall == 0:
            gap, towards, nx, ny = x - floor[0] - r, -mx, 1.0, 0.0
        elif wall == 1:
            gap, towards, nx, ny = floor[2] - r - x, mx, -1.0, 0.0
        elif wall == 2:
            gap, towards, nx, ny = y - floor[1] - r, -my, 0.0, 1.0
        else:
            gap, towards, nx, ny = floor[3] - r - y, my, 0.0, -1.0
        share = _wall(gap, towards, first)
        if share < first:
            first, first_x, first_y = share, nx, ny
    reach = r + TOUCHING
    left, right = min(x, x + mx) - reach, max(x, x + mx) + reach
    low, high = min(y, y + my) - reach, max(y, y + my) + reach
    for k in range(len(boxes)):
        box = boxes[k]
        if box[0] > right or box[2] < left or box[1] > high or box[3] < low:
            continue
        share, nx, ny = _meet(box, r, x, y, mx, my)
        if share < first:
            first, first_x, first_y = share, nx, ny
    return first, first_x, first_y


@_kernel
def step(
    boxes: Floats, floor: Floats, r: float, x: float, y: float, mx: float, my: float
) -> tuple[float, float]:
    """Move a disc by (mx, my), sliding along what it meets; where it ends."""
    for _ in range(_BUMPS):
        share, nx, ny = sweep(boxes, floor, r, x, y, mx, my)
        x, y = x + mx * share, y + my * share
        if share >= 1.0:
            break
        mx, my = mx * (1.0 - share), my * (1.0 - share)
        inward = mx * nx + my * ny
        mx, my = mx - inward * nx, my - inward * ny
        if math.hypot(mx, my) < _STILL:
            break
    return x, y


@_kernel
def clearance(boxes: Floats, floor: Floats, r: float, x: float, y: float) -> float:
    """Metres between a disc's edge and the nearest rectangle or wall; negative when it overlaps one."""
    nearest: float = min(x - floor[0], y - floor[1], floor[2] - x, floor[3] - y)
    for k in range(len(boxes)):
        nearest = min(nearest, _nearest(boxes[k], x, y)[0])
    return nearest - r


@_kernel
def nearest_free(boxes: Floats, floor: Floats, r: float, x: float, y: float) -> tuple[float, float]:
    """The nearest place where a disc stands free, found ring by ring about 1 cm apart near the point."""
    x = min(max(x, floor[0] + r), max(floor[0] + r, floor[2] - r))
    y = min(max(y, floor[1] + r), max(floor[1] + r, floor[3] - r))
    if clearance(boxes, floor, r, x, y) >= -STANDING:
        return x, y
    ring = 0.01
    while ring < math.hypot(floor[2] - floor[0], floor[3] - floor[1]):
        count = max(32, int(2.0 * math.pi * ring / 0.02))
        for k in range(count):
            angle = 2.0 * math.pi * k / count
            px, py = x + ring * math.cos(angle), y + ring * math.sin(angle)
            if clearance(boxes, floor, r, px, py) >= -STANDING:
                return px, py
        ring = ring * 1.02 + 0.01
    return x, y


@_kernel
def _passes(box: Floats, r: float, ax: float, ay: float, bx: float, by: float) -> bool:
    """Whether a segment comes nearer to a rectangle than ``r``."""
    if _nearest(box, ax, ay)[0] < r or _nearest(box, bx, by)[0] < r:
        return True
    dx, dy = bx - ax, by - ay
    enter_x, leave_x = _slab(box[0], box[2], ax, dx)
    enter_y, leave_y = _slab(box[1], box[3], ay, dy)
    if max(enter_x, enter_y, 0.0) < min(leave_x, leave_y, 1.0):
        return True
    length2 = dx * dx + dy * dy
    if length2 == 0.0:
        return False
    for k in range(4):
        cx, cy = box[2 * (k & 1)] - ax, box[1 + (k & 2)] - ay
        along = min(max((cx * dx + cy * dy) / length2, 0.0), 1.0)
        if math.hypot(cx - along * dx, cy - along * dy) < r:
            return True
    return False


@_kernel
def clear(boxes: Floats, r: float, ax: float, ay: float, ends: Floats) -> Flags:
    """Which of ``ends`` (n, 2) a disc reaches from (ax, ay) in a straight line without meeting a box."""
    free = np.ones(len(ends), np.bool_)
    for n in range(len(ends)):
        bx, by = ends[n, 0], ends[n, 1]
        left, right, low, high = min(ax, bx) - r, max(ax, bx) + r, min(ay, by) - r, max(ay, by) + r
        for k in range(len(boxes)):
            box = boxes[k]
            if box[0] > right or box[2] < left or box[1] > high or box[3] < low:
                continue
            if _passes(box, r, ax, ay, bx, by):
                free[n] = False
                break
    return free
