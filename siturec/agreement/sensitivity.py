"""Whether one system alone makes a coefficient. Source: Mathur et al. 2020 (outlier systems)."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from siturec.agreement.correlation import Array, pearson, rounded, spearman

OUTLIER_Z = 2.5
DECISIVE_CHANGE = 0.3


@dataclass(frozen=True)
class LeaveOneOut:
    """The coefficients without each system in turn; None where what is left is constant or under 3."""

    without: tuple[str, ...]
    pearson: tuple[float | None, ...]
    spearman: tuple[float | None, ...]

    def range_of(self, coefficient: str) -> tuple[float, float] | None:
        """Lowest and highest value, or None when none is defined."""
        values = [value for value in getattr(self, coefficient) if value is not None]
        return (min(values), max(values)) if values else None


def leave_one_out(systems: Sequence[str], human: ArrayLike, simulated: ArrayLike) -> LeaveOneOut:
    """Both coefficients with each system left out."""
    left, right = rounded(human), rounded(simulated)
    kept = [[at for at in range(len(systems)) if at != out] for out in range(len(systems))]
    if len(systems) < 4:
        nothing = (None,) * len(systems)
        return LeaveOneOut(tuple(systems), nothing, nothing)
    return LeaveOneOut(
        without=tuple(systems),
        pearson=tuple(_defined(pearson(left[rows], right[rows])) for rows in kept),
        spearman=tuple(_defined(spearman(left[rows], right[rows])) for rows in kept),
    )


def mad_z(values: ArrayLike) -> Array | None:
    """(x - median) / (1.483 MAD) of each system; None when the MAD is 0."""
    array = rounded(values)
    deviation = array - np.median(array)
    mad = float(np.median(np.abs(deviation)))
    return None if mad == 0 else np.asarray(deviation / (1.483 * mad))


def outliers(systems: Sequence[str], human: ArrayLike, simulated: ArrayLike) -> tuple[str, ...]:
    """Systems further than 2.5 robust deviations from the median on either side."""
    flagged = np.zeros(len(systems), dtype=bool)
    for side in (human, simulated):
        z = mad_z(side)
        if z is not None:
            flagged |= np.abs(z) > OUTLIER_Z
    return tuple(system for system, out in zip(systems, flagged, strict=True) if out)


def rests_on(found: LeaveOneOut, r: float) -> str | None:
    """The system without which r changes sign or by 0.3 and more, if one does; the most telling one."""
    best: tuple[float, str] | None = None
    for system, without in zip(found.without, found.pearson, strict=True):
        if without is None:
            continue
        change = abs(r - without)
        if (change >= DECISIVE_CHANGE or without * r < 0) and (best is None or change > best[0]):
            best = (change, system)
    return None if best is None else best[1]


def _defined(value: Array) -> float | None:
    return None if np.isnan(value) else float(value)
