"""Building a store's tables from a scene pack: geometry, then light, then everything end to end."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from siturec.scene.schema import Layout, ScenePack
from storefront.geometry import Geometry, build_geometry
from storefront.light import Span, bake
from storefront.mesh import Mesh, MeshBuilder
from storefront.mesh_solids import ball, box
from storefront.raster_tables import F32, I32, U8
from storefront.world_objects import WorldObject

GLOW_CELL = 0.1
"""Size of a cell of the ceiling's glow picture (metres)."""


class Tables(NamedTuple):
    """Every array of a store; the meaning of each is told in ``raster_tables`` and ``world``."""

    position: F32
    normal: F32
    uv: F32
    triangle: I32
    texture: I32
    spans: I32
    mesh: I32
    light_start: I32
    object: I32
    transform: F32
    centre: F32
    half: F32
    light: F32
    screen: U8
    texels: NDArray[np.uint32]
    levels: NDArray[np.int64]
    bits: I32
    panes: F32
    glow: F32
    primitives: I32
    object_meshes: I32


def build_tables(pack: ScenePack) -> tuple[Tables, list[WorldObject]]:
    """Build and light a pack's store: seconds of work."""
    geometry = build_geometry(pack)
    grey = geometry.textures.flat((176, 176, 176))
    primitives = [geometry.mesh(_cube(grey)), geometry.mesh(_sphere(grey))]
    spans = _mesh_spans(geometry.meshes)
    start, light_spans = _light_spans(geometry, spans)
    parts = geometry.parts
    transform = np.stack([part.matrix for part in parts]).astype(np.float32)
    centre, half = _boxes(geometry.meshes, [part.meshes[0] for part in parts], transform)
    texels = geometry.textures.texels()
    meshes = geometry.meshes
    panes = [pane.corners for pane in geometry.panes]
    tables = Tables(
        position=np.concatenate([m.position for m in meshes]),
        normal=np.concatenate([m.normal for m in meshes]),
        uv=np.concatenate([m.uv for m in meshes]),
        triangle=np.concatenate([m.triangle + s[0] for m, s in zip(meshes, spans, strict=True)]).astype(
            np.int32
        ),
        texture=np.concatenate([m.texture for m in meshes]),
        spans=spans,
        mesh=np.array([part.meshes for part in parts], np.int32),
        light_start=start,
        object=np.array([part.object_id for part in parts], np.int32),
        transform=transform,
        centre=centre,
        half=half,
        light=bake(geometry, pack.layout, light_spans),
        screen=np.array([geometry.objects[part.object_id].kind != "product" for part in parts], np.uint8),
        texels=texels.data,
        levels=texels.levels,
        bits=texels.bits,
        panes=np.array(panes, np.float32).reshape(-1, 4, 3),
        glow=ceiling_glow(pack.layout),
        primitives=np.array(primitives, np.int32),
        object_meshes=_object_meshes(geometry),
    )
    return tables, geometry.objects


def ceiling_glow(layout: Layout) -> F32:
    """The ceiling from below as a picture (rows along the pack's y), softened: what glossy things reflect."""
    rows = int(np.ceil(layout.depth_m / GLOW_CELL)) + 1
    columns = int(np.ceil(layout.width_m / GLOW_CELL)) + 1
    picture = np.full((rows, columns), 0.12, np.float32)
    x, y = np.arange(columns) * GLOW_CELL, np.arange(rows) * GLOW_CELL
    for light in layout.lights:
        across = np.clip((light.width_m / 2 + 0.08 - np.abs(x - light.x_m)) / 0.16, 0, 1)
        along = np.clip((light.depth_m / 2 + 0.08 - np.abs(y - light.y_m)) / 0.16, 0, 1)
        picture += (0.88 * min(light.power, 1.0) * along[:, None] * across[None, :]).astype(np.float32)
    return np.minimum(picture, 1.0)


def _cube(texture: int) -> Mesh:
    builder = MeshBuilder()
    box(builder, (-0.5, -0.5, 0.0), (1, 1, 1), texture)
    return builder.build()


def _sphere(texture: int) -> Mesh:
    builder = MeshBuilder()
    ball(builder, (0, 0, 0.5), (0.5, 0.5, 0.5), texture, segments=24, rings=12)
    return builder.build()


def _mesh_spans(meshes: list[Mesh]) -> I32:
    vertices = np.cumsum([0, *(len(m.position) for m in meshes)])
    triangles = np.cumsum([0, *(len(m.triangle) for m in meshes)])
    return np.stack([vertices[:-1], vertices[1:], triangles[:-1], triangles[1:]], axis=1).astype(np.int32)


def _light_spans(geometry: Geometry, spans: I32) -> tuple[I32, list[Span]]:
    """Where each part's light begins, fine and coarse, and what is to be lit in that order."""
    start = np.zeros((len(geometry.parts), 2), np.int32)
    wanted: list[Span] = []
    total = 0
    for n, part in enumerate(geometry.parts):
        for detail in (0, 1):
            if detail == 1 and part.meshes[1] == part.meshes[0]:
                start[n, 1] = start[n, 0]
                continue
            number = part.meshes[detail]
            count = int(spans[number, 1] - spans[number, 0])
            start[n, detail] = total
            wanted.append((n, number, count))
            total += count
    return start, wanted


def _boxes(meshes: list[Mesh], numbers: list[int], transform: F32) -> tuple[F32, F32]:
    """Centres and half sizes of the boxes of meshes ``numbers``, each moved by its row of ``transform``."""
    low = np.stack([meshes[n].low for n in numbers])
    high = np.stack([meshes[n].high for n in numbers])
    turn = transform[:, :, :3]
    centre = np.einsum("nij,nj->ni", turn, (low + high) / 2) + transform[:, :, 3]
    half = np.einsum("nij,nj->ni", np.abs(turn), (high - low) / 2)
    return centre.astype(np.float32), half.astype(np.float32)


def _object_meshes(geometry: Geometry) -> I32:
    pairs = np.full((len(geometry.objects), 2), -1, np.int32)
    count = np.zeros(len(geometry.objects), np.int32)
    for part in geometry.parts:
        count[part.object_id] += 1
        pairs[part.object_id] = part.meshes
    pairs[count != 1] = -1
    return pairs
