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


def grain(size: int, seed: int) -> NDArray[np.float64]:
    """Tileable wood fibre of 0..1, running along the picture's width."""
    fine, broad = smooth(size, 90, seed), smooth(size, 7, seed + 1)
    squeezed = np.repeat(fine[:, :: max(1, size // 32)], max(1, size // 32), axis=1)[:, :size]
    soft = sum(np.roll(squeezed, k, axis=1) for k in range(-12, 13, 3)) / 9
    rings = 0.5 + 0.5 * np.sin(2 * np.pi * (np.arange(size)[:, None] / size * 11 + broad * 0.45))
    return np.asarray(0.25 + 0.55 * soft + 0.2 * rings)


def wood(textures: TextureStore, colour: str) -> int:
    """Wood of a colour, its fibre along the width; one metre to the picture."""
    return textures.number(f"wood {colour}", lambda: _wood(colour))


def _wood(colour: str) -> Image:
    base = np.asarray(hex_colour(colour), float)
    return as_image(base * (0.78 + 0.36 * grain(128, 17)[..., None]))


def planks(textures: TextureStore, colour: str) -> int:
    """Boards of wood, eight to the picture, one above the other."""
    return textures.number(f"planks {colour}", lambda: _planks(colour))


def _planks(colour: str) -> Image:
    base = np.asarray(hex_colour(colour), float)
    rng = np.random.default_rng(23)
    tone = np.repeat(rng.uniform(0.88, 1.06, 8), 32)[:, None, None]
    a = base * (0.8 + 0.32 * grain(256, 19)[..., None]) * tone
    a[::32] *= 0.55
    a[1::32] *= 0.8
    return as_image(a)


def fabric(textures: TextureStore, colour: str) -> int:
    """A woven cloth; half a metre to the picture."""
    return textures.number(f"fabric {colour}", lambda: _fabric(colour))


def _fabric(colour: str) -> Image:
    y, x = np.mgrid[0:128, 0:128]
    weave = ((x // 2 + y // 2) % 2) * 0.08 + smooth(128, 30, 5) * 0.14
    return as_image(np.asarray(hex_colour(colour), float) * (0.84 + weave[..., None]))


def pegboard(textures: TextureStore, colour: str) -> int:
    """A punched back panel; one metre to the picture."""
    return textures.number(f"pegboard {colour}", lambda: _pegboard(colour))


def _pegboard(colour: str) -> Image:
    y, x = np.mgrid[0:256, 0:256] % 8
    hole = np.hypot(x - 3.5, y - 3.5) < 1.2
    a = noise(hex_colour(colour), 1.2, 13, 256).astype(float)
    return as_image(np.where(hole[..., None], a * 0.7, a))


def price_strip(textures: TextureStore) -> int:
    """The strip at a board's edge with its tags, 0.8 m to the picture; their print is too small to read."""
    return textures.number("price strip", _price_strip)


def _price_strip() -> Image:
    image = Pillow.new("RGB", (512, 32), (196, 199, 204))
    draw = ImageDraw.Draw(image)
    draw.rectangle([0, 0, 512, 2], fill=(232, 234, 238))
    draw.rectangle([0, 29, 512, 31], fill=(150, 154, 160))
    rng = np.random.default_rng(29)
    for k in range(8):
        x = k * 64 + int(rng.integers(4, 12))
        draw.rectangle([x, 4, x + 44, 27], fill=(252, 251, 244))
        draw.rectangle([x, 4, x + 44, 8], fill=(206, 58, 48) if k % 3 == 0 else (60, 122, 96))
        for line in range(2):
            draw.line(
                [(x + 4, 13 + line * 4), (x + 18 + int(rng.integers(8)), 13 + line * 4)], fill=(120, 120, 120)
            )
        draw.rectangle([x + 28, 13, x + 40, 22], fill=(60, 60, 64))
    return np.asarray(image)


def ceiling(textures: TextureStore) -> int:
    """Ceiling panels, 1.2 metres to the picture."""
    return textures.number("ceiling", _ceiling)


def _ceiling() -> Image:
    a = noise((232, 232, 229), 3.0, 6, 256).astype(float)
    a -= (smooth(256, 90, 4)[..., None] > 0.72) * 10.0
    for k in (0, 128):
        a[k : k + 2] = 206
        a[:, k : k + 2] = 206
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
    paper = hex_colour(colour)
    light = 0.3 * paper[0] + 0.59 * paper[1] + 0.11 * paper[2] > 150
    ink = (38, 40, 44) if light else (255, 255, 255)
    draw.rectangle([3, 3, image.width - 4, high - 4], outline=ink, width=2)
    draw.text((image.width / 2, high / 2), text, font=font, fill=ink, anchor="mm")
    return np.asarray(image.resize((512, 128), Pillow.Resampling.LANCZOS))


def gloss(textures: TextureStore, rgb: tuple[int, int, int]) -> int:
    """A shiny round body: a bright streak to the left of its front, darker towards its sides."""
    return textures.number(f"gloss {rgb}", lambda: _gloss(rgb))


def _gloss(rgb: tuple[int, int, int]) -> Image:
    u = np.linspace(0, 1, 64, endpoint=False)[None, :, None]
    facing = np.cos((u - 0.5) * 2 * np.pi)
    shade = 0.78 + 0.22 * np.abs(facing)
    streak = np.exp(-(((u - 0.43) / 0.025) ** 2)) * 0.5 + np.exp(-(((u - 0.93) / 0.03) ** 2)) * 0.35
    colour = np.asarray(rgb, float)[None, None] * shade
    return as_image(np.broadcast_to(colour + (255 - colour) * streak, (8, 64, 3)))


FILLINGS: dict[str, tuple[tuple[int, int, int], tuple[int, int, int]]] = {
    "meat": ((168, 52, 50), (226, 180, 170)),
    "fish": ((226, 140, 112), (244, 206, 190)),
    "cheese": ((236, 196, 92), (246, 222, 150)),
    "salad": ((84, 134, 52), (158, 196, 96)),
    "pulp": ((158, 156, 148), (184, 182, 174)),
    "lid": ((176, 179, 184), (222, 225, 230)),
}
"""Ground and marbling colours of what shows through film, and of card and tin."""


def contents(textures: TextureStore, kind: str) -> int:
    """What is in a tray, the card of an egg box, or a tin's lid."""
    return textures.number(f"contents {kind}", lambda: _contents(kind))


def _contents(kind: str) -> Image:
    ground, vein = (np.asarray(c, float) for c in FILLINGS[kind])
    y, x = np.mgrid[0:128, 0:128] / 128.0
    if kind == "lid":
        radius = np.hypot(x - 0.5, y - 0.5)
        share = 0.5 + 0.5 * np.cos(radius * 60) * (radius < 0.42)
    else:
        warp = smooth(128, 6, 21) * 2.2
        share = 0.5 + 0.5 * np.sin((x * 3 + y * 5 + warp) * 2 * np.pi)
        share = share**3 if kind in ("meat", "fish") else share * 0.5
    mixed = ground + (vein - ground) * share[..., None]
    return as_image(mixed + (smooth(128, 24, 3)[..., None] - 0.5) * 14)


def smooth(size: int, cells: int, seed: int) -> NDArray[np.float64]:
    """Tileable soft noise of 0..1, about ``cells`` bumps across."""
    rng = np.random.default_rng(seed)
    spectrum = np.fft.rfft2(rng.normal(size=(size, size)))
    fy, fx = np.fft.fftfreq(size)[:, None] * size, np.fft.rfftfreq(size)[None, :] * size
    filtered = np.fft.irfft2(spectrum * np.exp(-((fx**2 + fy**2) / cells**2)), s=(size, size))
    low, high = filtered.min(), filtered.max()
    return np.asarray((filtered - low) / (high - low))
