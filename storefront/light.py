"""Baked light: one number per vertex of every placed mesh, worked out once by casting rays.

Big and still things (the building, fixtures, furniture) have light of their own at every vertex. Small
goods, of which there are many, have light at the corners of their box, four on each of its six faces, from
which their vertices take theirs by place and normal.
"""

import os
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray

from siturec.scene.schema import Layout
from storefront.geometry import Geometry, Part
from storefront.light_gather import PANEL_REACH, Room, gather
from storefront.light_rays import Bvh, build_bvh
from storefront.mesh import Mesh
from storefront.raster_tables import F32

Span = tuple[int, int, int]
"""Part, mesh, number of vertices."""

SMALL = 0.5
"""Goods no larger than this are lit by the corners of their box (metres)."""
RAYS, SAMPLES = 80, 2
FEWEST_RAYS = 32
MANY_POINTS = 300_000
"""With more points than this each gets fewer bounced rays, so that large stores are lit in bearable time."""
CHUNK = 512
INSET = 0.12
"""How far inside a face its corner samples lie, as a share of the face."""
OPEN = frozenset({"floor", "ceiling", "building", "lights"})
"""Objects that cast no shadows: the room's own bounds, and the lights."""


def bake(geometry: Geometry, layout: Layout, spans: list[Span]) -> F32:
    """Light in display space (it multiplies textures) of every vertex of ``spans``, end to end."""
    bvh, room = occluders(geometry), _room(geometry, layout)
    points, normals = _sample_points(geometry, spans)
    light = np.zeros(len(points), np.float32)
    run_gather(bvh, room, points, normals, light)
    return _spread(geometry, spans, light)


def run_gather(bvh: Bvh, room: Room, points: F32, normals: F32, out: F32) -> None:
    """Gather light at all points, on as many threads as there are processors."""
    starts = range(0, len(points), CHUNK)
    rays = max(FEWEST_RAYS, min(RAYS, RAYS * MANY_POINTS // max(len(points), 1)))

    def work(start: int) -> None:
        end = min(start + CHUNK, len(points))
        near = _near(room, points[start:end])
        gather(bvh, near, points, normals, start, end, rays, SAMPLES, out)

    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        list(pool.map(work, starts))


def _near(room: Room, points: F32) -> Room:
    """The room with only those lights that can reach any of ``points``."""
    low, high = points.min(axis=0)[:2], points.max(axis=0)[:2]

    def within(at: F32, reach: F32 | float) -> NDArray[np.bool_]:
        away = np.maximum(np.maximum(low - at[:, :2], at[:, :2] - high), 0)
        return np.asarray(np.hypot(away[:, 0], away[:, 1]) <= reach)

    return room._replace(
        panel=np.ascontiguousarray(room.panel[within(room.panel, float(PANEL_REACH))]),
        lamp=np.ascontiguousarray(room.lamp[within(room.lamp, room.lamp[:, 4])]),
    )


def display(irradiance: F32) -> F32:
    """From linear light to what a texture is multiplied by: a gamma of 2.2 with a soft shoulder."""
    soft = irradiance / (1.0 + 0.28 * irradiance)
    return np.asarray(1.12 * np.power(np.maximum(soft, 0.004), 1 / 2.2), np.float32)


def is_small(geometry: Geometry, part: Part) -> bool:
    """Whether a part is lit by the corners of its box."""
    mesh = geometry.meshes[part.meshes[0]]
    return geometry.objects[part.object_id].kind == "product" and float((mesh.high - mesh.low).max()) <= SMALL


def occluders(geometry: Geometry) -> Bvh:
    """What stops light: small goods as boxes, the rest as their coarse meshes."""
    triangles, surface = [], []
    for part in geometry.parts:
        if geometry.objects[part.object_id].name in OPEN:
            continue
        if is_small(geometry, part):
            mesh = geometry.meshes[part.meshes[0]]
            local = _box_triangles(mesh.low, mesh.high)
            texture = np.full(len(local), mesh.texture[0], np.int32)
        else:
            mesh = geometry.meshes[part.meshes[1]]
            local, texture = mesh.position[mesh.triangle].astype(float), mesh.texture
        triangles.append(local @ part.matrix[:, :3].T + part.matrix[:, 3])
        surface.append(texture)
    if not triangles:
        return build_bvh(np.zeros((0, 3, 3), np.float32), np.zeros(0, np.int32))
    return build_bvh(np.concatenate(triangles).astype(np.float32), np.concatenate(surface).astype(np.int32))


def _box_triangles(low: F32, high: F32) -> NDArray[np.float64]:
    """The twelve triangles of a box, outside where they turn counter-clockwise."""
    corner = np.array([[high[k] if (n >> k) & 1 else low[k] for k in range(3)] for n in range(8)], float)
    quads = ((0, 1, 5, 4), (3, 2, 6, 7), (1, 3, 7, 5), (2, 0, 4, 6), (4, 5, 7, 6), (2, 3, 1, 0))
    return np.array(
        [
            [corner[a], corner[b], corner[c]]
            for q in quads
            for a, b, c in ((q[0], q[1], q[2]), (q[0], q[2], q[3]))
        ]
    )


def _room(geometry: Geometry, layout: Layout) -> Room:
    panels = [(p.x_m, -p.y_m, p.z_m, p.width_m / 2, p.depth_m / 2, p.power) for p in layout.lights]
    lamps = [(*lamp.position, lamp.power, lamp.reach) for lamp in geometry.lamps]
    means = geometry.textures.means() ** 2.0
    return Room(
        size=np.array([layout.width_m, layout.depth_m, layout.height_m], np.float32),
        panel=np.array(panels, np.float32).reshape(-1, 6),
        lamp=np.array(lamps, np.float32).reshape(-1, 5),
        albedo=(0.25 + 0.75 * means.mean(axis=1)).astype(np.float32),
    )


def _sample_points(geometry: Geometry, spans: list[Span]) -> tuple[F32, F32]:
    points, normals = [], []
    for part_number, mesh_number, _ in spans:
        part = geometry.parts[part_number]
        turn, shift = part.matrix[:, :3], part.matrix[:, 3]
        if not is_small(geometry, part):
            local, normal = _vertex_samples(geometry.meshes[mesh_number])
        elif mesh_number == part.meshes[0]:
            local, normal = _corner_samples(geometry.meshes[mesh_number])
        else:
            continue
        points.append(local @ turn.T + shift)
        normals.append(normal @ turn.T)
    return np.concatenate(points).astype(np.float32), np.concatenate(normals).astype(np.float32)


def _vertex_samples(mesh: Mesh) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """A point for each vertex, drawn a little into its patch and off its surface, so that edges in contact
    with other surfaces are not simply black."""
    middle = mesh.position[mesh.triangle].mean(axis=1)
    pull = np.zeros((len(mesh.position), 3))
    count = np.zeros(len(mesh.position))
    for k in range(3):
        np.add.at(pull, mesh.triangle[:, k], middle)
        np.add.at(count, mesh.triangle[:, k], 1)
    pull = pull / np.maximum(count, 1)[:, None] - mesh.position
    length = np.linalg.norm(pull, axis=1, keepdims=True)
    pull *= np.minimum(0.3, 0.05 / np.maximum(length, 1e-9))
    return mesh.position + pull + 0.006 * mesh.normal, mesh.normal.astype(float)


def _corner_samples(mesh: Mesh) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Four points on each face of the box: faces -x, +x, -y, +y, -z, +z; the later axis varies fastest."""
    low, high = mesh.low.astype(float), mesh.high.astype(float)
    points, normals = np.zeros((24, 3)), np.zeros((24, 3))
    for face in range(6):
        axis, upper = face // 2, face % 2
        others = [k for k in range(3) if k != axis]
        for corner in range(4):
            share = np.zeros(3)
            share[others[0]] = INSET + (1 - 2 * INSET) * (corner // 2)
            share[others[1]] = INSET + (1 - 2 * INSET) * (corner % 2)
            share[axis] = upper
            normals[face * 4 + corner, axis] = 1 if upper else -1
            points[face * 4 + corner] = low + share * (high - low) + 0.0015 * normals[face * 4 + corner]
    return points, normals


def _corner_weights(mesh: Mesh, box: Mesh) -> F32:
    """(V, 24): how much of each corner sample of ``box`` every vertex of ``mesh`` takes."""
    extent = np.maximum(box.high - box.low, 1e-6)
    share = np.clip(((mesh.position - box.low) / extent - INSET) / (1 - 2 * INSET), 0, 1)
    weight = np.zeros((len(mesh.position), 24), np.float32)
    squared = mesh.normal**2
    squared /= np.maximum(squared.sum(axis=1, keepdims=True), 1e-9)
    for face in range(6):
        axis, upper = face // 2, face % 2
        first, second = (k for k in range(3) if k != axis)
        own = np.where((mesh.normal[:, axis] > 0) == bool(upper), squared[:, axis], 0)
        for corner in range(4):
            a = share[:, first] if corner // 2 else 1 - share[:, first]
            b = share[:, second] if corner % 2 else 1 - share[:, second]
            weight[:, face * 4 + corner] = own * a * b
    return weight


def _spread(geometry: Geometry, spans: list[Span], light: F32) -> F32:
    """From sample points to vertices, in the order of ``spans``."""
    weights: dict[tuple[int, int], F32] = {}
    chunks: list[F32] = []
    corners = light[:0]
    at = 0
    for part_number, mesh_number, count in spans:
        part, mesh = geometry.parts[part_number], geometry.meshes[mesh_number]
        if is_small(geometry, part):
            if mesh_number == part.meshes[0]:
                corners = light[at : at + 24]
                at += 24
            key = (mesh_number, part.meshes[0])
            if key not in weights:
                weights[key] = _corner_weights(mesh, geometry.meshes[part.meshes[0]])
            level = weights[key] @ corners
        else:
            level = light[at : at + count]
            at += count
        chunks.append(np.where(mesh.glow > 0, mesh.glow, display(level)).astype(np.float32))
    return np.concatenate(chunks)
