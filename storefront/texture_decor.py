"""Pictures on rugs, in frames, on clocks and in mirrors."""

import math

import numpy as np
from PIL import Image as Pillow
from PIL import ImageDraw

from storefront.geometry_parts import RGB, hex_colour
from storefront.texture import Image, TextureStore
from storefront.texture_surfaces import as_image, smooth


def patterned_rug(textures: TextureStore, primary: str, accent: str, style: int) -> int:
    """A rug's face: a border, and stripes, lozenges or a medallion within."""
    return textures.number(f"rug {primary} {accent} {style % 3}", lambda: _rug(primary, accent, style % 3))


def picture(textures: TextureStore, seed: str, primary: str, accent: str) -> int:
    """An abstract landscape."""
    return textures.number(f"picture {seed}", lambda: _picture(seed, primary, accent))


def dial(textures: TextureStore) -> int:
    """A clock's face."""
    return textures.number("dial", _dial)


def sky(textures: TextureStore) -> int:
    """What a mirror shows: a soft gradient with a slant of light."""
    return textures.number("mirror", _mirror)


def _rug(primary: str, accent: str, style: int) -> Image:
    v, u = np.mgrid[0:256, 0:256] / 256
    a, b = np.asarray(hex_colour(primary), float), np.asarray(hex_colour(accent), float)
    edge = np.minimum(np.minimum(u, 1 - u), np.minimum(v, 1 - v))
    if style == 0:
        pattern = (np.floor(v * 14) % 2) * (edge > 0.1)
    elif style == 1:
        pattern = ((np.abs((u * 8) % 1 - 0.5) + np.abs((v * 6) % 1 - 0.5)) < 0.32).astype(float) * (
            edge > 0.1
        )
    else:
        radius = np.hypot((u - 0.5) * 1.3, v - 0.5)
        pattern = (np.sin(radius * 46) > 0.2) * (radius < 0.4) * 1.0
    border = (edge > 0.03) & (edge < 0.07)
    share = np.clip(0.7 * pattern + border, 0, 1)[..., None]
    pile = 0.9 + 0.2 * smooth(256, 90, 6)[..., None]
    return as_image((a + (b - a) * share) * pile)


def _picture(seed: str, primary: str, accent: str) -> Image:
    rng = np.random.default_rng([ord(c) for c in seed])
    image = Pillow.new("RGB", (256, 256), (240, 234, 222))
    draw = ImageDraw.Draw(image)
    hues: list[RGB] = [
        hex_colour(primary),
        hex_colour(accent),
        (196, 128, 88),
        (92, 122, 128),
        (222, 190, 140),
    ]
    sun = (int(rng.integers(60, 196)), int(rng.integers(40, 90)))
    draw.ellipse([sun[0] - 30, sun[1] - 30, sun[0] + 30, sun[1] + 30], fill=hues[2])
    for k in range(4):
        base, tall, phase = 110 + 36 * k, float(rng.uniform(14, 34)), float(rng.uniform(0, 6))
        crest = [(x, base + tall * math.sin(x / 256 * 5 + phase)) for x in range(0, 260, 4)]
        draw.polygon([(0, 256), *crest, (256, 256)], fill=hues[(k + 3) % 5])
    canvas = np.asarray(image).astype(float) * (0.94 + 0.1 * smooth(256, 80, 2)[..., None])
    return as_image(canvas)


def _dial() -> Image:
    image = Pillow.new("RGB", (256, 256), (246, 243, 234))
    draw = ImageDraw.Draw(image)
    for k in range(12):
        a = k * math.tau / 12
        inner = 92 if k % 3 else 84
        x, y = math.sin(a), -math.cos(a)
        draw.line(
            [(128 + x * inner, 128 + y * inner), (128 + x * 108, 128 + y * 108)], fill=(40, 40, 44), width=7
        )
    draw.line([(128, 128), (128 - 46, 128 - 34)], fill=(30, 30, 34), width=10)
    draw.line([(128, 128), (128 + 38, 128 - 74)], fill=(30, 30, 34), width=6)
    draw.ellipse([119, 119, 137, 137], fill=(176, 52, 44))
    return np.asarray(image)


def _mirror() -> Image:
    v, u = np.mgrid[0:128, 0:128] / 128
    tone = 196 - 46 * v + 36 * np.exp(-(((u + v * 0.7 - 0.8) / 0.12) ** 2))
    return as_image(tone[..., None] * np.array([0.95, 1.0, 1.02]))
