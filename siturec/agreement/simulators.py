"""Which of two simulated users agrees better with people? PERM-BOTH, with Williams' test as a side note."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from siturec.agreement.build import COMPARED
from siturec.agreement.cells import CellTable
from siturec.agreement.correlation import Array, pearson
from siturec.agreement.multiple import SimulatorComparison, Williams, permute_both, williams
from siturec.metrics.ledger import Ledger

MIN_SYSTEMS = 3
Task = tuple[str, str]
"""Scene and task id."""


@dataclass(frozen=True)
class Rivals:
    """Two simulated users on one metric over the tasks that both shopped with every assistant.

    ``found`` is None where a coefficient is undefined or nothing is common; ``williams`` needs 4 assistants.
    """

    metric: str
    systems: int
    tasks: int
    found: SimulatorComparison | None
    williams: Williams | None


def compare_simulators(human: Ledger, first: Ledger, second: Ledger) -> dict[str, Rivals]:
    """Compare per metric; only assistants that all three met count."""
    ledgers = (human, first, second)
    systems = sorted(set.intersection(*(set(ledger.distinct("assistant")) for ledger in ledgers)))
    keys = tuple(COMPARED.values())
    people = CellTable.of(human, systems, keys).means()
    sides = [_by_task(CellTable.of(ledger, systems, keys)) for ledger in (first, second)]
    common = sorted(set(sides[0]) & set(sides[1]))
    return {
        metric: _rivals(metric, people[:, at], *(_column(side, common, at, len(systems)) for side in sides))
        for at, metric in enumerate(COMPARED)
    }


def _by_task(table: CellTable) -> dict[Task, Array]:
    values = table.values()
    return {(item.scene, item.task_id): values[at] for at, item in enumerate(table.items)}


def _column(
    side: Mapping[tuple[str, str], Array], tasks: list[tuple[str, str]], at: int, systems: int
) -> Array:
    return np.array([side[task][:, at] for task in tasks]).reshape(len(tasks), systems)


def _rivals(metric: str, people: Array, first: Array, second: Array) -> Rivals:
    whole = ~(np.isnan(first).any(1) | np.isnan(second).any(1))
    first, second = first[whole], second[whole]
    systems, tasks = len(people), len(first)
    if systems < MIN_SYSTEMS or not tasks or np.isnan(people).any():
        return Rivals(metric, systems, tasks, None, None)
    found = permute_both(people, first, second)
    side_note = None
    if found is not None and systems > MIN_SYSTEMS:
        between = float(pearson(first.mean(0), second.mean(0)))
        if not np.isnan(between) and abs(between) < 1:
            side_note = williams(found.first, found.second, between, systems)
    return Rivals(metric, systems, tasks, found, side_note)
