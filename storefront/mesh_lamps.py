"""Floor, table and pendant lamps, lit. Frames as in ``mesh``."""

import math

import numpy as np

from siturec.scene.schema import Product
from storefront.mesh import MeshBuilder
from storefront.mesh_solids import ball, lathe, tube
from storefront.texture import TextureStore
from storefront.texture_materials import main_material

SHADE_GLOW = 1.12
"""How bright a lit lamp's shade is, in display space."""


def _shade(
    b: MeshBuilder, textures: TextureStore, outline: list[tuple[float, float]], x: float = 0.0, y: float = 0.0
) -> None:
    """A lit lamp shade, seen from outside and from below."""
    cloth = textures.flat((255, 238, 206))
    lathe(b, outline, cloth, centre=(x, y, 0), segments=20, glow=SHADE_GLOW)
    lathe(b, outline[::-1], cloth, centre=(x, y, 0), segments=20, glow=SHADE_GLOW)


def make_lamp_floor(b: MeshBuilder, product: Product, textures: TextureStore, fine: bool) -> None:
    """A floor lamp: a straight pole, or an arc when its name says so."""
    w, d, h = product.look.size_m
    pole = main_material(product, textures, "metal")
    r = min(w, d) / 2
    lathe(
        b,
        [(r * 0.7, 0), (r * 0.7, 0.015), (r * 0.2, 0.035), (0, 0.035)],
        pole,
        segments=20,
        centre=(0, d * 0.1, 0),
    )
    top = h - min(0.26, h * 0.2)
    if "arc" in product.name.casefold():
        a = np.linspace(0, 1, 10)
        bow = np.stack(
            [
                np.zeros(10),
                d * 0.1 + 0.02 - (d * 0.35) * np.clip(a * 2 - 1, 0, 1) ** 1.5,
                0.03 + (h - 0.09) * np.sin(a * math.pi / 2),
            ],
            -1,
        )
        tube(b, bow, 0.011, pole, segments=8)
        _shade(b, textures, [(r * 0.86, h - 0.26), (r * 0.66, h - 0.1), (r * 0.2, h - 0.03)], 0, -d * 0.2)
    else:
        tube(b, np.array([[0, d * 0.1, 0.03], [0, d * 0.1, top + 0.05]]), 0.011, pole, segments=8)
        _shade(b, textures, [(r * 0.98, top - 0.02), (r * 0.7, h)], 0, d * 0.1 if r > 0.2 else 0)


def make_lamp_table(b: MeshBuilder, product: Product, textures: TextureStore, fine: bool) -> None:
    """A table lamp with a turned foot; a desk lamp has a jointed arm."""
    w, d, h = product.look.size_m
    foot = main_material(product, textures, "glaze")
    r = min(w, d) / 2
    if "desk" in product.name.casefold():
        lathe(b, [(r * 0.8, 0), (r * 0.8, 0.015), (r * 0.3, 0.025), (0, 0.025)], foot, segments=16)
        arm = np.array([[0, d * 0.2, 0.02], [0, d * 0.34, h * 0.5], [0, -d * 0.1, h * 0.93]])
        tube(b, arm, 0.008, foot, segments=6)
        outline = [(r * 0.5, h * 0.76), (r * 0.36, h * 0.9), (r * 0.12, h)]
        lathe(b, outline, foot, centre=(0, -d * 0.18, 0), segments=14)
        lathe(
            b,
            [(r * 0.46, h * 0.77), (0, h * 0.775)][::-1],
            textures.flat((255, 240, 210)),
            centre=(0, -d * 0.18, 0),
            segments=14,
            glow=1.3,
        )
        return
    body: tuple[tuple[float, float], ...] = BODIES[product.look.style % len(BODIES)]
    lathe(b, [(a * r, z * h) for a, z in body], foot, segments=16 if fine else 8)
    _shade(b, textures, [(r, h * 0.58), (r * 0.68, h * 0.98)])


BODIES = (
    ((0.5, 0), (0.52, 0.03), (0.2, 0.08), (0.42, 0.25), (0.36, 0.42), (0.1, 0.5), (0.08, 0.66)),
    ((0.48, 0), (0.5, 0.04), (0.14, 0.07), (0.12, 0.5), (0.1, 0.66)),
    ((0.4, 0), (0.55, 0.12), (0.55, 0.28), (0.3, 0.44), (0.1, 0.5), (0.1, 0.66)),
)


def make_lamp_pendant(b: MeshBuilder, product: Product, textures: TextureStore, fine: bool) -> None:
    """A lamp hanging from the top of its box on a cord."""
    w, _, h = product.look.size_m
    cord = textures.flat((40, 40, 42))
    dome = main_material(product, textures, "metal")
    r, high = w / 2, min(0.3, h * 0.3)
    tube(b, np.array([[0, 0, high], [0, 0, h]]), 0.006, cord, segments=5)
    lathe(b, [(0.05, h - 0.02), (0.05, h), (0, h)], dome, segments=12)
    outline = [(r, 0.0), (r * 0.94, high * 0.35), (r * 0.6, high * 0.75), (r * 0.14, high)]
    lathe(b, outline, dome, segments=22)
    lathe(
        b,
        [(a * 0.98, z) for a, z in outline[::-1]],
        textures.flat((255, 236, 202)),
        segments=22,
        glow=SHADE_GLOW,
    )
    ball(b, (0, 0, high * 0.3), (0.05, 0.05, 0.05), textures.flat((255, 250, 235)), glow=1.5)
