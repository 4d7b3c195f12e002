"""Furniture: seats, tables, beds, storage. Frames as in ``mesh``: centre of the base, front facing -y."""

import numpy as np

from siturec.scene.schema import Product
from storefront.mesh import MeshBuilder
from storefront.mesh_solids import box, lathe, soft_box, tube
from storefront.texture import TextureStore
from storefront.texture_materials import material, material_of

CELL = 0.25


def _stuff(product: Product, textures: TextureStore, default: str) -> tuple[int, int]:
    """The main material in the main colour, and the accent as wood or metal for legs and handles."""
    look = product.look
    accent = "wood" if look.accent in WOODS else "metal"
    main = material(textures, material_of(product, default), look.primary)
    return main, material(textures, accent, look.accent)


WOODS = frozenset({"#b98d5a", "#6a452b", "#a9794a", "#8a6542"})


def _legs(
    b: MeshBuilder, w: float, d: float, high: float, texture: int, thick: float = 0.04, inset: float = 0.03
) -> None:
    """Four legs leaning slightly outwards."""
    for sx in (-1, 1):
        for sy in (-1, 1):
            x, y = sx * (w / 2 - inset - thick / 2), sy * (d / 2 - inset - thick / 2)
            path = np.array([[x + sx * 0.012, y + sy * 0.012, 0.0], [x, y, high]])
            tube(b, path, [thick * 0.36, thick * 0.52], texture, segments=8)


def make_chair(b: MeshBuilder, product: Product, textures: TextureStore, fine: bool) -> None:
    """An armchair when it is wide and deep, else a chair with a back."""
    w, d, h = product.look.size_m
    main, legs = _stuff(product, textures, "fabric")
    armchair = w > 0.62 and d > 0.62
    seat = h * (0.46 if armchair else 0.52)
    foot = 0.16 if armchair else seat - 0.05
    _legs(b, w, d, foot + 0.02, legs)
    if armchair:
        arm = w * 0.15
        soft_box(
            b,
            (-w / 2 + arm * 0.7, -d / 2 + 0.02, foot),
            (w - arm * 1.4, d * 0.82, seat - foot),
            main,
            roundness=0.3,
        )
        soft_box(
            b,
            (-w / 2 + arm * 0.5, d / 2 - d * 0.26, foot),
            (w - arm, d * 0.25, h - foot),
            main,
            roundness=0.35,
        )
        for x in (-w / 2, w / 2 - arm):
            soft_box(b, (x, -d / 2 + 0.04, foot), (arm, d * 0.86, h * 0.68 - foot), main, roundness=0.32)
        return
    wooden = material_of(product, "fabric") in ("wood", "metal", "weave")
    soft_box(
        b, (-w / 2, -d / 2, seat - 0.055), (w, d * 0.94, 0.055 if wooden else 0.09), main, roundness=0.25
    )
    if wooden:
        for x in np.linspace(-w / 2 + 0.05, w / 2 - 0.05, 5):
            path = np.array([[x, d / 2 - 0.06, seat], [x * 1.02, d / 2 - 0.02, h - 0.06]])
            tube(b, path, 0.011, main, segments=6)
        soft_box(b, (-w / 2, d / 2 - 0.045, h - 0.1), (w, 0.04, 0.1), main, roundness=0.3)
    else:
        soft_box(
            b,
            (-w / 2 + 0.01, d / 2 - 0.09, seat + 0.04),
            (w - 0.02, 0.09, h - seat - 0.04),
            main,
            roundness=0.3,
        )


def make_stool(b: MeshBuilder, product: Product, textures: TextureStore, fine: bool) -> None:
    """A footstool with a soft top, or a plain stool."""
    w, d, h = product.look.size_m
    main, legs = _stuff(product, textures, "fabric")
    if material_of(product, "fabric") in ("wood", "metal", "stone"):
        _legs(b, w, d, h - 0.03, main, 0.036)
        lathe(
            b,
            [(w * 0.47, h - 0.04), (w / 2, h - 0.02), (w * 0.48, h), (0, h)],
            main,
            segments=20,
            squash=(1, d / w),
        )
        tube(b, np.array([[-w * 0.34, 0, h * 0.35], [w * 0.34, 0, h * 0.35]]), 0.012, main)
    else:
        _legs(b, w, d, h * 0.5, legs, 0.036)
        soft_box(b, (-w / 2, -d / 2, h * 0.42), (w, d, h * 0.58), main, roundness=0.4)


def make_sofa(b: MeshBuilder, product: Product, textures: TextureStore, fine: bool) -> None:
    """A sofa of two or three seats: base, seat and back cushions, arms, legs."""
    w, d, h = product.look.size_m
    main, legs = _stuff(product, textures, "fabric")
    arm, foot, seat = min(0.2, w * 0.12), 0.13, h * 0.5
    _legs(b, w, d, foot + 0.02, legs, 0.05)
    soft_box(b, (-w / 2 + 0.01, -d / 2 + 0.01, foot), (w - 0.02, d - 0.02, h * 0.24), main, roundness=0.16)
    soft_box(b, (-w / 2 + 0.01, d / 2 - 0.2, foot), (w - 0.02, 0.2, h - foot), main, roundness=0.22)
    for x in (-w / 2, w / 2 - arm):
        soft_box(b, (x, -d / 2, foot), (arm, d - 0.02, h * 0.7 - foot), main, roundness=0.26)
    seats = 3 if w > 1.7 else 2
    inner = w - 2 * arm
    for k in range(seats):
        x, each = -inner / 2 + k * inner / seats, inner / seats
        soft_box(
            b,
            (x + 0.005, -d / 2 - 0.005, seat - h * 0.14),
            (each - 0.01, d - 0.22, h * 0.16),
            main,
            roundness=0.3,
        )
        soft_box(b, (x + 0.01, d / 2 - 0.36, seat), (each - 0.02, 0.2, h * 0.44), main, roundness=0.45)


def make_table(b: MeshBuilder, product: Product, textures: TextureStore, fine: bool) -> None:
    """A table; low ones may be round, glass and marble tops stand on metal."""
    w, d, h = product.look.size_m
    kind = material_of(product, "wood")
    top, legs = _stuff(product, textures, "wood")
    thick = 0.022 if kind in ("glaze", "metal") else 0.035
    frame = top if kind == "wood" else legs
    if product.look.style % 3 == 2 and h < 0.6:
        lathe(
            b,
            [(w * 0.48, h - thick), (w / 2, h - thick * 0.5), (w * 0.49, h), (0, h)],
            top,
            segments=28,
            squash=(1, d / w),
        )
        lathe(b, [(w * 0.25, 0), (w * 0.22, 0.03), (0.035, 0.06), (0.03, h - thick)], frame, segments=16)
        return
    box(b, (-w / 2, -d / 2, h - thick), (w, d, thick), top, cell=CELL, scale=1.0)
    _legs(b, w, d, h - thick, frame, 0.05)
    if kind == "wood":
        box(
            b,
            (-w / 2 + 0.06, -d / 2 + 0.06, h - 0.1),
            (w - 0.12, d - 0.12, 0.07),
            top,
            cell=CELL,
            scale=1.0,
            skip=("top",),
        )
    elif h < 0.6:
        box(
            b,
            (-w / 2 + 0.06, -d / 2 + 0.06, h * 0.3),
            (w - 0.12, d - 0.12, 0.015),
            frame,
            cell=CELL,
            scale=1.0,
        )


def make_desk(b: MeshBuilder, product: Product, textures: TextureStore, fine: bool) -> None:
    """A writing desk with drawers; a high one is a bureau with a back and pigeonholes."""
    w, d, h = product.look.size_m
    main, accent = _stuff(product, textures, "wood")
    top = min(h, 0.76)
    box(b, (-w / 2, -d / 2, top - 0.03), (w, d, 0.03), main, cell=CELL, scale=1.0)
    _legs(b, w, d, top - 0.03, main, 0.05)
    box(
        b,
        (-w / 2 + 0.04, -d / 2 + 0.03, top - 0.15),
        (w - 0.08, d - 0.06, 0.12),
        main,
        cell=CELL,
        scale=1.0,
        skip=("top",),
    )
    for k in range(2):
        x = -w / 2 + 0.08 + k * (w / 2 - 0.06)
        _drawer(b, (x, -d / 2 + 0.03, top - 0.14), (w / 2 - 0.1, 0.1), main, accent)
    if h - top > 0.1:
        box(b, (-w / 2, d / 2 - 0.02, top), (w, 0.02, h - top), main, cell=CELL, scale=1.0)
        box(b, (-w / 2, d * 0.1, h - 0.02), (w, d * 0.4, 0.02), main, cell=CELL, scale=1.0)
        for x in np.linspace(-w / 2, w / 2 - 0.02, 5):
            box(b, (float(x), d * 0.1, top), (0.02, d * 0.38, h - top - 0.02), main, cell=CELL, scale=1.0)


def _drawer(
    b: MeshBuilder, corner: tuple[float, float, float], size: tuple[float, float], wood: int, knob: int
) -> None:
    """A drawer's or door's front standing out by a centimetre, with a knob."""
    x, y, z = corner
    box(b, (x, y - 0.012, z), (size[0], 0.014, size[1]), wood, cell=CELL, scale=1.0, skip=("back",))
    middle = np.array(
        [[x + size[0] / 2, y - 0.01, z + size[1] / 2], [x + size[0] / 2, y - 0.035, z + size[1] / 2]]
    )
    tube(b, middle, [0.008, 0.011], knob, segments=8)


def make_cabinet(b: MeshBuilder, product: Product, textures: TextureStore, fine: bool) -> None:
    """A cabinet on legs: drawers when it is narrow, doors when it is wide."""
    w, d, h = product.look.size_m
    main, accent = _stuff(product, textures, "wood")
    foot = min(0.14, h * 0.2)
    _legs(b, w, d, foot, main, 0.045, 0.02)
    box(b, (-w / 2, -d / 2 + 0.012, foot), (w, d - 0.012, h - foot), main, cell=CELL, scale=1.0)
    columns = 1 if w < 0.7 else 2 if w < 1.1 else 3
    rows = max(1, round((h - foot) / 0.24)) if columns == 1 or product.look.style % 2 else 1
    for i in range(columns):
        for j in range(rows):
            size = ((w - 0.02) / columns - 0.012, (h - foot - 0.03) / rows - 0.012)
            x = -w / 2 + 0.01 + i * (w - 0.02) / columns + 0.006
            z = foot + 0.012 + j * (h - foot - 0.03) / rows + 0.006
            _drawer(b, (x, -d / 2 + 0.012, z), size, main, accent)


def make_bookcase(b: MeshBuilder, product: Product, textures: TextureStore, fine: bool) -> None:
    """Shelves between two sides, with rows of books and a few gaps."""
    w, d, h = product.look.size_m
    main, _ = _stuff(product, textures, "wood")
    t = 0.025
    for x in (-w / 2, w / 2 - t):
        box(b, (x, -d / 2, 0), (t, d, h), main, cell=CELL, scale=1.0)
    if "open" not in product.name.casefold():
        box(b, (-w / 2 + t, d / 2 - 0.012, 0), (w - 2 * t, 0.012, h), main, cell=CELL, scale=1.0)
    count = max(3, round(h / 0.36))
    rng = np.random.default_rng([ord(c) for c in product.id])
    covers = [
        material(textures, "paint", c)
        for c in ("#7a3b2e", "#2c4a5e", "#c9b48a", "#3f5a41", "#8b8d90", "#b5613f", "#e4d8bf")
    ]
    for k in range(count + 1):
        z = 0.05 + (h - t - 0.05) * k / count
        box(b, (-w / 2 + t, -d / 2 + 0.005, z), (w - 2 * t, d - 0.01, t), main, cell=CELL, scale=1.0)
        if k == count:
            break
        x, end = -w / 2 + t + 0.02, w / 2 - t - 0.05
        stop = x + (end - x) * float(rng.uniform(0.35, 0.85))
        pitch = (h - t - 0.05) / count - t
        while x < stop:
            thick, high = float(rng.uniform(0.02, 0.045)), pitch * float(rng.uniform(0.6, 0.88))
            cover = covers[int(rng.integers(len(covers)))]
            box(b, (x, -d / 2 + 0.04, z + t), (thick, d * 0.62, high), cover, skip=("bottom",))
            x += thick + 0.001


def make_bed(b: MeshBuilder, product: Product, textures: TextureStore, fine: bool) -> None:
    """A bed with its head at the back: frame, mattress, blanket, pillow."""
    w, d, h = product.look.size_m
    main, _ = _stuff(product, textures, "wood")
    sheet, blanket = material(textures, "fabric", "#f2efe8"), material(textures, "fabric", "#6f8796")
    _legs(b, w, d, 0.16, main, 0.06)
    box(b, (-w / 2, -d / 2, 0.14), (w, d, 0.14), main, cell=CELL, scale=1.0)
    box(b, (-w / 2, d / 2 - 0.05, 0.14), (w, 0.05, h - 0.14), main, cell=CELL, scale=1.0)
    mattress = 0.2
    soft_box(b, (-w / 2 + 0.02, -d / 2 + 0.02, 0.26), (w - 0.04, d - 0.09, mattress), sheet, roundness=0.16)
    soft_box(
        b, (-w / 2 + 0.005, -d / 2 + 0.005, 0.3), (w - 0.01, d * 0.62, mattress), blanket, roundness=0.14
    )
    soft_box(
        b, (-w * 0.34, d / 2 - 0.5, 0.26 + mattress * 0.85), (w * 0.68, 0.4, 0.14), sheet, roundness=0.55
    )
