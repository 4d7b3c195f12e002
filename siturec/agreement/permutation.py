"""Two-sided p-values by pairing one side anew: all n! pairings up to n = 8, a seeded sample above.

Rule: the share of pairings with |statistic| >= |observed| - 1e-12. The observed pairing is one of them, so
p is never 0. Statistics: Pearson, Spearman, Kendall tau-b.
"""

from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from siturec.agreement.correlation import Array, midranks

MAX_EXACT = 8
SAMPLED = 20_000
TOLERANCE = 1e-12

Indices = NDArray[np.intp]


@dataclass(frozen=True)
class PValues:
    """Two-sided p of each coefficient, and how they were got."""

    pearson: float
    spearman: float
    kendall: float
    method: Literal["exact", "sampled"]
    pairings: int


@lru_cache(maxsize=16)
def pairings(n: int, seed: int = 42) -> Indices:
    """Row p pairs system i with system ``[p, i]``: all n! rows, or a sample led by the identity."""
    if n <= MAX_EXACT:
        rows = np.array(list(permutations(range(n))), dtype=np.intp)
    else:
        source = np.random.default_rng(seed)
        rows = source.permuted(np.tile(np.arange(n, dtype=np.intp), (SAMPLED, 1)), axis=1)
        rows[0] = np.arange(n)
    rows.setflags(write=False)
    return rows


@lru_cache(maxsize=16)
def _pair_cells(n: int) -> Indices:
    # Flat places, in an n x n table of signs, of every pair i < j after each pairing.
    rows = pairings(n)
    first, second = np.triu_indices(n, k=1)
    cells: Indices = rows[:, first] * n + rows[:, second]
    return cells


def permutation_p(human: Array, simulated: Array) -> PValues:
    """p-values of the three coefficients for two vectors of shape (n,), neither of them constant."""
    n = len(human)
    rows = pairings(n)
    return PValues(
        pearson=_share(_products(human, simulated, rows)),
        spearman=_share(_products(midranks(human), midranks(simulated), rows)),
        kendall=_share(_concordances(human, simulated)),
        method="exact" if n <= MAX_EXACT else "sampled",
        pairings=len(rows),
    )


def _products(x: Array, y: Array, rows: Indices) -> Array:
    # On the scale of r, so that the tolerance means the same for every metric.
    left, right = x - x.mean(), y - y.mean()
    scale = np.sqrt((left**2).sum() * (right**2).sum())
    r: Array = right.take(rows) @ (left / scale)
    return r


def _concordances(x: Array, y: Array) -> Array:
    n = len(x)
    first, second = np.triu_indices(n, k=1)
    left = np.sign(x[first] - x[second])
    right = np.sign(y[:, None] - y[None, :]).ravel()
    net: Array = right.take(_pair_cells(n)) @ left
    return net


def _share(statistics: Array) -> float:
    # Row 0 is the identity: the pairing that was observed.
    return float((np.abs(statistics) >= abs(statistics[0]) - TOLERANCE).mean())
