"""Baked light and the rays it is made of."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from siturec.scene.load import load_pack
from storefront import light
from storefront.geometry import build_geometry
from storefront.light_gather import Room, gather
from storefront.light_rays import build_bvh, cast
from storefront.world_build import ceiling_glow

PACK = Path(__file__).parent / "pack"


def brute_force(triangles, origin, way):
    a, e, f = triangles[:, 0], triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0]
    p = np.cross(way, f)
    det = (e * p).sum(1)
    inverse = np.where(np.abs(det) > 1e-12, 1 / np.where(det == 0, 1, det), 0)
    s = origin - a
    u, q = (s * p).sum(1) * inverse, np.cross(s, e)
    v, t = (q @ way) * inverse, (f * q).sum(1) * inverse
    hit = (np.abs(det) > 1e-12) & (u >= 0) & (v >= 0) & (u + v <= 1) & (t > 1e-5)
    return np.where(hit, t, np.inf).min()


def test_the_hierarchy_finds_what_trying_every_triangle_finds():
    rng = np.random.default_rng(11)
    middle = rng.uniform(-4, 4, (400, 1, 3))
    triangles = (middle + rng.normal(0, 0.5, (400, 3, 3))).astype(np.float32)
    tree, stack = build_bvh(triangles, np.arange(400, dtype=np.int32)), np.empty(96, np.int32)
    hits = 0
    for _ in range(300):
        origin = rng.uniform(-5, 5, 3).astype(np.float32)
        way = rng.normal(size=3)
        way = (way / np.linalg.norm(way)).astype(np.float32)
        _, distance = cast(tree, origin, way, np.float32(1e9), False, stack)
        expected = brute_force(triangles.astype(float), origin.astype(float), way.astype(float))
        assert (distance > 1e8) == np.isinf(expected)
        if np.isfinite(expected):
            hits += 1
            assert distance == pytest.approx(expected, rel=1e-3)
    assert hits > 50


def room_with_one_panel() -> Room:
    return Room(
        size=np.array([4, 4, 3], np.float32),
        panel=np.array([[2, -2, 3, 0.5, 0.5, 1]], np.float32),
        lamp=np.zeros((0, 5), np.float32),
        albedo=np.full(1, 0.5, np.float32),
    )


def light_at(points, triangles, first=0, rays=64):
    tree = build_bvh(np.asarray(triangles, np.float32).reshape(-1, 3, 3), np.zeros(len(triangles), np.int32))
    points = np.asarray(points, np.float32)
    up = np.tile(np.array([0, 0, 1], np.float32), (len(points), 1))
    out = np.zeros(len(points), np.float32)
    gather(tree, room_with_one_panel(), points, up, first, len(points), rays, 4, out)
    return out


TABLE = [
    [[1.5, -2.5, 0.7], [2.5, -2.5, 0.7], [2.5, -1.5, 0.7]],
    [[1.5, -2.5, 0.7], [2.5, -1.5, 0.7], [1.5, -1.5, 0.7]],
]


def test_a_table_casts_a_shadow_that_softens_outwards():
    under, edge, beside, far = light_at(
        [[2, -2, 0.01], [2.55, -2, 0.01], [2.9, -2, 0.01], [3.6, -2, 0.01]], TABLE
    )
    bare = light_at([[2, -2, 0.01]], [])[0]
    assert under < 0.6 * bare
    assert under < edge < beside
    assert far > under


def test_a_point_s_light_depends_on_nothing_but_the_point():
    points = [[1 + 0.1 * k, -2, 0.01] for k in range(8)]
    whole = light_at(points, TABLE)
    assert np.array_equal(whole[3:], light_at(points, TABLE, first=3)[3:])


@settings(max_examples=30, deadline=None)
@given(hnp.arrays(np.float32, 5, elements=st.floats(0, 8, width=32)))
def test_brighter_is_never_shown_darker(values):
    shown = light.display(np.sort(values))
    assert (np.diff(shown) >= 0).all()
    assert shown.min() > 0
    assert shown.max() < 1.9


def test_reflections_see_the_lights_where_they_hang():
    layout = load_pack(PACK).layout
    glow = ceiling_glow(layout)
    panel = layout.lights[0]
    assert glow[round(panel.y_m * 10), round(panel.x_m * 10)] > 0.9
    assert glow[round(panel.y_m * 10) + 12, round(panel.x_m * 10)] < 0.2


def test_goods_deep_in_a_shelf_are_darker_than_the_floor_before_it():
    pack = load_pack(PACK)
    geometry = build_geometry(pack)
    lower = [p for p in geometry.parts if geometry.objects[p.object_id].name == "item_001"]
    floor = [p for p in geometry.parts if geometry.objects[p.object_id].name == "floor"]
    numbers = {id(p): n for n, p in enumerate(geometry.parts)}
    spans = [
        (numbers[id(p)], p.meshes[0], len(geometry.meshes[p.meshes[0]].position))
        for p in (lower[0], floor[5])
    ]
    baked = light.bake(geometry, pack.layout, spans)
    assert 0.2 < baked[: spans[0][2]].mean() < baked[spans[0][2] :].mean() < 1.5
