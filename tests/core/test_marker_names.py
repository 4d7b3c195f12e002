"""What a mark is called, and what colour of a mask means what."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from siturec.markers.alphabets import deal_products, fixed_markers, letters
from siturec.markers.colours import ColourTable
from siturec.scene.schema import (
    Rect,
    Target,
)


def test_letters_go_on_after_z():
    assert [letters(n) for n in (0, 25, 26, 27, 51, 52, 701, 702)] == [
        "A",
        "Z",
        "AA",
        "AB",
        "AZ",
        "BA",
        "ZZ",
        "AAA",
    ]


@given(st.integers(0, 5000), st.integers(0, 5000))
def test_no_two_letters_are_the_same(a, b):
    assert (letters(a) == letters(b)) == (a == b)


def test_products_are_dealt_afresh_in_each_role_s_own_order():
    goods = [f"product:p-{n}" for n in range(40)]
    first = deal_products(goods, scene="s", observation=0, role="user")
    assert first == deal_products(reversed(goods), scene="s", observation=0, role="user")
    assert sorted(map(int, first.values())) == list(range(1, 41))
    other = deal_products(goods, scene="s", observation=0, role="assistant")
    assert set(other.values()) == {letters(n) for n in range(40)}
    assert first != deal_products(goods, scene="s", observation=1, role="user")
    assert [letters(int(first[g]) - 1) for g in goods] != [other[g] for g in goods]


def test_places_have_fixed_markers_of_either_alphabet_and_areas_carry_their_store_s():
    stores = [
        Target(
            id=f"s-{n}",
            kind="store",
            name="S",
            colour=(9, 9, n),
            footprint=Rect(x0=0, y0=0, x1=1, y1=1),
            x_m=3.0 * (n % 3),
            y_m=3.0 * (n // 3),
        )
        for n in range(30)
    ]
    areas = [
        Target(
            id=f"a-{n}",
            kind="area",
            name="A",
            footprint=Rect(x0=0, y0=0, x1=1, y1=1),
            x_m=float(n),
            y_m=0.0,
            store="s-1",
        )
        for n in range(12)
    ]
    user, assistant = fixed_markers([*areas, *stores], "user"), fixed_markers([*areas, *stores], "assistant")
    assert user["store:s-0"] == "A"
    assert "AD" in user.values()
    assert {"1", "30"} <= set(assistant.values())
    assert user["area:a-0"] == user["store:s-1"] + "1"
    assert user["area:a-11"] == user["store:s-1"] + "12"
    assert assistant["area:a-1"] == assistant["store:s-1"] + "b"
    assert len(set(user.values())) == len(set(assistant.values())) == 42


PLACES = st.lists(
    st.tuples(
        st.sampled_from(["fixture", "store", "area"]),
        st.integers(0, 9),
        st.integers(0, 9),
        st.sampled_from([None, "0", "1", "2", "nowhere"]),
    ),
    max_size=40,
)


@given(PLACES, st.sampled_from(["user", "assistant"]))
def test_no_two_places_of_a_scene_have_the_same_marker(places, role):
    targets = [
        Target(
            id=str(n),
            kind=kind,
            name="T",
            footprint=Rect(x0=0, y0=0, x1=1, y1=1),
            x_m=float(x),
            y_m=float(y),
            store=home if kind == "area" else None,
        )
        for n, (kind, x, y, home) in enumerate(places)
    ]
    markers = fixed_markers(targets, role)
    assert len(markers) == len({marker.casefold() for marker in markers.values()}) == len(targets)


@given(
    colour=st.tuples(*[st.integers(20, 235)] * 3),
    off=st.tuples(*[st.integers(-3, 3)] * 3),
)
@settings(max_examples=20, deadline=None)
def test_a_mask_that_is_off_by_three_still_resolves(colour, off):
    table = ColourTable.build(np.array([[0, 250, 250], colour], np.uint8))
    shown = np.array([[[c + d for c, d in zip(colour, off, strict=True)]]], np.uint8)
    assert table.numbers(shown)[0, 0] == 1
    assert table.numbers(shown[..., ::-1], bgr=True)[0, 0] == 1


def test_of_two_near_colours_the_nearest_wins_and_strange_ones_are_nothing():
    table = ColourTable.build(np.array([[100, 100, 100], [104, 100, 100]], np.uint8))
    shown = np.array(
        [[[101, 100, 100], [103, 100, 100], [104, 100, 100], [100, 104, 100], [0, 0, 0]]], np.uint8
    )
    assert table.numbers(shown).tolist() == [[0, 1, 1, -1, -1]]


def test_two_things_of_one_colour_are_refused():
    with pytest.raises(ValueError, match="entities 0 and 2 share the colour"):
        ColourTable.build(np.array([[1, 2, 3], [4, 5, 6], [1, 2, 3]], np.uint8))
