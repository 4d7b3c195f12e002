"""Surfaces of the building and its fixtures, and the boards with writing on them."""

import numpy as np
from numpy.typing import NDArray
from PIL import Image as Pillow
from PIL import ImageDraw, ImageFont

from storefront.geometry_parts import hex_colour
from storefront.texture import Image, TextureStore


def as_image(values: NDArray[np.float64]) -> Image:
    """Clip numbers to bytes."""
    return np.asarray(np.clip(values, 0, 255), np.uint8)


def noise(rgb: tuple[float, float, float], spread: float, seed: int, size: int = 128) -> Image:
    """A colour with fine grain."""
    grain = np.random.default_rng(seed).normal(0.0, spread, (size, size, 1))
    return as_image(np.asarray(rgb, float) + grain)


def plain(textures: TextureStore, colour: str) -> int:
    """Painted plaster or coated metal."""
    return textures.number(f"plain {colour}", lambda: noise(hex_colour(colour), 1.6, 11))


def floor(textures: TextureStore, kind: str) -> int:
    """A floor, two metres to the picture."""
    return textures.number(f"floor {kind}", lambda: _tiles(kind))


def _tiles(kind: str) -> Image:
    size = 256
    a = noise((214, 212, 206), 3.0, 5, size).astype(float)
    half = size // 2
    a[:half, :half] -= 8
    a[half:, half:] -= 8
    for k in (0, half - 1, half, size - 1):
        a[k] = 172
        a[:, k] = 172
    return as_image(a)


def ceiling(textures: TextureStore) -> int:
    """Ceiling panels, 1.2 metres to the picture."""
    return textures.number("ceiling", _ceiling)


def _ceiling() -> Image:
    a = noise((228, 228, 226), 4.0, 6).astype(float)
    a[:2] = 190
    a[:, :2] = 190
    return as_image(a)


def sign_board(textures: TextureStore, text: str, colour: str, aspect: float) -> int:
    """A sign with ``text`` in white; ``aspect`` is width over height."""
    return textures.number(f"sign {text} {colour} {aspect:.2f}", lambda: _sign(text, colour, aspect))


def _sign(text: str, colour: str, aspect: float) -> Image:
    high = 128
    image = Pillow.new("RGB", (max(8, round(high * aspect)), high), hex_colour(colour))
    draw = ImageDraw.Draw(image)
    size = 72
    while size > 10 and draw.textlength(text, font=ImageFont.load_default(size)) > image.width * 0.9:
        size -= 4
    font = ImageFont.load_default(size)
    draw.text((image.width / 2, high / 2), text, font=font, fill=(255, 255, 255), anchor="mm")
    return np.asarray(image.resize((512, 128), Pillow.Resampling.LANCZOS))
