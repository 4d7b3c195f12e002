"""What every assistant knows of a store before the first turn: its catalog, and where everything is."""

from typing import Any

from pydantic import Field

from siturec.protocol.shape import Approach, Hashed, Shape
from siturec.protocol.vocabulary import EntityKind, SceneKind


class CatalogEntry(Shape):
    """A product as an assistant knows it."""

    id: str
    name: str
    category: str
    tags: tuple[str, ...] = ()
    price: float
    details: dict[str, Any] = Field(default_factory=dict)
    locations: tuple[str, ...] = ()


class TargetEntry(Shape):
    """A place one can be sent to, with the assistant's fixed marker for it and its allowed approaches."""

    entity: str
    kind: EntityKind
    name: str
    assistant_marker: str
    user_marker: str
    approaches: tuple[Approach, ...] = ()
    store: str | None = None
    products: tuple[str, ...] = ()
    x_m: float = 0.0
    y_m: float = 0.0


class StoreKnowledge(Hashed):
    """What every assistant knows of a store: the full catalog and where everything is."""

    scene: str
    scene_version: str
    kind: SceneKind
    catalog: tuple[CatalogEntry, ...]
    targets: tuple[TargetEntry, ...]
