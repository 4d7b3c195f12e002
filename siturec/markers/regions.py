"""Finding what a mask shows: regions per entity, with contours, boxes, distances and label anchors.

The mask is cut into horizontal runs of one entity, and everything but the contours is arithmetic on those
(some ten thousand) runs instead of half a million pixels. Source of the rules: SituRecBench 3.3, B.2 (S26).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, cast

import cv2
import numpy as np
from numpy.typing import NDArray

from siturec.markers.camera import Camera
from siturec.protocol.vocabulary import EntityKind

REGION_PIXELS = 24
"""A separate region smaller than this is not outlined (unless it is the only one)."""

LABEL_SHARE = 0.6
"""A region this large beside the largest may carry the label, if it lies nearer to the middle."""

LABEL_ROOM_PX = 30

PASSING = 0.995
"""Whoever passes a straight thing may be nearer to it by more than this between three of its pixels."""

STEEPEST = 0.1
"""Who looks straight down sees no way ahead to measure angles by."""

Contour = NDArray[np.int32]


class Found(NamedTuple):
    """One entity in view. ``box`` is (x0, y0, x1, y1) in pixels, inclusive; contours are (k, 1, 2)."""

    number: int
    pixels: int
    distance_m: float
    column: float
    box: tuple[int, int, int, int]
    anchor: tuple[int, int]
    contours: tuple[Contour, ...]


@dataclass(frozen=True, eq=False)
class _Runs:
    number: NDArray[np.int16]
    row: NDArray[np.int64]
    start: NDArray[np.int64]
    length: NDArray[np.int64]
    distance: NDArray[np.float32]
    within: NDArray[np.int64]
    """How many of its pixels are within the entity's distance limit."""

    def take(self, places: NDArray[np.intp]) -> "_Runs":
        return _Runs(*(getattr(self, field)[places] for field in _FIELDS))

    def slice(self, places: slice) -> "_Runs":
        return _Runs(*(getattr(self, field)[places] for field in _FIELDS))


_FIELDS = ("number", "row", "start", "length", "distance", "within")


def _cut(
    numbers: NDArray[np.int16], depth_m: NDArray[np.float32], camera: Camera, limits: NDArray[np.float32]
) -> _Runs:
    flat, width = numbers.reshape(-1), numbers.shape[1]
    # Compared as one long row, which is twice as fast; then every row of the picture begins a run too.
    edge = np.empty(flat.size, np.bool_)
    np.not_equal(flat[1:], flat[:-1], out=edge[1:])
    edge[::width] = True
    starts = np.flatnonzero(edge)
    lengths = np.diff(starts, append=flat.size)
    number = flat[starts]
    some = number >= 0
    starts, lengths, number = starts[some], lengths[some], number[some]
    order = np.argsort(number, kind="stable")
    starts, lengths, number = starts[order], lengths[order], number[order]
    row = starts // width
    start = starts - row * width
    # Distance changes steadily along a run, so three of its pixels nearly tell it; the outermost of a run may
    # show what is before or behind it, as engines do not place every edge alike in mask and depth.
    inset = np.minimum(lengths // 4, 1)
    three = np.stack([inset, lengths // 2, lengths - 1 - inset])
    away = _distances(start + three, row, depth_m.reshape(-1)[starts + three], camera)
    limit = limits[number]
    near = away <= limit
    within = np.where(near[1], lengths, 0)
    distance = np.fmin(np.fmin(away[0], away[2]), away[1])
    share = _nearest_share(row, lengths, camera)
    wide = np.flatnonzero(share < PASSING)
    if len(wide):
        pixel = inset[wide] + (lengths[wide] - 1 - 2 * inset[wide]) * np.arange(9)[:, None] // 8
        every = _distances(start[wide] + pixel, row[wide], depth_m.reshape(-1)[starts[wide] + pixel], camera)
        distance[wide] = np.fmin.reduce(every)
    passing = ~near.any(axis=0) & (distance * share <= limit)
    mixed = np.flatnonzero((near[0] != near[1]) | (near[2] != near[1]) | passing)
    if len(mixed):
        heads = np.cumsum(lengths[mixed]) - lengths[mixed]
        pixel = np.repeat(starts[mixed] - heads, lengths[mixed])
        pixel += np.arange(len(pixel))
        every = _distances(pixel % width, pixel // width, depth_m.reshape(-1)[pixel], camera)
        within[mixed] = np.add.reduceat(
            every <= np.repeat(limit[mixed], lengths[mixed]), heads, dtype=np.int64
        )
        distance[mixed] = np.fmin.reduceat(every, heads)
    return _Runs(number, row, start, lengths, distance, within)


def _nearest_share(row: NDArray[np.int64], length: NDArray[np.int64], camera: Camera) -> NDArray[np.float32]:
    """To what share of its three pixels' least distance a straight run may come between two of them.

    Seen under an angle t, a line comes no nearer than cos(t / 2) of its nearer end.
    """
    ahead = np.maximum(np.abs(camera.ahead_per_depth(row.astype(np.float32))), STEEPEST)
    angle = length / (2 * camera.focal_px * ahead)
    return np.maximum(1 - angle * angle / 8, 0.1).astype(np.float32)


def _distances(
    column: NDArray[np.int64], row: NDArray[np.int64], depth_m: NDArray[np.float32], camera: Camera
) -> NDArray[np.float32]:
    # Half as many bytes as double precision and exact to a micrometre.
    away = camera.floor_distance(column.astype(np.float32), row.astype(np.float32), depth_m)
    return away.astype(np.float32, copy=False)


def find(
    numbers: NDArray[np.int16],
    depth_m: NDArray[np.float32],
    *,
    camera: Camera,
    limits_m: NDArray[np.float32],
    kinds: Sequence[EntityKind],
    min_pixels: int,
) -> list[Found]:
    """The entities of which at least ``min_pixels`` lie within their distance limit, nearest first.

    A region of a product that is partly within the limit counts whole, and so do all regions of a building.

    Args:
        numbers: (H, W) entity numbers, -1 where there is none.
        depth_m: (H, W) planar depth in metres; inf or NaN where there is nothing.
        limits_m: (n,) floor-plan distance up to which each entity counts, in metres.
        kinds: n kinds; products get contours, buildings one box.
    """
    if numbers.shape != depth_m.shape:
        raise ValueError(f"mask {numbers.shape} and depth {depth_m.shape} differ in size")
    runs = _cut(numbers, depth_m, camera, limits_m)
    every = np.bincount(runs.number, minlength=len(kinds))
    runs = runs.take(np.flatnonzero(_counting(runs, numbers, kinds, min_pixels)))
    if not len(runs.number):
        return []
    heads = np.flatnonzero(np.r_[True, runs.number[1:] != runs.number[:-1]])
    found = []
    for group in _groups(runs, heads):
        whole = bool(every[group.number] == group.runs.stop - group.runs.start)
        outlined = kinds[group.number] == "product"
        found.append(_outlined(numbers, runs, group, whole=whole) if outlined else _boxed(group))
    return sorted(found, key=lambda one: (one.distance_m, one.number))


def _counting(
    runs: _Runs, numbers: NDArray[np.int16], kinds: Sequence[EntityKind], min_pixels: int
) -> NDArray[np.bool_]:
    """Which runs count: of entities that show enough within their limit, the regions that begin there."""
    within = np.bincount(runs.number, weights=runs.within, minlength=len(kinds))
    enough = (within >= max(min_pixels, 1))[runs.number]
    near = runs.within > 0
    counting: NDArray[np.bool_] = enough & near
    for number in np.unique(runs.number[enough & ~near]).tolist():
        first, stop = np.searchsorted(runs.number, (number, number + 1))
        mine = slice(int(first), int(stop))
        counting[mine] = _reached(runs.slice(mine), numbers) if kinds[number] == "product" else True
    return counting


def _reached(mine: _Runs, numbers: NDArray[np.int16]) -> NDArray[np.bool_]:
    """Which of a product's runs are of a region that begins within the limit, wherever it ends."""
    top, bottom = int(mine.row.min()), int(mine.row.max())
    left, right = int(mine.start.min()), int((mine.start + mine.length).max())
    shape = cv2.inRange(numbers[top : bottom + 1, left:right], int(mine.number[0]), int(mine.number[0]))
    count, parts = cv2.connectedComponents(shape, connectivity=8)
    part = parts[mine.row - top, mine.start - left]
    near = np.zeros(count, np.bool_)
    near[part[mine.within > 0]] = True
    reached: NDArray[np.bool_] = near[part]
    return reached


class _Group(NamedTuple):
    """The runs of one entity in a row, and what they add up to."""

    number: int
    pixels: int
    distance_m: float
    column: float
    box: tuple[int, int, int, int]
    runs: slice


def _groups(runs: _Runs, heads: NDArray[np.intp]) -> Iterator[_Group]:
    """All sums over all entities at once; ``heads`` is where each entity's runs begin."""
    last = runs.start + runs.length - 1
    pixels = np.add.reduceat(runs.length, heads)
    columns = np.add.reduceat(runs.length * (runs.start + last), heads) / (2 * pixels)
    boxes = zip(
        np.minimum.reduceat(runs.start, heads).tolist(),
        np.minimum.reduceat(runs.row, heads).tolist(),
        np.maximum.reduceat(last, heads).tolist(),
        np.maximum.reduceat(runs.row, heads).tolist(),
        strict=True,
    )
    slices = map(slice, heads.tolist(), [*heads[1:].tolist(), len(runs.number)])
    return map(
        _Group,
        runs.number[heads].tolist(),
        pixels.tolist(),
        np.minimum.reduceat(np.where(runs.within > 0, runs.distance, np.inf), heads).tolist(),
        columns.tolist(),
        boxes,
        slices,
    )


def _boxed(group: _Group) -> Found:
    x0, y0, x1, _ = group.box
    return Found(
        group.number, group.pixels, group.distance_m, group.column, group.box, ((x0 + x1) // 2, y0), ()
    )


def _outlined(numbers: NDArray[np.int16], runs: _Runs, group: _Group, *, whole: bool) -> Found:
    """A product with its outlines; unless its runs are ``whole``, some regions were too far to count."""
    x0, y0, x1, y1 = group.box
    if whole:
        shape = cv2.inRange(numbers[y0 : y1 + 1, x0 : x1 + 1], group.number, group.number)
    else:
        shape = _drawn(runs.slice(group.runs), group.box)
    found, _ = cv2.findContours(shape, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE, None, None, (x0, y0))
    contours = tuple(cast(Sequence[Contour], found))
    around = group.box
    if len(contours) > 1:
        contours = _without_specks(contours)
        left, top, width, height = cv2.boundingRect(_middle_one(contours, (x0 + x1) / 2))
        around = (left, top, left + width - 1, top + height - 1)
    column, row = (around[0] + around[2] + 1) // 2, (around[1] + around[3] + 1) // 2
    if not shape[row - y0, column - x0]:
        column, row = _roomiest(runs.slice(group.runs), around, (column, row))
    number, pixels, distance, middle, box, _ = group
    return Found(number, pixels, distance, middle, box, (column, row), contours)


def _drawn(runs: _Runs, box: tuple[int, int, int, int]) -> NDArray[np.uint8]:
    """The crop of a box with these runs painted in it: 255 where they are, else 0."""
    x0, y0, x1, y1 = box
    shape = np.zeros((y1 - y0 + 1, x1 - x0 + 1), np.uint8)
    for row, start, length in zip(runs.row.tolist(), runs.start.tolist(), runs.length.tolist(), strict=True):
        shape[row - y0, start - x0 : start - x0 + length] = 255
    return shape


def _without_specks(contours: tuple[Contour, ...]) -> tuple[Contour, ...]:
    """The largest first, specks left out."""
    # A contour runs through pixel centres; by Pick's theorem half its length and one are missing inside.
    sized = sorted(
        ((cv2.contourArea(c) + cv2.arcLength(c, True) / 2 + 1, i) for i, c in enumerate(contours)),
        reverse=True,
    )
    return tuple(contours[i] for place, (area, i) in enumerate(sized) if place == 0 or area >= REGION_PIXELS)


def _middle_one(contours: tuple[Contour, ...], column: float) -> Contour:
    """Of a row of like regions the one in the middle: that is where one looks for their common label."""
    if len(contours) == 1:
        return contours[0]
    boxes = [cv2.boundingRect(contour) for contour in contours]
    largest = boxes[0][2] * boxes[0][3]
    alike = [place for place, (_, _, w, h) in enumerate(boxes) if w * h >= LABEL_SHARE * largest]
    return contours[min(alike or [0], key=lambda i: abs(boxes[i][0] + boxes[i][2] / 2 - column))]


def _roomiest(mine: _Runs, around: tuple[int, int, int, int], middle: tuple[int, int]) -> tuple[int, int]:
    """Where the middle of a region's box is not of the region: the nearest place with room for a label."""
    left, top, right, bottom = around
    inside = (mine.row >= top) & (mine.row <= bottom) & (mine.start >= left) & (mine.start <= right)
    aside = np.abs(mine.start + mine.length // 2 - middle[0])
    room = np.minimum(mine.length, LABEL_ROOM_PX)
    score = np.where(inside, room - np.abs(mine.row - middle[1]) - 0.5 * aside, -np.inf)
    best = int(np.argmax(score))
    return int(mine.start[best] + mine.length[best] // 2), int(mine.row[best])
