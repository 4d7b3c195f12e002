"""From mask colours to entity numbers with one lookup per pixel.

Real engines miss a colour by a little through gamma and rounding (public issues of unrealcv: 130, 184,
330), so every colour within 3 per channel of a table colour counts as it; the nearest wins.
"""

import sys
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

TOLERANCE = 3
BLOCK_ROWS = 32
LONG_RUN = 16
"""Pixels of one colour in a row, on average, from which on a colour is looked up once a run."""


@dataclass(frozen=True, eq=False)
class ColourTable:
    """``lookup`` has 2^24 entries: entity number of each RGB colour, -1 for none."""

    lookup: NDArray[np.int16]

    @classmethod
    def build(cls, colours: NDArray[np.uint8], *, tolerance: int = TOLERANCE) -> "ColourTable":
        """``colours`` is (n, 3) uint8 RGB, n < 32768, no two equal. Raises: ValueError naming equal rows."""
        table = np.asarray(colours, np.int32).reshape(-1, 3)
        codes = table[:, 0] << 16 | table[:, 1] << 8 | table[:, 2]
        order = np.argsort(codes, kind="stable")
        twins = np.flatnonzero(codes[order][1:] == codes[order][:-1])
        if len(twins):
            first, second = sorted((int(order[twins[0]]), int(order[twins[0] + 1])))
            raise ValueError(f"entities {first} and {second} share the colour {tuple(table[first].tolist())}")
        lookup = np.full(1 << 24, -1, np.int16)
        numbers = np.arange(len(table), dtype=np.int16)
        # Farthest shifts first, so that the nearest colour has the last word.
        for red, green, blue in _shifts(tolerance):
            near = table + np.array([red, green, blue])
            inside = ((near >= 0) & (near <= 255)).all(axis=1)
            near = near[inside]
            lookup[near[:, 0] << 16 | near[:, 1] << 8 | near[:, 2]] = numbers[inside]
        return cls(lookup)

    def numbers(self, mask: NDArray[np.uint8], *, bgr: bool = False) -> NDArray[np.int16]:
        """Entity numbers (H, W) of a mask (H, W, 3 or 4) uint8 in RGB or BGR order; -1 where none."""
        if bgr and mask.shape[-1] == 4 and mask.flags.c_contiguous and sys.byteorder == "little":
            return self._numbers_bgra(mask.view(np.uint32)[..., 0])
        red, blue = (2, 0) if bgr else (0, 2)
        code = mask[..., red].astype(np.int64)
        code <<= 8
        code |= mask[..., 1]
        code <<= 8
        code |= mask[..., blue]
        return np.take(self.lookup, code)

    def _numbers_bgra(self, pixels: NDArray[np.uint32]) -> NDArray[np.int16]:
        """Four bytes B, G, R, A read as one number are the code already, but for alpha."""
        flat = pixels.reshape(-1)
        change = np.empty(flat.size, np.bool_)
        change[:1] = True
        np.not_equal(flat[1:], flat[:-1], out=change[1:])
        starts = np.flatnonzero(change)
        if len(starts) > flat.size // LONG_RUN:
            return self._numbers_noisy(pixels)
        numbers = self.lookup[flat[starts] & 0xFFFFFF]
        return np.repeat(numbers, np.diff(starts, append=flat.size)).reshape(pixels.shape)

    def _numbers_noisy(self, pixels: NDArray[np.uint32]) -> NDArray[np.int16]:
        """Pixel by pixel, a few rows at a time: what lies between then stays in the processor's cache."""
        numbers = np.empty(pixels.shape, np.int16)
        code = np.empty((BLOCK_ROWS, pixels.shape[1]), np.int64)
        for top in range(0, len(pixels), BLOCK_ROWS):
            rows = pixels[top : top + BLOCK_ROWS]
            np.bitwise_and(rows, 0xFFFFFF, out=code[: len(rows)])
            np.take(self.lookup, code[: len(rows)], out=numbers[top : top + BLOCK_ROWS], mode="clip")
        return numbers


def _shifts(tolerance: int) -> list[tuple[int, int, int]]:
    reach = range(-tolerance, tolerance + 1)
    shifts = [(r, g, b) for r in reach for g in reach for b in reach]
    return sorted(shifts, key=lambda s: (-(s[0] ** 2 + s[1] ** 2 + s[2] ** 2), s))


def foreign_pixels(numbers: NDArray[np.int16], mask: NDArray[np.uint8], background: set[int]) -> int:
    """How many pixels of a mask (RGB) are neither a table colour nor one of the ``background`` codes."""
    loose = mask[numbers < 0].astype(np.int32)
    codes = loose[:, 0] << 16 | loose[:, 1] << 8 | loose[:, 2]
    return int((~np.isin(codes, list(background))).sum())
