"""Potted plants and planters. Frames as in ``mesh``."""

import math

import numpy as np

from siturec.scene.schema import Product
from storefront.geometry_parts import hex_colour
from storefront.mesh import MeshBuilder
from storefront.mesh_solids import lathe, tube
from storefront.texture import TextureStore
from storefront.texture_materials import main_material, material
from storefront.texture_produce import leaf


def _pot(b: MeshBuilder, r: float, h: float, texture: int, textures: TextureStore) -> None:
    soil = material(textures, "paint", "#3d2f24")
    lathe(
        b,
        [(r * 0.7, 0), (r * 0.96, h * 0.9), (r, h * 0.92), (r, h), (r * 0.88, h), (r * 0.88, h * 0.9)],
        texture,
        segments=18,
    )
    lathe(b, [(r * 0.88, h * 0.9), (0, h * 0.9)], soil, segments=18)


def make_planter(b: MeshBuilder, product: Product, textures: TextureStore, fine: bool) -> None:
    """An empty pot, with soil in it."""
    w, _, h = product.look.size_m
    _pot(b, w / 2, h, main_material(product, textures, "glaze"), textures)


def make_plant(b: MeshBuilder, product: Product, textures: TextureStore, fine: bool) -> None:
    """A potted plant: palms arch, succulents sit low, others bear leaves along a stem."""
    w, d, h = product.look.size_m
    name = product.name.casefold()
    low = h < 0.45
    pot = min(0.3, h * (0.45 if low else 0.24))
    _pot(
        b,
        min(w * 0.3, pot * 0.62) if not low else w * 0.3,
        pot,
        material(textures, "glaze", product.look.accent),
        textures,
    )
    green = hex_colour(product.look.primary)
    if green[1] < max(green[0], green[2]):
        green = (74, 116, 62)
    texture = leaf(textures, green)
    rng = np.random.default_rng([ord(c) for c in product.id])
    count = (14 if "palm" in name or "fern" in name else 22) if fine else 9
    stem = material(textures, "wood", "#6a4f35")
    spread = min(w, d) / 2
    if "palm" not in name and "fern" not in name and not low:
        tube(b, np.array([[0, 0, pot * 0.9], [0.01, 0, h * 0.8]]), [0.014, 0.007], stem, segments=5)
    for k in range(count):
        a = k * 2.39996 + float(rng.uniform(-0.2, 0.2))
        share = (k + 0.5) / count
        if "palm" in name or "fern" in name or low:
            start, tip = np.array([0, 0, pot * 0.9]), pot * 0.9 + (h - pot) * (1.0 - 0.75 * share)
            reach = spread * (0.35 + 0.65 * share)
            _blade(
                b,
                texture,
                start,
                a,
                reach,
                tip - start[2],
                0.035 if not low else w * 0.13,
                droop=0.0 if low else 0.45,
            )
        else:
            start = np.array([0.0, 0.0, pot + (h * 0.84 - pot) * (0.25 + 0.75 * share)])
            _blade(b, texture, start, a, spread * (1.05 - 0.45 * share), h * 0.13, spread * 0.34, droop=0.25)


def _blade(
    b: MeshBuilder,
    texture: int,
    start: np.ndarray,
    angle: float,
    reach: float,
    rise: float,
    breadth: float,
    droop: float,
) -> None:
    """A leaf from ``start`` outwards: up by ``rise``, then down by ``droop`` of its reach; both sides."""
    t = np.linspace(0, 1, 6)[:, None]
    s = np.linspace(-1, 1, 3)[None, :]
    along = np.array([math.cos(angle), math.sin(angle), 0])
    side = np.array([-math.sin(angle), math.cos(angle), 0])
    wide = breadth * np.sin(np.clip(t * 0.92 + 0.06, 0, 1) * math.pi) ** 0.8
    height = (
        rise * np.sin(t * math.pi * 0.62) / math.sin(math.pi * 0.5)
        - droop * reach * t**2.5
        + 0.25 * wide * s**2
    )
    shape = (
        start
        + (reach * t)[..., None] * along
        + (wide * s)[..., None] * side
        + np.stack([0 * height, 0 * height, height], -1)
    )
    normal = np.broadcast_to(np.array([0.0, 0.0, 1.0]) - 0.4 * along, shape.shape)
    normal = normal / np.linalg.norm(normal, axis=-1, keepdims=True)
    uv = np.stack(np.broadcast_arrays((s + 1) / 2, 1 - t), -1)
    b.grid(shape[:, ::-1], normal[:, ::-1], uv[:, ::-1], texture)
    b.grid(shape, 0.2 * normal + 0.8 * np.array([0, 0, 0.4]), uv, texture)
