"""What an assistant is shown of the marks, in each condition and on the minimap."""

import cv2
import numpy as np
import pytest

from siturec.markers.ablation import assistant_sight
from siturec.markers.minimap import Minimap, compass, heading
from siturec.markers.scene import marker_scene
from siturec.markers.sprites import label_sprite
from siturec.protocol.messages import PastTurn, Pose
from tests.core.marker_samples import empty, fixture, look, pack


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


@pytest.mark.parametrize("role", ["user", "assistant"])
def test_who_stands_where_a_label_is_sees_both_on_the_minimap(role):
    """One walks to an area's very point, where its label is."""
    made = pack(0, [fixture(1, 5, 2), fixture(2, 5, 6, colour=(1, 2, 3))])
    scene = marker_scene(made)
    plan, labels = Minimap(made.layout, scene, role), getattr(scene, f"{role}_fixed")

    def shown(x_m, y_m, yaw_deg):
        data = np.frombuffer(plan.picture(Pose(x_m=x_m, y_m=y_m, yaw_deg=yaw_deg)), np.uint8)
        return cv2.imdecode(data, cv2.IMREAD_COLOR)

    def arrow_px(picture):
        return int(((picture[..., 2] > 180) & (picture[..., :2] < 110).all(axis=2)).sum())

    for x_m, y_m in [(5, 2), (5, 6), (5.1, 2.1), (4.9, 6)]:
        for yaw_deg in (0, 130, 270):
            picture = shown(x_m, y_m, yaw_deg)
            assert arrow_px(picture) > 0.7 * arrow_px(shown(2, 4, yaw_deg))
            for label in labels.values():
                sprite = label_sprite(label, "fixture", 11).bgr
                assert cv2.matchTemplate(picture, sprite, cv2.TM_CCOEFF_NORMED).max() > 0.9


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
