"""From a scene pack to meshes, their places, and the objects they belong to."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from siturec.scene.schema import Colour, Instance, Product, ScenePack, Target
from storefront.geometry_building import building_parts
from storefront.geometry_fixtures import fixture_geometry
from storefront.geometry_parts import IDENTITY, Lamp, Pane, StructurePart, hex_colour
from storefront.mesh import Mesh, placement
from storefront.mesh_goods import goods_meshes
from storefront.texture import TextureStore
from storefront.world_objects import Palette, Triple, WorldObject

Matrix = NDArray[np.float64]

MANY_PRODUCTS = 600
"""Stores of more products than this have labels of half the size, else their pictures fill the memory."""


@dataclass(frozen=True)
class Part:
    """A placed mesh: ``meshes`` are the numbers of its fine and its coarse form."""

    object_id: int
    meshes: tuple[int, int]
    matrix: Matrix


@dataclass
class Geometry:
    """The whole store before light: meshes, where they stand, what they are, and panes of glass."""

    textures: TextureStore = field(default_factory=TextureStore)
    meshes: list[Mesh] = field(default_factory=list)
    parts: list[Part] = field(default_factory=list)
    objects: list[WorldObject] = field(default_factory=list)
    panes: list[Pane] = field(default_factory=list)
    lamps: list[Lamp] = field(default_factory=list)

    def mesh(self, mesh: Mesh) -> int:
        """Register a mesh; its number."""
        self.meshes.append(mesh)
        return len(self.meshes) - 1

    def place(self, object_id: int, meshes: tuple[int, int], matrix: Matrix) -> tuple[Triple, Triple]:
        """Place a mesh; its box in the pack's frame."""
        self.parts.append(Part(object_id, meshes, matrix))
        return world_box(self.meshes[meshes[0]], matrix)


def world_box(mesh: Mesh, matrix: Matrix) -> tuple[Triple, Triple]:
    """The least and greatest corner, in the pack's frame, of a mesh placed by ``matrix``."""
    points = mesh.position @ matrix[:, :3].T + matrix[:, 3]
    low, high = points.min(axis=0), points.max(axis=0)
    return (
        (float(low[0]), float(-high[1]), float(low[2])),
        (float(high[0]), float(-low[1]), float(high[2])),
    )


def build_geometry(pack: ScenePack) -> Geometry:
    """Everything one can see in the pack, products first, then fixtures and stores, then the building."""
    geometry = Geometry(TextureStore(small_prints=len(pack.products) > MANY_PRODUCTS))
    taken = {p.colour for p in pack.products} | {t.colour for t in pack.targets if t.colour}
    palette = Palette(taken)
    products = {p.id: p for p in pack.products}
    _place_products(geometry, pack.instances, products)
    for target in pack.targets:
        if target.kind == "fixture":
            _place_fixture(geometry, target)
    stores = {t.id: t for t in pack.targets if t.kind == "store"}
    _place_structure(geometry, building_parts(pack, geometry.textures), stores, palette)
    return geometry


def _place_products(geometry: Geometry, instances: Sequence[Instance], products: dict[str, Product]) -> None:
    made: dict[str, tuple[int, int]] = {}
    for instance in instances:
        product = products[instance.product]
        if product.id not in made:
            fine, coarse = goods_meshes(product, geometry.textures)
            made[product.id] = (geometry.mesh(fine), geometry.mesh(coarse))
        matrix = placement(instance.x_m, instance.y_m, instance.z_m, instance.yaw_deg)
        low, high = geometry.place(len(geometry.objects), made[product.id], matrix)
        geometry.objects.append(
            WorldObject(
                name=instance.id,
                kind="product",
                entity=f"product:{product.id}",
                product=product.id,
                colour=product.colour,
                low=low,
                high=high,
                position=(instance.x_m, instance.y_m, instance.z_m),
                yaw_deg=instance.yaw_deg,
                movable=True,
            )
        )


def _place_fixture(geometry: Geometry, target: Target) -> None:
    made = fixture_geometry(target, geometry.textures)
    numbers = geometry.mesh(made.mesh), geometry.mesh(made.coarse)
    x, y = _middle(target)
    low, high = geometry.place(len(geometry.objects), numbers, IDENTITY)
    geometry.panes.extend(made.panes)
    geometry.lamps.extend(made.lamps)
    geometry.objects.append(
        WorldObject(
            name=f"fixture_{target.id}",
            kind="fixture",
            entity=target.entity,
            product=None,
            colour=target.colour or hex_colour("#808080"),
            low=low,
            high=high,
            position=(x, y, 0.0),
            yaw_deg=target.yaw_deg,
            movable=False,
        )
    )


def _middle(target: Target) -> tuple[float, float]:
    r = target.footprint
    return (r.x0 + r.x1) / 2, (r.y0 + r.y1) / 2


def _place_structure(
    geometry: Geometry, parts: Sequence[StructurePart], stores: dict[str, Target], palette: Palette
) -> None:
    """Parts of one name become one object; those a store owns become that store's front."""
    named: dict[str, list[StructurePart]] = {f"store_{s}": [] for s in stores}
    for part in parts:
        owned = part.owner is not None and part.owner.removeprefix("store:") in stores
        name = f"store_{str(part.owner).removeprefix('store:')}" if owned else part.name
        named.setdefault(name, []).append(part)
    for name, group in named.items():
        store = stores.get(name.removeprefix("store_")) if name.startswith("store_") else None
        colour: Colour = store.colour if store is not None and store.colour else palette.deal()
        boxes = []
        for part in group:
            number = geometry.mesh(part.mesh)
            boxes.append(geometry.place(len(geometry.objects), (number, number), part.matrix))
            geometry.panes.extend(pane.moved(part.matrix) for pane in part.panes)
        low, high = _union(boxes, store)
        geometry.objects.append(
            WorldObject(
                name=name,
                kind="structure" if store is None else "store",
                entity=None if store is None else store.entity,
                product=None,
                colour=colour,
                low=low,
                high=high,
                position=((low[0] + high[0]) / 2, (low[1] + high[1]) / 2, low[2]),
                yaw_deg=0.0 if store is None else store.yaw_deg,
                movable=False,
            )
        )


def _union(boxes: Sequence[tuple[Triple, Triple]], store: Target | None) -> tuple[Triple, Triple]:
    if not boxes:
        if store is None:
            raise ValueError("a structure object needs at least one part")
        r = store.footprint
        return (r.x0, r.y0, 0.0), (r.x1, r.y1, store.height_m)
    lows = np.min([low for low, _ in boxes], axis=0)
    highs = np.max([high for _, high in boxes], axis=0)
    return (
        (float(lows[0]), float(lows[1]), float(lows[2])),
        (float(highs[0]), float(highs[1]), float(highs[2])),
    )
