"""Skins and leaves of fruit and vegetables."""

import numpy as np

from storefront.geometry_parts import RGB
from storefront.texture import Image, TextureStore
from storefront.texture_surfaces import as_image, smooth

SIZE = 64


def skin(textures: TextureStore, shade: RGB, kind: str) -> int:
    """A fruit's skin; kinds: plain, apple, pore, earth, onion, banana, ring, stripe, grid."""
    return textures.number(f"skin {kind} {shade}", lambda: _skin(shade, kind))


def leaf(textures: TextureStore, shade: RGB) -> int:
    """A leaf: mottled green, paler along its ribs."""
    return textures.number(f"leaf {shade}", lambda: _leaf(shade))


def _skin(shade: RGB, kind: str) -> Image:
    v, u = np.mgrid[0:SIZE, 0:SIZE] / SIZE
    base = np.asarray(shade, float)
    mottle = smooth(SIZE, 8, sum(shade))[..., None]
    grain = smooth(SIZE, 28, 3 + sum(shade))[..., None]
    colour = base * (0.9 + 0.2 * mottle)
    if kind == "apple":
        streak = (np.sin(u * 2 * np.pi * 9 + mottle[..., 0] * 6) * 0.5 + 0.5)[..., None] * 0.22
        blush = np.clip(1.0 - 2.4 * v, 0, 1)[..., None] * 0.45
        colour = colour + (np.array([232, 206, 96]) - colour) * (streak * 0.6 + blush)
    elif kind == "pore":
        colour = colour * (0.94 + 0.12 * grain)
    elif kind == "earth":
        colour = colour * (0.8 + 0.34 * grain) - (grain > 0.72) * 26
    elif kind == "onion":
        colour = colour * (0.88 + 0.18 * np.sin(u * 2 * np.pi * 14)[..., None] ** 2)
    elif kind == "banana":
        colour = colour * (0.86 + 0.16 * np.cos(u * 2 * np.pi * 5)[..., None] ** 2) - (grain > 0.8) * 30
    elif kind == "ring":
        colour = colour * (0.9 + 0.12 * (np.sin(v * 70 + mottle[..., 0] * 9)[..., None] * 0.5 + 0.5))
    elif kind == "stripe":
        colour = colour * (
            0.8 + 0.35 * (np.sin(u * 2 * np.pi * 8)[..., None] * 0.5 + 0.5) * (0.6 + 0.4 * mottle)
        )
    elif kind == "grid":
        diamond = np.abs(np.sin((u * 10 + v * 7) * np.pi)) * np.abs(np.sin((u * 10 - v * 7) * np.pi))
        colour = colour * (0.55 + 0.6 * diamond[..., None])
    shine = np.exp(-(((u - 0.42) / 0.1) ** 2) - (((v - 0.3) / 0.12) ** 2))[..., None] * 0.3
    return as_image(colour + (255 - colour) * shine * (kind != "earth"))


def _leaf(shade: RGB) -> Image:
    v, u = np.mgrid[0:SIZE, 0:SIZE] / SIZE
    base = np.asarray(shade, float)
    mottle = smooth(SIZE, 14, 5 + sum(shade))[..., None]
    rib = np.exp(-(((u - 0.5) / 0.05) ** 2))[..., None]
    veins = (np.abs(np.sin((v * 6 + np.abs(u - 0.5) * 5) * np.pi)) < 0.16)[..., None] * 0.35
    colour = base * (0.72 + 0.5 * mottle) * (1.06 - 0.25 * v[..., None])
    return as_image(
        colour + (np.array([232, 238, 200]) - colour) * np.clip(rib * 0.6 + veins * 0.5, 0, 1) * 0.6
    )
