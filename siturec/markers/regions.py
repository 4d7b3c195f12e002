"""Finding what a mask shows: regions per entity, with contours, boxes, distances and label anchors.

The mask is cut into horizontal runs of one entity, and everything but the contours is arithmetic on those
(some ten thousand) runs instead of half a million pixels. Source of the rules: SituRecBench 3.3, B.2 (S26).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

import cv2
import numpy as np
from numpy.typing import NDArray

from siturec.markers.camera import Camera
from siturec.protocol.vocabulary import EntityKind

REGION_PIXELS = 24
"""A separate region smaller than this is not outlined (unless it is the only one)."""

LABEL_SHARE = 0.6
"""A region this large beside the largest may carry the label, if it lies nearer to the middle."""

Contour = NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Found:
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
    near: NDArray[np.bool_]

    def take(self, places: NDArray[np.intp]) -> "_Runs":
        return _Runs(*(getattr(self, field)[places] for field in _FIELDS))

    def slice(self, head: int, end: int) -> "_Runs":
        return _Runs(*(getattr(self, field)[head:end] for field in _FIELDS))


_FIELDS = ("number", "row", "start", "length", "distance", "near")


def _cut(
    numbers: NDArray[np.int16], depth_m: NDArray[np.float32], camera: Camera, limits: NDArray[np.float32]
) -> _Runs:
    height, width = numbers.shape
    edge = np.empty((height, width), np.bool_)
    edge[:, 0] = True
    np.not_equal(numbers[:, 1:], numbers[:, :-1], out=edge[:, 1:])
    starts = np.flatnonzero(edge)
    lengths = np.diff(starts, append=height * width)
    number = numbers.reshape(-1)[starts]
    some = number >= 0
    starts, lengths, number = starts[some], lengths[some], number[some]
    order = np.argsort(number, kind="stable")
    starts, lengths, number = starts[order], lengths[order], number[order]
    middle = starts + lengths // 2
    row, column = middle // width, middle % width
    distance = camera.floor_distance(column, row, depth_m.reshape(-1)[middle]).astype(np.float32)
    return _Runs(number, row, starts - row * width, lengths, distance, distance <= limits[number])


def find(
    numbers: NDArray[np.int16],
    depth_m: NDArray[np.float32],
    *,
    camera: Camera,
    limits_m: NDArray[np.float32],
    kinds: Sequence[EntityKind],
    min_pixels: int,
) -> list[Found]:
    """The entities whose parts within their distance limit count at least ``min_pixels``, nearest first.

    Args:
        numbers: (H, W) entity numbers, -1 where there is none.
        depth_m: (H, W) planar depth in metres; inf or NaN where there is nothing.
        limits_m: (n,) floor-plan distance up to which each entity counts, in metres.
        kinds: n kinds; products get contours, buildings one box.
    """
    if numbers.shape != depth_m.shape:
        raise ValueError(f"mask {numbers.shape} and depth {depth_m.shape} differ in size")
    runs = _cut(numbers, depth_m, camera, limits_m)
    near = np.flatnonzero(runs.near)
    if not len(near):
        return []
    runs, every = runs.take(near), np.bincount(runs.number, minlength=len(kinds))
    heads = np.flatnonzero(np.r_[True, runs.number[1:] != runs.number[:-1]])
    ends = np.r_[heads[1:], len(near)]
    pixels = np.add.reduceat(runs.length, heads)
    found = [
        _found(numbers, runs.slice(head, end), kinds, whole=bool(every[runs.number[head]] == end - head))
        for head, end, count in zip(heads.tolist(), ends.tolist(), pixels.tolist(), strict=True)
        if count >= min_pixels
    ]
    return sorted(found, key=lambda one: (one.distance_m, one.number))


def _found(numbers: NDArray[np.int16], runs: _Runs, kinds: Sequence[EntityKind], *, whole: bool) -> Found:
    """One entity from its own near runs; ``whole`` when none of its runs was too far."""
    entity = int(runs.number[0])
    last = runs.start + runs.length - 1
    x0, y0 = int(runs.start.min()), int(runs.row.min())
    x1, y1 = int(last.max()), int(runs.row.max())
    pixels = int(runs.length.sum())
    contours: tuple[Contour, ...] = ()
    anchor = ((x0 + x1) // 2, y0)
    if kinds[entity] == "product":
        shape = np.empty((y1 - y0 + 1, x1 - x0 + 1), np.uint8)
        if whole:
            np.equal(numbers[y0 : y1 + 1, x0 : x1 + 1], entity, out=shape.view(np.bool_))
        else:
            _draw_runs(shape, runs, x0, y0)
        contours = _contours(shape, x0, y0)
        anchor = _anchor(shape, x0, y0, _middle_one(contours, (x0 + x1) / 2), runs)
    return Found(
        number=entity,
        pixels=pixels,
        distance_m=float(runs.distance.min()),
        column=float((runs.length * (runs.start + last)).sum() / (2 * pixels)),
        box=(x0, y0, x1, y1),
        anchor=anchor,
        contours=contours,
    )


def _draw_runs(shape: NDArray[np.uint8], runs: _Runs, x0: int, y0: int) -> None:
    shape[:] = 0
    for row, start, length in zip(runs.row.tolist(), runs.start.tolist(), runs.length.tolist(), strict=True):
        shape[row - y0, start - x0 : start - x0 + length] = 1


def _contours(shape: NDArray[np.uint8], x0: int, y0: int) -> tuple[Contour, ...]:
    """Outer contours of a crop in frame pixels, the largest first, specks left out."""
    found, _ = cv2.findContours(shape, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE, offset=(x0, y0))
    raw = cast(Sequence[Contour], found)
    if len(raw) == 1:
        return (raw[0],)
    # A contour runs through pixel centres; by Pick's theorem half its length and one are missing inside.
    sized = sorted(
        ((cv2.contourArea(c) + cv2.arcLength(c, True) / 2 + 1, i) for i, c in enumerate(raw)), reverse=True
    )
    return tuple(raw[i] for place, (area, i) in enumerate(sized) if place == 0 or area >= REGION_PIXELS)


def _middle_one(contours: tuple[Contour, ...], column: float) -> Contour:
    """Of a row of like regions the one in the middle: that is where one looks for their common label."""
    if len(contours) == 1:
        return contours[0]
    boxes = [cv2.boundingRect(contour) for contour in contours]
    largest = boxes[0][2] * boxes[0][3]
    alike = [place for place, (_, _, w, h) in enumerate(boxes) if w * h >= LABEL_SHARE * largest]
    return contours[min(alike or [0], key=lambda i: abs(boxes[i][0] + boxes[i][2] / 2 - column))]


def _anchor(shape: NDArray[np.uint8], x0: int, y0: int, contour: Contour, runs: _Runs) -> tuple[int, int]:
    """A point inside a region: its middle, or else the middle of its widest row near there."""
    left, top, width, height = cv2.boundingRect(contour)
    column, row = left + width // 2, top + height // 2
    if shape[row - y0, column - x0]:
        return column, row
    inside = (
        (runs.row >= top) & (runs.row < top + height) & (runs.start >= left) & (runs.start < left + width)
    )
    score = np.where(inside, runs.length - 0.5 * np.abs(runs.row - row), -np.inf)
    best = int(np.argmax(score))
    return int(runs.start[best] + runs.length[best] // 2), int(runs.row[best])
