"""What scoring needs to know of a scene, and nothing else of it."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from siturec.protocol.vocabulary import TOOLS, SceneKind
from siturec.scene.schema import ScenePack

KNOWN_KINDS: Mapping[str, SceneKind] = MappingProxyType(
    {"supermarket": "supermarket", "home_furnishings": "home", "home": "home"}
)
"""The paper's two scenes by slug, for records whose scene pack is not at hand."""


@dataclass(frozen=True)
class SceneFacts:
    """A scene's kind, catalog and places; None where unknown, which makes the metric undefined, not zero.

    Attributes:
        catalog: product ids.
        places: for each product id, the ``store:`` and ``area:`` entities it stands in.
        tasks: task ids by profile id: the task bank.
    """

    slug: str
    kind: SceneKind | None
    catalog: frozenset[str] | None = None
    places: Mapping[str, frozenset[str]] | None = None
    tasks: Mapping[str, tuple[str, ...]] | None = None

    @property
    def legal_tools(self) -> frozenset[str] | None:
        """The tools that exist in this kind of scene, or None when the kind is unknown."""
        return None if self.kind is None else _LEGAL[self.kind]

    @classmethod
    def unknown(cls, slug: str) -> "SceneFacts":
        """The facts of a scene whose pack is not at hand: at most its kind, from its slug."""
        return cls(slug=slug, kind=KNOWN_KINDS.get(slug))

    @classmethod
    def of_pack(cls, pack: ScenePack) -> "SceneFacts":
        """The facts of a loaded scene pack."""
        tasks: dict[str, tuple[str, ...]] = {}
        for task in pack.tasks:
            tasks[task.profile_id] = (*tasks.get(task.profile_id, ()), task.id)
        return cls(
            slug=pack.info.id,
            kind=pack.info.kind,
            catalog=frozenset(product.id for product in pack.products),
            places={product: frozenset(found) for product, found in _places(pack).items()},
            tasks=tasks or None,
        )


_LEGAL: dict[SceneKind, frozenset[str]] = {kind: frozenset(tools) for kind, tools in TOOLS.items()}


def _places(pack: ScenePack) -> dict[str, set[str]]:
    places: dict[str, set[str]] = {product.id: set() for product in pack.products}
    targets = {target.id: target for target in pack.targets}
    targets |= {target.entity: target for target in pack.targets}
    held = [(product, target.id) for target in pack.targets for product in target.products]
    held += [(instance.product, instance.target) for instance in pack.instances]
    for product, target_id in held:
        target = targets.get(target_id)
        if target is None:
            continue
        found = places.setdefault(product, set())
        found.add(target.entity)
        if target.store is not None:
            found.add(f"store:{target.store.removeprefix('store:')}")
    return places
