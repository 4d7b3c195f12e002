"""Families of furnishings, and the products drawn from them, area by area."""

import itertools
import random
from dataclasses import dataclass
from typing import Any, Literal

from scenes.generator.chance import apportion
from siturec.scene.schema import Colour, Look, Product, Storage

STORAGE: Storage = "display"
Placement = Literal["floor", "ledge", "wall", "hang"]
DEAR = {
    "leather": 1.25, "marble": 1.35, "velvet": 1.12, "walnut": 1.15, "mahogany": 1.25, "bronze": 1.3,
    "brass": 1.1, "plastic": 0.85, "jute": 0.85, "cotton": 0.9, "card": 0.9, "faux leather": 0.9,
}  # fmt: skip


@dataclass(frozen=True)
class Family:
    """One kind of furnishing an area shows, as written in the data file."""

    kind: str
    category: str
    shape: str
    place: Placement
    size: tuple[float, float, float]
    price: tuple[float, float]
    material: tuple[str, ...]
    color: tuple[str, ...]
    style: tuple[str, ...]
    uses: tuple[str, ...]
    take: int
    twice: int = 0


@dataclass(frozen=True)
class Area:
    """A display area and what it shows."""

    id: str
    name: str
    families: tuple[Family, ...]


@dataclass(frozen=True)
class Store:
    """A themed store and its areas."""

    id: str
    name: str
    areas: tuple[Area, ...]


@dataclass(frozen=True)
class Exhibit:
    """A product before it has a colour, with the area that shows it, how it is placed, and how often."""

    area: str
    place: Placement
    record: dict[str, Any]
    copies: int = 1

    def finished(self, colour: Colour) -> Product:
        """The product in its segmentation colour."""
        return Product.model_validate({**self.record, "colour": colour})


def stores_from(raw: list[dict[str, Any]], blocks: int) -> tuple[Store, ...]:
    """The stores of a parsed data file, repeated for every block after the first under a numbered name."""
    made: list[Store] = []
    for block in range(blocks):
        mark, number = ("", "") if block == 0 else (f"-{block + 1}", f" {block + 1}")
        for store in raw:
            areas = tuple(
                Area(area["id"] + mark, area["name"] + number, tuple(Family(**f) for f in area["families"]))
                for area in store["areas"]
            )
            made.append(Store(store["id"] + mark, store["name"] + number, areas))
    return tuple(made)


def draw_exhibits(
    stores: tuple[Store, ...],
    series: list[str],
    palette: dict[str, str],
    totals: tuple[int, int],
    rng: random.Random,
) -> list[Exhibit]:
    """Products and copies shared among the families as ``take`` and ``twice`` say; ``totals`` is (products,
    instances). No two products have the same name.

    Raises: ValueError when fewer instances than products are asked for, or more copies than can be made.
    """
    products, instances = totals
    flat = [(area, family) for store in stores for area in store.areas for family in area.families]
    shares = apportion(products, [family.take for _, family in flat])
    if instances < products:
        raise ValueError(f"{instances} instances cannot show {products} products")
    copies = apportion(instances - products, [family.twice for _, family in flat])
    names: set[str] = set()
    made: list[Exhibit] = []
    for (area, family), share, extra in zip(flat, shares, copies, strict=True):
        if extra and not share:
            raise ValueError(f"{family.kind} in {area.id}: copies but no product")
        for n in range(share):
            record = _product(family, f"hf-{len(made) + 1:04d}", n, (series, palette, names), rng)
            more = extra // share + (1 if n < extra % share else 0) if share else 0
            made.append(Exhibit(area.id, family.place, record, 1 + more))
    return made


def _product(
    family: Family,
    identity: str,
    number: int,
    words: tuple[list[str], dict[str, str], set[str]],
    rng: random.Random,
) -> dict[str, Any]:
    series, palette, names = words
    material = family.material[number % len(family.material)]
    color = family.color[(number + number // len(family.color)) % len(family.color)]
    style = family.style[rng.randrange(len(family.style))]
    name = _name(family, material, (series, names), rng)
    growth = rng.choice((0.92, 1.0, 1.0, 1.06))
    width, depth, height = (round(side * growth, 3) for side in family.size)
    if family.place == "hang":
        height = family.size[2]
    look = Look.model_validate(
        {
            "shape": family.shape,
            "size_m": (width, depth, height),
            "primary": palette[color],
            "accent": palette[rng.choice(("oak", "black", "white", "brass", "charcoal"))],
            "label": "",
            "style": rng.randrange(16),
        }
    )
    size = _size_category(family, growth)
    low, high = family.price
    amount = rng.uniform(low, high * 0.9) * DEAR.get(material, 1.0) * (0.92 + 0.16 * (growth > 1))
    return {
        "id": identity,
        "name": name,
        "category": family.category,
        "tags": (style, *(use for use in family.uses), size),
        "price": float(round(amount)) if amount >= 100 else int(amount) + 0.99,
        "storage": STORAGE,
        "look": look,
        "details": {
            "material": material,
            "color": color,
            "size_category": size,
            "style": style,
            "use": list(family.uses),
            "dimensions_cm": [round(width * 100), round(depth * 100), round(height * 100)],
        },
    }


def _name(family: Family, material: str, words: tuple[list[str], set[str]], rng: random.Random) -> str:
    series, names = words
    plain = (
        family.kind if material in {"live plant", "plastic", "card"} else f"{material.title()} {family.kind}"
    )
    own = rng.sample(series, len(series))
    # Single names first; when they run out, double ones, as many as there are pairs.
    for first in itertools.chain(own, (f"{one} {two}" for one, two in itertools.permutations(own, 2))):
        for kind in (plain, family.kind):
            name = f"{first} {kind}"
            if name.casefold() not in names:
                names.add(name.casefold())
                return name
    raise ValueError(f"no name left for another {family.kind}")


def _size_category(family: Family, growth: float) -> str:
    volume = family.size[0] * family.size[1] * family.size[2] * growth**3
    if volume < 0.02:
        return "small"
    return "medium" if volume < 0.25 else "large"
