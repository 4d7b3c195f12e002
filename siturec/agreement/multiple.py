"""Several tests at once, and two simulators against one human vector."""

from collections.abc import Sequence
from math import sqrt
from typing import NamedTuple

import numpy as np
from scipy.special import stdtr

from siturec.agreement.correlation import Array, pearson


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """Holm's adjusted p-values in the given order; None stays None and does not count as a test."""
    order = sorted((p, at) for at, p in enumerate(p_values) if p is not None)
    adjusted: list[float | None] = [None] * len(p_values)
    highest = 0.0
    for rank, (p, at) in enumerate(order):
        highest = max(highest, min(1.0, p * (len(order) - rank)))
        adjusted[at] = highest
    return adjusted


PORTION = 200
"""How many exchanges are drawn at once."""


class Williams(NamedTuple):
    """Williams' t for two correlations that share a variable, with its one-sided p."""

    t: float
    p: float


def williams(r1: float, r2: float, r12: float, n: int) -> Williams:
    """Is r1 = r(human, first) larger than r2 = r(human, second), given r12 between the two, over n systems?

    A side note only: it assumes normal data. Raises: ValueError for n <= 3.
    """
    if n <= 3:
        raise ValueError("Williams' test needs at least 4 systems")
    k = 1 - r1**2 - r2**2 - r12**2 + 2 * r1 * r2 * r12
    below = 2 * k * (n - 1) / (n - 3) + (r1 + r2) ** 2 / 4 * (1 - r12) ** 3
    t = (r1 - r2) * sqrt((n - 1) * (1 + r12) / below)
    return Williams(t, float(stdtr(n - 3, -t)))


class SimulatorComparison(NamedTuple):
    """r of both simulators with the human means, their difference, and its one-sided p by PERM-BOTH."""

    first: float
    second: float
    difference: float
    p: float


def permute_both(
    human: Array, first: Array, second: Array, *, resamples: int = 2_000, seed: int = 42
) -> SimulatorComparison | None:
    """Does the first simulator agree better with the human means than the second? (Deutsch et al. 2021)

    Args:
        human: shape (systems,). first, second: shape (items, systems), the same items, no NaN.
    Returns: None when a coefficient is undefined. Scores are standardised per simulator, then exchanged
    cell by cell at random; p is the share of exchanges whose difference is at least the observed one.
    """
    r1, r2 = float(pearson(human, first.mean(0))), float(pearson(human, second.mean(0)))
    if np.isnan(r1) or np.isnan(r2):
        return None
    left, right = _standard(first), _standard(second)
    gap = left - right
    source = np.random.default_rng(seed)
    # The observed assignment is one of the exchanges.
    hits, drawn = 1, 1
    while drawn < resamples:
        count = min(PORTION, resamples - drawn)
        moved = np.where(source.random((count, *gap.shape)) < 0.5, gap, 0.0).mean(1)
        one, other = pearson(human, left.mean(0) - moved), pearson(human, right.mean(0) + moved)
        hits += int((one - other >= r1 - r2 - 1e-12).sum())
        drawn += count
    return SimulatorComparison(r1, r2, r1 - r2, hits / resamples)


def _standard(scores: Array) -> Array:
    spread = scores.std()
    return np.asarray((scores - scores.mean()) / (spread if spread else 1.0))
