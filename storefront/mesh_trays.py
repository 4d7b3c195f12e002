"""Trays under film and egg cartons. Frames as in ``mesh``."""

import numpy as np

from siturec.scene.schema import Product
from storefront import texture_labels as labels
from storefront.geometry_parts import RGB
from storefront.mesh import MeshBuilder
from storefront.mesh_solids import ball, box, sheet_normals
from storefront.texture import TextureStore
from storefront.texture_surfaces import contents

FILLINGS: dict[str, str] = {
    "meat": "meat",
    "fish": "fish",
    "cheese": "cheese",
    "egg": "egg",
    "butter": "cheese",
}
"""What lies on a tray, by a word of the product's category or name."""


def make_tray(b: MeshBuilder, product: Product, textures: TextureStore, fine: bool) -> None:
    """A tray with its filling under film and a label on it; eggs come in a carton with bumps."""
    w, d, h = product.look.size_m
    words = f"{product.category} {product.name}".casefold()
    filling = next((kind for word, kind in FILLINGS.items() if word in words), _guess(words))
    if filling == "egg":
        _egg_carton(b, product, textures, fine)
        return
    foam: RGB = (30, 32, 36) if filling in ("meat", "fish") else (236, 236, 232)
    shell = textures.flat(foam)
    floor = np.array(
        [(-0.44 * w, -0.44 * d), (0.44 * w, -0.44 * d), (0.44 * w, 0.44 * d), (-0.44 * w, 0.44 * d)]
    )
    rim = floor / 0.88
    for k in range(4):
        a, c = floor[k], floor[(k + 1) % 4]
        e, f = rim[k], rim[(k + 1) % 4]
        shape = np.array([[[*a, 0], [*c, 0]], [[*e, h * 0.8], [*f, h * 0.8]]])
        out = np.cross(shape[0, 1] - shape[0, 0], shape[1, 0] - shape[0, 0])
        b.grid(shape, np.tile(out / np.linalg.norm(out), (2, 2, 1)), np.zeros((2, 2, 2)), shell)
    n = 5 if fine else 2
    s, t = np.meshgrid(np.linspace(0, 1, n + 1), np.linspace(0, 1, n + 1))
    dome = (np.sin(np.pi * s) * np.sin(np.pi * t)) ** 0.5
    sheet = np.stack([(s - 0.5) * w * 0.98, (t - 0.5) * d * 0.98, h * (0.72 + 0.2 * dome)], -1)
    b.grid(sheet, sheet_normals(sheet), np.stack([s, 1 - t], -1), contents(textures, filling))
    face = labels.front(textures, product, 1.5)
    b.quad((-w * 0.3, -d * 0.34, h * 0.965), (w * 0.6, 0, 0), (0, d * 0.42, 0.004), face)
    b.quad(
        (-w * 0.46, -d * 0.495, h * 0.1),
        (w * 0.92, 0, 0),
        (0, -d * 0.02, h * 0.62),
        face,
        (0.02, 0.02, 0.98, 0.62),
    )


def _guess(words: str) -> str:
    for kind, names in {
        "meat": ("beef", "chicken", "pork", "ham", "sausage", "lamb", "turkey", "bacon", "mince"),
        "fish": ("salmon", "cod", "prawn", "trout", "haddock", "bass"),
        "salad": ("salad", "herb", "spinach", "leaf"),
    }.items():
        if any(name in words for name in names):
            return kind
    return "cheese"


def _egg_carton(b: MeshBuilder, product: Product, textures: TextureStore, fine: bool) -> None:
    w, d, h = product.look.size_m
    pulp = contents(textures, "pulp")
    box(b, (-w / 2, -d / 2, 0), (w, d, h * 0.62), pulp)
    columns = max(3, round(w / 0.045))
    if fine:
        for i in range(columns):
            for j in (-1, 1):
                centre = ((i + 0.5) / columns * w - w / 2, j * d / 4, h * 0.62)
                ball(b, centre, (w / columns * 0.46, d * 0.22, h * 0.36), pulp, segments=6, rings=4)
    face = labels.front(textures, product, 2.4)
    b.quad((-w * 0.36, -d / 2 - 0.001, h * 0.08), (w * 0.72, 0, 0), (0, 0, h * 0.5), face)
    b.quad((-w * 0.3, -d * 0.3, h * 0.99), (w * 0.6, 0, 0), (0, d * 0.6, 0), face)
