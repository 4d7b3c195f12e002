"""A ledger as arrays: items by systems by quantities, from which every kind of mean is taken."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from siturec.agreement.correlation import Array, rounded
from siturec.metrics.ledger import Ledger
from siturec.metrics.registry import INDEX, QUANTITIES
from siturec.metrics.subsets import SUBSETS


@dataclass(frozen=True)
class Item:
    """What several systems can be compared on: one participant (or the simulated user) with one task."""

    participant: str | None
    scene: str
    task_id: str


@dataclass(frozen=True)
class CellTable:
    """Sums per item, system and quantity.

    Attributes:
        num, den: shape (items, systems, quantities); value = scale x num / den.
        scale: shape (quantities,).
        pooled: shape (quantities,): whether events are counted, so that ``den`` is no number of episodes.
        episodes: shape (systems,): how many episodes count.
        excluded: per system, how many were kept out, by end reason.
    """

    systems: tuple[str, ...]
    quantities: tuple[str, ...]
    items: tuple[Item, ...]
    num: Array
    den: Array
    scale: Array
    pooled: NDArray[np.bool_]
    episodes: NDArray[np.intp]
    excluded: tuple[Mapping[str, int], ...]

    @classmethod
    def of(cls, ledger: Ledger, systems: Sequence[str], quantities: Sequence[str]) -> "CellTable":
        """Lay out a ledger's cells; a quantity whose scene facts are unknown counts as missing.

        An item none of whose episodes counts is no item, and a participant without any no participant.
        """
        columns = np.array([INDEX[key] for key in quantities], dtype=np.intp)
        needs = [QUANTITIES[at].needs for at in columns]
        place = {system: at for at, system in enumerate(systems)}
        kept = [(key, sums) for key, sums in ledger.cells.items() if key.assistant in place]
        keys = {Item(key.participant, key.scene, key.task_id) for key, sums in kept if sums.episodes}
        items = sorted(keys, key=lambda item: (item.participant or "", item.scene, item.task_id))
        row = {item: at for at, item in enumerate(items)}
        num = np.zeros((len(items), len(systems), len(columns)))
        den = np.zeros_like(num)
        episodes = np.zeros(len(systems), dtype=np.intp)
        excluded: list[dict[str, int]] = [{} for _ in systems]
        unknown = np.zeros((len(systems), len(columns)), dtype=bool)
        for key, sums in kept:
            system = place[key.assistant]
            for reason, count in sums.excluded.items():
                excluded[system][reason] = excluded[system].get(reason, 0) + count
            if not sums.episodes:
                continue
            at = row[Item(key.participant, key.scene, key.task_id)]
            num[at, system] += sums.num[columns]
            den[at, system] += sums.den[columns]
            episodes[system] += sums.episodes
            if sums.unknown:
                unknown[system] |= [need in sums.unknown for need in needs]
        den[:, unknown] = 0
        scale = np.array([QUANTITIES[at].scale for at in columns])
        return cls(
            systems=tuple(systems),
            quantities=tuple(quantities),
            items=tuple(items),
            num=num,
            den=den,
            scale=scale,
            pooled=np.array([QUANTITIES[at].pooled for at in columns], dtype=bool),
            episodes=episodes,
            excluded=tuple(excluded),
        )

    @property
    def participants(self) -> tuple[str, ...]:
        """The different participants, sorted."""
        return tuple(sorted({item.participant for item in self.items if item.participant is not None}))

    def eligible(self) -> NDArray[np.intp]:
        """How many episodes have a value (pooled: how many count), shape (systems, quantities)."""
        found = np.rint(self.den.sum(0)).astype(np.intp)
        return np.where(self.pooled, self.episodes[:, None], found)

    def values(self) -> Array:
        """Per-item values, shape (items, systems, quantities); NaN where an item has none."""
        return _ratio(self.num, self.den, self.scale)

    def means(self) -> Array:
        """Plain means over all episodes or events, shape (systems, quantities); NaN where there is none."""
        return rounded(_ratio(self.num.sum(0), self.den.sum(0), self.scale))

    def balanced(self) -> Array:
        """Means over items with equal weight, whatever the number of episodes in each; shape as ``means``."""
        values = self.values()
        found = ~np.isnan(values)
        return rounded(_ratio(np.where(found, values, 0.0).sum(0), found.sum(0), np.ones(len(self.scale))))

    def grouped(self, group: Sequence[int], groups: int) -> tuple[Array, Array]:
        """Sums per group of items: two arrays of shape (groups, systems, quantities)."""
        num = np.zeros((groups, *self.num.shape[1:]))
        den = np.zeros_like(num)
        np.add.at(num, np.asarray(group, dtype=np.intp), self.num)
        np.add.at(den, np.asarray(group, dtype=np.intp), self.den)
        return num, den

    def by_participant(self) -> tuple[Array, Array]:
        """Sums per participant, in the order of ``participants``; every item must have one."""
        place = {participant: at for at, participant in enumerate(self.participants)}
        return self.grouped([place[item.participant or ""] for item in self.items], len(place))

    def subset_means(self, subset_of: Mapping[str, int]) -> Array:
        """Means of the four subsets, shape (4, systems, quantities); NaN where a subset has none."""
        num, den = self.grouped([subset_of[item.task_id] for item in self.items], SUBSETS)
        return _ratio(num, den, self.scale)


def _ratio(num: Array, den: NDArray[np.float64] | NDArray[np.intp], scale: Array) -> Array:
    with np.errstate(invalid="ignore", divide="ignore"):
        values: Array = scale * num / den
    return np.where(den > 0, values, np.nan)
