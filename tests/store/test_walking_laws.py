"""Laws of walking: whatever the floor plan, nobody passes through, gets stuck, or goes further than asked."""

import heapq
import itertools
import math

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from storefront.planning import Planner, path_length
from storefront.walking import FloorPlan, walk_legs
from storefront.walking_motion import Track, Walk

settings.register_profile("walking", deadline=None)
unhurried = settings.get_profile("walking")
RADIUS = 0.25
FLOOR = (0.0, 0.0, 6.0, 5.0)

coordinate = st.floats(0.0, 6.0).map(lambda v: round(v, 3))
size = st.floats(0.05, 2.0).map(lambda v: round(v, 3))
boxes = st.lists(st.tuples(coordinate, coordinate, size, size), max_size=7).map(
    lambda rows: [(x, y, x + w, y + h) for x, y, w, h in rows]
)
angles = st.one_of(st.sampled_from([0.0, 90.0, 180.0, 270.0, 45.0]), st.floats(0.0, 360.0))
places = st.tuples(st.floats(0.25, 5.75), st.floats(0.25, 4.75))


def plan_of(solids) -> FloorPlan:
    return FloorPlan(solids, FLOOR, RADIUS)


def unit(degrees: float) -> tuple[float, float]:
    return math.cos(math.radians(degrees)), math.sin(math.radians(degrees))


def between(a, b, gap: float = 0.05):
    count = max(1, int(math.dist(a, b) / gap))
    return [(a[0] + (b[0] - a[0]) * k / count, a[1] + (b[1] - a[1]) * k / count) for k in range(count + 1)]


@unhurried
@given(boxes, places, angles, st.floats(0.05, 8.0))
def test_a_walk_never_touches_the_inside_of_a_solid_and_never_goes_further_than_asked(
    solids, place, angle, length
):
    plan = plan_of(solids)
    assume(plan.free(*place))
    here, gone, asked = place, 0.0, 0.0
    for leg in walk_legs(plan, *place, *unit(angle), length):
        for x, y in between(here, (leg.x, leg.y)):
            assert plan.clearance(x, y) >= -1e-6
        gone += math.dist(here, (leg.x, leg.y))
        assert gone <= leg.asked_m + 1e-6
        assert leg.asked_m > asked
        here, asked = (leg.x, leg.y), leg.asked_m
    assert asked <= length + 1e-9


WEDGE = [(2.0, 1.9, 4.0, 2.9), (1.699, 0.0, 3.699, 1.5)]
"""A gap narrower than the body, with two corners that hold it from both sides."""


@unhurried
@example(WEDGE, (4.5, 0.375), 134.5, 2.0)
@given(boxes, places, angles, st.floats(0.05, 8.0))
def test_whoever_walked_into_a_corner_can_go_back_out(solids, place, angle, length):
    plan = plan_of(solids)
    assume(plan.free(*place))
    points = [place, *((leg.x, leg.y) for leg in walk_legs(plan, *place, *unit(angle), length))]
    if len(points) == 1:
        return
    (x0, y0), (x1, y1) = points[-2:]
    back = math.dist(points[-2], points[-1])
    assume(back > 1e-6)
    steps = walk_legs(plan, x1, y1, (x0 - x1) / back, (y0 - y1) / back, back)
    assert steps
    assert math.dist((steps[-1].x, steps[-1].y), points[-2]) < 1e-4


@unhurried
@given(boxes, places, angles, st.lists(st.floats(0.0, 6.0), max_size=8))
def test_where_a_walk_leads_does_not_depend_on_how_often_one_looks(solids, place, angle, looks):
    plan = plan_of(solids)
    assume(plan.free(*place))

    def walk() -> Walk:
        turning = Track(0.0, (angle, 0.0))
        turning.to(1.5, (angle + 70.0, 0.0))
        return Walk(plan, (0.0, *place), heading=turning, offset_deg=0.0, length_m=5.0, speed=1.4)

    watched, unwatched = walk(), walk()
    for moment in sorted(looks):
        watched.at(moment)
    assert watched.at(6.0) == unwatched.at(6.0)


def test_walking_at_a_slant_into_a_wall_slides_along_it():
    plan = plan_of([(3.0, 0.0, 4.0, 5.0)])
    legs = walk_legs(plan, 2.0, 1.0, *unit(45.0), 3.0)
    assert legs[-1].x == pytest.approx(3.0 - RADIUS, abs=1e-6)
    assert legs[-1].y == pytest.approx(1.0 + 3.0 * math.sin(math.radians(45.0)), abs=1e-3)


def test_walking_straight_into_a_wall_stops_at_the_skin():
    legs = walk_legs(plan_of([(3.0, 0.0, 4.0, 5.0)]), 1.0, 2.0, 1.0, 0.0, 4.0)
    assert (legs[-1].x, legs[-1].y) == (pytest.approx(2.75, abs=1e-9), 2.0)
    assert legs[-1].asked_m == pytest.approx(1.75, abs=1e-9)


def test_a_thin_wall_stops_even_a_very_fast_body():
    plan = plan_of([(3.0, 0.0, 3.001, 5.0)])
    assert walk_legs(plan, 1.0, 2.0, 1.0, 0.0, 1000.0)[-1].x <= 2.75 + 1e-9


def test_a_body_set_inside_a_solid_finds_the_nearest_free_place():
    plan = plan_of([(2.0, 1.0, 4.0, 4.0)])
    x, y = plan.nearest_free(2.1, 2.5)
    assert plan.free(x, y)
    assert math.dist((x, y), (1.75, 2.5)) < 0.05


@example([(1.906, 0.0, 3.015, 1.531)], (2.5, 2.25), (3.34375, 1.5625))
@given(boxes, places, places)
@settings(unhurried, max_examples=60)
def test_a_planned_path_is_free_all_the_way_and_as_short_as_any_on_a_grid(solids, start, goal):
    plan = plan_of(solids)
    assume(plan.free(*start) and plan.free(*goal))
    path = Planner(plan).path(start, goal)
    shortest = grid_length(plan, start, goal)
    if path is None:
        assert shortest == math.inf
        return
    assert path[0] == start
    assert path[-1] == goal
    for a, b in itertools.pairwise(path):
        assert all(plan.clearance(x, y) >= -1e-4 for x, y in between(a, b))
    assert path_length(path) >= math.dist(start, goal) - 1e-9
    assert path_length(path) <= shortest + 1e-6


def grid_length(plan: FloorPlan, start, goal, cell: float = 0.2) -> float:
    """Dijkstra over eight neighbours on a grid well away from the solids: never shorter than the truth."""
    wide = FloorPlan(plan.boxes, FLOOR, RADIUS + 0.04)
    columns, rows = round(FLOOR[2] / cell), round(FLOOR[3] / cell)
    free = np.array([[wide.free(i * cell, j * cell) for j in range(rows + 1)] for i in range(columns + 1)])

    def straight(a, b) -> bool:
        return wide.sweep(*a, b[0] - a[0], b[1] - a[1]).share >= 1.0

    if not (wide.free(*start) and wide.free(*goal)):
        return math.inf
    best: dict[tuple[int, int], float] = {}
    heap = [
        (math.dist(start, (i * cell, j * cell)), (i, j))
        for i, j in zip(*np.nonzero(free), strict=True)
        if math.dist(start, (i * cell, j * cell)) < 0.4 and straight(start, (i * cell, j * cell))
    ]
    heapq.heapify(heap)
    while heap:
        length, (i, j) = heapq.heappop(heap)
        if (i, j) in best:
            continue
        best[i, j] = length
        for di in (-1, 0, 1):
            for dj in (-1, 0, 1):
                a, b = i + di, j + dj
                if 0 <= a <= columns and 0 <= b <= rows and free[a, b] and (a, b) not in best:
                    here, there = (i * cell, j * cell), (a * cell, b * cell)
                    if straight(here, there):
                        heapq.heappush(heap, (length + cell * math.hypot(di, dj), (a, b)))
    ends = [
        length + math.dist(goal, (i * cell, j * cell))
        for (i, j), length in best.items()
        if math.dist(goal, (i * cell, j * cell)) < 0.4 and straight((i * cell, j * cell), goal)
    ]
    return min(ends, default=math.inf)
