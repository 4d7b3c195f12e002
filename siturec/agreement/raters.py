"""Inter-rater reliability of the questionnaire: participants as raters of the same task and assistant."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from siturec.agreement.cells import CellTable
from siturec.agreement.correlation import Array
from siturec.agreement.reliability import IntraClass, cronbach_alpha, intraclass, krippendorff_alpha
from siturec.metrics.ledger import Ledger
from siturec.protocol.vocabulary import DIMENSIONS


@dataclass(frozen=True)
class RaterReliability:
    """How far participants agree with one another, and the items within a questionnaire.

    Attributes:
        alpha: Krippendorff's ordinal alpha per dimension, units = task x assistant.
        icc: per dimension, assistants as targets and participants as raters; participants who did not rate
            every assistant are left out.
        cronbach: internal consistency of the seven items.
        units: how many units at least two participants rated.
        questionnaires: how many were answered in full.
    """

    alpha: Mapping[str, float | None]
    icc: Mapping[str, IntraClass | None]
    cronbach: float | None
    units: int
    questionnaires: int


def rater_reliability(human: Ledger, rater: str = "questionnaire") -> RaterReliability:
    """Reliability of one rater's dimensions over the episodes with people."""
    keys = tuple(f"{rater}.{name}" for name in DIMENSIONS)
    table = CellTable.of(human, human.distinct("assistant"), keys)
    values = table.values()
    units = _units(table, values)
    complete = values.reshape(-1, len(keys))
    complete = complete[~np.isnan(complete).any(1)]
    return RaterReliability(
        alpha={name: krippendorff_alpha(units[:, :, at]) for at, name in enumerate(DIMENSIONS)},
        icc=_icc(table),
        cronbach=cronbach_alpha(complete) if len(complete) else None,
        units=int(((~np.isnan(units[:, :, 0])).sum(0) >= 2).sum()) if units.size else 0,
        questionnaires=len(complete),
    )


def _units(table: CellTable, values: Array) -> Array:
    """Shape (participants, tasks x systems, dimensions), NaN where a participant did not rate the unit."""
    people = {person: at for at, person in enumerate(table.participants)}
    tasks = sorted({(item.scene, item.task_id) for item in table.items})
    place = {task: at for at, task in enumerate(tasks)}
    units = np.full((len(people), len(tasks), *values.shape[1:]), np.nan)
    for row, item in zip(values, table.items, strict=True):
        if item.participant is not None:
            units[people[item.participant], place[(item.scene, item.task_id)]] = row
    return units.reshape(len(people), len(tasks) * len(table.systems), values.shape[2])


def _icc(table: CellTable) -> dict[str, IntraClass | None]:
    if not table.participants or any(item.participant is None for item in table.items):
        return dict.fromkeys(DIMENSIONS)
    num, den = table.by_participant()
    with np.errstate(invalid="ignore", divide="ignore"):
        means = np.where(den > 0, num / den, np.nan)
    found: dict[str, IntraClass | None] = {}
    for at, name in enumerate(DIMENSIONS):
        raters = means[:, :, at]
        raters = raters[~np.isnan(raters).any(1)]
        found[name] = intraclass(raters.T) if raters.size else None
    return found
