"""A product drawn from its look: outline, colours and label of the package or the piece."""

import io

from PIL import Image, ImageDraw, ImageFont

from siturec.scene.schema import Look, Product

SIDE = 240
PAPER = "#f6f4ee"
FURNITURE = {"chair", "stool", "sofa", "table", "desk", "bed", "cabinet", "bookcase"}
ROUND = {"can", "jar", "tub", "bottle", "vase", "planter"}


def product_picture(product: Product) -> bytes:
    """A small PNG of the product as its front looks."""
    image = Image.new("RGB", (SIDE, SIDE), PAPER)
    draw = ImageDraw.Draw(image)
    look = product.look
    box = _box(look)
    draw.ellipse((box[0] - 6, box[3] - 8, box[2] + 6, box[3] + 8), fill="#dcd7ca")
    _body(draw, look, box)
    words = look.label or product.category
    if look.shape not in {"produce", "plant", "ball", "rug", "mirror", "clock"}:
        _label(draw, look, box, words)
    made = io.BytesIO()
    image.save(made, "PNG", optimize=True)
    return made.getvalue()


Box = tuple[float, float, float, float]


def _box(look: Look) -> Box:
    """Where the front (across by up) lies in the picture, standing on its lower third."""
    width, _, height = look.size_m
    height = max(height, 0.12 * width)
    scale = min(190 / width, 190 / height)
    wide, high = width * scale, height * scale
    return SIDE / 2 - wide / 2, 220 - high, SIDE / 2 + wide / 2, 220.0


def _body(draw: ImageDraw.ImageDraw, look: Look, box: Box) -> None:
    x0, y0, x1, y1 = box
    wide, high = x1 - x0, y1 - y0
    if look.shape in ROUND:
        draw.rounded_rectangle(box, radius=wide * 0.18, fill=look.primary)
        if look.shape == "bottle":
            neck = wide * 0.3
            draw.rectangle((x0, y0, x1, y0 + high * 0.28), fill=PAPER)
            draw.rounded_rectangle((x0, y0 + high * 0.22, x1, y1), radius=wide * 0.2, fill=look.primary)
            draw.rectangle((x0 + neck, y0, x1 - neck, y0 + high * 0.26), fill=look.primary)
            draw.rectangle((x0 + neck, y0, x1 - neck, y0 + high * 0.07), fill=look.accent)
        else:
            draw.rectangle((x0, y0, x1, y0 + high * 0.12), fill=look.accent)
    elif look.shape == "produce":
        for row in range(3):
            for place in range(5 - row):
                size = wide / 5
                x = x0 + size * (place + row / 2)
                y = y1 - size * (0.8 * row + 1)
                draw.ellipse((x, y, x + size, y + size), fill=look.primary, outline="#8a8578")
    elif look.shape in {"ball", "clock", "mirror"}:
        draw.ellipse(box, fill=look.primary, outline=look.accent, width=8)
    elif look.shape == "plant":
        _plant(draw, look, box)
    elif look.shape.startswith("lamp"):
        _lamp(draw, look, box)
    elif look.shape in FURNITURE:
        _furniture(draw, look, box)
    else:
        radius = wide * (0.12 if look.shape in {"bag", "cushion", "toy"} else 0.02)
        draw.rounded_rectangle(box, radius=radius, fill=look.primary, outline="#8a8578")


def _plant(draw: ImageDraw.ImageDraw, look: Look, box: Box) -> None:
    x0, y0, x1, y1 = box
    middle, high = (x0 + x1) / 2, y1 - y0
    for shift in (-0.42, -0.22, 0.0, 0.22, 0.42):
        x = middle + shift * (x1 - x0)
        top = y0 + abs(shift) * high * 0.5
        draw.polygon(
            [(middle, y1 - high * 0.25), (x - 14, top + high * 0.2), (x, top), (x + 14, top + high * 0.25)],
            fill=look.primary,
        )
    draw.rectangle((middle - 24, y1 - high * 0.28, middle + 24, y1), fill=look.accent)


def _lamp(draw: ImageDraw.ImageDraw, look: Look, box: Box) -> None:
    x0, y0, x1, y1 = box
    middle, high = (x0 + x1) / 2, y1 - y0
    if look.shape == "lamp_pendant":
        draw.line((middle, y0, middle, y1 - high * 0.3), fill=look.accent, width=3)
        draw.pieslice((x0, y1 - high * 0.35, x1, y1 + high * 0.2), 180, 360, fill=look.primary)
        return
    shade = y0 + high * 0.35
    draw.line((middle, shade, middle, y1), fill=look.accent, width=7)
    draw.polygon(
        [(x0 + 10, shade), (middle - 16, y0), (middle + 16, y0), (x1 - 10, shade)], fill=look.primary
    )
    draw.rectangle((middle - 26, y1 - 8, middle + 26, y1), fill=look.accent)


def _furniture(draw: ImageDraw.ImageDraw, look: Look, box: Box) -> None:
    x0, y0, x1, y1 = box
    wide, high = x1 - x0, y1 - y0
    if look.shape in {"chair", "sofa", "bed"}:
        seat = y0 + high * 0.5
        draw.rounded_rectangle((x0 + wide * 0.06, y0, x1 - wide * 0.06, seat), radius=10, fill=look.primary)
        draw.rounded_rectangle((x0, seat - 4, x1, seat + high * 0.2), radius=8, fill=look.primary)
        top = seat + high * 0.2
    elif look.shape in {"cabinet", "bookcase"}:
        draw.rectangle(box, fill=look.primary, outline=look.accent, width=3)
        for n in range(1, 4):
            draw.line((x0, y0 + high * n / 4, x1, y0 + high * n / 4), fill=look.accent, width=3)
        return
    else:
        draw.rectangle((x0, y0, x1, y0 + high * 0.14), fill=look.primary)
        top = y0 + high * 0.14
    for x in (x0 + wide * 0.05, x1 - wide * 0.05 - 8):
        draw.rectangle((x, top, x + 8, y1), fill=look.accent)


def _label(draw: ImageDraw.ImageDraw, look: Look, box: Box, words: str) -> None:
    """The label's words on a strip across the front; only packages carry one."""
    if look.shape in FURNITURE or look.shape.startswith("lamp") or not look.label:
        return
    x0, y0, x1, y1 = box
    high = y1 - y0
    top, bottom = y0 + high * 0.4, y0 + high * 0.72
    draw.rectangle((x0, top, x1, bottom), fill=look.accent)
    font = _font(words, x1 - x0 - 8, bottom - top)
    draw.text(((x0 + x1) / 2, (top + bottom) / 2), words, font=font, fill="#111827", anchor="mm")


def _font(words: str, wide: float, high: float) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    size = max(7, min(26, int(high * 0.6)))
    font = ImageFont.load_default(size=size)
    while size > 7 and font.getlength(words) > wide:
        size -= 1
        font = ImageFont.load_default(size=size)
    return font
