"""Labels at the ends of lines: none hides another, and none strays further than it must."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.figures.specs import spaced

heights = st.lists(st.floats(0, 100), min_size=1, max_size=8).map(sorted)


@given(heights)
def test_neighbours_are_a_gap_apart_and_the_middle_stays(given_heights):
    places = spaced(given_heights, 5.0)
    assert all(after - before >= 5.0 - 1e-9 for before, after in itertools.pairwise(places))
    assert sum(places) == pytest.approx(sum(given_heights), abs=1e-6)


def test_labels_that_have_room_stay_where_they_are():
    assert spaced([1.0, 20.0, 40.0], 5.0) == [1.0, 20.0, 40.0]


def test_labels_at_one_height_spread_to_both_sides():
    assert spaced([10.0, 10.0, 10.0], 4.0) == pytest.approx([6.0, 10.0, 14.0])
