"""Agreement of two vectors of system means: association, level, and the reasons for having neither.

Conventions (metrics.md, *Agreement*): means are rounded to 9 decimals before any test for ties or
constancy; Spearman is Pearson of midranks, never the d-squared shortcut; coefficients are clipped to
[-1, 1]; an undefined value has a reason, never 0 and never NaN.
"""

from collections.abc import Sequence
from math import atanh, sqrt, tanh
from statistics import NormalDist
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]
Undefined = Literal["too_few_systems", "constant_human", "constant_simulated", "missing_side", "all_tied"]

DECIMALS = 9
MIN_SYSTEMS = 3
MIN_SYSTEMS_FOR_P = 5


def rounded(values: ArrayLike) -> Array:
    """Values to 9 decimals, so that sums in another order are the same number."""
    array: Array = np.asarray(values, dtype=np.float64)
    return array.round(DECIMALS)


def undefined_reason(human: Sequence[float | None], simulated: Sequence[float | None]) -> Undefined | None:
    """Why no coefficient exists for these paired means (None: missing), or None when one does."""
    if all(value is None for value in human) or all(value is None for value in simulated):
        return "missing_side"
    pairs = [(h, s) for h, s in zip(human, simulated, strict=True) if h is not None and s is not None]
    if len(pairs) < MIN_SYSTEMS:
        return "too_few_systems"
    left, right = rounded([h for h, _ in pairs]), rounded([s for _, s in pairs])
    flat_left, flat_right = bool(np.ptp(left) == 0), bool(np.ptp(right) == 0)
    if flat_left and flat_right:
        return "all_tied"
    if flat_left:
        return "constant_human"
    return "constant_simulated" if flat_right else None


def midranks(values: ArrayLike) -> Array:
    """Ranks from 1 along the last axis, ties sharing their mean rank; NaN has none. Shape as given."""
    array = np.asarray(values, dtype=np.float64)
    below = (array[..., None, :] < array[..., :, None]).sum(-1)
    equal = (array[..., None, :] == array[..., :, None]).sum(-1)
    # NaN compares as unequal to all, which would rank a system without a value below every other.
    ranks: Array = np.where(np.isnan(array), np.nan, below + (equal + 1) / 2)
    return ranks


def pearson(x: ArrayLike, y: ArrayLike) -> Array:
    """Pearson's r along the last axis; NaN where a side is constant. Shapes broadcast."""
    left, right = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    left = left - left.mean(-1, keepdims=True)
    right = right - right.mean(-1, keepdims=True)
    scale = np.sqrt((left**2).sum(-1) * (right**2).sum(-1))
    with np.errstate(invalid="ignore", divide="ignore"):
        r = (left * right).sum(-1) / scale
    clipped: Array = np.clip(np.where(scale > 0, r, np.nan), -1.0, 1.0)
    return clipped


def spearman(x: ArrayLike, y: ArrayLike) -> Array:
    """Spearman's rho: Pearson of midranks along the last axis; NaN where a side is constant."""
    return pearson(midranks(x), midranks(y))


def pair_signs(values: ArrayLike) -> Array:
    """Signs of value_i - value_j for all i < j along the last axis: shape (..., n(n-1)/2)."""
    array = np.asarray(values, dtype=np.float64)
    first, second = np.triu_indices(array.shape[-1], k=1)
    signs: Array = np.sign(array[..., first] - array[..., second])
    return signs


def kendall(x: ArrayLike, y: ArrayLike) -> Array:
    """Kendall's tau-b along the last axis: (C - D) / sqrt of both sides' untied pairs; NaN if constant."""
    left, right = pair_signs(x), pair_signs(y)
    scale = np.sqrt((left != 0).sum(-1) * (right != 0).sum(-1))
    with np.errstate(invalid="ignore", divide="ignore"):
        tau = (left * right).sum(-1) / scale
    clipped: Array = np.clip(np.where(scale > 0, tau, np.nan), -1.0, 1.0)
    return clipped


def fisher_interval(r: float, n: int, *, level: float = 0.95) -> tuple[float, float] | None:
    """Fisher's interval of r over n systems; None for n <= 3 or |r| = 1, where it does not exist."""
    if n <= 3 or abs(r) >= 1:
        return None
    reach = NormalDist().inv_cdf((1 + level) / 2) / sqrt(n - 3)
    return tanh(atanh(r) - reach), tanh(atanh(r) + reach)


def bias(human: ArrayLike, simulated: ArrayLike) -> float:
    """Mean of simulated - human, in the metric's unit."""
    return float((np.asarray(simulated) - np.asarray(human)).mean())


def mae(human: ArrayLike, simulated: ArrayLike) -> float:
    """Mean absolute difference, in the metric's unit."""
    return float(np.abs(np.asarray(simulated) - np.asarray(human)).mean())


def rmse(human: ArrayLike, simulated: ArrayLike) -> float:
    """Root of the mean squared difference, in the metric's unit."""
    return float(np.sqrt(((np.asarray(simulated) - np.asarray(human)) ** 2).mean()))


def ccc(human: ArrayLike, simulated: ArrayLike) -> float | None:
    """Lin's concordance, population moments: r lowered by any offset or stretch; None if nothing varies."""
    x, y = np.asarray(human, dtype=np.float64), np.asarray(simulated, dtype=np.float64)
    spread = x.var() + y.var() + (x.mean() - y.mean()) ** 2
    if spread == 0:
        return None
    return float(2 * ((x - x.mean()) * (y - y.mean())).mean() / spread)
