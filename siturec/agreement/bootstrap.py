"""Intervals by resampling participants as clusters, the systems fixed.

Resampling systems would be degenerate: of the resamples of five systems one in ten holds at most two.
"""

from dataclasses import dataclass
from itertools import product
from math import ceil

import numpy as np
from numpy.typing import NDArray

from siturec.agreement.correlation import Array, kendall, pearson, rounded, spearman

EXACT_CLUSTERS = 5
RESAMPLES = 2_000
LEVEL = 0.95


@dataclass(frozen=True)
class Clusters:
    """One metric's sums by cluster and system: value = scale x sum(num) / sum(den) over any clusters.

    Shapes (clusters, systems).
    """

    num: Array
    den: Array
    scale: float = 1.0

    def filled(self, systems: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Which clusters have a value for any of the chosen systems, shape (clusters,)."""
        return np.asarray((self.den[:, systems] > 0).any(1), dtype=np.bool_)

    def only(self, clusters: NDArray[np.bool_], systems: NDArray[np.bool_]) -> "Clusters":
        """The chosen clusters and systems."""
        return Clusters(self.num[clusters][:, systems], self.den[clusters][:, systems], self.scale)

    def means(self, weights: Array) -> Array:
        """Weights (resamples, clusters) to system means (resamples, systems), NaN without data."""
        with np.errstate(invalid="ignore", divide="ignore"):
            values: Array = rounded(self.scale * (weights @ self.num) / (weights @ self.den))
        return values


@dataclass(frozen=True)
class Interval:
    """A percentile interval, over how many resamples, and the share of them that had no value."""

    low: float
    high: float
    resamples: int
    undefined_share: float

    @property
    def width(self) -> float:
        """high - low."""
        return self.high - self.low


def cluster_weights(clusters: int, *, seed: int = 42) -> Array:
    """How often each cluster is drawn, per resample: all k^k draws up to k = 5, else 2,000 seeded ones."""
    if clusters <= EXACT_CLUSTERS:
        draws = np.array(list(product(range(clusters), repeat=clusters)), dtype=np.intp)
    else:
        draws = np.random.default_rng(seed).integers(clusters, size=(RESAMPLES, clusters))
    weights = np.zeros((len(draws), clusters))
    np.add.at(weights, (np.arange(len(draws))[:, None], draws), 1.0)
    return weights


def coefficient_draws(human: Array, simulated: Array) -> dict[str, Array]:
    """The three coefficients per resample; each side has shape (resamples, systems) or (systems,)."""
    return {
        "pearson": pearson(human, simulated),
        "spearman": spearman(human, simulated),
        "kendall": kendall(human, simulated),
    }


def interval(draws: Array, *, level: float = LEVEL) -> Interval | None:
    """Percentile interval of the draws that are defined; None when fewer than half of them are."""
    known = draws[~np.isnan(draws)]
    if not len(draws) or 2 * len(known) < len(draws):
        return None
    tail = 50 * (1 - level)
    low, high = np.percentile(known, [tail, 100 - tail])
    return Interval(float(low), float(high), len(draws), 1 - len(known) / len(draws))


def more_clusters(clusters: int, width: float, wanted: float) -> int:
    """How many more participants would narrow an interval to ``wanted``, its width going by 1/sqrt(n).

    Raises: ValueError unless both widths are positive.
    """
    if width <= 0 or wanted <= 0:
        raise ValueError("widths must be positive")
    return max(0, ceil(clusters * (width / wanted) ** 2 - 1e-9) - clusters)
