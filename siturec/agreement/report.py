"""One evaluator's scores compared with another's over the same systems, metric by metric.

The one object behind people against simulated users, questionnaire against judge, and any later pair.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from siturec.agreement.bootstrap import (
    Interval,
    cluster_weights,
    coefficient_draws,
    interval,
    more_clusters,
)
from siturec.agreement.correlation import (
    MIN_SYSTEMS_FOR_P,
    Array,
    Undefined,
    bias,
    ccc,
    fisher_interval,
    kendall,
    mae,
    pearson,
    rmse,
    rounded,
    spearman,
    undefined_reason,
)
from siturec.agreement.multiple import holm
from siturec.agreement.pairwise import PairCounts, pair_counts, soft_pairwise_accuracy
from siturec.agreement.permutation import PValues, permutation_p
from siturec.agreement.reliability import ceiling, intraclass
from siturec.agreement.sensitivity import LeaveOneOut, leave_one_out, outliers, rests_on
from siturec.agreement.sides import Column, Side

WANTED_WIDTH = 0.5
NOBODY_TO_RESAMPLE = "fewer than 2 participants to resample"


@dataclass(frozen=True)
class Coefficients:
    """Association between two vectors of system means, and what it rests on."""

    pearson: float
    spearman: float
    kendall: float
    p: PValues | None
    fisher: tuple[float, float] | None
    left_out: LeaveOneOut
    outliers: tuple[str, ...]
    rests_on: str | None


@dataclass(frozen=True)
class Level:
    """How far the two sides are apart, in the metric's unit; ``ccc`` and ``icc_a1`` without a unit."""

    bias: float
    mae: float
    rmse: float
    ccc: float | None
    icc_a1: float | None


@dataclass(frozen=True)
class MetricAgreement:
    """Everything about one metric. ``coefficients`` is None exactly when ``undefined`` has a reason.

    ``episodes`` counts, per side, the episodes that have a value and whose system both sides know;
    ``participants`` the people behind those of the left side.
    """

    metric: str
    systems: tuple[str, ...]
    participants: int
    episodes: tuple[int, int]
    dropped: Mapping[str, str]
    left: Mapping[str, float | None]
    right: Mapping[str, float | None]
    left_balanced: Mapping[str, float | None]
    right_mean_of: str
    undefined: Undefined | None
    coefficients: Coefficients | None
    level: Level | None
    pairs: PairCounts | None
    soft_pairwise_accuracy: float | None
    intervals: Mapping[str, Interval]
    no_interval: str | None
    reliability: tuple[float | None, float | None]
    ceiling: float | None
    more_participants: int | None
    holm: Mapping[str, float | None]

    @property
    def n(self) -> int:
        """How many systems the coefficients rest on."""
        return len(self.systems)


@dataclass(frozen=True)
class AgreementReport:
    """Two evaluators over the same systems; ``metrics`` in their tables' order."""

    left: Side
    right: Side
    metrics: Mapping[str, MetricAgreement]
    absent: Mapping[str, str]
    wanted_width: float = WANTED_WIDTH


def compare(
    left: Side,
    right: Side,
    *,
    absent: Mapping[str, str] | None = None,
    families: Sequence[Sequence[str]] = (),
    resample_both: bool = False,
    wanted_width: float = WANTED_WIDTH,
) -> AgreementReport:
    """Compare two sides that list the same systems in the same order.

    Args:
        absent: systems that only one side knows, with the side that lacks them.
        families: sets of metrics whose p-values are adjusted together by Holm's rule.
        resample_both: both sides come from the same participants, so a resample draws them together.
        wanted_width: the width of r's interval for which the missing participants are reckoned.
    Raises: ValueError when the sides list different systems or metrics.
    """
    if left.systems != right.systems or set(left.columns) != set(right.columns):
        raise ValueError("both sides must list the same systems and metrics")
    metrics = {
        metric: _metric(metric, left, right, resample_both=resample_both, wanted_width=wanted_width)
        for metric in left.columns
    }
    for family in families:
        _adjust(metrics, [metric for metric in family if metric in metrics])
    return AgreementReport(left, right, metrics, dict(absent or {}), wanted_width)


def _metric(
    metric: str, left: Side, right: Side, *, resample_both: bool, wanted_width: float
) -> MetricAgreement:
    one, other = left.columns[metric], right.columns[metric]
    here, there = _optional(one.means), _optional(other.means)
    undefined = undefined_reason(here, there)
    kept = ~np.isnan(one.means) & ~np.isnan(other.means)
    systems = tuple(system for system, keep in zip(left.systems, kept, strict=True) if keep)
    x, y = rounded(one.means[kept]), rounded(other.means[kept])
    coefficients = None if undefined else _coefficients(systems, x, y)
    intervals: dict[str, Interval] = {}
    no_interval: str | None = undefined
    if coefficients is not None:
        intervals, no_interval = _intervals(one, other, kept, resample_both=resample_both)
    width = intervals["pearson"].width if "pearson" in intervals else 0.0
    people = 0 if one.clusters is None else int(one.clusters.filled(kept).sum())
    return MetricAgreement(
        metric=metric,
        systems=systems,
        participants=people,
        episodes=(int(one.eligible[kept].sum()), int(other.eligible[kept].sum())),
        dropped=_dropped(left, right, one, other),
        left=dict(zip(left.systems, here, strict=True)),
        right=dict(zip(left.systems, there, strict=True)),
        left_balanced=dict(zip(left.systems, _optional(one.balanced), strict=True)),
        right_mean_of=other.mean_of,
        undefined=undefined,
        coefficients=coefficients,
        level=_level(x, y) if len(systems) else None,
        pairs=pair_counts(x, y) if len(systems) > 1 else None,
        soft_pairwise_accuracy=soft_pairwise_accuracy(one.items[:, kept], other.items[:, kept]),
        intervals=intervals,
        no_interval=no_interval,
        reliability=(one.reliability, other.reliability),
        ceiling=ceiling(one.reliability, other.reliability),
        more_participants=more_clusters(people, width, wanted_width) if width > 0 else None,
        holm={},
    )


def _coefficients(systems: tuple[str, ...], x: Array, y: Array) -> Coefficients:
    r = float(pearson(x, y))
    left_out = leave_one_out(systems, x, y)
    return Coefficients(
        pearson=r,
        spearman=float(spearman(x, y)),
        kendall=float(kendall(x, y)),
        p=permutation_p(x, y) if len(systems) >= MIN_SYSTEMS_FOR_P else None,
        fisher=fisher_interval(r, len(systems)),
        left_out=left_out,
        outliers=outliers(systems, x, y),
        rests_on=rests_on(left_out, r),
    )


def _level(x: Array, y: Array) -> Level:
    icc = intraclass(np.column_stack([x, y])) if len(x) > 1 else None
    return Level(bias(x, y), mae(x, y), rmse(x, y), ccc(x, y), None if icc is None else icc.a1)


def _intervals(
    one: Column, other: Column, kept: NDArray[np.bool_], *, resample_both: bool
) -> tuple[dict[str, Interval], str | None]:
    if int(kept.sum()) < MIN_SYSTEMS_FOR_P:
        return {}, "fewer than 5 systems"
    if one.clusters is None:
        return {}, NOBODY_TO_RESAMPLE
    # A participant without any value was not sampled: drawing them would only thin the resamples out.
    people = one.clusters.filled(kept)
    together = other.clusters if resample_both else None
    if together is not None:
        people = people | together.filled(kept)
    if people.sum() < 2:
        return {}, NOBODY_TO_RESAMPLE
    weights = cluster_weights(int(people.sum()))
    x = one.clusters.only(people, kept).means(weights)
    y = other.means[kept] if together is None else together.only(people, kept).means(weights)
    found = {name: interval(draws) for name, draws in coefficient_draws(x, y).items()}
    defined = {name: value for name, value in found.items() if value is not None}
    return defined, None if defined else "too few resamples have a value"


def _dropped(left: Side, right: Side, one: Column, other: Column) -> dict[str, str]:
    dropped: dict[str, str] = {}
    for at, system in enumerate(left.systems):
        lacking = [side.name for side, column in ((left, one), (right, other)) if np.isnan(column.means[at])]
        if lacking:
            dropped[system] = f"no value from {' and '.join(lacking)}"
    return dropped


def _adjust(metrics: dict[str, MetricAgreement], family: Sequence[str]) -> None:
    for coefficient in ("pearson", "spearman", "kendall"):
        raw = [_p_of(metrics[metric], coefficient) for metric in family]
        for metric, adjusted in zip(family, holm(raw), strict=True):
            both = {**metrics[metric].holm, coefficient: adjusted}
            metrics[metric] = replace(metrics[metric], holm=both)


def _p_of(found: MetricAgreement, coefficient: str) -> float | None:
    if found.coefficients is None or found.coefficients.p is None:
        return None
    return float(getattr(found.coefficients.p, coefficient))


def _optional(values: Array) -> list[float | None]:
    return [None if np.isnan(value) else float(value) for value in values]
