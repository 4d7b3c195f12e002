"""The building: floor, ceiling, outer walls, partitions, lights, signs and props.

Meshes are made in the store's own frame (the pack's with y negated), placed by the identity.
"""

import math

from siturec.scene.schema import LightPanel, ScenePack, Sign, Wall
from storefront.geometry_parts import StructurePart
from storefront.geometry_props import prop_part
from storefront.mesh import MeshBuilder, placement
from storefront.mesh_solids import box
from storefront.texture import TextureStore
from storefront.texture_floors import floor
from storefront.texture_surfaces import ceiling, plain, sign_board

CLUSTER = 3.0
"""Floor and ceiling are cut into pieces of this size, so that culling can drop those out of view (metres)."""
OVERLAP = 0.03
"""How far the room's walls reach past its edges, and its floor and ceiling past its walls (metres)."""
FLOOR_CELL = 0.3
"""Baked light on the floor has a sample about every so many metres."""


def building_parts(pack: ScenePack, textures: TextureStore) -> list[StructurePart]:
    """Every part of the building, in a fixed order."""
    layout = pack.layout
    parts = _sheets(pack, textures)
    parts += _outer_walls(pack, textures)
    parts += [_wall(wall, n, textures) for n, wall in enumerate(layout.walls, 1)]
    parts += [_light(light, textures) for light in layout.lights]
    parts += [_sign(sign, n, textures) for n, sign in enumerate(layout.signs, 1)]
    parts += [prop_part(prop, n, textures) for n, prop in enumerate(layout.props, 1)]
    return parts


def _sheets(pack: ScenePack, textures: TextureStore) -> list[StructurePart]:
    """Floor and ceiling in square pieces."""
    layout = pack.layout
    ground, above = floor(textures, layout.floor), ceiling(textures)
    parts = []
    columns, rows = math.ceil(layout.width_m / CLUSTER), math.ceil(layout.depth_m / CLUSTER)
    for i in range(columns):
        for j in range(rows):
            x0, x1 = layout.width_m * i / columns, layout.width_m * (i + 1) / columns
            y0, y1 = layout.depth_m * j / rows, layout.depth_m * (j + 1) / rows
            x0 -= OVERLAP if i == 0 else 0.0
            y0 -= OVERLAP if j == 0 else 0.0
            x1 += OVERLAP if i == columns - 1 else 0.0
            y1 += OVERLAP if j == rows - 1 else 0.0
            wide, deep = x1 - x0, y1 - y0
            cells = (math.ceil(wide / FLOOR_CELL), math.ceil(deep / FLOOR_CELL))
            low, high = MeshBuilder(), MeshBuilder()
            low.quad((x0, -y1, 0), (wide, 0, 0), (0, deep, 0), ground, _tiles(x0, y0, x1, y1, 2.0), cells)
            few = (math.ceil(wide), math.ceil(deep))
            rect = _tiles(x0, y0, x1, y1, 1.2)
            high.quad((x0, -y0, layout.height_m), (wide, 0, 0), (0, -deep, 0), above, rect, few)
            parts.append(StructurePart("floor", low.build()))
            parts.append(StructurePart("ceiling", high.build()))
    return parts


def _tiles(x0: float, y0: float, x1: float, y1: float, size: float) -> tuple[float, float, float, float]:
    return x0 / size, y0 / size, x1 / size, y1 / size


def _outer_walls(pack: ScenePack, textures: TextureStore) -> list[StructurePart]:
    """The four walls of the building, seen from inside only."""
    w, d, h = pack.layout.width_m, pack.layout.depth_m, pack.layout.height_m
    paint = plain(textures, "#e9e4d8")
    parts = []
    for x0, y0, x1, y1 in ((0, 0, w, 0), (w, 0, w, d), (w, d, 0, d), (0, d, 0, 0)):
        length = math.hypot(x1 - x0, y1 - y0)
        pieces = max(1, math.ceil(length / CLUSTER))
        for k in range(pieces):
            a, b = k / pieces, (k + 1) / pieces
            builder = MeshBuilder()
            # A little longer than the room, so that no crack opens where a wall meets floor, ceiling or wall.
            a -= OVERLAP / length if k == 0 else 0.0
            b += OVERLAP / length if k == pieces - 1 else 0.0
            corner = (x0 + (x1 - x0) * a, -(y0 + (y1 - y0) * a), -OVERLAP)
            across = ((x1 - x0) * (b - a), -(y1 - y0) * (b - a), 0)
            cells = (math.ceil(length / pieces / 0.4), math.ceil(h / 0.4))
            up = (0, 0, h + 2 * OVERLAP)
            builder.quad(corner, across, up, paint, (a * length, h, b * length, 0.0), cells)
            parts.append(StructurePart("building", builder.build()))
    return parts


def _wall(wall: Wall, number: int, textures: TextureStore) -> StructurePart:
    length = math.hypot(wall.x1 - wall.x0, wall.y1 - wall.y0)
    angle = math.degrees(math.atan2(wall.y1 - wall.y0, wall.x1 - wall.x0))
    builder = MeshBuilder()
    low = (-length / 2, -wall.thickness_m / 2, wall.base_m)
    size = (length, wall.thickness_m, max(wall.height_m - wall.base_m, 0.01))
    box(builder, low, size, plain(textures, wall.colour), cell=0.4, scale=0.5)
    matrix = placement((wall.x0 + wall.x1) / 2, (wall.y0 + wall.y1) / 2, 0.0, angle - 90.0)
    return StructurePart(f"wall_{number}", builder.build(), wall.owner, matrix=matrix)


def _light(light: LightPanel, textures: TextureStore) -> StructurePart:
    builder = MeshBuilder()
    low = (light.x_m - light.width_m / 2, -light.y_m - light.depth_m / 2, light.z_m - 0.03)
    box(
        builder,
        low,
        (light.width_m, light.depth_m, 0.03),
        plain(textures, "#fffdf6"),
        skip=("top",),
        glow=1.25,
    )
    return StructurePart("lights", builder.build())


def _sign(sign: Sign, number: int, textures: TextureStore) -> StructurePart:
    builder = MeshBuilder()
    face = sign_board(textures, sign.text, sign.colour, sign.width_m / sign.height_m)
    edge = plain(textures, sign.colour)
    low = (-sign.width_m / 2, -0.02, -sign.height_m / 2)
    faces = {"front": face, "back": face, "left": edge, "right": edge, "top": edge, "bottom": edge}
    box(builder, low, (sign.width_m, 0.04, sign.height_m), faces, cell=0.6)
    matrix = placement(sign.x_m, sign.y_m, sign.z_m, sign.yaw_deg)
    return StructurePart(f"sign_{number}", builder.build(), sign.owner, matrix=matrix)
