"""Floor plans as a shopper moves: whatever was drawn before, the one of the place they are at."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simulator_bridge.floor_maps import Drawn, FloorMaps
from simulator_bridge.kit import SceneKit
from siturec.protocol.messages import Pose
from siturec.scene.load import load_pack

KIT = SceneKit.build(load_pack(Path(__file__).parent / "pack"))
POSES = st.builds(
    Pose, x_m=st.sampled_from([1.0, 1.2, 3.0]), y_m=st.just(2.0), yaw_deg=st.sampled_from([0.0, 30.0])
)


@given(st.lists(st.tuples(POSES, st.booleans()), min_size=1, max_size=6), st.booleans())
@settings(deadline=None, max_examples=40)
def test_a_plan_is_that_of_the_pose_it_is_asked_for(asked, user_map):
    maps = FloorMaps(KIT, user_map=user_map)
    for pose, pictures in asked:
        assert maps.at(pose, pictures=pictures) == Drawn(
            pose,
            KIT.minimap_user.picture(pose) if pictures and user_map else None,
            KIT.minimap_assistant.picture(pose) if pictures else None,
            KIT.minimap_assistant.text(pose),
        )


def test_for_who_has_not_moved_nothing_is_drawn_again(monkeypatch):
    maps, pose = FloorMaps(KIT, user_map=True), Pose(x_m=1.0, y_m=2.0)
    first = maps.at(pose, pictures=True)
    monkeypatch.setattr(type(KIT.minimap_user), "picture", lambda *_: pytest.fail("drawn again"))
    assert maps.at(Pose(x_m=1.0, y_m=2.0), pictures=True) is first
