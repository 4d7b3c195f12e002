"""The store in memory: read-only tables shared by every painter."""

from dataclasses import dataclass
from pathlib import Path
from typing import Self

import numpy as np

from siturec.scene.schema import ScenePack
from storefront.geometry import Geometry, build_geometry
from storefront.light import vertex_light
from storefront.mesh import Mesh, MeshBuilder
from storefront.mesh_solids import ball, box
from storefront.raster_tables import F32, Items, Shapes, Texels
from storefront.world_objects import WorldObject
from storefront.world_solids import Solid, solids

PRIMITIVES = ("cube", "sphere")


@dataclass(frozen=True, eq=False)
class StoreWorld:
    """A store. ``objects[i]`` is what id ``i`` means in id frames.

    ``solids`` are rectangles (x0, y0, x1, y1) of the floor plan one cannot walk into, metres.
    ``object_meshes[i]`` is the mesh pair of object ``i`` where it is one placed mesh, else None.
    """

    pack: ScenePack
    objects: list[WorldObject]
    solids: list[Solid]
    shapes: Shapes
    items: Items
    texels: Texels
    object_meshes: list[tuple[int, int] | None]
    primitive_meshes: dict[str, int]
    most_vertices: int

    @classmethod
    def load(cls, pack: ScenePack, cache_dir: Path | None = None) -> Self:
        """Build the store of a pack, reading its light from ``cache_dir`` or baking and keeping it there."""
        geometry = build_geometry(pack)
        primitives = {
            name: geometry.mesh(_primitive(name, geometry.textures.flat((176, 176, 176))))
            for name in PRIMITIVES
        }
        shapes = _shapes(geometry.meshes)
        owned: list[list[tuple[int, int]]] = [[] for _ in geometry.objects]
        for part in geometry.parts:
            owned[part.object_id].append(part.meshes)
        return cls(
            pack=pack,
            objects=geometry.objects,
            solids=solids(pack),
            shapes=shapes,
            items=_items(geometry, shapes),
            texels=geometry.textures.texels(),
            object_meshes=[own[0] if len(own) == 1 else None for own in owned],
            primitive_meshes=primitives,
            most_vertices=int((shapes.spans[:, 1] - shapes.spans[:, 0]).max()),
        )

    def object_id(self, name: str) -> int | None:
        """The id of the object called ``name`` (case ignored, as on the wire), or None."""
        wanted = name.casefold()
        return next((i for i, o in enumerate(self.objects) if o.name.casefold() == wanted), None)


def _primitive(name: str, texture: int) -> Mesh:
    builder = MeshBuilder()
    if name == "cube":
        box(builder, (-0.5, -0.5, 0.0), (1, 1, 1), texture)
    else:
        ball(builder, (0, 0, 0.5), (0.5, 0.5, 0.5), texture, segments=24, rings=12)
    return builder.build()


def _shapes(meshes: list[Mesh]) -> Shapes:
    spans = np.zeros((len(meshes), 4), np.int32)
    triangles = []
    vertex = triangle = 0
    for n, mesh in enumerate(meshes):
        spans[n] = (vertex, vertex + len(mesh.position), triangle, triangle + len(mesh.triangle))
        triangles.append(mesh.triangle + vertex)
        vertex, triangle = int(spans[n, 1]), int(spans[n, 3])
    return Shapes(
        position=np.concatenate([m.position for m in meshes]),
        normal=np.concatenate([m.normal for m in meshes]),
        uv=np.concatenate([m.uv for m in meshes]),
        triangle=np.concatenate(triangles).astype(np.int32),
        texture=np.concatenate([m.texture for m in meshes]),
        spans=spans,
    )


def _items(geometry: Geometry, shapes: Shapes) -> Items:
    parts = geometry.parts
    start = np.zeros((len(parts), 2), np.int32)
    spans: list[tuple[int, int, int]] = []
    total = 0
    for n, part in enumerate(parts):
        for detail in (0, 1):
            if detail == 1 and part.meshes[1] == part.meshes[0]:
                start[n, 1] = start[n, 0]
                continue
            count = int(shapes.spans[part.meshes[detail], 1] - shapes.spans[part.meshes[detail], 0])
            start[n, detail] = total
            spans.append((n, part.meshes[detail], count))
            total += count
    transform = np.stack([part.matrix for part in parts]).astype(np.float32)
    centre, half = item_boxes(geometry.meshes, [part.meshes[0] for part in parts], transform)
    return Items(
        mesh=np.array([part.meshes for part in parts], np.int32),
        light_start=start,
        object=np.array([part.object_id for part in parts], np.int32),
        transform=transform,
        centre=centre,
        half=half,
        light=vertex_light(geometry, spans),
    )


def item_boxes(meshes: list[Mesh], numbers: list[int], transform: F32) -> tuple[F32, F32]:
    """Centres and half sizes of the boxes of meshes ``numbers``, each moved by its row of ``transform``."""
    low = np.stack([meshes[n].low for n in numbers]).astype(np.float32)
    high = np.stack([meshes[n].high for n in numbers]).astype(np.float32)
    middle, reach = (low + high) / 2, (high - low) / 2
    turn = transform[:, :, :3]
    centre = np.einsum("nij,nj->ni", turn, middle) + transform[:, :, 3]
    half = np.einsum("nij,nj->ni", np.abs(turn), reach)
    return centre.astype(np.float32), half.astype(np.float32)
