"""Lamps, plants, toys, rugs, vases and what else furnishes a home. Frames as in ``mesh``."""

import math

import numpy as np

from siturec.scene.schema import Product
from storefront.mesh import MeshBuilder
from storefront.mesh_solids import ball, box, lathe, soft_box, tube
from storefront.texture import TextureStore
from storefront.texture_decor import patterned_rug
from storefront.texture_materials import main_material, material


def _accent(product: Product, textures: TextureStore, kind: str) -> int:
    return material(textures, kind, product.look.accent)


def make_toy(b: MeshBuilder, product: Product, textures: TextureStore, fine: bool) -> None:
    """A stack of building blocks, or a sitting bear."""
    w, d, h = product.look.size_m
    if "block" in product.name.casefold():
        colours = (product.look.primary, "#e2bf35", "#2c7176", "#b8352f", "#8cb4d2", "#eeece6")
        s = h / 3
        places = ((-1, 0, 0), (0, 0, 0), (1, 0, 0), (-0.5, 0.1, 1), (0.55, -0.1, 1), (0.0, 0.0, 2))
        for (x, y, z), colour in zip(places, colours, strict=True):
            size = min(s * 0.96, w / 3)
            box(
                b,
                (x * w / 3 - size / 2, y * d - size / 2, z * s),
                (size, size, s * 0.97),
                material(textures, "paint", colour),
            )
        return
    fur, muzzle = (
        material(textures, "fabric", product.look.primary),
        material(textures, "fabric", product.look.accent),
    )
    dark = textures.flat((28, 24, 22))
    r = min(w, d) / 2
    ball(b, (0, 0.1 * d, h * 0.32), (r * 0.72, r * 0.66, h * 0.3), fur, segments=14, rings=9)
    ball(b, (0, 0, h * 0.73), (r * 0.62, r * 0.58, h * 0.22), fur, segments=14, rings=9)
    ball(b, (0, -r * 0.5, h * 0.68), (r * 0.28, r * 0.24, h * 0.09), muzzle)
    ball(b, (0, -r * 0.74, h * 0.71), (r * 0.09, r * 0.07, h * 0.03), dark, segments=6, rings=4)
    for x in (-1, 1):
        ball(b, (x * r * 0.5, 0.02, h * 0.92), (r * 0.2, r * 0.12, h * 0.08), fur)
        ball(
            b, (x * r * 0.24, -r * 0.52, h * 0.78), (r * 0.07, r * 0.05, h * 0.022), dark, segments=6, rings=4
        )
        ball(b, (x * r * 0.72, -r * 0.18, h * 0.42), (r * 0.2, r * 0.26, h * 0.17), fur)
        ball(b, (x * r * 0.5, -r * 0.62, h * 0.1), (r * 0.25, r * 0.38, h * 0.1), fur)


def make_ball(b: MeshBuilder, product: Product, textures: TextureStore, fine: bool) -> None:
    """A ball with a band."""
    r = min(product.look.size_m) / 2
    ball(
        b,
        (0, 0, r),
        (r, r, r),
        main_material(product, textures, "glaze"),
        segments=22 if fine else 10,
        rings=14 if fine else 7,
    )
    band = [(r * math.cos(a) * 1.004, r + r * math.sin(a)) for a in np.linspace(-0.16, 0.16, 4)]
    lathe(b, band, _accent(product, textures, "paint"), segments=22 if fine else 10)


def make_console(b: MeshBuilder, product: Product, textures: TextureStore, fine: bool) -> None:
    """A game console with a pad in front of it."""
    w, d, h = product.look.size_m
    case, dark = material(textures, "paint", product.look.primary), textures.flat((24, 25, 28))
    soft_box(b, (-w / 2, -d * 0.1, 0), (w, d * 0.6, h * 0.8), case, roundness=0.12)
    box(b, (-w * 0.42, -d * 0.104, h * 0.34), (w * 0.84, 0.004, h * 0.1), dark)
    box(
        b,
        (w * 0.3, -d * 0.106, h * 0.56),
        (w * 0.05, 0.004, h * 0.05),
        textures.flat((90, 200, 240)),
        glow=1.3,
    )
    soft_box(b, (-w * 0.26, -d / 2, 0), (w * 0.52, d * 0.3, h * 0.36), case, roundness=0.5)
    for x in (-0.12, 0.12):
        lathe(
            b,
            [(0.012, h * 0.3), (0.012, h * 0.46), (0, h * 0.46)],
            dark,
            centre=(x * w, -d * 0.36, 0),
            segments=10,
        )


def make_rug(b: MeshBuilder, product: Product, textures: TextureStore, fine: bool) -> None:
    """A rug with a border and a pattern."""
    w, d, h = product.look.size_m
    face = patterned_rug(textures, product.look.primary, product.look.accent, product.look.style)
    edge = material(textures, "fabric", product.look.accent)
    low = (-w / 2, -d / 2, 0)
    box(b, low, (w, d, max(h, 0.008)), {"front": edge, "top": face}, skip=("bottom",), cell=0.3)


VASES = (
    ((0.5, 0), (0.8, 0.12), (1.0, 0.38), (0.8, 0.66), (0.42, 0.84), (0.5, 1.0), (0.4, 0.99), (0.34, 0.84)),
    ((0.62, 0), (0.7, 0.05), (0.95, 0.5), (1.0, 0.96), (0.96, 1.0), (0.88, 0.97), (0.6, 0.2), (0, 0.1)),
    ((0.7, 0), (1.0, 0.2), (0.96, 0.4), (0.4, 0.62), (0.3, 0.9), (0.46, 1.0), (0.38, 0.99), (0.24, 0.88)),
    ((0.6, 0), (0.62, 0.7), (0.9, 0.86), (1.0, 1.0), (0.92, 0.99), (0.5, 0.7)),
)


def make_vase(b: MeshBuilder, product: Product, textures: TextureStore, fine: bool) -> None:
    """A turned vase in one of four outlines."""
    w, d, h = product.look.size_m
    outline = VASES[product.look.style % len(VASES)]
    texture = main_material(product, textures, "glaze")
    lathe(b, [(a * w / 2, z * h) for a, z in outline], texture, segments=22 if fine else 9, squash=(1, d / w))


def make_sculpture(b: MeshBuilder, product: Product, textures: TextureStore, fine: bool) -> None:
    """A bust when its name says so, else one of three abstract pieces, on a plinth."""
    w, d, h = product.look.size_m
    body, foot = main_material(product, textures, "stone"), _accent(product, textures, "stone")
    box(b, (-w * 0.36, -d * 0.36, 0), (w * 0.72, d * 0.72, h * 0.12), foot)
    r = min(w, d) / 2
    if "bust" in product.name.casefold():
        lathe(
            b,
            [
                (r * 0.4, h * 0.12),
                (r * 0.9, h * 0.3),
                (r * 0.95, h * 0.42),
                (r * 0.36, h * 0.54),
                (r * 0.32, h * 0.62),
            ],
            body,
            segments=16,
        )
        ball(b, (0, 0, h * 0.8), (r * 0.52, r * 0.6, h * 0.2), body, segments=14, rings=10)
        ball(b, (0, -r * 0.58, h * 0.78), (r * 0.1, r * 0.14, h * 0.06), body, segments=6, rings=4)
        return
    kind = product.look.style % 3
    angle = np.linspace(0, math.tau, 25)
    if kind == 0:
        ring = np.stack(
            [np.cos(angle) * r * 0.7, 0.25 * r * np.sin(angle * 2), h * 0.56 + np.sin(angle) * h * 0.38], -1
        )
        tube(b, ring, r * 0.2, body, segments=10)
    elif kind == 1:
        for k, size in enumerate((0.62, 0.5, 0.36)):
            z = h * (0.12 + (0.22, 0.56, 0.83)[k])
            ball(
                b,
                (0.1 * r * (-1) ** k, 0, z),
                (r * size * 1.2, r * size, h * (0.2, 0.15, 0.11)[k]),
                body,
                segments=14,
                rings=9,
            )
    else:
        t = np.linspace(0, 1, 18)
        coil = np.stack(
            [
                r * 0.5 * np.cos(t * 9) * (1 - 0.5 * t),
                r * 0.5 * np.sin(t * 9) * (1 - 0.5 * t),
                h * (0.12 + 0.84 * t),
            ],
            -1,
        )
        tube(b, coil, list(r * (0.26 - 0.16 * t)), body, segments=8)


def make_basket(b: MeshBuilder, product: Product, textures: TextureStore, fine: bool) -> None:
    """A woven basket, open at the top."""
    w, d, h = product.look.size_m
    weave = material(
        textures, "fabric" if "felt" in product.name.casefold() else "weave", product.look.primary
    )
    r = w / 2
    outline = [
        (r * 0.8, 0),
        (r * 0.96, h * 0.6),
        (r, h * 0.97),
        (r * 0.97, h),
        (r * 0.93, h * 0.97),
        (r * 0.76, 0.02),
        (0, 0.02),
    ]
    lathe(b, outline, weave, segments=22 if fine else 9, squash=(1, d / w), uv=(0, 0, 3, 1))


def make_cushion(b: MeshBuilder, product: Product, textures: TextureStore, fine: bool) -> None:
    """A cushion standing on its edge, leaning back a little."""
    w, d, h = product.look.size_m
    soft_box(
        b,
        (-w / 2, -d / 2, 0),
        (w, d, h),
        main_material(product, textures, "fabric"),
        roundness=0.55,
        segments=18 if fine else 10,
        rings=10 if fine else 6,
    )
