"""What hangs on walls or tells the time: mirrors, pictures, clocks. Frames as in ``mesh``."""

import math

import numpy as np

from siturec.scene.schema import Product
from storefront.mesh import MeshBuilder
from storefront.mesh_solids import box, lathe, soft_box, tube
from storefront.texture import TextureStore
from storefront.texture_decor import dial, picture, sky
from storefront.texture_materials import main_material, material


def make_mirror(b: MeshBuilder, product: Product, textures: TextureStore, fine: bool) -> None:
    """A wall mirror, round unless it is higher than wide, facing -y."""
    w, d, h = product.look.size_m
    frame, glass = main_material(product, textures, "metal"), sky(textures)
    if abs(w - h) < 0.02:
        angle = np.linspace(0, math.tau, 33)
        ring = np.stack(
            [np.cos(angle) * (w / 2 - 0.018), np.zeros(33), h / 2 + np.sin(angle) * (h / 2 - 0.018)], -1
        )
        tube(b, ring, 0.018, frame, segments=8)
        disc = np.concatenate([[[0, 0, h / 2]], ring])
        uv = np.stack([0.5 + disc[:, 0] / w, 0.5 - (disc[:, 2] - h / 2) / h], -1)
        k = np.arange(32)
        b.triangles(disc, np.tile([0.0, -1.0, 0.0], (34, 1)), uv, np.stack([0 * k, k + 1, k + 2], 1), glass)
    else:
        _framed(b, (w, d, h), frame, glass, 0.05)


def make_frame(b: MeshBuilder, product: Product, textures: TextureStore, fine: bool) -> None:
    """A framed picture, facing -y."""
    look = product.look
    art = picture(textures, product.id, look.primary, look.accent)
    _framed(b, look.size_m, material(textures, "wood", look.accent), art, 0.03)


def _framed(b: MeshBuilder, size: tuple[float, float, float], frame: int, face: int, bar: float) -> None:
    w, d, h = size
    for low, extent in (
        ((-w / 2, -d / 2, 0), (w, d, bar)),
        ((-w / 2, -d / 2, h - bar), (w, d, bar)),
        ((-w / 2, -d / 2, bar), (bar, d, h - 2 * bar)),
        ((w / 2 - bar, -d / 2, bar), (bar, d, h - 2 * bar)),
    ):
        box(b, low, extent, frame, scale=1.0)
    b.quad(
        (-w / 2 + bar, -d / 2 + d * 0.4, bar), (w - 2 * bar, 0, 0), (0, 0, h - 2 * bar), face, cells=(3, 3)
    )
    b.quad((w / 2, d / 2, 0), (-w, 0, 0), (0, 0, h), frame)


def make_clock(b: MeshBuilder, product: Product, textures: TextureStore, fine: bool) -> None:
    """A wall clock, or a mantel clock in a case."""
    w, d, h = product.look.size_m
    case, face = main_material(product, textures, "wood"), dial(textures)
    if d > 0.09:
        box(b, (-w / 2, -d / 2 + 0.01, 0), (w, d - 0.01, h * 0.8), case, scale=1.0)
        lathe(
            b,
            [(w / 2, 0.0), (w / 2, 0.001), (0, 0.001)],
            case,
            centre=(0, 0, h * 0.8),
            segments=18,
            squash=(1, (d - 0.01) / w),
        )
        soft_box(b, (-w / 2, -d / 2 + 0.01, h * 0.62), (w, d - 0.01, h * 0.38), case, roundness=0.6)
        radius, z = w * 0.36, h * 0.55
    else:
        angle = np.linspace(0, math.tau, 33)
        rim = np.stack(
            [np.cos(angle) * (w / 2 - 0.016), np.zeros(33), h / 2 + np.sin(angle) * (h / 2 - 0.016)], -1
        )
        tube(b, rim, 0.016, case, segments=8)
        radius, z = w / 2 - 0.014, h / 2
    angle = np.linspace(0, math.tau, 25)
    y = -d / 2 if d > 0.09 else -0.004
    disc = np.concatenate(
        [[[0, y, z]], np.stack([np.cos(angle) * radius, np.full(25, y), z + np.sin(angle) * radius], -1)]
    )
    uv = np.stack([0.5 + disc[:, 0] / radius / 2, 0.5 - (disc[:, 2] - z) / radius / 2], -1)
    k = np.arange(24)
    b.triangles(disc, np.tile([0.0, -1.0, 0.0], (26, 1)), uv, np.stack([0 * k, k + 1, k + 2], 1), face)
