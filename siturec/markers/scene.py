"""What finding and painting need of a scene pack, laid out as arrays by entity number."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from siturec.markers.alphabets import fixed_markers
from siturec.markers.colours import ColourTable
from siturec.protocol.vocabulary import EntityKind
from siturec.scene.schema import ScenePack, Sight, Target

PRODUCT: EntityKind = "product"


@dataclass(frozen=True, eq=False)
class MarkerScene:
    """Entities by number: products first, then fixtures and stores, all with a colour; areas have none.

    ``colours`` is (n, 3) uint8 RGB, ``limits_m`` (n,) float32, both over the coloured entities only.
    """

    slug: str
    entities: tuple[str, ...]
    kinds: tuple[EntityKind, ...]
    names: tuple[str, ...]
    colours: NDArray[np.uint8]
    limits_m: NDArray[np.float32]
    targets: dict[str, Target]
    user_fixed: dict[str, str]
    assistant_fixed: dict[str, str]
    sight: Sight

    @property
    def areas(self) -> list[Target]:
        """Display areas, in the pack's order."""
        return [target for target in self.targets.values() if target.kind == "area"]

    @cached_property
    def colour_table(self) -> ColourTable:
        """From mask colour to entity number; 32 MB, built on first use."""
        return ColourTable.build(self.colours)


def marker_scene(pack: ScenePack) -> MarkerScene:
    """Lay out a pack. Raises: ValueError for a fixture or store without a segmentation colour."""
    buildings = [target for target in pack.targets if target.kind != "area"]
    for target in buildings:
        if target.colour is None:
            raise ValueError(f"{target.entity} has no segmentation colour, so no mask can show it")
    limits = {"fixture": pack.info.sight.fixture_m, "store": pack.info.sight.store_m}
    return MarkerScene(
        slug=pack.info.id,
        entities=(*(f"product:{p.id}" for p in pack.products), *(t.entity for t in buildings)),
        kinds=(*(PRODUCT for _ in pack.products), *(t.kind for t in buildings)),
        names=(*(p.name for p in pack.products), *(t.name for t in buildings)),
        colours=np.array(
            [*(p.colour for p in pack.products), *(t.colour for t in buildings)], np.uint8
        ).reshape(-1, 3),
        limits_m=np.array(
            [*(pack.info.sight.product_m for _ in pack.products), *(limits[t.kind] for t in buildings)],
            np.float32,
        ),
        targets={target.entity: target for target in pack.targets},
        user_fixed=fixed_markers(pack.targets, "user"),
        assistant_fixed=fixed_markers(pack.targets, "assistant"),
        sight=pack.info.sight,
    )
