"""What is printed on packages: fronts, wraps, backs and tops, drawn with Pillow's own font.

Nothing printed tells a price or an attribute that only inspection reveals: brand, name and ornament only.
"""

import colorsys
import math
from collections.abc import Sequence

import numpy as np
from PIL import Image as Pillow
from PIL import ImageDraw, ImageFont

from siturec.scene.schema import Product
from storefront.geometry_parts import RGB, hex_colour
from storefront.texture import Image, TextureStore

FRONT = 256
"""Pixels of a front label's sides; the drawing is stretched to the face it is for."""


def tamed(rgb: RGB, limit: float = 0.78) -> RGB:
    """The colour with its saturation held to what printing ink on card looks like."""
    h, s, v = colorsys.rgb_to_hsv(*(c / 255 for c in rgb))
    r, g, b = colorsys.hsv_to_rgb(h, min(s, limit), 0.25 + 0.7 * v)
    return round(r * 255), round(g * 255), round(b * 255)


def mixed(a: RGB, b: RGB, share: float) -> RGB:
    """``share`` of ``b`` in ``a``."""
    r, g, c = (round(x + (y - x) * share) for x, y in zip(a, b, strict=True))
    return r, g, c


def ink_on(rgb: RGB) -> RGB:
    """White or near black, whichever reads better on ``rgb``."""
    return (250, 250, 246) if 0.3 * rgb[0] + 0.59 * rgb[1] + 0.11 * rgb[2] < 150 else (28, 30, 38)


def brand_and_name(product: Product) -> tuple[str, str]:
    """The brand as printed, and the name without it."""
    brand = product.look.label.strip()
    name = product.name
    if brand and name.casefold().startswith(brand.casefold()):
        name = name[len(brand) :].strip() or name
    return brand, name


def front(textures: TextureStore, product: Product, aspect: float) -> int:
    """A package's front for a face of width over height ``aspect``."""
    key = f"front {product.id} {aspect:.2f}"
    return textures.printed(key, lambda: _square(_panel(product, aspect)))


def wrap(textures: TextureStore, product: Product, aspect: float) -> int:
    """A label that goes round a body, its front in the middle; ``aspect`` is girth over height."""
    return textures.printed(f"wrap {product.id} {aspect:.2f}", lambda: _wrap(product, aspect))


def back(textures: TextureStore, product: Product) -> int:
    """The side or back of a package: small print and a bar code."""
    return textures.printed(f"back {product.id}", lambda: _back(product))


def _square(image: Pillow.Image) -> Image:
    return np.asarray(image.resize((FRONT, FRONT), Pillow.Resampling.LANCZOS))


def _canvas(aspect: float) -> tuple[int, int]:
    """Drawing size of about 320 x 320 pixels' area with the wanted aspect."""
    aspect = min(max(aspect, 0.3), 4.0)
    return round(320 * math.sqrt(aspect)), round(320 / math.sqrt(aspect))


def _panel(product: Product, aspect: float) -> Pillow.Image:
    look = product.look
    base, accent = tamed(hex_colour(look.primary)), tamed(hex_colour(look.accent))
    w, h = _canvas(aspect)
    image = Pillow.new("RGB", (w, h), base)
    draw = ImageDraw.Draw(image)
    _ornament(draw, w, h, base, accent, look.style)
    brand, name = brand_and_name(product)
    _writing(draw, w, h, base, accent, (brand, name), look.style)
    return image


def _ornament(draw: ImageDraw.ImageDraw, w: int, h: int, base: RGB, accent: RGB, style: int) -> None:
    """The picture part of a front: one of eight, in two shades."""
    light, dark = mixed(base, (255, 255, 255), 0.25), mixed(base, (0, 0, 0), 0.22)
    kind = style % 8
    if kind == 0:
        draw.polygon([(0, h), (w, h * 0.62), (w, h)], fill=accent)
        draw.polygon([(0, h), (w, h * 0.74), (w, h)], fill=mixed(accent, (255, 255, 255), 0.3))
    elif kind == 1:
        for k in range(7):
            draw.rectangle([w * k / 7, h * 0.66, w * (k + 0.5) / 7, h], fill=dark)
        draw.rectangle([0, h * 0.63, w, h * 0.66], fill=accent)
    elif kind == 2:
        r = min(w, h) * 0.26
        draw.ellipse([w / 2 - r, h * 0.8 - r, w / 2 + r, h * 0.8 + r], fill=accent)
        draw.ellipse(
            [w / 2 - r * 0.7, h * 0.8 - r * 0.7, w / 2 + r * 0.7, h * 0.8 + r * 0.7],
            fill=mixed(accent, base, 0.35),
        )
    elif kind == 3:
        _waves(draw, w, h, accent, light)
    elif kind == 4:
        for k in range(9):
            x, y = (k * 0.37 % 1) * w, h * (0.68 + 0.3 * (k * 0.61 % 1))
            r = min(w, h) * (0.05 + 0.05 * (k * 0.77 % 1))
            draw.ellipse([x - r, y - r, x + r, y + r], fill=accent if k % 2 else light)
    elif kind == 5:
        draw.rectangle([0, h * 0.68, w, h], fill=mixed(accent, (255, 255, 255), 0.15))
        _leaf(draw, w * 0.5, h * 0.84, min(w, h) * 0.22, mixed(base, accent, 0.2))
    elif kind == 6:
        for k in range(5):
            draw.polygon(
                [(w * k / 4 - w * 0.14, h), (w * k / 4, h * 0.68), (w * k / 4 + w * 0.14, h)],
                fill=accent if k % 2 else dark,
            )
    else:
        draw.rectangle([0, 0, w * 0.16, h], fill=accent)
        draw.rectangle([w * 0.84, 0, w, h], fill=accent)
        draw.rectangle([w * 0.2, h * 0.72, w * 0.8, h * 0.92], fill=light)


def _waves(draw: ImageDraw.ImageDraw, w: int, h: int, accent: RGB, light: RGB) -> None:
    for level, colour in ((0.68, light), (0.78, accent), (0.88, mixed(accent, (0, 0, 0), 0.2))):
        crest = [
            (x, h * level + math.sin(x / w * 2 * math.pi + level * 20) * h * 0.035)
            for x in range(0, w + 8, 8)
        ]
        draw.polygon([(0, h), *crest, (w, h)], fill=colour)


def _leaf(draw: ImageDraw.ImageDraw, x: float, y: float, r: float, colour: RGB) -> None:
    outline = [
        (x + r * math.cos(a), y - r * 0.5 * math.sin(a) * math.sin(a / 2)) for a in np.linspace(0, 6.28, 24)
    ]
    draw.polygon(outline, fill=colour)
    draw.line([(x - r, y), (x + r, y)], fill=mixed(colour, (255, 255, 255), 0.4), width=2)


def _writing(
    draw: ImageDraw.ImageDraw, w: int, h: int, base: RGB, accent: RGB, words: tuple[str, str], style: int
) -> None:
    """Brand on a ribbon at the top, the name below it in the largest letters that fit."""
    brand, name = words
    plate = style % 3 == 1
    if plate:
        draw.rectangle([w * 0.06, h * 0.2, w * 0.94, h * 0.62], fill=(248, 246, 238))
    ribbon = mixed(accent, (0, 0, 0), 0.25) if style % 2 else mixed(base, (0, 0, 0), 0.35)
    if brand:
        draw.rectangle([0, h * 0.04, w, h * 0.17], fill=ribbon)
        text(draw, (w * 0.04, h * 0.05, w * 0.96, h * 0.16), [brand.upper()], ink_on(ribbon), 1)
    ink = (30, 32, 40) if plate else ink_on(base)
    text(draw, (w * 0.08, h * 0.22, w * 0.92, h * 0.6), lines_of(name), ink, 1)


def lines_of(name: str) -> list[str]:
    """A name broken into lines of about the same length, one to four words to a line."""
    words = name.split()
    if len(name) <= 10 or len(words) == 1:
        return [name]
    count = 2 if len(name) <= 22 else 3
    lines, target = [""], len(name) / count
    for word in words:
        if lines[-1] and len(lines[-1]) + len(word) / 2 > target and len(lines) < count:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return lines


def text(
    draw: ImageDraw.ImageDraw,
    area: tuple[float, float, float, float],
    lines: Sequence[str],
    ink: RGB,
    bold: int = 0,
) -> None:
    """Write lines centred in ``area`` (left, top, right, bottom) as large as they fit."""
    x0, y0, x1, y1 = area
    size = (y1 - y0) / len(lines) * 0.86
    font = ImageFont.load_default(max(size, 6))
    widest = max(draw.textlength(line, font=font) for line in lines) + 2 * bold
    if widest > x1 - x0:
        size *= (x1 - x0) / widest
        font = ImageFont.load_default(max(size, 6))
    step = min((y1 - y0) / len(lines), size * 1.22)
    y = (y0 + y1) / 2 - step * (len(lines) - 1) / 2
    for line in lines:
        draw.text(
            ((x0 + x1) / 2, y), line, font=font, fill=ink, anchor="mm", stroke_width=bold, stroke_fill=ink
        )
        y += step


def _wrap(product: Product, aspect: float) -> Image:
    """The front on the middle third of the girth, where one view can take it in; small print behind."""
    look = product.look
    base = tamed(hex_colour(look.primary))
    image = Pillow.new("RGB", (512, 256), base)
    panel = _panel(product, aspect * 0.36).resize((184, 256), Pillow.Resampling.LANCZOS)
    edge = panel.crop((0, 0, 2, 256)).resize((164, 256))
    image.paste(edge, (0, 0))
    image.paste(panel.crop((182, 0, 184, 256)).resize((164, 256)), (348, 0))
    image.paste(panel, (164, 0))
    draw = ImageDraw.Draw(image)
    for x in (24, 400):
        draw.rectangle([x, 60, x + 88, 200], fill=(244, 242, 236))
        for k in range(8):
            draw.line(
                [(x + 8, 74 + k * 11), (x + 60 + (k * 37) % 22, 74 + k * 11)], fill=(90, 90, 94), width=3
            )
        _bars(draw, x + 12, 166, 64, 28, product.id)
    return np.asarray(image)


def _back(product: Product) -> Image:
    base = tamed(hex_colour(product.look.primary))
    image = Pillow.new("RGB", (128, 128), mixed(base, (0, 0, 0), 0.08))
    draw = ImageDraw.Draw(image)
    draw.rectangle([14, 10, 114, 76], fill=(243, 241, 234))
    for k in range(7):
        draw.line([(20, 18 + k * 8), (74 + (k * 29) % 34, 18 + k * 8)], fill=(96, 96, 100), width=2)
    draw.rectangle([30, 86, 98, 120], fill=(250, 250, 250))
    _bars(draw, 34, 90, 60, 26, product.id)
    return np.asarray(image)


def _bars(draw: ImageDraw.ImageDraw, x: float, y: float, width: int, height: int, seed: str) -> None:
    rng = np.random.default_rng([ord(c) for c in seed])
    at = 0
    while at < width:
        bar = int(rng.integers(1, 4))
        draw.rectangle([x + at, y, x + min(at + bar, width) - 1, y + height], fill=(20, 20, 20))
        at += bar + int(rng.integers(1, 4))
