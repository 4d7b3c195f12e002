"""Named streams of chance, exact sharing of totals, and segmentation colours."""

import itertools
import random
from collections.abc import Sequence

from siturec.scene.schema import Colour

LOWEST, HIGHEST = 20, 255


def stream(scene: str, seed: int, part: str) -> random.Random:
    """A generator of its own for one part of a scene, so that parts do not disturb one another."""
    return random.Random(f"{scene}/{seed}/{part}")  # noqa: S311 - data, not secrets


def apportion(total: int, weights: Sequence[float]) -> list[int]:
    """Whole shares of ``total`` in proportion to ``weights`` (largest remainder, earlier wins ties)."""
    whole = sum(weights)
    exact = [total * weight / whole for weight in weights]
    shares = [int(value) for value in exact]
    order = sorted(range(len(weights)), key=lambda n: (shares[n] - exact[n], n))
    for n in order[: total - sum(shares)]:
        shares[n] += 1
    return shares


def segmentation_colours(count: int, rng: random.Random) -> list[Colour]:
    """``count`` different colours, every channel at least 20, as far apart as a cubic lattice allows.

    Two colours differ by at least one lattice step in some channel: 39 for a store of the usual size, 18
    for ten times as many.

    Raises: ValueError when even a step of 8 cannot give so many.
    """
    side = 2
    while side**3 < count:
        side += 1
    step = (HIGHEST - LOWEST) // (side - 1)
    if step < 8:
        raise ValueError(f"{count} colours cannot be kept 8 apart")
    values = [LOWEST + step * n for n in range(side)]
    lattice = list(itertools.product(values, values, values))
    rng.shuffle(lattice)
    return lattice[:count]


def shade(hue: float, saturation: float, value: float) -> str:
    """A colour given as hue (turns), saturation and value in 0..1, as #rrggbb."""
    sector = (hue % 1.0) * 6
    whole = int(sector)
    part = sector - whole
    low = value * (1 - saturation)
    down = value * (1 - saturation * part)
    up = value * (1 - saturation * (1 - part))
    red, green, blue = [
        (value, up, low),
        (down, value, low),
        (low, value, up),
        (low, down, value),
        (up, low, value),
        (value, low, down),
    ][whole]
    return f"#{round(red * 255):02x}{round(green * 255):02x}{round(blue * 255):02x}"
