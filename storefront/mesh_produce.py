"""Fruit and vegetables, heaped: each product is an open tray's worth, sloped down towards its front.

The kind comes from the product's name, so a pile of apples looks like apples whatever colours its label has.
"""

import math
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from siturec.scene.schema import Product
from storefront.geometry_parts import hex_colour
from storefront.mesh import MeshBuilder
from storefront.mesh_crops import FORMS, Crop
from storefront.texture import TextureStore

RED, DEEP, GREEN, GOLD = (186, 32, 36), (128, 16, 30), (122, 168, 44), (226, 186, 66)
CROPS: tuple[tuple[str, Crop], ...] = (
    ("green apple", Crop("apple", (0.078, 0.072), (GREEN, (146, 184, 62)))),
    ("golden apple", Crop("apple", (0.078, 0.072), (GOLD, (214, 190, 92)))),
    ("apple", Crop("apple", (0.078, 0.072), (RED, (204, 58, 46), (158, 24, 34)))),
    ("pear", Crop("pear", (0.07, 0.1), ((176, 184, 74), (196, 178, 84)))),
    ("blood orange", Crop("round", (0.08, 0.077), ((214, 92, 34), (196, 66, 36)))),
    ("orange", Crop("round", (0.082, 0.079), ((240, 138, 28), (232, 122, 22)))),
    ("mandarin", Crop("round", (0.062, 0.054), ((240, 132, 30), (236, 118, 24)))),
    ("lemon", Crop("long", (0.06, 0.058), ((244, 212, 50), (236, 200, 44)))),
    ("lime", Crop("long", (0.052, 0.05), ((96, 146, 40), (114, 160, 52)))),
    ("banana", Crop("banana", (0.19, 0.035), ((244, 206, 58), (236, 196, 70)))),
    ("black grape", Crop("grape", (0.027, 0.026), ((58, 26, 62), (74, 34, 74)))),
    ("red grape", Crop("grape", (0.027, 0.026), ((112, 30, 52), (130, 42, 62)))),
    ("grape", Crop("grape", (0.027, 0.026), ((168, 190, 88), (150, 178, 72)))),
    ("cherry tomato", Crop("tomato", (0.036, 0.034), ((208, 44, 30), (222, 64, 34)))),
    ("tomato", Crop("tomato", (0.07, 0.06), ((204, 40, 30), (216, 58, 36)))),
    ("sweet potato", Crop("root", (0.13, 0.055), ((176, 92, 62), (160, 80, 58)))),
    ("new potato", Crop("root", (0.052, 0.042), ((206, 176, 120), (192, 160, 104)))),
    ("potato", Crop("root", (0.09, 0.058), ((186, 148, 96), (172, 134, 86)))),
    ("red onion", Crop("onion", (0.07, 0.066), ((128, 34, 74), (142, 48, 86)))),
    ("onion", Crop("onion", (0.072, 0.068), ((196, 132, 62), (206, 146, 78)))),
    ("garlic", Crop("onion", (0.05, 0.045), ((234, 226, 212), (224, 214, 200)))),
    ("bunched carrot", Crop("carrot", (0.17, 0.03), ((232, 118, 34), (222, 106, 30)))),
    ("carrot", Crop("carrot", (0.17, 0.03), ((234, 122, 38), (226, 110, 32)))),
    ("cucumber", Crop("cucumber", (0.24, 0.045), ((52, 104, 42), (64, 116, 50)))),
    ("courgette", Crop("cucumber", (0.19, 0.045), ((58, 108, 48), (72, 122, 56)))),
    ("aubergine", Crop("cucumber", (0.18, 0.08), ((58, 24, 62), (70, 32, 74)))),
    ("red pepper", Crop("pepper", (0.078, 0.085), ((196, 30, 30), (208, 44, 36)))),
    ("pepper", Crop("pepper", (0.078, 0.085), ((200, 34, 30), (238, 178, 34), (64, 132, 44)))),
    ("broccoli", Crop("broccoli", (0.13, 0.1), ((58, 112, 48), (70, 124, 56)))),
    ("cauliflower", Crop("broccoli", (0.15, 0.11), ((236, 230, 208), (228, 220, 196)))),
    ("cabbage", Crop("leafy", (0.17, 0.15), ((150, 186, 108), (134, 174, 94)))),
    ("lettuce", Crop("leafy", (0.18, 0.14), ((124, 178, 66), (144, 192, 84)))),
    ("spinach", Crop("leafy", (0.14, 0.1), ((58, 116, 46), (70, 128, 54)))),
    ("salad", Crop("leafy", (0.15, 0.11), ((110, 168, 62), (130, 180, 78)))),
    ("mushroom", Crop("mushroom", (0.045, 0.035), ((226, 210, 188), (214, 196, 172)))),
    ("avocado", Crop("pear", (0.07, 0.095), ((52, 70, 38), (64, 80, 44)))),
    ("mango", Crop("long", (0.09, 0.085), ((224, 150, 52), (206, 108, 56), (140, 150, 60)))),
    ("kiwi", Crop("root", (0.06, 0.05), ((132, 104, 58), (120, 94, 52)))),
    ("peach", Crop("apple", (0.072, 0.068), ((238, 158, 92), (226, 116, 84)))),
    ("plum", Crop("round", (0.05, 0.052), ((88, 34, 74), (104, 42, 82)))),
    ("melon", Crop("round", (0.15, 0.14), ((204, 190, 116), (190, 178, 104)))),
    ("pineapple", Crop("pineapple", (0.12, 0.16), ((196, 146, 52), (184, 132, 46)))),
    ("strawberr", Crop("tomato", (0.034, 0.036), ((206, 30, 40), (216, 44, 50)))),
    ("berr", Crop("grape", (0.024, 0.022), ((62, 60, 110), (74, 72, 124)))),
    ("corn", Crop("cucumber", (0.19, 0.05), ((238, 204, 84), (150, 176, 78)))),
)
"""What a word in a product's name makes of it; the first match counts."""


def crop_of(product: Product) -> Crop:
    """The crop a product's name speaks of; a round fruit in its own colours when none is known."""
    name = product.name.casefold()
    for word, crop in CROPS:
        if all(part in name for part in word.split()):
            return crop
    return Crop("round", (0.075, 0.07), (hex_colour(product.look.primary), hex_colour(product.look.accent)))


def make_produce(b: MeshBuilder, product: Product, textures: TextureStore, fine: bool) -> None:
    """A heap filling the product's box, higher at its back; seen from afar, fewer and plainer pieces."""
    w, d, h = product.look.size_m
    crop = crop_of(product)
    across, up = min(crop.size[0], w), min(crop.size[1], h)
    rng = np.random.default_rng([ord(c) for c in product.id])
    wide = across if crop.form not in LYING else across * LYING[crop.form]
    columns, rows = max(1, round(w / wide)), max(1, round(d / across))
    layers = max(1, min(3, round(h / (up * 0.8))))
    makers = {shade: FORMS[crop.form](crop, shade, textures, fine) for shade in crop.shades}
    for layer, s, t in _heap(columns, rows, layers):
        place = ((s - 0.5) * (w - wide * 0.2), (t - 0.5) * (d - across * 0.2), layer * up * 0.72)
        shade = crop.shades[int(rng.integers(len(crop.shades)))]
        jitter = rng.normal(0, 0.06, 3) * across
        turn = rng.uniform(-18, 18) if crop.form in LYING else rng.uniform(0, 360)
        b.add(makers[shade], _turned(math.radians(turn), float(rng.uniform(0.93, 1.05)), place, jitter))


def _heap(columns: int, rows: int, layers: int) -> Iterator[tuple[int, float, float]]:
    """Layer and place (shares of width and depth) of every piece one can see of a heap.

    The heap is a wedge: a full stack at the back, one piece deep at the front. Pieces buried under others on
    all sides are left out.
    """

    def stands(layer: int, t: float) -> bool:
        return layer == 0 or (layer < layers and (layer + 0.4) / layers <= 0.25 + 0.85 * t)

    for layer in range(layers):
        shift = 0.5 * (layer % 2)
        for j in range(max(1, rows - layer % 2)):
            for i in range(max(1, columns - layer % 2)):
                s, t = (i + 0.5 + shift) / columns, (j + 0.5 + shift) / rows
                rim = i == 0 or j == 0 or i >= columns - 1 - layer % 2
                if stands(layer, t) and (rim or not stands(layer + 1, t - 0.5 / rows)):
                    yield layer, s, t


LYING: dict[str, float] = {"banana": 0.55, "carrot": 0.2, "cucumber": 0.22}
"""Long things lie front to back; their breadth as a share of their length."""


def _turned(
    spin: float, size: float, place: tuple[float, float, float], jitter: NDArray[np.float64]
) -> NDArray[np.float64]:
    c, s = math.cos(spin) * size, math.sin(spin) * size
    x, y, z = place
    return np.array(
        [[c, -s, 0, x + jitter[0]], [s, c, 0, y + jitter[1]], [0, 0, size, max(z + jitter[2] * 0.3, 0)]]
    )
