"""Labels as small pictures, drawn once by Pillow and kept; readable on any background."""

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from siturec.protocol.vocabulary import EntityKind

Rgb = tuple[int, int, int]
LABEL_PX = 13
PAD_X, PAD_Y = 4, 2
# Fill, text, rim: a dark and a light colour in every label, so that one of them stands out anywhere.
_INKS: dict[EntityKind, tuple[Rgb, Rgb, Rgb]] = {
    "product": ((17, 24, 28), (255, 255, 255), (255, 255, 255)),
    "fixture": ((255, 209, 71), (20, 20, 20), (20, 20, 20)),
    "store": ((255, 209, 71), (20, 20, 20), (20, 20, 20)),
    "area": ((12, 116, 110), (255, 255, 255), (255, 255, 255)),
}


@dataclass(frozen=True, eq=False)
class Sprite:
    """``bgr`` is (h, w, 3) uint8 in OpenCV's order; ``mask`` is (h, w) uint8, 0 at the cut corners."""

    bgr: NDArray[np.uint8]
    mask: NDArray[np.uint8]

    @cached_property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return self.bgr.shape[1], self.bgr.shape[0]


@lru_cache(maxsize=8)
def font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    """The label font at a pixel size."""
    return ImageFont.load_default(size=size)


@lru_cache(maxsize=4096)
def label_sprite(text: str, kind: EntityKind, size: int = LABEL_PX) -> Sprite:
    """The label of a marker; products' are plain, buildings' and areas' one step larger."""
    fill, ink, rim = _INKS[kind]
    face = font(size if kind == "product" else size + 2)
    left, top, right, bottom = face.getbbox("0" * len(text))
    width = max(int(right - left) + 2 * PAD_X, int(bottom - top) + 2 * PAD_Y)
    height = int(bottom - top) + 2 * PAD_Y + 2
    picture = Image.new("RGB", (width, height), fill)
    draw = ImageDraw.Draw(picture)
    draw.rectangle((0, 0, width - 1, height - 1), outline=rim)
    draw.text((width / 2, height / 2), text, fill=ink, font=face, anchor="mm")
    mask = np.full((height, width), 255, np.uint8)
    for row in (0, -1):
        mask[row, 0] = mask[row, -1] = 0
    return Sprite(np.ascontiguousarray(np.asarray(picture, np.uint8)[..., ::-1]), mask)
