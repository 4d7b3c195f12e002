"""Marks: what is found in a mask, what it is called, and where its label goes."""

import math

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from siturec.markers.ablation import assistant_sight
from siturec.markers.alphabets import deal_products, fixed_markers, letters
from siturec.markers.camera import Camera
from siturec.markers.colours import ColourTable
from siturec.markers.layout import Wish, place_labels
from siturec.markers.minimap import Minimap, compass, heading
from siturec.markers.regions import find
from siturec.markers.scene import marker_scene
from siturec.markers.seeing import approaches, see
from siturec.protocol.messages import PastTurn, Pose
from siturec.scene.schema import (
    Layout,
    Look,
    Product,
    Rect,
    SceneInfo,
    ScenePack,
    Sight,
    Standing,
    Target,
)

W, H = 960, 540
LOOK = Look(shape="box", size_m=(0.2, 0.1, 0.3), primary="#112233", accent="#445566")


def product(number, colour):
    return Product(
        id=f"p-{number}",
        name=f"Product {number}",
        category="c",
        price=1.0,
        colour=colour,
        storage="shelf",
        look=LOOK,
    )


def fixture(number, x=2.0, y=2.0, **more):
    return Target(
        id=f"f-{number}",
        kind="fixture",
        name=f"Fixture {number}",
        type="shelf",
        colour=more.pop("colour", (200, number, 40)),
        footprint=Rect(x0=x - 0.5, y0=y - 1, x1=x + 0.5, y1=y + 1),
        x_m=x,
        y_m=y,
        **more,
    )


def pack(products=3, targets=(), kind="supermarket", **sight):
    goods = tuple(product(n, (10 * (n % 25) + 5, 100 + n // 25 * 10, 60)) for n in range(products))
    info = SceneInfo(
        id="s", name="S", kind=kind, version="1", seed=1, start=Pose(x_m=0, y_m=0), sight=Sight(**sight)
    )
    layout = Layout(width_m=10, depth_m=8, height_m=3)
    return ScenePack(
        info=info, products=goods, targets=tuple(targets), waypoints=(), instances=(), layout=layout
    )


def empty():
    return np.full((H, W), -1, np.int16), np.full((H, W), np.inf, np.float32)


def look(scene, numbers, depth, *, pose=None, observation=0):
    frame = np.full((H, W, 3), 128, np.uint8)
    pose = pose or Pose(x_m=0, y_m=0)
    return see(
        frame_bgr=frame, numbers=numbers, depth_m=depth, pose=pose, scene=scene, observation=observation
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


def test_touching_instances_share_an_outline_and_separate_ones_get_their_own():
    scene = marker_scene(pack())
    numbers, depth = empty()
    depth[:] = 2.0
    numbers[200:260, 300:340] = 0
    numbers[200:260, 340:380] = 0
    numbers[200:260, 500:540] = 0
    seen = look(scene, numbers, depth).observation.visible
    assert [s.entity for s in seen] == ["product:p-0"]
    assert len(seen[0].outlines) == 2
    xs = sorted((min(x for x, _ in o), max(x for x, _ in o)) for o in seen[0].outlines)
    assert xs == [(300, 379), (500, 539)]


def test_a_building_gets_one_box_around_all_its_parts():
    scene = marker_scene(pack(0, [fixture(1)]))
    numbers, depth = empty()
    depth[:] = 4.0
    numbers[100:120, 100:120] = 0
    numbers[300:330, 700:720] = 0
    (seen,) = look(scene, numbers, depth).observation.visible
    assert seen.outlines == (((100, 100), (719, 100), (719, 329), (100, 329)),)
    assert (seen.user_marker, seen.assistant_marker) == ("A", "1")


def test_what_is_too_small_or_too_far_is_not_there():
    scene = marker_scene(pack())
    numbers, depth = empty()
    depth[:] = 2.0
    numbers[10:17, 10:18] = 0  # 56 pixels
    numbers[10:17, 30:39] = 1  # 63 pixels
    numbers[200:260, 300:360] = 2
    depth[200:260, 300:360] = 9.0
    assert [s.entity for s in look(scene, numbers, depth).observation.visible] == ["product:p-1"]


def test_the_far_part_of_a_product_is_neither_outlined_nor_counted():
    scene = marker_scene(pack())
    numbers, depth = empty()
    depth[:] = 3.0
    numbers[200:240, 300:340] = numbers[200:240, 600:640] = 0
    depth[:, 590:] = 8.0
    (seen,) = look(scene, numbers, depth).observation.visible
    assert len(seen.outlines) == 1
    assert max(x for x, _ in seen.outlines[0]) < 400


@given(
    x=st.floats(0.5, 5),
    y=st.floats(-3, 3),
    z=st.floats(0.1, 2.5),
    yaw=st.floats(0, 360),
    pitch=st.floats(-60, 60),
)
def test_a_pixel_s_floor_distance_is_that_of_the_point_it_shows(x, y, z, yaw, pitch):
    camera = Camera(Pose(x_m=1, y_m=2, yaw_deg=yaw, pitch_deg=pitch), W, H, 80, 1.6)
    turn = math.radians(yaw)
    ahead, right = x, y
    point = [
        1 + ahead * math.cos(turn) - right * math.sin(turn),
        2 + ahead * math.sin(turn) + right * math.cos(turn),
        z,
    ]
    pixels, depth = camera.project(np.array([point]))
    if depth[0] < 0.05:
        return
    away = camera.floor_distance(pixels[:, 0] - 0.5, pixels[:, 1] - 0.5, depth)
    assert away[0] == pytest.approx(math.hypot(x, y), abs=1e-6)


def test_reach_and_side_are_measured_on_the_floor_plan():
    scene = marker_scene(pack(reach_m=2.5))
    numbers, depth = empty()
    numbers[250:290, 100:140], depth[250:290, 100:140] = 0, 1.9
    numbers[250:290, 460:500], depth[250:290, 460:500] = 1, 2.4
    numbers[250:290, 800:840], depth[250:290, 800:840] = 2, 2.4
    seen = {s.entity: s for s in look(scene, numbers, depth).observation.visible}
    assert [seen[f"product:p-{n}"].side for n in range(3)] == ["left", "ahead", "right"]
    assert seen["product:p-0"].reachable
    assert seen["product:p-1"].reachable
    assert not seen["product:p-2"].reachable


def test_both_roles_see_the_same_things_under_their_own_markers_and_the_same_pixels_elsewhere():
    scene = marker_scene(pack(20, [fixture(1)]))
    numbers, depth = empty()
    depth[:] = 2.0
    for n in range(20):
        numbers[100 + n // 10 * 120 : 180 + n // 10 * 120, 20 + n % 10 * 90 : 80 + n % 10 * 90] = n
    seen = look(scene, numbers, depth)
    user = cv2.imdecode(np.frombuffer(seen.user_frame, np.uint8), 1)
    assistant = cv2.imdecode(np.frombuffer(seen.assistant_frame, np.uint8), 1)
    assert user.shape == assistant.shape == (H, W, 3)
    assert not np.array_equal(user, assistant)
    assert np.array_equal(user[400:], assistant[400:])
    visible = seen.observation.visible
    assert {s.user_marker for s in visible} == {str(n + 1) for n in range(20)}
    assert {s.assistant_marker for s in visible} == {letters(n) for n in range(20)}


AREA = Target(
    id="a", kind="area", name="Area", footprint=Rect(x0=3, y0=-1, x1=5, y1=1), x_m=4.0, y_m=0.0, store="none"
)


def test_an_area_shows_where_its_floor_shows_and_not_behind_things():
    scene = marker_scene(pack(0, [AREA], kind="home"))
    numbers, depth = empty()
    (seen,) = look(scene, numbers, depth).observation.visible
    assert (seen.user_marker, seen.assistant_marker) == ("A1", "1a")
    assert seen.distance_m == 4.0
    assert seen.side == "ahead"
    depth[:] = 2.0
    assert look(scene, numbers, depth).observation.visible == ()
    away = Pose(x_m=0, y_m=0, yaw_deg=180)
    assert look(scene, numbers, np.full((H, W), np.inf, np.float32), pose=away).observation.visible == ()


BOTH = (Standing(approach="front", waypoint="f"), Standing(approach="back", waypoint="b"))


@pytest.mark.parametrize(
    ("x", "y", "standing", "offered"),
    [
        (6.0, 2.0, BOTH, ("nearest", "front")),
        (-2.0, 2.0, BOTH, ("nearest", "back")),
        (2.0, 6.0, BOTH, ("nearest", "front", "back")),
        (6.0, 2.0, BOTH[:1], ("nearest", "front")),
        (-2.0, 2.0, BOTH[:1], ("nearest",)),
    ],
)
def test_a_side_is_offered_where_it_has_a_place_to_stand_and_can_be_seen(x, y, standing, offered):
    assert approaches(fixture(1, standing=standing, yaw_deg=0.0), Pose(x_m=x, y_m=y)) == offered


WISHES = st.lists(
    st.builds(
        lambda x, y, w, h, bw, bh, must: Wish(
            (x + bw // 2, y + bh // 2), (x, y, x + bw, y + bh), (w, h), must
        ),
        st.integers(0, 900),
        st.integers(0, 500),
        st.integers(10, 40),
        st.integers(10, 24),
        st.integers(4, 59),
        st.integers(4, 39),
        st.booleans(),
    ),
    max_size=60,
)


@given(WISHES)
def test_labels_stay_in_the_frame_and_never_cover_each_other(wishes):
    placed = [
        (*corner, *wish.size)
        for wish, corner in zip(wishes, place_labels(wishes, width=W, height=H), strict=True)
        if corner is not None
    ]
    for x, y, w, h in placed:
        assert x >= 0
        assert x + w <= W
        assert y >= 0
        assert y + h <= H
    for i, (x, y, w, h) in enumerate(placed):
        for a, b, c, d in placed[:i]:
            assert x + w <= a or a + c <= x or y + h <= b or b + d <= y


def test_where_there_is_room_everything_is_labelled():
    wishes = [Wish((50 + 80 * (n % 11), 40 + 50 * (n // 11)), (0, 0, 959, 539), (30, 18)) for n in range(99)]
    assert None not in place_labels(wishes, width=W, height=H)


def test_what_has_no_room_for_a_label_is_still_in_the_table():
    scene = marker_scene(pack(60))
    numbers, depth = empty()
    depth[:] = 2.0
    for n in range(60):
        numbers[200 + n // 10 * 9 : 208 + n // 10 * 9, 300 + n % 10 * 9 : 308 + n % 10 * 9] = n
    visible = look(scene, numbers, depth).observation.visible
    assert len(visible) == 60
    assert 0 < sum(s.labelled for s in visible) < 60


def turn(visible):
    return PastTurn(turn=0, utterance="hi", reply="yes", action=None, outcome=None, visible=visible)


def ablated(condition):
    scene = marker_scene(pack(3))
    numbers, depth = empty()
    depth[:] = 2.0
    numbers[200:260, 300:380] = 0
    seen = look(scene, numbers, depth)
    past = [turn(seen.observation.visible)]
    return assistant_sight(
        observation=seen.observation, frame=seen.assistant_frame, history=past, condition=condition
    )


def test_each_condition_takes_away_now_and_then_what_it_says():
    full, blind, bare = (ablated(c) for c in ("full", "no_ego_view", "no_ego_view_no_caption"))
    assert full.frame is not None
    assert blind.frame is None
    assert bare.frame is None
    assert full.observation == blind.observation
    assert full.observation.visible[0].assistant_marker == "A"
    assert bare.observation is None
    assert blind.history[0].visible is not None
    assert bare.history[0].visible is None
    assert bare.history[0].utterance == "hi"


@pytest.mark.parametrize("condition", ["full", "no_ego_view"])
def test_the_user_s_markers_never_reach_an_assistant(condition):
    given_ = ablated(condition)
    for seen in (*given_.observation.visible, *given_.history[0].visible):
        assert seen.user_marker == ""
        assert seen.outlines == ()


def test_the_minimap_names_every_place_with_its_direction_and_moves_with_the_shopper():
    made = pack(0, [fixture(1, 5, 2), fixture(2, 5, 6, colour=(1, 2, 3))])
    scene = marker_scene(made)
    plan = Minimap(made.layout, scene, "assistant")
    text = plan.text(Pose(x_m=2, y_m=2, yaw_deg=90))
    assert "facing south" in text
    assert "1: Fixture 1 (fixture) at (5.0, 2.0), 3.0 m to the left" in text
    one, two = plan.picture(Pose(x_m=2, y_m=2)), plan.picture(Pose(x_m=2, y_m=2, yaw_deg=45))
    assert one != two
    assert one == plan.picture(Pose(x_m=2, y_m=2))
    assert one != Minimap(made.layout, scene, "user").picture(Pose(x_m=2, y_m=2))


@pytest.mark.parametrize(
    ("yaw", "name"), [(0, "east"), (90, "south"), (359, "east"), (225, "north-west"), (-90, "north")]
)
def test_compass_names_follow_the_map(yaw, name):
    assert compass(yaw) == name


@pytest.mark.parametrize(
    ("bearing", "words"),
    [
        (0, "ahead"),
        (90, "to the right"),
        (-45, "ahead to the left"),
        (180, "behind"),
        (230, "behind to the left"),
    ],
)
def test_headings_are_said_from_the_shopper_s_side(bearing, words):
    assert heading(bearing) == words


def test_a_mask_and_a_depth_of_different_size_are_refused():
    scene = marker_scene(pack())
    numbers, depth = empty()
    with pytest.raises(ValueError, match="differ in size"):
        find(
            numbers,
            depth[:-1],
            camera=Camera(Pose(x_m=0, y_m=0), W, H, 80, 1.6),
            limits_m=scene.limits_m,
            kinds=scene.kinds,
            min_pixels=60,
        )
