"""Decisions between pairs of systems: how often both evaluators prefer the same one.

Sources: Deutsch et al. 2023 (ties in accuracy and tau), Thompson et al. 2024 (soft pairwise accuracy).
"""

from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import ArrayLike

from siturec.agreement.correlation import Array, pair_signs

EXACT_ITEMS = 12
SWAPS = 2_000
TOLERANCE = 1e-12


@dataclass(frozen=True)
class PairCounts:
    """Pairs of systems by what the two evaluators say of them."""

    concordant: int
    discordant: int
    tied_human: int
    tied_simulated: int
    tied_both: int

    @property
    def pairs(self) -> int:
        """All pairs."""
        tied = self.tied_human + self.tied_simulated + self.tied_both
        return self.concordant + self.discordant + tied

    @property
    def accuracy(self) -> float | None:
        """Share of pairs decided alike, a tie on both sides counting as alike."""
        return (self.concordant + self.tied_both) / self.pairs if self.pairs else None

    @property
    def tau23(self) -> float | None:
        """(C + T_both - D - T_h - T_s) / pairs."""
        accuracy = self.accuracy
        return None if accuracy is None else 2 * accuracy - 1


def pair_counts(human: ArrayLike, simulated: ArrayLike) -> PairCounts:
    """Count the pairs of two vectors of system means, shape (n,), already rounded."""
    left, right = pair_signs(human), pair_signs(simulated)
    both = (left == 0) & (right == 0)
    return PairCounts(
        concordant=int((left * right > 0).sum()),
        discordant=int((left * right < 0).sum()),
        tied_human=int(((left == 0) & ~both).sum()),
        tied_simulated=int(((right == 0) & ~both).sum()),
        tied_both=int(both.sum()),
    )


def sign_swaps(items: int, *, seed: int = 42) -> Array:
    """Rows of +1 and -1: all 2^items up to 12 items, else a seeded sample led by the unchanged one."""
    if items <= EXACT_ITEMS:
        return np.array(list(product((1.0, -1.0), repeat=items))).reshape(-1, items)
    swaps = np.random.default_rng(seed).choice((1.0, -1.0), size=(SWAPS, items))
    swaps[0] = 1.0
    return swaps


def one_sided_p(scores: Array) -> Array:
    """Paired-permutation p that system i beats system j, for all i < j: shape (n(n-1)/2,).

    ``scores``: shape (items, systems), NaN where an item has no score of that system; a pair uses the items
    scored for both, and has p = NaN without any. Counts swaps whose mean difference >= the observed one.
    """
    first, second = np.triu_indices(scores.shape[1], k=1)
    differences = scores[:, first] - scores[:, second]
    found = ~np.isnan(differences)
    differences = np.where(found, differences, 0.0)
    swapped = sign_swaps(len(scores)) @ differences
    p = (swapped >= swapped[0] - TOLERANCE).mean(0)
    return np.where(found.any(0), p, np.nan)


def soft_pairwise_accuracy(human: Array, simulated: Array) -> float | None:
    """1 - mean |p_human - p_simulated| over pairs of systems; None when no pair has both.

    Each side has shape (its own items, systems), the systems in the same order.
    """
    if not len(human) or not len(simulated):
        return None
    gaps = np.abs(one_sided_p(human) - one_sided_p(simulated))
    gaps = gaps[~np.isnan(gaps)]
    return float(1 - gaps.mean()) if len(gaps) else None
