"""The location index of a scene, both ways: where a product stands, and what stands in a place (S09)."""

from functools import lru_cache

from siturec.scene.schema import ScenePack, Target


class LocationIndex:
    """Targets are named as in records (``fixture:<id>``, ``area:<id>``), products by their id."""

    def __init__(self, pack: ScenePack) -> None:
        self._targets: dict[str, Target] = {target.entity: target for target in pack.targets}
        by_id = {target.id: target for target in pack.targets if target.kind != "store"}
        places: dict[str, list[str]] = {product.id: [] for product in pack.products}
        goods: dict[str, list[str]] = {target.entity: [] for target in pack.targets}
        for instance in pack.instances:
            for entity in _with_store(by_id[instance.target]):
                if entity not in places[instance.product]:
                    places[instance.product].append(entity)
                    goods[entity].append(instance.product)
        self._places = {product: tuple(found) for product, found in places.items()}
        self._goods = {entity: tuple(found) for entity, found in goods.items()}

    def places_of(self, product: str) -> tuple[str, ...]:
        """Where a product stands: fixtures, or each store followed by its display area.

        Raises: KeyError for a product the scene does not have.
        """
        return self._places[product]

    def products_at(self, entity: str) -> tuple[str, ...]:
        """What stands at a target; for a store, what all its areas show.

        Raises: KeyError for a target the scene does not have.
        """
        return self._goods[entity]

    def target(self, entity: str) -> Target:
        """The target of an entity.

        Raises: KeyError for a target the scene does not have.
        """
        return self._targets[entity]


@lru_cache(maxsize=8)
def _cached(key: "_ByIdentity") -> LocationIndex:
    return LocationIndex(key.pack)


class _ByIdentity:
    """A pack as a key of a cache: by identity, since hashing its records costs more than the index."""

    def __init__(self, pack: ScenePack) -> None:
        self.pack = pack

    def __hash__(self) -> int:
        return id(self.pack)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _ByIdentity) and other.pack is self.pack


def location_index(pack: ScenePack) -> LocationIndex:
    """The index of a pack, kept while the pack is in use."""
    return _cached(_ByIdentity(pack))


def _with_store(target: Target) -> tuple[str, ...]:
    return (f"store:{target.store}", target.entity) if target.store else (target.entity,)
