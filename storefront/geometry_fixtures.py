"""Fixtures of the supermarket, built around the goods they hold."""

from collections.abc import Sequence

import numpy as np

from siturec.scene.schema import Instance, Product, Target
from storefront.geometry_parts import Pane
from storefront.mesh import Mesh, MeshBuilder
from storefront.mesh_solids import box
from storefront.texture import TextureStore
from storefront.texture_surfaces import plain

Held = Sequence[tuple[Instance, Product]]


def local_size(target: Target) -> tuple[float, float]:
    """Width across the front and depth of a fixture, from its footprint and facing."""
    r = target.footprint
    along_y = abs(np.cos(np.radians(target.yaw_deg))) > 0.7
    wide, deep = (r.y1 - r.y0, r.x1 - r.x0) if along_y else (r.x1 - r.x0, r.y1 - r.y0)
    return wide, deep


def levels(held: Held) -> list[float]:
    """The heights goods stand at, lowest first, those within 4 cm taken as one."""
    found: list[float] = []
    for z in sorted({round(instance.z_m, 3) for instance, _ in held}):
        if not found or z - found[-1] > 0.04:
            found.append(z)
    return found


def fixture_mesh(target: Target, held: Held, textures: TextureStore) -> tuple[Mesh, list[Pane]]:
    """The fixture's mesh in its own frame (front facing -y) and its panes of glass."""
    wide, deep = local_size(target)
    builder = MeshBuilder()
    body = plain(textures, "#d9dbde")
    box(builder, (-wide / 2, -deep / 2, 0), (wide, deep, 0.12), body, cell=0.3)
    box(builder, (-wide / 2, -0.02, 0.12), (wide, 0.04, max(target.height_m - 0.12, 0.05)), body, cell=0.3)
    for z in levels(held):
        if z > 0.14:
            box(builder, (-wide / 2, -deep / 2, z - 0.03), (wide, deep, 0.03), body, cell=0.3)
    return builder.build(), []
