"""One turn as a scripted assistant understands it: what is believed, and which product to work towards."""

from dataclasses import dataclass

from agents.scripted import belief as beliefs
from agents.scripted.belief import Belief
from agents.scripted.chance import Chance
from agents.scripted.index import StoreIndex, index_of
from agents.scripted.routing import searched
from agents.scripted.skill import Skill
from agents.scripted.speech import Speaker
from siturec.protocol.messages import AssistantInput, CatalogEntry, Sighting

_NEAR_TIE = 0.92


@dataclass(frozen=True)
class Situation:
    """One turn as the assistant understands it; ``product`` is the one it would offer now."""

    given: AssistantInput
    skill: Skill
    index: StoreIndex
    belief: Belief
    ranked: list[tuple[str, float]]
    chance: Chance
    speaker: Speaker
    product: str

    @classmethod
    def read(cls, given: AssistantInput, skill: Skill, seed: int) -> "Situation":
        """Understand one input."""
        index = index_of(given.store)
        chance = Chance(seed, given.seed, given.turn, given.correction is not None)
        belief = beliefs.believe(index, given, skill)
        ranked = beliefs.ranked(index, belief)
        lasting = Chance(seed, given.seed, "offer", len(belief.offered))
        product = _choose(given, skill, belief, ranked, lasting, index)
        speaker = Speaker(chance, given.history, plain=given.correction is not None)
        return cls(given, skill, index, belief, ranked, chance, speaker, product)

    @property
    def entry(self) -> CatalogEntry:
        """The product it would offer now."""
        return self.index.entries[self.product]

    @property
    def sighting(self) -> Sighting | None:
        """The product it would offer now, if in view."""
        return sighting_of(self.given, self.product)

    def matched(self, product: str) -> list[str]:
        """The shopper's wishes that a product meets, as the catalog words them."""
        has = self.index.labels[product]
        met = [min(wish.labels & has) for wish in self.belief.wishes if not wish.avoid and wish.labels & has]
        return list(dict.fromkeys(value for key, value in met if key != "use"))


def sighting_of(given: AssistantInput, product: str) -> Sighting | None:
    """A product's sighting, or None when it is out of view or the markers are withheld."""
    return given.observation.by_entity(f"product:{product}") if given.observation else None


def _choose(
    given: AssistantInput,
    skill: Skill,
    belief: Belief,
    ranked: list[tuple[str, float]],
    lasting: Chance,
    index: StoreIndex,
) -> str:
    """The product to work towards: the best, or by the skill's slip one of the next; near-ties by sight."""
    if skill.aimless:
        visible = [
            s.entity.partition(":")[2]
            for s in (given.observation.visible if given.observation else ())
            if s.kind == "product"
        ]
        return lasting.pick(visible, "any") if visible else lasting.pick(sorted(index.entries), "any")
    vain = searched(given.history)
    given_up = belief.refused | set(belief.offered[:-1])
    fresh = [pair for pair in ranked if pair[0] not in given_up] or ranked
    if vain:
        fresh = sorted(fresh, key=lambda pair: (_in_vain(index, given, pair[0], vain), -pair[1], pair[0]))
    if lasting.happens(skill.slip, "slip"):
        return lasting.pick(fresh[2:12] or fresh, "slipped")[0]
    best = fresh[0][1]
    near = [product for product, score in fresh[:12] if score >= best * _NEAR_TIE] if best > 0 else []
    seen = [(s.distance_m, product) for product in near if (s := sighting_of(given, product))]
    return min(seen)[1] if seen else fresh[0][0]


def _in_vain(index: StoreIndex, given: AssistantInput, product: str, vain: frozenset[str]) -> bool:
    """Whether a product was looked for in every place it has, and is not in view either."""
    places = {place.entity for place in index.places(product) if place.kind != "store"}
    return bool(places) and places <= vain and sighting_of(given, product) is None
