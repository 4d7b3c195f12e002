"""Paths over the floor plan: the shortest way round the solids for a round body, by a visibility graph.

The nodes lie round the corners of the solids, a little further out than the body's radius: three to a corner,
for a body goes round it on an arc. Two nodes are joined when the body can walk straight from one to another.
A* finds the way. Rows of the graph are made when first needed and kept: they depend on the floor plan alone,
so all shoppers share them.
"""

import heapq
import math
from itertools import pairwise
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from storefront import walking_kernels as kernels
from storefront.walking import FloorPlan, Point
from storefront.walking_kernels import Flags, Floats

MARGIN_M = 0.002
"""How much further than its radius a planned path keeps the body from corners, where it comes nearest."""
_OUT = 1.0 / math.cos(math.pi / 8)
"""Nodes an eighth of a turn apart: so much further out, the line between two stays outside the arc."""
_ROUND = (0.0, 1.0), (math.sqrt(0.5), math.sqrt(0.5)), (1.0, 0.0)
_TOLERANCE = 1e-6


class Planner:
    """Plans paths on one floor plan. Safe to use from several threads."""

    def __init__(self, plan: FloorPlan) -> None:
        self.plan = plan
        self.nodes: Floats = self._corners()
        self._rows: dict[int, Flags] = {}
        self._lock = Lock()

    def _corners(self) -> Floats:
        away = (self.plan.radius + MARGIN_M) * _OUT
        corners = [
            (x, y)
            for x0, y0, x1, y1 in self.plan.boxes.tolist()
            for corner_x, side_x in ((x0, -away), (x1, away))
            for corner_y, side_y in ((y0, -away), (y1, away))
            for part_x, part_y in _ROUND
            if self.plan.free(x := corner_x + part_x * side_x, y := corner_y + part_y * side_y)
        ]
        return np.array(sorted(set(corners)), float).reshape(-1, 2)

    def clear(self, start: Point, ends: Floats) -> Flags:
        """Which of ``ends`` (shape (n, 2)) a body can reach from ``start`` in a straight line."""
        return kernels.clear(self.plan.boxes, self.plan.radius - _TOLERANCE, *start, ends)

    def _row(self, node: int) -> Flags:
        with self._lock:
            row = self._rows.get(node)
        if row is None:
            x, y = self.nodes[node]
            row = self.clear((float(x), float(y)), self.nodes)
            with self._lock:
                self._rows[node] = row
        return row

    def path(self, start: Point, goal: Point) -> list[Point] | None:
        """The shortest path from ``start`` to ``goal``, both ends included; None when there is none.

        Both ends are moved to the nearest free place first.
        """
        start, goal = self.plan.nearest_free(*start), self.plan.nearest_free(*goal)
        if self.clear(start, np.array([goal], float))[0]:
            return [start, goal]
        count = len(self.nodes)
        to_goal = np.hypot(self.nodes[:, 0] - goal[0], self.nodes[:, 1] - goal[1])
        sees_goal = self.clear(goal, self.nodes)
        best = np.full(count + 1, math.inf)
        came = np.full(count + 1, -1)
        heap: list[tuple[float, int]] = []
        first = self.clear(start, self.nodes)
        lengths = np.hypot(self.nodes[:, 0] - start[0], self.nodes[:, 1] - start[1])
        for near in np.flatnonzero(first):
            best[near] = lengths[near]
            heapq.heappush(heap, (float(lengths[near] + to_goal[near]), int(near)))
        closed = np.zeros(count + 1, bool)
        while heap:
            _, node = heapq.heappop(heap)
            if node == count:
                return [start, *self._back(came, int(came[count])), goal]
            if closed[node]:
                continue
            closed[node] = True
            if sees_goal[node] and best[node] + to_goal[node] < best[count]:
                best[count], came[count] = best[node] + to_goal[node], node
                heapq.heappush(heap, (float(best[count]), count))
            self._relax(node, best, came, closed, to_goal, heap)
        return None

    def _relax(
        self,
        node: int,
        best: Floats,
        came: NDArray[np.int_],
        closed: Flags,
        to_goal: Floats,
        heap: list[tuple[float, int]],
    ) -> None:
        gaps = np.hypot(*(self.nodes - self.nodes[node]).T)
        through = best[node] + gaps
        better = self._row(node) & ~closed[:-1] & (through < best[:-1])
        for other in np.flatnonzero(better):
            best[other], came[other] = through[other], node
            heapq.heappush(heap, (float(through[other] + to_goal[other]), int(other)))

    def _back(self, came: NDArray[np.int_], node: int) -> list[Point]:
        points: list[Point] = []
        while node >= 0:
            points.append((float(self.nodes[node, 0]), float(self.nodes[node, 1])))
            node = int(came[node])
        return points[::-1]


def path_length(path: list[Point]) -> float:
    """The length of a polyline, in metres."""
    return sum(math.dist(a, b) for a, b in pairwise(path))
