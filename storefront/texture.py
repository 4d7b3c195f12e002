"""The store's textures: drawn once each, kept as mip chains in one flat array."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from storefront.raster_tables import Texels

Image = NDArray[np.uint8]
"""(H, W, 3) RGB, both sides powers of two, row 0 at the top."""

MAX_LEVELS = 12


class TextureStore:
    """Hands out texture numbers; the same key always names the same picture, drawn on first use."""

    def __init__(self, small_prints: bool = False) -> None:
        """``small_prints``: keep what is printed on packages at half its size (a quarter of the memory)."""
        self._small_prints = small_prints
        self._numbers: dict[str, int] = {}
        self._images: list[Image] = []
        self._gloss: dict[int, int] = {}

    def number(self, key: str, draw: Callable[[], Image]) -> int:
        """The number of texture ``key``, calling ``draw`` if it is new.

        Raises: ValueError when a side of the picture is no power of two.
        """
        if key not in self._numbers:
            image = np.ascontiguousarray(draw(), np.uint8)
            height, width = image.shape[:2]
            if width & (width - 1) or height & (height - 1):
                raise ValueError(f"texture {key}: {width}x{height} is not made of powers of two")
            self._numbers[key] = len(self._images)
            self._images.append(image)
        return self._numbers[key]

    def printed(self, key: str, draw: Callable[[], Image]) -> int:
        """As :meth:`number`, for what is printed on packages."""
        return self.number(key, (lambda: halved(draw())) if self._small_prints else draw)

    def polish(self, number: int, percent: int) -> int:
        """Make a floor's texture mirror the lights above it by so many percent; returns its number."""
        self._gloss[number] = percent
        return number

    def flat(self, rgb: tuple[int, int, int]) -> int:
        """A texture of one colour."""
        return self.number(f"flat {rgb}", lambda: np.full((1, 1, 3), rgb, np.uint8))

    def means(self) -> NDArray[np.float32]:
        """(n, 3) mean colour of every texture, 0..1: what light bouncing off it takes on."""
        means = [image.reshape(-1, 3).mean(axis=0) / 255.0 for image in self._images]
        return np.asarray(means, np.float32).reshape(-1, 3)

    def texels(self) -> Texels:
        """All mip chains, ready for the rasteriser."""
        chains: list[NDArray[np.uint32]] = []
        levels = np.full((len(self._images), MAX_LEVELS), -1, np.int64)
        bits = np.zeros((len(self._images), 4), np.int32)
        offset = 0
        for n, image in enumerate(self._images):
            chain = mip_chain(image)
            wide, high = image.shape[1].bit_length() - 1, image.shape[0].bit_length() - 1
            bits[n] = (wide, high, len(chain), self._gloss.get(n, 0))
            for level, texels in enumerate(chain):
                levels[n, level] = offset
                offset += texels.size
                chains.append(texels.ravel())
        return Texels(np.concatenate(chains), levels, bits)


def halved(image: Image) -> Image:
    """The picture at half its width and height (both even)."""
    high, wide = image.shape[0] // 2, image.shape[1] // 2
    return np.asarray(image.reshape(high, 2, wide, 2, 3).mean(axis=(1, 3)) + 0.5, np.uint8)


def mip_chain(image: Image) -> list[NDArray[np.uint32]]:
    """The picture halved again and again down to one texel, averaged in linear light, packed as 0xBBGGRR."""
    linear = (image.astype(np.float32) / 255.0) ** 2
    chain = []
    while True:
        byte = np.clip(np.sqrt(linear) * 255.0 + 0.5, 0, 255).astype(np.uint32)
        chain.append(byte[..., 0] | byte[..., 1] << np.uint32(8) | byte[..., 2] << np.uint32(16))
        if linear.shape[0] == 1 and linear.shape[1] == 1:
            return chain
        if linear.shape[0] > 1:
            linear = (linear[0::2] + linear[1::2]) / 2
        if linear.shape[1] > 1:
            linear = (linear[:, 0::2] + linear[:, 1::2]) / 2
