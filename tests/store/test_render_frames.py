"""What a painted frame holds, checked against geometry worked out in other ways."""

import math
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from siturec.scene.load import load_pack
from storefront import raster_cull
from storefront.raster_shade import mip_level
from storefront.raster_tables import NEAR, buffers
from storefront.render import Painter, Placed, StoreWorld, in_hand

HERE = Path(__file__).parent
START = ((7.2, 6.6, 1.6), -110.0, -4.0)
POSES = (
    START,
    ((3.9, 4.2, 1.3), 180.0, -10.0),
    ((7.2, 4.3, 1.6), 0.0, -30.0),
    ((7.4, 2.2, 1.5), -90.0, -5.0),
    ((5.2, 2.2, 1.6), -90.0, -20.0),
)


@pytest.fixture(scope="module")
def world(light_cache: Path) -> StoreWorld:
    return StoreWorld.load(load_pack(HERE / "pack"), light_cache)


@pytest.fixture(scope="module")
def home(light_cache: Path) -> StoreWorld:
    return StoreWorld.load(load_pack(HERE / "pack_home"), light_cache)


@pytest.fixture
def painter(world: StoreWorld) -> Painter:
    return Painter(world, 320, 180, 80)


def rays(painter, yaw, pitch, roll=0.0):
    """(H, W, 3) directions in the pack's frame, of unit depth along the view."""
    y, p = math.radians(yaw), math.radians(pitch)
    forward = np.array([math.cos(p) * math.cos(y), math.cos(p) * math.sin(y), math.sin(p)])
    right = np.array([-math.sin(y), math.cos(y), 0])
    up = np.array([-math.sin(p) * math.cos(y), -math.sin(p) * math.sin(y), math.cos(p)])
    r = math.radians(roll)  # positive tilts right: the right hand sinks, the top leans to the right
    right, up = math.cos(r) * right - math.sin(r) * up, math.cos(r) * up + math.sin(r) * right
    focal = painter.width / 2 / math.tan(math.radians(painter.fov_deg) / 2)
    u = (np.arange(painter.width) + 0.5 - painter.width / 2) / focal
    v = (painter.height / 2 - np.arange(painter.height) - 0.5) / focal
    return forward + u[None, :, None] * right + v[:, None, None] * up


def same(a, b):
    return all(np.array_equal(getattr(a, part), getattr(b, part)) for part in ("rgb", "ids", "depth"))


def test_floor_depth_is_the_distance_to_the_floor_plane(world, painter):
    eye, yaw, pitch = START
    frame = painter.paint(eye, yaw, pitch)
    floor = frame.ids == world.object_id("floor")
    assert floor.sum() > 5000
    expected = eye[2] / -rays(painter, yaw, pitch)[..., 2]
    assert np.allclose(frame.depth[floor], expected[floor], rtol=2e-5)


@pytest.mark.parametrize("roll", [-35.0, 20.0, 90.0])
def test_a_tilted_camera_sees_floor_and_walls_where_unreal_s_rotation_puts_them(world, painter, roll):
    eye, yaw, pitch = START
    frame = painter.paint(eye, yaw, pitch, roll_deg=roll)
    way = rays(painter, yaw, pitch, roll)
    floor, wall = (frame.ids == world.object_id(name) for name in ("floor", "building"))
    assert floor.sum() > 2000
    assert wall.sum() > 1000
    assert np.allclose(frame.depth[floor], (eye[2] / -way[..., 2])[floor], rtol=2e-5)
    to_walls = np.stack([-eye[1] / way[..., 1], -eye[0] / way[..., 0]])
    nearest = np.min(np.where(to_walls > 0, to_walls, np.inf), axis=0)
    assert np.allclose(frame.depth[wall], nearest[wall], rtol=2e-5)


def test_a_tilted_camera_leaves_out_nothing_that_is_in_view(painter):
    eye, yaw, pitch = START
    assert same(
        painter.paint(eye, yaw, pitch, roll_deg=40), painter.paint(eye, yaw, pitch, roll_deg=40, cull=False)
    )


def test_depth_of_an_outer_wall_is_the_distance_to_its_plane(world, painter):
    eye, yaw, pitch = START
    frame = painter.paint(eye, yaw, pitch)
    wall = frame.ids == world.object_id("building")
    assert wall.sum() > 2000
    way = rays(painter, yaw, pitch)
    to_walls = np.stack([-eye[1] / way[..., 1], -eye[0] / way[..., 0]])
    expected = np.min(np.where(to_walls > 0, to_walls, np.inf), axis=0)
    assert np.allclose(frame.depth[wall], expected[wall], rtol=2e-5)


@pytest.mark.parametrize("pose", POSES)
def test_ids_and_depth_are_those_of_the_nearest_triangle_by_brute_force(world, painter, pose):
    eye, yaw, pitch = pose
    frame = painter.paint(eye, yaw, pitch)
    corners, owner = _triangles(world, painter, pose)
    rng = np.random.default_rng(5)
    rows, columns = rng.integers(0, 180, 150), rng.integers(0, 320, 150)
    way = rays(painter, yaw, pitch)[rows, columns]
    depth, ids = _nearest(corners, owner, np.asarray(eye), way)
    near_depth = np.abs(frame.depth[rows, columns] - depth) < 1e-3 * depth
    assert near_depth.mean() > 0.98  # a sample on an edge may fall to either side
    assert (frame.ids[rows, columns] == ids)[near_depth].mean() > 0.98


def _triangles(world, painter, pose):
    """World triangles (pack's frame) of the meshes the painter chooses at this pose, and their objects."""
    items, shapes = world.items, world.shapes
    camera = painter.camera(*pose)
    near = np.empty(len(items.object), np.float32)
    raster_cull.item_distances(items, np.zeros(len(world.objects), np.uint8), camera, near)
    corners, owner = [], []
    for i in np.flatnonzero(near >= 0):
        detail = raster_cull.level_of_detail(shapes, items, i, near[i], camera.focal)
        _, _, first, last = shapes.spans[items.mesh[i, detail]]
        local = shapes.position[shapes.triangle[first:last]]
        placed = local @ items.transform[i, :, :3].T + items.transform[i, :, 3]
        corners.append(placed * [1, -1, 1])
        owner.append(np.full(last - first, items.object[i]))
    return np.concatenate(corners), np.concatenate(owner)


def _nearest(corners, owner, eye, ways):
    """Moeller and Trumbore over all triangles, front faces only."""
    a, e, f = corners[:, 0], corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    depth, ids = [], []
    for way in ways:
        p = np.cross(way, f)
        det = (e * p).sum(1)
        # The pack's frame is left-handed: outward faces turn the other way there.
        ok = det < -1e-12
        inverse = np.where(ok, 1 / np.where(ok, det, 1), 0)
        s = eye - a
        u = (s * p).sum(1) * inverse
        q = np.cross(s, e)
        v = (q @ way) * inverse
        t = (f * q).sum(1) * inverse
        hit = ok & (u >= 0) & (v >= 0) & (u + v <= 1) & (t > 0.05)
        best = np.argmin(np.where(hit, t, np.inf))
        depth.append(t[best] if hit.any() else np.inf)
        ids.append(owner[best] if hit.any() else -1)
    return np.array(depth), np.array(ids)


def test_a_package_is_seen_where_the_wire_s_formula_puts_its_middle(world, painter):
    eye, yaw, pitch = POSES[1]
    frame = painter.paint(eye, yaw, pitch)
    y, p = math.radians(yaw), math.radians(pitch)
    forward = np.array([math.cos(p) * math.cos(y), math.cos(p) * math.sin(y), math.sin(p)])
    right, up = (
        np.array([-math.sin(y), math.cos(y), 0]),
        np.array([-math.sin(p) * math.cos(y), 0, math.cos(p)]),
    )
    focal = 160 / math.tan(math.radians(40))
    found = 0
    for number, thing in enumerate(world.objects):
        if thing.kind != "product" or (frame.ids == number).sum() < 60:
            continue
        middle = (np.array(thing.low) + np.array(thing.high)) / 2 - eye
        column = 160 + focal * (middle @ right) / (middle @ forward)
        row = 90 - focal * (middle @ up) / (middle @ forward)
        if 2 < column < 318 and 2 < row < 178:
            seen = frame.ids[int(row) - 2 : int(row) + 3, int(column) - 2 : int(column) + 3]
            assert number in seen
            found += 1
    assert found >= 8


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


def test_only_ids_of_objects_are_painted_and_colours_tell_kinds_apart(world, home, painter):
    for store in (world, home):
        names = [o.name.casefold() for o in store.objects]
        assert len(set(names)) == len(names)
        structure = [o.colour for o in store.objects if o.kind == "structure"]
        others = {o.colour for o in store.objects if o.kind != "structure"}
        assert len(set(structure)) == len(structure)
        assert not others & set(structure)
        assert (0, 0, 0) not in others | set(structure)
    frame = painter.paint(*START)
    assert set(np.unique(frame.ids)) <= set(range(len(world.objects)))


def test_a_store_front_is_one_object_of_walls_and_sign(home):
    front = home.objects[home.object_id("store_nook")]
    assert front.entity == "store:nook"
    assert front.high[2] == pytest.approx(3.5, abs=0.01)
    frame = Painter(home, 320, 180, 80).paint((8.5, 3.0, 1.6), 180.0, 0.0)
    seen = frame.ids == home.object_id("store_nook")
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


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    x=st.floats(0.3, 11.7),
    y=st.floats(0.3, 7.7),
    z=st.floats(0.1, 3.0),
    yaw=st.floats(-180, 180),
    pitch=st.floats(-80, 80),
)
def test_from_anywhere_in_the_room_every_pixel_shows_something(painter, x, y, z, yaw, pitch):
    frame = painter.paint((x, y, z), yaw, pitch, want=("ids", "depth"))
    assert ((frame.ids >= 0) == np.isfinite(frame.depth)).all()
    inside_a_thing = any(
        low[0] <= x <= high[0] and low[1] <= y <= high[1] and low[2] <= z <= high[2]
        for low, high in (
            (o.low, o.high) for o in painter.world.objects if o.name not in ("building", "lights")
        )
    )
    assert inside_a_thing or (frame.ids >= 0).all()
