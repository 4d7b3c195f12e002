"""Where one can walk in a scene, for worlds that plan no paths themselves: a grid and A*, straightened."""

import heapq
import math
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from siturec.scene.schema import Rect, ScenePack

CELL_M = 0.15
CLEAR_M = 0.05
HEAD_M = 1.9
"""What hangs above this height is walked under."""
_STEPS = [(dx, dy, math.hypot(dx, dy)) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy]

Point = tuple[float, float]
Cell = tuple[int, int]


class FloorPlan:
    """A scene's floor, cell by cell; ``free`` is (columns, rows) bool."""

    def __init__(self, pack: ScenePack) -> None:
        layout = pack.layout
        self._grow = pack.info.sight.body_radius_m + CLEAR_M
        shape = (math.ceil(layout.width_m / CELL_M), math.ceil(layout.depth_m / CELL_M))
        self.free: NDArray[np.bool_] = np.ones(shape, np.bool_)
        edge = math.ceil(self._grow / CELL_M)
        self.free[:edge] = self.free[-edge:] = False
        self.free[:, :edge] = self.free[:, -edge:] = False
        for solid in _solids(pack):
            self._block(solid)

    def _block(self, solid: Rect) -> None:
        x0, y0 = (math.ceil((v - self._grow) / CELL_M - 0.5) for v in (solid.x0, solid.y0))
        x1, y1 = (math.floor((v + self._grow) / CELL_M - 0.5) for v in (solid.x1, solid.y1))
        self.free[max(x0, 0) : max(x1 + 1, 0), max(y0, 0) : max(y1 + 1, 0)] = False

    def path(self, start: Point, goal: Point) -> list[Point]:
        """A short way in straight legs, both ends as given; straight at the goal where no way is known."""
        first, last = self._nearest_free(start), self._nearest_free(goal)
        if first is None or last is None:
            return [start, goal]
        if self._clear(first, last):
            return [start, goal]
        cells = self._search(first, last)
        if not cells:
            return [start, goal]
        return [start, *(_middle(cell) for cell in self._straighten(cells)[1:-1]), goal]

    def length(self, start: Point, goal: Point) -> float:
        """How long that way is, in metres."""
        path = self.path(start, goal)
        return sum(math.dist(a, b) for a, b in pairwise(path))

    def _nearest_free(self, point: Point) -> Cell | None:
        column = min(max(int(point[0] / CELL_M), 0), self.free.shape[0] - 1)
        row = min(max(int(point[1] / CELL_M), 0), self.free.shape[1] - 1)
        if self.free[column, row]:
            return column, row
        cells = np.argwhere(self.free)
        if not len(cells):
            return None
        nearest = cells[np.argmin(((cells - (column, row)) ** 2).sum(axis=1))]
        return int(nearest[0]), int(nearest[1])

    def _clear(self, a: Cell, b: Cell) -> bool:
        count = 2 * max(abs(a[0] - b[0]), abs(a[1] - b[1])) + 1
        columns = np.linspace(a[0], b[0], count).round().astype(int)
        rows = np.linspace(a[1], b[1], count).round().astype(int)
        return bool(self.free[columns, rows].all())

    def _search(self, first: Cell, last: Cell) -> list[Cell]:
        best = {first: 0.0}
        came: dict[Cell, Cell] = {}
        heap = [(math.dist(first, last), first)]
        closed: set[Cell] = set()
        wide, high = self.free.shape
        while heap:
            _, cell = heapq.heappop(heap)
            if cell == last:
                return _back(came, cell)
            if cell in closed:
                continue
            closed.add(cell)
            for dx, dy, cost in _STEPS:
                x, y = cell[0] + dx, cell[1] + dy
                if not (0 <= x < wide and 0 <= y < high and self.free[x, y]):
                    continue
                through = best[cell] + cost
                if through < best.get((x, y), math.inf):
                    best[x, y], came[x, y] = through, cell
                    heapq.heappush(heap, (through + math.dist((x, y), last), (x, y)))
        return []

    def _straighten(self, cells: list[Cell]) -> list[Cell]:
        kept, at = [cells[0]], 0
        while at < len(cells) - 1:
            to = len(cells) - 1
            while to > at + 1 and not self._clear(cells[at], cells[to]):
                to -= 1
            kept.append(cells[to])
            at = to
        return kept


def _back(came: dict[Cell, Cell], cell: Cell) -> list[Cell]:
    cells = [cell]
    while cell in came:
        cell = came[cell]
        cells.append(cell)
    return cells[::-1]


def _middle(cell: Cell) -> Point:
    return (cell[0] + 0.5) * CELL_M, (cell[1] + 0.5) * CELL_M


def _solids(pack: ScenePack) -> list[Rect]:
    solids = [target.footprint for target in pack.targets if target.kind == "fixture"]
    solids += [p.footprint for p in pack.layout.props if p.solid and p.base_m < HEAD_M]
    for wall in pack.layout.walls:
        if wall.base_m < HEAD_M:
            half = wall.thickness_m / 2
            solids.append(
                Rect(
                    x0=min(wall.x0, wall.x1) - half,
                    y0=min(wall.y0, wall.y1) - half,
                    x1=max(wall.x0, wall.x1) + half,
                    y1=max(wall.y0, wall.y1) + half,
                )
            )
    if pack.info.kind == "home":
        sizes = {product.id: product.look.size_m for product in pack.products}
        for placed in pack.instances:
            wide, deep, _ = sizes[placed.product]
            if placed.z_m < HEAD_M:
                turned = abs(math.cos(math.radians(placed.yaw_deg))) > 0.7
                half_x, half_y = (deep / 2, wide / 2) if turned else (wide / 2, deep / 2)
                solids.append(
                    Rect(
                        x0=placed.x_m - half_x,
                        y0=placed.y_m - half_y,
                        x1=placed.x_m + half_x,
                        y1=placed.y_m + half_y,
                    )
                )
    return solids
