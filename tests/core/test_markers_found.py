"""What is found in a mask, how far off, and under whose markers."""

import math

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from siturec.markers.alphabets import letters
from siturec.markers.camera import Camera
from siturec.markers.regions import find
from siturec.markers.scene import marker_scene
from siturec.markers.seeing import approaches
from siturec.protocol.messages import Pose
from siturec.scene.schema import (
    Rect,
    Standing,
    Target,
)
from tests.core.marker_samples import H, W, empty, fixture, look, pack


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


def test_the_far_instance_of_a_product_is_neither_outlined_nor_counted():
    scene = marker_scene(pack())
    numbers, depth = empty()
    depth[:] = 3.0
    numbers[200:240, 300:340] = numbers[200:240, 600:640] = 0
    depth[:, 590:] = 8.0
    (seen,) = look(scene, numbers, depth).observation.visible
    assert len(seen.outlines) == 1
    assert max(x for x, _ in seen.outlines[0]) < 400
    assert seen.side == "left"


def test_a_sofa_that_the_limit_runs_through_is_outlined_whole():
    scene = marker_scene(pack())
    numbers, depth = empty()
    numbers[300:380, 400:560] = 0
    depth[300:380, 400:560] = np.linspace(5.0, 7.5, 80)[:, None]
    numbers[100:140, 100:140], depth[100:140, 100:140] = 0, 9.0
    (seen,) = look(scene, numbers, depth).observation.visible
    assert seen.outlines == (((400, 300), (400, 379), (559, 379), (559, 300)),)
    assert seen.distance_m == pytest.approx(5.0, abs=0.1)


def test_a_bench_seen_along_its_length_is_within_reach_where_its_near_end_is():
    scene = marker_scene(pack())
    numbers, depth = empty()
    numbers[300:340, 480:880] = 0
    depth[300:340, 480:880] = 1 / np.linspace(1 / 2.0, 1 / 5.5, 400)
    (seen,) = look(scene, numbers, depth).observation.visible
    assert seen.distance_m == pytest.approx(2.0, abs=0.05)
    assert seen.reachable


def test_of_a_shelf_seen_along_its_length_what_is_near_enough_is_there():
    scene = marker_scene(pack())
    numbers, depth = empty()
    numbers[268:272, 480:560] = 0
    depth[268:272, 480:560] = np.linspace(5.7, 6.7, 80)  # some 24 of every 80 pixels
    numbers[400:404, 480:560] = 1
    depth[400:404, 480:560] = np.linspace(5.9, 8.9, 80)
    (seen,) = look(scene, numbers, depth).observation.visible
    assert seen.entity == "product:p-0"


def test_a_building_that_the_limit_runs_through_is_boxed_whole():
    scene = marker_scene(pack(0, [fixture(1)]))
    numbers, depth = empty()
    numbers[200:300, 400:560] = 0
    depth[200:300, 400:560] = np.linspace(13.0, 18.0, 100)[:, None]
    numbers[200:230, 600:640], depth[200:230, 600:640] = 0, np.inf
    (seen,) = look(scene, numbers, depth).observation.visible
    assert seen.outlines == (((400, 200), (639, 200), (639, 299), (400, 299)),)
    assert seen.distance_m == pytest.approx(13.0, abs=0.2)


def test_a_corner_of_a_thing_within_the_limit_is_not_enough_of_it():
    scene = marker_scene(pack())
    numbers, depth = empty()
    numbers[300:380, 400:560], depth[300:380, 400:560] = 0, 8.0
    depth[300:307, 400:408] = 5.0  # 56 pixels
    assert look(scene, numbers, depth).observation.visible == ()


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
