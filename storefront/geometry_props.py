"""Props of the building: checkouts, doors, platforms, plinths, columns; in the store's own frame."""

import numpy as np

from siturec.scene.schema import Prop
from storefront.geometry_parts import Pane, StructurePart
from storefront.mesh import MeshBuilder
from storefront.mesh_solids import box
from storefront.texture import TextureStore
from storefront.texture_surfaces import plain

CELL = 0.28


def prop_part(prop: Prop, number: int, textures: TextureStore) -> StructurePart:
    """A prop as a part of the building."""
    builder = MeshBuilder()
    panes: tuple[Pane, ...] = ()
    if prop.kind == "checkout":
        _checkout(builder, prop, textures)
    elif prop.kind == "door":
        panes = _door(builder, prop, textures)
    else:
        _block(builder, prop, textures)
    return StructurePart(f"{prop.kind}_{number}", builder.build(), panes=panes)


def _extent(prop: Prop) -> tuple[float, float, float, float]:
    """Least x and y in the store's frame, then the sizes."""
    r = prop.footprint
    return r.x0, -r.y1, r.x1 - r.x0, r.y1 - r.y0


def _block(b: MeshBuilder, prop: Prop, textures: TextureStore) -> None:
    """A painted block; one that stands on the floor has a recessed foot in shadow."""
    x, y, wide, deep = _extent(prop)
    paint = plain(textures, prop.colour)
    foot = 0.06 if prop.base_m == 0 and prop.kind in ("platform", "plinth") and prop.height_m > 0.2 else 0.0
    if foot:
        low, size = (x + 0.03, y + 0.03, 0.0), (wide - 0.06, deep - 0.06, foot)
        box(b, low, size, plain(textures, "#4d4a45"), cell=CELL, skip=("top", "bottom"))
    box(b, (x, y, prop.base_m + foot), (wide, deep, prop.height_m - foot), paint, cell=CELL, scale=1.0)


def _checkout(b: MeshBuilder, prop: Prop, textures: TextureStore) -> None:
    """A counter with a dark belt, steel edges, a scanner, and a till on a post."""
    x, y, wide, deep = _extent(prop)
    high = prop.height_m
    along_y = deep >= wide
    paint, steel = plain(textures, prop.colour), plain(textures, "#c3c8cc")
    rubber, dark = plain(textures, "#22262a"), plain(textures, "#30363c")
    box(b, (x + 0.04, y + 0.04, 0), (wide - 0.08, deep - 0.08, 0.1), dark, cell=CELL, skip=("top", "bottom"))
    box(b, (x, y, 0.1), (wide, deep, high - 0.14), paint, cell=CELL, scale=1.0)
    box(b, (x - 0.01, y - 0.01, high - 0.04), (wide + 0.02, deep + 0.02, 0.03), steel, cell=CELL)
    # Belt over three fifths of the length, the till behind it.
    length = (deep if along_y else wide) * 0.6
    belt = (wide * 0.55, length, 0.012) if along_y else (length, deep * 0.55, 0.012)
    at = (x + wide * 0.08, y + 0.06) if along_y else (x + 0.06, y + deep * 0.08)
    box(b, (*at, high - 0.01), belt, rubber, cell=CELL, skip=("bottom",))
    tx, ty = (x + wide * 0.55, y + deep * 0.74) if along_y else (x + wide * 0.74, y + deep * 0.55)
    box(b, (tx, ty, high - 0.01), (0.2, 0.2, 0.02), textures.flat((20, 22, 26)))
    box(b, (tx + 0.12, ty + 0.22, high - 0.01), (0.03, 0.03, 0.3), steel)
    box(b, (tx + 0.0, ty + 0.2, high + 0.24), (0.28, 0.03, 0.2), dark)
    b.quad(
        (tx + 0.015, ty + 0.198, high + 0.255),
        (0.25, 0, 0),
        (0, 0, 0.17),
        textures.flat((150, 196, 214)),
        glow=1.0,
    )


def _door(b: MeshBuilder, prop: Prop, textures: TextureStore) -> tuple[Pane, ...]:
    """Two leaves of glass in a frame, daylight behind them."""
    x, y, wide, deep = _extent(prop)
    high, bar = prop.height_m, 0.06
    across_x = wide >= deep
    long, thick = (wide, deep) if across_x else (deep, wide)
    frame, day = plain(textures, "#5a6268"), textures.flat((214, 230, 240))

    def block(a: float, z: float, extent: float, tall: float) -> None:
        low = (x + a, y, z) if across_x else (x, y + a, z)
        size = (extent, thick, tall) if across_x else (thick, extent, tall)
        box(b, low, size, frame, cell=CELL)

    block(0, 0, bar, high)
    block(long - bar, 0, bar, high)
    block(long / 2 - bar / 2, 0, bar, high)
    for z in (0.0, high - bar):
        block(bar, z, long / 2 - 1.5 * bar, bar)
        block(long / 2 + bar / 2, z, long / 2 - 1.5 * bar, bar)
    panes = []
    for start in (bar, long / 2 + bar / 2):
        end = start + long / 2 - 1.5 * bar
        # Both faces get daylight and glass: a door may be seen from either side.
        for face, sign in ((0.3, 1), (0.7, -1)):
            first, last = (start, end) if sign > 0 else (end, start)
            a = (x + first, y + thick * face) if across_x else (x + thick * (1 - face), y + first)
            c = (x + last, y + thick * face) if across_x else (x + thick * (1 - face), y + last)
            step = (c[0] - a[0], c[1] - a[1], 0.0)
            b.quad((*a, bar), step, (0, 0, high - 2 * bar), day, glow=0.95)
            panes.append(_pane(a, c, thick * 0.25 * sign, across_x, bar, high - bar))
    return tuple(panes)


def _pane(
    a: tuple[float, float], c: tuple[float, float], out: float, across_x: bool, low: float, high: float
) -> Pane:
    """A pane between two points of the plan, ``out`` before them."""
    dx, dy = (0.0, -out) if across_x else (out, 0.0)
    points = [(a[0] + dx, a[1] + dy), (c[0] + dx, c[1] + dy)]
    corners = [(*points[0], low), (*points[1], low), (*points[1], high), (*points[0], high)]
    return Pane(np.array(corners))
