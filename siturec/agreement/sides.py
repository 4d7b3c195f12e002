"""One evaluator's view of the systems: its means, the items behind them, and what may be resampled.

Nothing here knows of stores or turns: an evaluator is people, a simulated user, a questionnaire or a judge.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from siturec.agreement.bootstrap import Clusters
from siturec.agreement.cells import CellTable
from siturec.agreement.correlation import Array
from siturec.agreement.reliability import intraclass
from siturec.metrics.ledger import Ledger

MeanOf = Literal["episodes", "subsets"]


@dataclass(frozen=True)
class Column:
    """One metric as one evaluator sees it.

    Attributes:
        means: shape (systems,), rounded; NaN where a system has no value.
        balanced: likewise, every item with equal weight.
        items: shape (items, systems), NaN where an item has no value.
        clusters: sums by participant, or None where nothing may be resampled.
        reliability: how far the parts (participants or subsets) agree on the systems, ICC(C,k); or None.
        mean_of: whether ``means`` are plain, or means of the four subset means.
        eligible: shape (systems,): how many episodes the means rest on.
    """

    means: Array
    balanced: Array
    items: Array
    clusters: Clusters | None
    reliability: float | None
    mean_of: MeanOf
    eligible: NDArray[np.intp]


@dataclass(frozen=True)
class Side:
    """One evaluator over the systems, in the order of ``systems``.

    ``participants`` and ``episodes`` count what counts; ``excluded`` what was kept out, by end reason.
    """

    name: str
    systems: tuple[str, ...]
    episodes: tuple[int, ...]
    excluded: tuple[Mapping[str, int], ...]
    participants: int
    columns: Mapping[str, Column]


def people_side(name: str, ledger: Ledger, systems: Sequence[str], columns: Mapping[str, str]) -> Side:
    """People: plain means over all of a system's episodes; participants are the clusters.

    ``columns`` maps the name of a metric to the quantity it is read from.
    """
    table = CellTable.of(ledger, systems, tuple(columns.values()))
    means, balanced, values, eligible = table.means(), table.balanced(), table.values(), table.eligible()
    clustered = bool(table.items) and all(item.participant is not None for item in table.items)
    num, den = table.by_participant() if clustered else (None, None)
    built: dict[str, Column] = {}
    for at, metric in enumerate(columns):
        clusters = None
        if num is not None and den is not None:
            clusters = Clusters(num[:, :, at], den[:, :, at], float(table.scale[at]))
        built[metric] = Column(
            means=means[:, at],
            balanced=balanced[:, at],
            items=values[:, :, at],
            clusters=clusters,
            reliability=None if clusters is None else _reliability(_cluster_values(clusters)),
            mean_of="episodes",
            eligible=eligible[:, at],
        )
    return _side(name, table, built)


def simulated_side(
    name: str,
    ledger: Ledger,
    systems: Sequence[str],
    columns: Mapping[str, str],
    subset_of: Mapping[str, int] | None,
) -> Side:
    """Simulated users: means of the four subset means where all four exist, else plain means, and said so."""
    table = CellTable.of(ledger, systems, tuple(columns.values()))
    means, balanced, values, eligible = table.means(), table.balanced(), table.values(), table.eligible()
    subsets = None if subset_of is None else table.subset_means(subset_of)
    built: dict[str, Column] = {}
    for at, metric in enumerate(columns):
        own = None if subsets is None else subsets[:, :, at]
        # A system on subset means beside one on plain means would not be the same measure.
        whole = own is not None and bool((np.isnan(own).any(0) == np.isnan(means[:, at])).all())
        built[metric] = Column(
            means=own.mean(0).round(9) if own is not None and whole else means[:, at],
            balanced=balanced[:, at],
            items=values[:, :, at],
            clusters=None,
            reliability=None if own is None else _reliability(own),
            mean_of="subsets" if whole else "episodes",
            eligible=eligible[:, at],
        )
    return _side(name, table, built)


def _side(name: str, table: CellTable, columns: Mapping[str, Column]) -> Side:
    return Side(
        name=name,
        systems=table.systems,
        episodes=tuple(int(count) for count in table.episodes),
        excluded=table.excluded,
        participants=len(table.participants),
        columns=columns,
    )


def _cluster_values(clusters: Clusters) -> Array:
    return clusters.means(np.eye(len(clusters.num)))


def _reliability(parts: Array) -> float | None:
    # Systems are the targets, participants (or subsets) the raters; parts that miss a system are left out.
    complete = parts[:, ~np.isnan(parts).all(0)]
    complete = complete[~np.isnan(complete).any(1)]
    found = intraclass(complete.T) if complete.size else None
    return None if found is None else found.three_k
