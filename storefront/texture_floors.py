"""Floors, two metres to the picture, tileable."""

import numpy as np
from numpy.typing import NDArray

from storefront.texture import Image, TextureStore
from storefront.texture_surfaces import as_image, grain, smooth

SIZE = 512


def floor(textures: TextureStore, kind: str) -> int:
    """A floor of ``tiles``, ``wood``, ``concrete`` or ``terrazzo``."""
    return textures.polish(textures.number(f"floor {kind}", FLOORS[kind]), GLOSS[kind])


def _tiles() -> Image:
    """Vinyl tiles of half a metre with fine joints, each a touch lighter or darker."""
    side = SIZE // 4
    rng = np.random.default_rng(7)
    tone = np.kron(rng.uniform(-4, 4, (4, 4)), np.ones((side, side)))
    a = 216.0 + tone + (smooth(SIZE, 40, 2) - 0.5) * 16 + rng.normal(0, 1.6, (SIZE, SIZE))
    edge = np.arange(SIZE) % side
    joint = np.minimum(edge, side - 1 - edge)
    near = np.minimum(joint[:, None], joint[None, :])
    a = np.where(near == 0, a - 34, np.where(near == 1, a - 10, a))
    return as_image(a[..., None] * np.array([1.0, 0.985, 0.955]))


def _wood() -> Image:
    """Oak boards 1/8 picture wide, running along the picture's width, their ends staggered."""
    rows = 8
    rng = np.random.default_rng(9)
    high = SIZE // rows
    out = np.zeros((SIZE, SIZE, 3))
    fibre = grain(SIZE, 31)
    for row in range(rows):
        shift, tone = int(rng.integers(SIZE)), rng.uniform(0.9, 1.06)
        strip = np.roll(fibre, shift, axis=1)[row * high : (row + 1) * high]
        base = np.array([188, 146, 100]) * tone
        out[row * high : (row + 1) * high] = base * (0.84 + 0.26 * strip[..., None])
        out[row * high] *= 0.7
        for _ in range(2):
            out[row * high : (row + 1) * high, int(rng.integers(SIZE))] *= 0.68
    return as_image(out)


def _concrete() -> Image:
    a = 178 + (smooth(SIZE, 5, 1) - 0.5) * 26 + (smooth(SIZE, 50, 2) - 0.5) * 16
    a = a + np.random.default_rng(3).normal(0, 2.0, (SIZE, SIZE))
    a[:2] -= 24
    a[:, :2] -= 24
    return as_image(a[..., None] * np.array([1.0, 0.99, 0.97]))


def _terrazzo() -> Image:
    """Chips of five stones in a pale ground."""
    ground = np.full((SIZE, SIZE, 3), [222.0, 218.0, 210.0])
    ground += (smooth(SIZE, 30, 8)[..., None] - 0.5) * 8
    chips: list[tuple[int, NDArray[np.float64]]] = [
        (41, np.array([146.0, 138, 130])),
        (42, np.array([196.0, 160, 138])),
        (43, np.array([110.0, 116, 118])),
        (44, np.array([206.0, 190, 160])),
        (45, np.array([150.0, 160, 150])),
    ]
    for seed, colour in chips:
        ground = np.where((smooth(SIZE, 64, seed) > 0.73)[..., None], colour, ground)
    return as_image(ground)


FLOORS = {"tiles": _tiles, "wood": _wood, "concrete": _concrete, "terrazzo": _terrazzo}
GLOSS = {"tiles": 26, "wood": 20, "concrete": 10, "terrazzo": 30}
