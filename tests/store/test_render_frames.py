"""What a painted frame holds, checked against geometry worked out in other ways."""

import math

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from storefront import raster_cull
from tests.store.painting import POSES, START, rays, same


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
