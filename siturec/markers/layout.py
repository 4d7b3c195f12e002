"""Where labels go: inside the frame, near their thing, and never on one another while there is room."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

CELL = 2
"""Pixels per cell of the occupancy grid: two labels keep at most this much apart for nothing."""


class Wish(NamedTuple):
    """A label that wants a place. ``box`` is its thing's (x0, y0, x1, y1), ``anchor`` its best centre."""

    anchor: tuple[int, int]
    box: tuple[int, int, int, int]
    size: tuple[int, int]
    must: bool = False


class Grid:
    """Which cells of the frame are taken; one Python integer of bits per row of cells."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self._rows = [0] * (height // CELL + 2)

    def take(self, x: int, y: int, width: int, height: int) -> bool:
        """Take a rectangle if all of it is free."""
        first = x // CELL
        bits = ((1 << ((x + width - 1) // CELL - first + 1)) - 1) << first
        rows = range(y // CELL, (y + height - 1) // CELL + 1)
        taken = self._rows
        for row in rows:
            if taken[row] & bits:
                return False
        for row in rows:
            taken[row] |= bits
        return True


def place_labels(wishes: Sequence[Wish], *, width: int, height: int) -> list[tuple[int, int] | None]:
    """Top left corners, in the order of the wishes (first come, first served); None where there is no room.

    A wish that ``must`` be met is met anywhere along its thing's box before it is given up.
    """
    grid = Grid(width, height)
    return [_place(wish, grid) for wish in wishes]


def _place(wish: Wish, grid: Grid) -> tuple[int, int] | None:
    wide, high = wish.size
    if wide > grid.width or high > grid.height:
        return None
    tried: set[tuple[int, int]] = set()
    for column, row in _candidates(wish):
        x = min(max(column - wide // 2, 0), grid.width - wide)
        y = min(max(row - high // 2, 0), grid.height - high)
        if (x, y) not in tried and grid.take(x, y, wide, high):
            return x, y
        tried.add((x, y))
    return None


def _candidates(wish: Wish) -> Iterator[tuple[int, int]]:
    """Centres to try: the anchor, then steps of a label's size around it that still touch the box."""
    (cx, cy), (x0, y0, x1, y1), (wide, high) = wish.anchor, wish.box, wish.size
    yield cx, cy
    for dx, dy in _STEPS if not wish.must else (*_STEPS, *_FAR):
        x, y = cx + dx * (wide + CELL) // 2, cy + dy * (high + CELL) // 2
        if wish.must or (x0 <= x <= x1 and y0 <= y <= y1):
            yield x, y
    if wish.must:
        for y in range(y0 + high // 2, y1, high + CELL):
            yield x0 + wide // 2, y
            yield x1 - wide // 2, y


_STEPS = (
    (0, 1),
    (0, -1),
    (1, 0),
    (-1, 0),
    (0, 2),
    (0, -2),
    (2, 0),
    (-2, 0),
    (1, 1),
    (-1, 1),
    (1, -1),
    (-1, -1),
)
_FAR = tuple((dx, dy) for dy in (0, 2, -2, 4, -4) for dx in (4, -4, 6, -6, 8, -8, 12, -12))
