"""Planted controls: did evaluators rank the bad assistant last, and find two copies of one equal?

An evaluator that misses either cannot be trusted with finer differences.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from siturec.agreement.pairwise import sign_swaps
from siturec.agreement.sides import Column, Side

TOLD_APART = 0.05


@dataclass(frozen=True)
class BadControl:
    """Whether one side ranked the planted bad assistant last on a metric; None without its value."""

    metric: str
    side: str
    system: str
    last: bool | None
    mean: float | None
    best_other: float | None
    worst_other: float | None


@dataclass(frozen=True)
class TwinControl:
    """Whether one side found two copies of one assistant alike on a metric.

    ``p`` is two-sided, by swapping the copies' scores item by item; alike means that chance explains the
    difference (p >= 0.05). None where no item has both.
    """

    metric: str
    side: str
    systems: tuple[str, str]
    difference: float | None
    p: float | None
    alike: bool | None


@dataclass(frozen=True)
class Controls:
    """All planted controls over the chosen metrics and sides."""

    bad: tuple[BadControl, ...]
    twins: tuple[TwinControl, ...]


def planted_controls(
    sides: Sequence[Side],
    metrics: Sequence[str],
    *,
    bad: Sequence[str] = (),
    twins: Mapping[str, str] | None = None,
) -> Controls:
    """Check the planted assistants that the sides know; others are passed over."""
    found_bad = [
        _bad(metric, side, system)
        for metric in metrics
        for side in sides
        for system in bad
        if system in side.systems
    ]
    found_twins = [
        _twin(metric, side, (copy, original))
        for metric in metrics
        for side in sides
        for copy, original in (twins or {}).items()
        if copy in side.systems and original in side.systems
    ]
    return Controls(tuple(found_bad), tuple(found_twins))


def _bad(metric: str, side: Side, system: str) -> BadControl:
    means = side.columns[metric].means
    at = side.systems.index(system)
    others = np.delete(means, at)
    others = others[~np.isnan(others)]
    known = not np.isnan(means[at]) and bool(len(others))
    return BadControl(
        metric=metric,
        side=side.name,
        system=system,
        last=bool(means[at] < others.min()) if known else None,
        mean=None if np.isnan(means[at]) else float(means[at]),
        best_other=float(others.max()) if len(others) else None,
        worst_other=float(others.min()) if len(others) else None,
    )


def _twin(metric: str, side: Side, systems: tuple[str, str]) -> TwinControl:
    column: Column = side.columns[metric]
    one, other = (side.systems.index(system) for system in systems)
    differences = column.items[:, one] - column.items[:, other]
    differences = differences[~np.isnan(differences)]
    gap = column.means[one] - column.means[other]
    if not len(differences):
        return TwinControl(metric, side.name, systems, None if np.isnan(gap) else float(gap), None, None)
    swapped = np.abs(sign_swaps(len(differences)) @ differences)
    p = float((swapped >= swapped[0] - 1e-12).mean())
    return TwinControl(metric, side.name, systems, float(gap), p, p >= TOLD_APART)
