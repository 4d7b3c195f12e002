"""A store's catalog, indexed once: from stems to products, and from products to places."""

import math
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from agents.scripted.wishes import Label, Lexicon, Wish
from agents.scripted.words import stems
from siturec.protocol.messages import CatalogEntry, StoreKnowledge, TargetEntry

NAME, CATEGORY, TAG, DETAIL = 1.0, 1.5, 1.4, 1.2
_KEPT, _READ = 8, 20_000
_HINT = 0.04


def _detail_words(key: str, value: Any) -> Iterator[str]:
    if value is True:
        yield key
    elif isinstance(value, str):
        yield value
    elif isinstance(value, list | tuple):
        yield from (str(part) for part in value)


_UNSPOKEN = frozenset({"size", "nutrition", "dimensions_cm"})


def product_labels(entry: CatalogEntry) -> frozenset[Label]:
    """A product's values as (key, value) in lower case: what wishes are compared with."""
    found = {("category", entry.category.lower()), *(("tag", tag.lower()) for tag in entry.tags)}
    for key, value in entry.details.items():
        values = value if isinstance(value, list | tuple) else (value,)
        if key not in _UNSPOKEN:
            found |= {(key, one.lower()) for one in values if isinstance(one, str)}
    return frozenset(found)


def product_words(entry: CatalogEntry) -> Iterator[tuple[str, float]]:
    """The texts that describe a product, each with the weight of its field."""
    yield entry.name, NAME
    yield entry.category, CATEGORY
    for tag in entry.tags:
        yield tag, TAG
    for key, value in entry.details.items():
        for text in _detail_words(key, value):
            yield text, DETAIL


@dataclass(frozen=True)
class StoreIndex:
    """What a scripted assistant looks things up in. ``weights`` maps a stem to its products' weights."""

    store: StoreKnowledge
    entries: dict[str, CatalogEntry]
    targets: dict[str, TargetEntry]
    weights: dict[str, dict[str, float]]
    rarity: dict[str, float]
    names: tuple[tuple[str, str], ...]
    areas: dict[str, tuple[TargetEntry, ...]]
    labels: dict[str, frozenset[Label]]
    holders: dict[Label, frozenset[str]]
    lexicon: Lexicon
    _read: dict[tuple[str, float], tuple[Wish, ...]] = field(default_factory=dict)
    _named: dict[str, str | None] = field(default_factory=dict)

    def wishes(self, text: str, vocabulary: float = 1.0) -> tuple[Wish, ...]:
        """The wishes in what a shopper said, product names left out; read once per text."""
        key = (text, vocabulary)
        if key not in self._read:
            if len(self._read) >= _READ:
                self._read.clear()
            spoken = text.lower()
            for name, _ in self.names:
                if name in spoken:
                    spoken = spoken.replace(name, " it ")
            self._read[key] = self.lexicon.wishes(spoken, vocabulary)
        return self._read[key]

    def scores(
        self, wishes: Iterable[Wish], wanted: Mapping[str, float], unwanted: Iterable[str]
    ) -> dict[str, float]:
        """How well each product meets the wishes; shared words decide between equals."""
        result = dict.fromkeys(self.entries, 0.0)
        for wish in wishes:
            worth = -1.5 * wish.weight if wish.avoid else wish.weight
            for product in frozenset().union(*(self.holders.get(label, ()) for label in wish.labels)):
                result[product] += worth
        for word, strength in wanted.items():
            for product, weight in self.weights.get(word, {}).items():
                result[product] += _HINT * strength * weight * self.rarity[word]
        for word in unwanted:
            for product, weight in self.weights.get(word, {}).items():
                result[product] -= 2.0 * _HINT * weight * self.rarity[word]
        return result

    def named(self, text: str) -> str | None:
        """The product a text speaks of by name, the longest name first, or None."""
        if text not in self._named:
            lowered = text.lower()
            self._named[text] = next((product for name, product in self.names if name in lowered), None)
            if len(self._named) > 20_000:
                self._named.clear()
                return self.named(text)
        return self._named[text]

    def places(self, product: str) -> list[TargetEntry]:
        """Where a product is, the finest kind of place first (areas before stores)."""
        found = [self.targets[place] for place in self.entries[product].locations if place in self.targets]
        return sorted(found, key=lambda place: place.kind == "store")


def build_index(store: StoreKnowledge) -> StoreIndex:
    """Index a store; rarity is the logarithmic inverse document frequency of a stem."""
    weights: dict[str, dict[str, float]] = {}
    for entry in store.catalog:
        for text, weight in product_words(entry):
            for word in stems(text):
                held = weights.setdefault(word, {})
                held[entry.id] = max(held.get(entry.id, 0.0), weight)
    total = len(store.catalog)
    labels = {entry.id: product_labels(entry) for entry in store.catalog}
    return StoreIndex(
        store=store,
        entries={entry.id: entry for entry in store.catalog},
        targets={target.entity: target for target in store.targets},
        weights=weights,
        labels=labels,
        holders=_holders(labels),
        lexicon=Lexicon.of(frozenset().union(*labels.values())),
        areas={
            target.entity: tuple(t for t in store.targets if t.kind == "area" and t.store == target.entity)
            for target in store.targets
            if target.kind == "store"
        },
        rarity={word: math.log(1 + total / len(products)) for word, products in weights.items()},
        names=tuple(
            sorted(((e.name.lower(), e.id) for e in store.catalog), key=lambda pair: (-len(pair[0]), pair))
        ),
    )


def _holders(labels: Mapping[str, frozenset[Label]]) -> dict[Label, frozenset[str]]:
    """Label to the products that have it."""
    found: dict[Label, set[str]] = {}
    for product, held in labels.items():
        for label in held:
            found.setdefault(label, set()).add(product)
    return {label: frozenset(products) for label, products in found.items()}


_indexes: "OrderedDict[int, tuple[StoreKnowledge, StoreIndex]]" = OrderedDict()


def index_of(store: StoreKnowledge) -> StoreIndex:
    """The index of a store, built once per ``StoreKnowledge`` and kept for the few used last."""
    held = _indexes.get(id(store))
    if held is None or held[0] is not store:
        equal = next((index for _, index in _indexes.values() if index.store == store), None)
        held = _indexes[id(store)] = (store, equal or build_index(store))
    _indexes.move_to_end(id(store))
    while len(_indexes) > _KEPT:
        _indexes.popitem(last=False)
    return held[1]
