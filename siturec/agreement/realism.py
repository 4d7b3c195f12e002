"""How simulated users differ from people in how they shop, whatever they think of the assistants.

Rank agreement alone does not show that a simulated user behaves like a person.
"""

from dataclasses import dataclass

from siturec.metrics import registry
from siturec.metrics.ledger import Ledger, Sums

MEASURES = ("Turn", "SR", "user_words", "silent_replies", "walked_m", "refused_calls", "AFR", "LNSR")
MIXES = {
    "user actions": registry.USED,
    "endings": registry.ENDS,
    "assistant acts met": registry.ACTS,
    "suggested actions met": registry.SUGGESTED,
}


@dataclass(frozen=True)
class MeasureGap:
    """One measure with people and with simulated users, in its unit; None where a side has no value."""

    measure: str
    unit: str
    human: float | None
    simulated: float | None

    @property
    def difference(self) -> float | None:
        """simulated - human."""
        if self.human is None or self.simulated is None:
            return None
        return self.simulated - self.human


@dataclass(frozen=True)
class MixGap:
    """Two distributions over the same kinds, in percent, and how far apart they are.

    ``distance`` is the total variation: the share of events that would have to be of another kind, 0 to 100.
    """

    mix: str
    human: dict[str, float]
    simulated: dict[str, float]
    distance: float | None


@dataclass(frozen=True)
class RealismPanel:
    """Behaviour of people and simulated users with the same assistants."""

    assistants: tuple[str, ...]
    measures: tuple[MeasureGap, ...]
    mixes: tuple[MixGap, ...]


def realism_panel(human: Ledger, simulated: Ledger) -> RealismPanel:
    """Compare behaviour over the assistants that both met; other assistants are left out on both sides."""
    common = tuple(sorted(set(human.distinct("assistant")) & set(simulated.distinct("assistant"))))
    left = human.where(lambda key: key.assistant in common).total()
    right = simulated.where(lambda key: key.assistant in common).total()
    units = {quantity.key: quantity.unit for quantity in registry.QUANTITIES}
    return RealismPanel(
        assistants=common,
        measures=tuple(MeasureGap(key, units[key], left.value(key), right.value(key)) for key in MEASURES),
        mixes=tuple(_mix(name, group, left, right) for name, group in MIXES.items()),
    )


def _mix(name: str, group: tuple[registry.Quantity, ...], left: Sums, right: Sums) -> MixGap:
    one, other = _shares(group, left), _shares(group, right)
    distance = None
    if one and other:
        distance = sum(abs(one[kind] - other[kind]) for kind in one) / 2
    return MixGap(name, one, other, distance)


def _shares(group: tuple[registry.Quantity, ...], sums: Sums) -> dict[str, float]:
    values = {quantity.key.partition(":")[2]: sums.value(quantity.key) for quantity in group}
    return {kind: value for kind, value in values.items() if value is not None}
