"""Sums of scored episodes by cell: one pass over a stream, memory by the number of cells, not of episodes."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np

from siturec.metrics.episode import EpisodeKey, EpisodeScore, Vector
from siturec.metrics.registry import INDEX, QUANTITIES
from siturec.metrics.subsets import SUBSETS, SubsetMean, over_subsets


@dataclass
class Sums:
    """What the episodes of one cell, or of any set of cells, add up to."""

    num: Vector = field(default_factory=lambda: np.zeros(len(QUANTITIES)))
    den: Vector = field(default_factory=lambda: np.zeros(len(QUANTITIES)))
    episodes: int = 0
    excluded: Counter[str] = field(default_factory=Counter)
    unknown: set[str] = field(default_factory=set)

    def add(self, score: EpisodeScore) -> None:
        """Take in one episode; one kept out of metrics is only counted by its end reason."""
        if not score.counted:
            self.excluded[score.end_reason] += 1
            return
        self.num += score.num
        self.den += score.den
        self.episodes += 1
        self.unknown |= score.unknown

    def merge(self, other: "Sums") -> None:
        """Take in another set's sums."""
        self.num += other.num
        self.den += other.den
        self.episodes += other.episodes
        self.excluded += other.excluded
        self.unknown |= other.unknown

    def value(self, metric: str) -> float | None:
        """The set's value in the metric's unit; None without anything eligible, or without facts."""
        at = INDEX[metric]
        if not self.den[at] or QUANTITIES[at].needs in self.unknown:
            return None
        return QUANTITIES[at].scale * float(self.num[at] / self.den[at])

    def reason(self, metric: str) -> str | None:
        """Why there is none: ``scene_unknown``, ``no_episodes`` or ``no_eligible``; else None."""
        if not self.episodes:
            return "no_episodes"
        if QUANTITIES[INDEX[metric]].needs in self.unknown:
            return "scene_unknown"
        return None if self.den[INDEX[metric]] else "no_eligible"


class Ledger:
    """Sums by cell: assistant, scene, condition, user, participant, task."""

    def __init__(self, cells: Mapping[EpisodeKey, Sums] | None = None) -> None:
        self.cells: dict[EpisodeKey, Sums] = dict(cells or {})

    @classmethod
    def of(cls, scores: Iterable[EpisodeScore]) -> "Ledger":
        """Collect a stream of scored episodes."""
        ledger = cls()
        for score in scores:
            ledger.add(score)
        return ledger

    def add(self, score: EpisodeScore) -> None:
        """Take in one episode."""
        cell = self.cells.get(score.key)
        if cell is None:
            cell = self.cells[score.key] = Sums()
        cell.add(score)

    def where(self, keep: Callable[[EpisodeKey], bool]) -> "Ledger":
        """The cells whose key is kept (sharing their sums)."""
        return Ledger({key: sums for key, sums in self.cells.items() if keep(key)})

    def distinct(self, attribute: str) -> list[str]:
        """The different values of one attribute of the keys, sorted; None left out."""
        found = {getattr(key, attribute) for key in self.cells}
        return sorted(value for value in found if value is not None)

    def total(self) -> Sums:
        """All cells together: the plain cohort."""
        total = Sums()
        for sums in self.cells.values():
            total.merge(sums)
        return total

    def balanced(self, metric: str) -> float | None:
        """Mean over participant x task cells with equal weight, whatever the number of episodes in each."""
        cells: dict[tuple[str | None, str, str], Sums] = {}
        for key, sums in self.cells.items():
            cells.setdefault((key.participant, key.scene, key.task_id), Sums()).merge(sums)
        values = [value for sums in cells.values() if (value := sums.value(metric)) is not None]
        return sum(values) / len(values) if values else None

    def subset_totals(self, subset_of: Mapping[str, int]) -> list[Sums]:
        """The four subsets' sums. Raises: KeyError for a task outside the partition."""
        totals = [Sums() for _ in range(SUBSETS)]
        for key, sums in self.cells.items():
            totals[subset_of[key.task_id]].merge(sums)
        return totals

    def over_subsets(self, metric: str, subset_of: Mapping[str, int]) -> SubsetMean | None:
        """Mean and SD of the four subset means; None unless every subset has a value."""
        return over_subsets([sums.value(metric) for sums in self.subset_totals(subset_of)])
