"""What furniture and ornaments are made of, told by a word in the product's name."""

from collections.abc import Callable

import numpy as np

from siturec.scene.schema import Product
from storefront.geometry_parts import hex_colour
from storefront.texture import Image, TextureStore
from storefront.texture_surfaces import as_image, fabric, noise, plain, smooth, wood

WORDS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("wood", ("oak", "walnut", "birch", "mahogany", "wood", "ash", "pine", "teak", "beech", "bamboo")),
    ("fabric", ("linen", "velvet", "boucle", "cotton", "wool", "felt", "plush", "canvas", "fabric")),
    ("leather", ("leather",)),
    ("weave", ("rattan", "seagrass", "jute", "wicker", "cane")),
    ("stone", ("marble", "stone", "terrazzo", "concrete", "plaster")),
    ("metal", ("steel", "brass", "bronze", "iron", "metal", "copper", "gilded", "gilt")),
    ("glaze", ("glass", "ceramic", "porcelain", "lacquered", "rubber", "terracotta", "enamel")),
)


def material_of(product: Product, default: str) -> str:
    """The kind of material a product's name speaks of."""
    words = product.name.casefold().split()
    for kind, names in WORDS:
        if any(name in words for name in names):
            return kind
    return default


def material(textures: TextureStore, kind: str, colour: str) -> int:
    """A material in a colour, one metre to the picture."""
    return MAKERS[kind](textures, colour)


def leather(textures: TextureStore, colour: str) -> int:
    """Grained leather."""
    return textures.number(f"leather {colour}", lambda: _grained(colour, 60, 0.16))


def weave(textures: TextureStore, colour: str) -> int:
    """Rattan, seagrass or jute."""
    return textures.number(f"weave {colour}", lambda: _weave(colour))


def stone(textures: TextureStore, colour: str) -> int:
    """Veined stone."""
    return textures.number(f"stone {colour}", lambda: _stone(colour))


def metal(textures: TextureStore, colour: str) -> int:
    """Brushed metal with a soft sheen across."""
    return textures.number(f"metal {colour}", lambda: _metal(colour))


def glaze(textures: TextureStore, colour: str) -> int:
    """Glass, ceramic, lacquer: smooth, with a streak of light."""
    return textures.number(f"glaze {colour}", lambda: _glaze(colour))


def _grained(colour: str, cells: int, depth: float) -> Image:
    shade = 1 - depth / 2 + depth * smooth(128, cells, 4) + 0.1 * (smooth(128, 5, 8) - 0.5)
    return as_image(np.asarray(hex_colour(colour), float) * shade[..., None])


def _weave(colour: str) -> Image:
    y, x = np.mgrid[0:128, 0:128]
    over = ((x // 8 + y // 8) % 2).astype(float)
    across, along = np.sin((x % 8 + 0.5) / 8 * np.pi), np.sin((y % 8 + 0.5) / 8 * np.pi)
    shade = 0.62 + 0.42 * (over * along + (1 - over) * across)
    return as_image(np.asarray(hex_colour(colour), float) * shade[..., None])


def _stone(colour: str) -> Image:
    base = np.asarray(hex_colour(colour), float)
    fold = np.abs(smooth(256, 6, 12) - 0.5) * 2
    vein = np.exp(-((fold / 0.05) ** 2)) * (0.4 + 0.6 * smooth(256, 9, 13))
    mottle = (smooth(256, 20, 14) - 0.5)[..., None] * 16
    contrast = 110 if base.mean() > 110 else -70
    return as_image(base + mottle - contrast * 0.6 * vein[..., None])


def _metal(colour: str) -> Image:
    base = np.asarray(hex_colour(colour), float)
    u = np.arange(64) / 64
    sheen = 0.8 + 0.2 * np.cos((u - 0.45) * 4 * np.pi) + 0.5 * np.exp(-(((u - 0.43) / 0.05) ** 2))
    brushed = np.random.default_rng(2).normal(0, 3, (64, 1, 1))
    return as_image(base * sheen[None, :, None] + brushed)


def _glaze(colour: str) -> Image:
    base = np.asarray(hex_colour(colour), float)
    v, u = np.mgrid[0:64, 0:64] / 64
    facing = 0.84 + 0.16 * np.cos((u - 0.5) * 4 * np.pi)
    streak = np.exp(-(((u - 0.42) / 0.03) ** 2)) * (0.3 + 0.4 * np.exp(-(((v - 0.3) / 0.3) ** 2)))
    tone = base * facing[..., None]
    return as_image(tone + (255 - tone) * streak[..., None])


def flat_paint(textures: TextureStore, colour: str) -> int:
    """Matt paint."""
    return textures.number(f"paint {colour}", lambda: noise(hex_colour(colour), 2.0, 3))


MAKERS: dict[str, Callable[[TextureStore, str], int]] = {
    "wood": wood,
    "fabric": fabric,
    "leather": leather,
    "weave": weave,
    "stone": stone,
    "metal": metal,
    "glaze": glaze,
    "paint": flat_paint,
    "plain": plain,
}


def main_material(product: Product, textures: TextureStore, default: str) -> int:
    """The material a product's name speaks of, in its main colour."""
    return material(textures, material_of(product, default), product.look.primary)
