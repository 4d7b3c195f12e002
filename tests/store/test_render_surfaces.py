"""Which surface a painted pixel shows: what is cut away, hidden, moved, held, made, or behind glass."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from storefront.raster_shade import mip_level
from storefront.raster_tables import NEAR, buffers
from storefront.render import Painter, Placed, in_hand
from tests.store.painting import POSES, START, rays, same


@pytest.mark.parametrize("pose", POSES)
def test_dropping_what_is_out_of_view_or_hidden_changes_no_pixel(painter, pose):
    assert same(painter.paint(*pose), painter.paint(*pose, cull=False))


@pytest.mark.parametrize("height", [0.08, 0.5, 1.6, 3.1])
def test_surfaces_cut_by_the_near_plane_leave_no_holes(painter, height):
    for x, y, yaw in ((2.95, 4.2, 180.0), (2.95, 4.2, 90.0), (6.25, 4.4, 180.0), (0.06, 0.6, 45.0)):
        frame = painter.paint((x, y, height), yaw, -20.0)
        assert (frame.ids >= 0).all()
        assert frame.depth.min() >= NEAR * 0.999


def test_the_narrowest_view_draws_what_is_close_without_losing_its_place(world):
    # A corner at the near plane lands hundreds of millions of pixels to the side.
    painter = Painter(world, 8192, 8, 1.0)
    for eye, yaw in (((7.2, 6.6, 0.06), -110.0), ((7.2, 6.6, 0.1), 90.0), ((0.06, 6.6, 1.6), 90.0)):
        frame = painter.paint(eye, yaw, 0.0)
        assert (frame.ids >= 0).all()
        assert np.isfinite(frame.depth).all()
        assert same(frame, painter.paint(eye, yaw, 0.0, cull=False))


def test_the_same_pose_gives_the_same_bytes_on_every_thread(world):
    wanted = [Painter(world, 320, 180, 80).paint(*pose) for pose in POSES]

    def paint(number):
        mine = Painter(world, 320, 180, 80)
        return all(
            same(mine.paint(*POSES[(number + k) % len(POSES)]), wanted[(number + k) % len(POSES)])
            for k in range(len(POSES))
        )

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(paint, range(8)))


def test_a_frame_does_not_depend_on_the_one_before(world, painter):
    first = painter.paint(*POSES[0])
    painter.paint(*POSES[1], hidden={1, 2, 3})
    assert same(first, painter.paint(*POSES[0]))


def test_smoothing_and_glass_leave_ids_and_depth_alone(world, painter):
    pose = POSES[3]
    full, plain = painter.paint(*pose), painter.paint(*pose, want=("ids", "depth"))
    assert plain.rgb is None
    assert np.array_equal(full.ids, plain.ids)
    assert np.array_equal(full.depth, plain.depth)


def test_goods_behind_glass_are_in_ids_and_depth_while_colour_shows_the_glass(world, painter):
    frame = painter.paint(*POSES[3], want=("rgb", "ids", "depth"))
    freezer = world.objects[world.object_id("fixture_freezer-1")]
    behind = [n for n, o in enumerate(world.objects) if o.product in ("t-009", "t-010")]
    seen = np.isin(frame.ids, behind)
    assert seen.sum() > 1000
    # Depth runs through the door: goods stand at least 5 cm behind its plane.
    eye = np.array(POSES[3][0])
    assert (frame.depth[seen] > eye[1] - freezer.high[1] + 0.05).all()
    without = replace(world, tables=world.tables._replace(panes=world.panes[:0]))
    bare = Painter(without, 320, 180, 80).paint(*POSES[3])
    assert np.array_equal(bare.ids, frame.ids)
    assert np.array_equal(bare.depth, frame.depth)
    assert (bare.rgb[seen] != frame.rgb[seen]).any(axis=1).mean() > 0.9


def test_a_hidden_package_is_gone_and_nothing_else_moves(world, painter):
    before = painter.paint(*POSES[1])
    counts = np.bincount(before.ids.ravel(), minlength=len(world.objects))
    gone = max((n for n, o in enumerate(world.objects) if o.kind == "product"), key=lambda n: counts[n])
    after = painter.paint(*POSES[1], hidden=frozenset({gone}))
    assert counts[gone] > 200
    assert not (after.ids == gone).any()
    elsewhere = before.ids != gone
    assert np.array_equal(after.ids[elsewhere], before.ids[elsewhere])
    assert (after.depth[~elsewhere] > before.depth[~elsewhere]).all()


def test_a_package_moved_by_nothing_looks_as_it_did_to_ids(world, painter):
    before = painter.paint(*POSES[1])
    number = int(np.argmax(np.bincount(before.ids[before.ids < 76])))
    thing = world.objects[number]
    again = Placed(number, number, thing.position, (0.0, thing.yaw_deg, 0.0))
    after = painter.paint(*POSES[1], hidden={number}, extra=[again])
    assert (after.ids != before.ids).mean() < 0.001


def test_a_spawned_cube_stands_where_it_was_put(world, painter):
    eye, yaw, pitch = (7.0, 6.0, 1.6), 180.0, 0.0
    cube = Placed(900, "cube", (5.0, 6.0, 0.0))
    frame = painter.paint(eye, yaw, pitch, extra=[cube])
    seen = frame.ids == 900
    assert seen.sum() > 500
    assert frame.depth[seen].min() == pytest.approx(1.5, abs=0.02)
    rows, columns = np.nonzero(seen)
    assert columns.mean() == pytest.approx(160, abs=3)
    assert rows.min() > 85  # its top, at one metre, is below the eye


def test_a_held_package_is_shown_whole_at_the_lower_right(world, painter):
    eye, yaw, pitch = START
    held = world.object_id("item_001")
    frame = painter.paint(eye, yaw, pitch, hidden={held}, extra=[in_hand(world, held, eye, yaw, pitch)])
    rows, columns = np.nonzero(frame.ids == held)
    assert len(rows) > 1500
    assert columns.min() > 160
    assert rows.mean() > 90
    assert frame.depth[frame.ids == held].max() < 0.7


def test_only_ids_of_objects_are_painted_and_colours_tell_kinds_apart(world, furnished, painter):
    for store in (world, furnished):
        names = [o.name.casefold() for o in store.objects]
        assert len(set(names)) == len(names)
        structure = [o.colour for o in store.objects if o.kind == "structure"]
        others = {o.colour for o in store.objects if o.kind != "structure"}
        assert len(set(structure)) == len(structure)
        assert not others & set(structure)
        assert (0, 0, 0) not in others | set(structure)
    frame = painter.paint(*START)
    assert set(np.unique(frame.ids)) <= set(range(len(world.objects)))


def test_a_store_front_is_one_object_of_walls_and_sign(furnished):
    front = furnished.objects[furnished.object_id("store_nook")]
    assert front.entity == "store:nook"
    assert front.high[2] == pytest.approx(3.5, abs=0.01)
    frame = Painter(furnished, 320, 180, 80).paint((8.5, 3.0, 1.6), 180.0, 0.0)
    seen = frame.ids == furnished.object_id("store_nook")
    assert seen.sum() > 4000
    assert seen[:, 150:170].any()  # the lintel and the sign over the doorway


def test_normals_point_at_the_viewer_and_up_from_the_floor(world, painter):
    eye, yaw, pitch = START
    frame = painter.paint(eye, yaw, pitch, want=("normal", "ids"))
    normal = frame.normal / 127.5 - 1
    assert ((normal * rays(painter, yaw, pitch)).sum(-1) < 0.02).mean() > 0.999
    floor = frame.ids == world.object_id("floor")
    assert np.allclose(normal[floor], [0, 0, 1], atol=0.01)


def test_a_frame_that_needs_more_room_gets_it(world):
    small, usual = Painter(world, 320, 180, 80), Painter(world, 320, 180, 80)
    small._buffers = buffers(320, 180, world.most_vertices, 16)
    assert same(small.paint(*START), usual.paint(*START))


@pytest.mark.parametrize(
    ("width", "height", "fov"), [(0, 10, 80), (10, -1, 80), (10, 10, 0.5), (10, 10, 180)]
)
def test_a_painter_refuses_what_cannot_be_painted(world, width, height, fov):
    with pytest.raises(ValueError, match="cannot be painted"):
        Painter(world, width, height, fov)


@settings(deadline=None)  # the first call may compile
@given(footprint=st.floats(0.01, 1e8), levels=st.integers(1, 12))
def test_mip_levels_rise_by_one_when_texels_halve(footprint, levels):
    level = mip_level(np.float32(footprint), levels)
    assert 0 <= level < levels
    assert mip_level(np.float32(footprint * 4), levels) - level in (0, 1)
    if footprint <= 1:
        assert level == 0


def test_a_far_floor_is_calm_while_the_eye_moves(world, painter):
    """A millimetre of walking must not make the tiles' joints flicker: far textures are averaged."""
    far = [
        painter.paint((11.0, 7.5 + k / 1000, 1.6), 218.0, 0.0, want=("base_color", "ids", "depth"))
        for k in range(4)
    ]
    floor = np.all([f.ids == world.object_id("floor") for f in far], axis=0) & (far[0].depth > 6)
    assert floor.sum() > 200
    steps = [
        np.abs(a.base_color[floor].astype(int) - b.base_color[floor].astype(int)) for a, b in pairwise(far)
    ]
    assert max(step.max() for step in steps) <= 12
