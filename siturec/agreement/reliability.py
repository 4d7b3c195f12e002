"""How far raters agree among themselves, and the ceiling that puts on any agreement with them.

Sources: Krippendorff 2011; Shrout & Fleiss 1979; McGraw & Wong 1996; Cronbach 1951. Missing ratings are NaN
and are left out, never counted as 0. Undefined values are None.
"""

from math import sqrt
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from siturec.agreement.correlation import Array

Scale = Literal["nominal", "ordinal", "interval"]


def krippendorff_alpha(ratings: ArrayLike, *, scale: Scale = "ordinal") -> float | None:
    """Krippendorff's alpha = 1 - D_observed / D_expected.

    Args:
        ratings: shape (raters, units), NaN where a rater did not rate the unit.
    Returns: None when no unit has two ratings or all ratings are one value (undefined, not 1).
    """
    table = np.asarray(ratings, dtype=np.float64)
    values = np.unique(table[~np.isnan(table)])
    if len(values) < 2:
        return None
    counts = (table[:, :, None] == values).sum(0).astype(np.float64)
    per_unit = counts.sum(1)
    counts, per_unit = counts[per_unit >= 2], per_unit[per_unit >= 2]
    if not len(counts):
        return None
    pairs = counts[:, :, None] * counts[:, None, :]
    pairs -= np.eye(len(values)) * counts[:, :, None]
    coincidences = (pairs / (per_unit - 1)[:, None, None]).sum(0)
    margins = coincidences.sum(0)
    total = margins.sum()
    distance = _distances(values, margins, scale)
    expected = (np.outer(margins, margins) * distance).sum() / (total - 1)
    return None if expected == 0 else float(1 - (coincidences * distance).sum() / expected)


def _distances(values: Array, margins: Array, scale: Scale) -> Array:
    if scale == "nominal":
        return 1.0 - np.eye(len(values))
    if scale == "interval":
        return np.asarray((values[:, None] - values[None, :]) ** 2)
    # Ordinal: how many ratings lie between two values, half of the ends' own included.
    upto = np.cumsum(margins) - margins / 2
    return np.asarray((upto[:, None] - upto[None, :]) ** 2)


class IntraClass(NamedTuple):
    """Shrout and Fleiss' six; ``a1`` and ``c1`` are McGraw and Wong's names of (2,1) and (3,1)."""

    one_1: float | None
    two_1: float | None
    three_1: float | None
    one_k: float | None
    two_k: float | None
    three_k: float | None

    @property
    def a1(self) -> float | None:
        """ICC(A,1): absolute agreement of a single rater."""
        return self.two_1

    @property
    def c1(self) -> float | None:
        """ICC(C,1): consistency of a single rater."""
        return self.three_1


def intraclass(ratings: ArrayLike) -> IntraClass | None:
    """The ICC family of a complete table, shape (targets, raters); rows with a NaN are left out.

    Returns: None with fewer than two complete rows or two raters.
    """
    table = np.asarray(ratings, dtype=np.float64)
    table = table[~np.isnan(table).any(1)]
    n, k = table.shape
    if n < 2 or k < 2:
        return None
    grand = table.mean()
    rows = k * ((table.mean(1) - grand) ** 2).sum()
    columns = n * ((table.mean(0) - grand) ** 2).sum()
    within = ((table - table.mean(1, keepdims=True)) ** 2).sum()
    bms, jms, wms = rows / (n - 1), columns / (k - 1), within / (n * (k - 1))
    ems = (within - columns) / ((n - 1) * (k - 1))
    return IntraClass(
        one_1=_ratio(bms - wms, bms + (k - 1) * wms),
        two_1=_ratio(bms - ems, bms + (k - 1) * ems + k * (jms - ems) / n),
        three_1=_ratio(bms - ems, bms + (k - 1) * ems),
        one_k=_ratio(bms - wms, bms),
        two_k=_ratio(bms - ems, bms + (jms - ems) / n),
        three_k=_ratio(bms - ems, bms),
    )


def cronbach_alpha(answers: ArrayLike) -> float | None:
    """Cronbach's alpha of a questionnaire: shape (respondents, items); rows with a NaN are left out.

    Returns: None with fewer than two complete rows or two items, or when the totals do not vary.
    """
    table = np.asarray(answers, dtype=np.float64)
    table = table[~np.isnan(table).any(1)]
    n, k = table.shape
    if n < 2 or k < 2:
        return None
    total = table.sum(1).var(ddof=1)
    return None if total == 0 else float(k / (k - 1) * (1 - table.var(axis=0, ddof=1).sum() / total))


def ceiling(human: float | None, simulated: float | None) -> float | None:
    """The highest correlation two such reliable vectors can show: sqrt(rel_h rel_s); None unless both > 0."""
    if human is None or simulated is None or human <= 0 or simulated <= 0:
        return None
    return sqrt(human * simulated)


def _ratio(top: float, bottom: float) -> float | None:
    return None if bottom == 0 else float(top / bottom)
