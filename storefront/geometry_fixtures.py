"""Fixtures of the supermarket: the shared plan's boxes in their materials, and what makes them look alike.

Which boxes a fixture consists of is decided by ``siturec.scene.fixtures``, for the goods stand on them. Added
here: price strips, doors of glass, lids, light strips, plinths, mats. Meshes are in the store's own frame.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from siturec.scene import fixtures as plan
from siturec.scene.schema import Target
from storefront.geometry_parts import Lamp, Pane
from storefront.mesh import Mesh, MeshBuilder, placement
from storefront.mesh_solids import box, tube
from storefront.texture import TextureStore
from storefront.texture_surfaces import pegboard, plain, planks, price_strip, wood

FINE, COARSE = 0.3, 1.0
"""Baked light on fixtures has a sample about every so many metres, near and from afar."""


@dataclass
class Fixture:
    """A fixture being made: its mesh, its glass and its own lights."""

    cell: float
    builder: MeshBuilder = field(default_factory=MeshBuilder)
    panes: list[Pane] = field(default_factory=list)
    lamps: list[Lamp] = field(default_factory=list)


@dataclass(frozen=True)
class Made:
    """A finished fixture: its mesh, and the same with light sampled more sparsely."""

    mesh: Mesh
    coarse: Mesh
    panes: tuple[Pane, ...]
    lamps: tuple[Lamp, ...]


def fixture_geometry(target: Target, textures: TextureStore) -> Made:
    """A fixture in the store's own frame. Raises: ValueError when the target is no fixture."""
    fine, coarse = (_fixture(target, textures, cell) for cell in (FINE, COARSE))
    return Made(fine.builder.build(), coarse.builder.build(), tuple(fine.panes), tuple(fine.lamps))


def _fixture(target: Target, textures: TextureStore, cell: float) -> Fixture:
    form = plan.form_of(target)
    made = Fixture(cell)
    materials = MATERIALS[form.type](textures)
    for part in plan.parts(form):
        low, high = part.low, part.high
        size = (high[0] - low[0], high[1] - low[1], high[2] - low[2])
        texture = materials.get(part.kind, materials["board"])
        box(made.builder, (low[0], -high[1], low[2]), size, texture, cell=cell, scale=1.0)
    DETAILS[form.type](made, form, textures)
    return made


def _steel(textures: TextureStore) -> dict[str, int]:
    light, mid = plain(textures, "#dfe1e3"), plain(textures, "#c3c7cb")
    return {
        "board": light,
        "base": light,
        "panel": pegboard(textures, "#e4e4e0"),
        "rail": mid,
        "post": mid,
        "canopy": light,
    }


def _white(textures: TextureStore) -> dict[str, int]:
    white, grey = plain(textures, "#eef1f3"), plain(textures, "#b9bfc4")
    return {
        "board": plain(textures, "#dfe5e9"),
        "base": white,
        "panel": white,
        "rail": grey,
        "rim": white,
        "canopy": white,
    }


def _timber(textures: TextureStore) -> dict[str, int]:
    return {
        "board": wood(textures, "#b98a58"),
        "base": planks(textures, "#a9784a"),
        "step": planks(textures, "#b58552"),
        "rim": wood(textures, "#c69a66"),
    }


MATERIALS: dict[str, Callable[[TextureStore], dict[str, int]]] = {
    "shelf": _steel,
    "chest_freezer": _white,
    "upright_freezer": _white,
    "open_cooler": _white,
    "produce_stand": _timber,
}


def _frame(form: plan.Form, yaw: float) -> np.ndarray:
    """From a side's frame (x to the right of who faces it, -y outwards, z up) to the store's."""
    r = form.footprint
    return placement((r.x0 + r.x1) / 2, (r.y0 + r.y1) / 2, 0.0, yaw)


def _strips(made: Fixture, form: plan.Form, textures: TextureStore) -> None:
    """Price strips along the open edges of all boards."""
    strip = price_strip(textures)
    for board in plan.boards(form):
        side = MeshBuilder()
        wide, out = board.across_m, board.depth_m / 2 + 0.0115
        low = board.z_m - plan.BOARD
        high = board.z_m + board.lip_m - low
        cells = (max(1, round(wide / made.cell)), 1)
        side.quad((-wide / 2, -out, low), (wide, 0, 0), (0, 0, high), strip, (0, 0, wide / 0.8, 1), cells)
        r = board.rect
        middle = placement((r.x0 + r.x1) / 2, (r.y0 + r.y1) / 2, 0.0, board.yaw_deg)
        made.builder.add(side.build(), middle)


def _plinth(made: Fixture, form: plan.Form, textures: TextureStore, high: float, colour: str) -> None:
    """A kick board round the foot, a hair outside the base."""
    r = form.footprint
    box(
        made.builder,
        (r.x0 - 0.003, -r.y1 - 0.003, 0),
        (r.x1 - r.x0 + 0.006, r.y1 - r.y0 + 0.006, high),
        plain(textures, colour),
        cell=made.cell,
        skip=("bottom",),
    )


def _shelf(made: Fixture, form: plan.Form, textures: TextureStore) -> None:
    _strips(made, form, textures)
    _plinth(made, form, textures, 0.09, "#4a4f55")
    wide = plan.across(form)
    band = MeshBuilder()
    out = 0.024 if form.double else plan.depth(form) / 2
    low = (
        (-wide / 2, -out, form.height_m - 0.1)
        if form.double
        else (-wide / 2, out - 0.044, form.height_m - 0.1)
    )
    box(band, low, (wide, 0.048, 0.104), plain(textures, "#3b7266"), cell=made.cell)
    made.builder.add(band.build(), _frame(form, form.yaw_deg))


def _cooler(made: Fixture, form: plan.Form, textures: TextureStore) -> None:
    _strips(made, form, textures)
    _plinth(made, form, textures, 0.08, "#3c4248")
    _header(made, form, textures, plan.COOLER_TOP, "#2f7d74")


def _header(made: Fixture, form: plan.Form, textures: TextureStore, top: float, colour: str) -> None:
    """A coloured band on the canopy, a light strip under its front edge."""
    wide, out = plan.across(form), plan.depth(form) / 2
    side = MeshBuilder()
    roof = form.height_m - top
    box(
        side,
        (-wide / 2, -out - 0.004, roof + 0.03),
        (wide, 0.006, top - 0.06),
        plain(textures, colour),
        cell=made.cell,
    )
    inner = wide - 2 * plan.COOLER_WALL
    white = textures.flat((255, 255, 252))
    side.quad((-inner / 2, -out + 0.05, roof - 0.004), (0, 0.05, 0), (inner, 0, 0), white, glow=1.2)
    frame = _frame(form, form.yaw_deg)
    made.builder.add(side.build(), frame)
    for k in range(max(1, round(inner / 0.5))):
        n = max(1, round(inner / 0.5))
        at = frame @ np.array([(k + 0.5) / n * inner - inner / 2, -out + 0.075, roof - 0.03, 1.0])
        made.lamps.append(Lamp(at, power=0.10, reach=2.2))


def _freezer(made: Fixture, form: plan.Form, textures: TextureStore) -> None:
    """A cabinet with framed glass doors, handles, and a light strip behind them."""
    _strips(made, form, textures)
    _plinth(made, form, textures, 0.1, "#2c3136")
    _header(made, form, textures, plan.FREEZER_TOP, "#2b5f8c")
    wall = plan.FREEZER_WALL
    inner, out = plan.across(form) - 2 * wall, plan.depth(form) / 2
    low, high = plan.FREEZER_FIRST - plan.BOARD, form.height_m - plan.FREEZER_TOP
    count = max(1, round(inner / 0.65))
    each = inner / count
    side = MeshBuilder()
    dark, steel = plain(textures, "#33383d"), plain(textures, "#c9ced3")
    frame = _frame(form, form.yaw_deg)
    bar, thick = 0.035, 0.028
    for k in range(count):
        x = -inner / 2 + k * each
        for at, size in (
            ((x, -out, low), (bar, thick, high - low)),
            ((x + each - bar, -out, low), (bar, thick, high - low)),
            ((x + bar, -out, low), (each - 2 * bar, thick, bar)),
            ((x + bar, -out, high - bar), (each - 2 * bar, thick, bar)),
        ):
            box(side, at, size, dark, cell=2 * made.cell)
        grip = x + (bar * 0.5 if k % 2 else each - bar * 0.5)
        middle = (low + high) / 2
        handle = np.array([[grip, -out - 0.03, middle - 0.25], [grip, -out - 0.03, middle + 0.25]])
        tube(side, handle, 0.011, steel, segments=6)
        made.panes.append(
            _pane(x + bar, x + each - bar, -out + thick / 2, low + bar, high - bar).moved(frame)
        )
    made.builder.add(side.build(), frame)


def _pane(x0: float, x1: float, y: float, z0: float, z1: float) -> Pane:
    return Pane(np.array([[x0, y, z0], [x1, y, z0], [x1, y, z1], [x0, y, z1]]))


def _chest(made: Fixture, form: plan.Form, textures: TextureStore) -> None:
    """A chest with a dark foot, a coloured band, a rim; every other one has sliding lids of glass."""
    _plinth(made, form, textures, 0.09, "#2c3136")
    r, h = form.footprint, form.height_m
    wide, deep = r.x1 - r.x0, r.y1 - r.y0
    box(
        made.builder,
        (r.x0 - 0.004, -r.y1 - 0.004, 0.34),
        (wide + 0.008, deep + 0.008, 0.14),
        plain(textures, "#2b6f9e"),
        cell=made.cell,
        skip=("top", "bottom"),
    )
    grey, edge = plain(textures, "#8d959c"), plan.CHEST_WALL
    for low, size in (
        ((r.x0 - 0.01, -r.y1 - 0.01), (wide + 0.02, edge + 0.01)),
        ((r.x0 - 0.01, -r.y0 - edge), (wide + 0.02, edge + 0.01)),
        ((r.x0 - 0.01, -r.y1 + edge), (edge + 0.01, deep - 2 * edge)),
        ((r.x1 - edge, -r.y1 + edge), (edge + 0.01, deep - 2 * edge)),
    ):
        box(made.builder, (*low, h), (*size, 0.025), grey, cell=made.cell)
    if sum(map(ord, f"{r.x0}{r.y0}")) % 2:
        _lids(made, form, textures)


def _lids(made: Fixture, form: plan.Form, textures: TextureStore) -> None:
    """Two framed sheets of glass lying on the rim, one sliding over the other."""
    wide, deep = plan.across(form) - 2 * plan.CHEST_WALL, plan.depth(form) - 2 * plan.CHEST_WALL
    side, frame = MeshBuilder(), _frame(form, form.yaw_deg)
    steel = plain(textures, "#aab1b7")
    bar = 0.022
    for k, (x0, x1) in enumerate(((-wide / 2, 0.05), (-0.05, wide / 2))):
        z = form.height_m + 0.028 + 0.02 * k
        for at, size in (
            ((x0, -deep / 2, z), (x1 - x0, bar, 0.016)),
            ((x0, deep / 2 - bar, z), (x1 - x0, bar, 0.016)),
            ((x0, -deep / 2 + bar, z), (bar, deep - 2 * bar, 0.016)),
            ((x1 - bar, -deep / 2 + bar, z), (bar, deep - 2 * bar, 0.016)),
        ):
            box(side, at, size, steel, cell=2 * made.cell)
        y0, y1, top = -deep / 2 + bar, deep / 2 - bar, z + 0.008
        glass = np.array([[x0 + bar, y0, top], [x1 - bar, y0, top], [x1 - bar, y1, top], [x0 + bar, y1, top]])
        made.panes.append(Pane(glass).moved(frame))
    made.builder.add(side.build(), frame)


def _stand(made: Fixture, form: plan.Form, textures: TextureStore) -> None:
    """Green mats under the produce, a dark foot."""
    _plinth(made, form, textures, 0.07, "#3a2c1f")
    mat = plain(textures, "#2f4a33")
    for board in plan.boards(form):
        r = board.rect
        cells = (max(1, round((r.x1 - r.x0) / made.cell)), max(1, round((r.y1 - r.y0) / made.cell)))
        made.builder.quad(
            (r.x0, -r.y1, board.z_m + 0.002),
            (r.x1 - r.x0, 0, 0),
            (0, r.y1 - r.y0, 0),
            mat,
            (0, 0, r.x1 - r.x0, r.y1 - r.y0),
            cells,
        )


DETAILS: dict[str, Callable[[Fixture, plan.Form, TextureStore], None]] = {
    "shelf": _shelf,
    "chest_freezer": _chest,
    "upright_freezer": _freezer,
    "open_cooler": _cooler,
    "produce_stand": _stand,
}
