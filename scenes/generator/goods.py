"""Families of products, and the products of a supermarket drawn from them."""

import random
from dataclasses import dataclass, field
from typing import Any

from scenes.generator.chance import apportion, shade
from siturec.scene.schema import Colour, Look, Product

# What a tag takes out of a family's allergens, and what it does to the price.
FREE_FROM = {
    "gluten-free": {"gluten"},
    "dairy-free": {"milk"},
    "vegan": {"milk", "egg", "fish"},
    "nut-free": {"nuts", "peanuts"},
}
# What a variant's own words add to its family's allergens.
CONTAINS = {
    "hazelnut": "nuts",
    "almond": "nuts",
    "cashew": "nuts",
    "praline": "nuts",
    "noodle": "gluten",
    "breaded": "gluten",
    "egg penne": "egg",
    "sour cream": "milk",
    "caramel": "milk",
    "prawn": "shellfish",
}
PRICE_OF = {
    "organic": 1.25,
    "premium": 1.3,
    "gift": 1.1,
    "value": 0.78,
    "gluten-free": 1.1,
    "sustainably-fished": 1.1,
}
LESS_SUGAR = {"low-sugar", "no-added-sugar", "sugar-free"}
HUES = {
    "lemon": 0.15, "citrus": 0.14, "orange": 0.08, "berry": 0.94, "strawberry": 0.97, "tomato": 0.01,
    "mint": 0.43, "green": 0.33, "vanilla": 0.13, "chocolate": 0.06, "cocoa": 0.05, "chilli": 0.0,
    "hot": 0.01, "salt": 0.58, "lavender": 0.75, "apple": 0.27, "coconut": 0.5, "peach": 0.07,
    "herb": 0.36, "spinach": 0.35, "pea": 0.3, "mushroom": 0.09, "salmon": 0.03, "tuna": 0.6,
    "red": 0.99, "golden": 0.13, "navel": 0.08, "blood": 0.02, "black": 0.78, "white": 0.2,
    "blueberry": 0.68, "grape": 0.8, "ginger": 0.1, "whole": 0.1, "plain": 0.56, "classic": 0.62,
    "banana": 0.15, "potato": 0.1, "carrot": 0.07, "peppers": 0.03, "cod": 0.57, "beef": 0.99, "milk": 0.57,
    "chicken": 0.1, "water": 0.55, "coffee": 0.07, "pasta": 0.12, "rice": 0.14, "egg": 0.11,
}  # fmt: skip


@dataclass(frozen=True)
class Family:
    """One kind of thing a department sells, as written in the data file."""

    kind: str
    category: str
    uses: tuple[str, ...]
    shape: str
    size: tuple[float, float, float]
    price: tuple[float, float]
    sizes: tuple[str, ...]
    pack: str
    allergens: tuple[str, ...]
    take: int
    v: dict[str, tuple[str, ...]]
    n: tuple[float, ...] = ()
    scent: bool = False
    bare: bool = False
    """The variant alone names the thing (Cod Loin), without the family's kind."""


@dataclass(frozen=True)
class Department:
    """Families that share a kind of storage; ``fixtures`` of each run of fixtures are its."""

    id: str
    name: str
    storage: str
    families: tuple[Family, ...]
    fixtures: int = 1


@dataclass(frozen=True)
class Draft:
    """A product before it has a segmentation colour and a place, with its department."""

    department: str
    record: dict[str, Any] = field(repr=False)

    def finished(self, colour: Colour) -> Product:
        """The product in its segmentation colour."""
        return Product.model_validate({**self.record, "colour": colour})


def departments_from(raw: list[dict[str, Any]]) -> tuple[Department, ...]:
    """The departments of a parsed data file.

    Raises: TypeError naming an unknown or a missing key of a family.
    """
    return tuple(
        Department(
            id=row["id"],
            name=row["name"],
            storage=row["storage"],
            fixtures=row.get("fixtures", 1),
            families=tuple(Family(**family) for family in row["families"]),
        )
        for row in raw
    )


def draw_products(
    departments: tuple[Department, ...], brands: list[str], total: int, rng: random.Random, prefix: str
) -> list[Draft]:
    """``total`` products, shared among the families as their ``take`` says; names are all different."""
    flat = [(number, department, family) for number, department in enumerate(departments, 1)
            for family in department.families]  # fmt: skip
    shares = apportion(total, [family.take for _, _, family in flat])
    names: set[str] = set()
    numbers = dict.fromkeys((department.id for department in departments), 0)
    drafts: list[Draft] = []
    for (number, department, family), share in zip(flat, shares, strict=True):
        for flavour, brand, size in _choices(family, brands, share, rng):
            numbers[department.id] += 1
            identity = f"{prefix}-{number:02d}{numbers[department.id]:02d}"
            record = _product(family, department.storage, identity, flavour, brand, size, rng)
            if record["name"].casefold() in names:
                record["name"] += f", {family.sizes[size]}"
            names.add(record["name"].casefold())
            drafts.append(Draft(department.id, record))
    return drafts


def _choices(family: Family, brands: list[str], count: int, rng: random.Random) -> list[tuple[str, str, int]]:
    """``count`` different (flavour, brand, size): every flavour once before any comes again.

    Raises: ValueError when the family cannot give so many.
    """
    flavours = list(family.v)
    order = rng.sample(brands, len(brands))
    chosen: list[tuple[str, str, int]] = []
    for lap in range(len(order) * len(family.sizes)):
        for place, flavour in enumerate(flavours):
            if len(chosen) == count:
                return chosen
            brand = order[(lap + place) % len(order)]
            size = (rng.randrange(len(family.sizes)) + lap // len(order)) % len(family.sizes)
            if (flavour, brand, size) in chosen:
                size = (size + 1) % len(family.sizes)
            if (flavour, brand, size) not in chosen:
                chosen.append((flavour, brand, size))
    if len(chosen) < count:
        raise ValueError(f"{family.kind}: {count} products asked for, {len(chosen)} possible")
    return chosen


def _product(
    family: Family, storage: str, identity: str, flavour: str, brand: str, size: int, rng: random.Random
) -> dict[str, Any]:
    tags = family.v[flavour]
    growth = 1.0 + 0.06 * size
    width, depth, height = (round(side * growth, 3) for side in family.size)
    if storage == "produce_stand":
        width, depth, height = family.size
    look = Look.model_validate(
        {
            "shape": family.shape,
            "size_m": (width, depth, height),
            **_colours(f"{flavour} {family.kind}", rng),
            "label": brand,
            "style": rng.randrange(16),
        }
    )
    return {
        "id": identity,
        "name": f"{brand} {flavour}" if family.bare else f"{brand} {flavour} {family.kind}",
        "category": family.category,
        "tags": tags,
        "price": _price(family, tags, size, rng),
        "storage": storage,
        "look": look,
        "details": _details(family, flavour, tags, size),
    }


def _details(family: Family, flavour: str, tags: tuple[str, ...], size: int) -> dict[str, Any]:
    gone: set[str] = set().union(*(FREE_FROM.get(tag, set()) for tag in tags))
    words = f"{flavour} {family.kind}".lower()
    own = [] if family.scent else [added for word, added in CONTAINS.items() if word in words]
    kept = [name for name in family.allergens if name not in gone]
    return {
        "flavour": _scent(flavour) if family.scent else flavour.lower(),
        "packaging": family.pack,
        "allergens": list(dict.fromkeys([*kept, *own])),
        "nutrition": _nutrition(family, tags),
        "size": family.sizes[size],
        "use": list(family.uses),
    }


def _scent(flavour: str) -> str:
    plain = {"Unscented", "Scouring", "Cellulose", "White", "Bamboo", "Soft", "Balm", "Recycled", "Sensitive"}
    return "unscented" if flavour in plain else f"{flavour.lower()} scent"


def _nutrition(family: Family, tags: tuple[str, ...]) -> dict[str, float]:
    if not family.n:
        return {}
    energy, protein, sugar, fat, salt = family.n
    if LESS_SUGAR & set(tags):
        energy, sugar = energy - 4 * sugar * 0.6, sugar * 0.4
    if "high-protein" in tags:
        protein = protein * 1.4
    if "low-salt" in tags:
        salt = salt * 0.3
    if "low-fat" in tags:
        energy, fat = energy - 9 * fat * 0.5, fat * 0.5
    return {
        "kcal": round(energy),
        "protein_g": round(protein, 1),
        "sugar_g": round(sugar, 1),
        "fat_g": round(fat, 1),
        "salt_g": round(salt, 2),
    }


def _price(family: Family, tags: tuple[str, ...], size: int, rng: random.Random) -> float:
    low, high = family.price
    amount = rng.uniform(low, low + (high - low) * 0.6) * (1 + 0.28 * size)
    for tag in tags:
        amount *= PRICE_OF.get(tag, 1.0)
    return round(int(amount) + rng.choice((0.29, 0.49, 0.79, 0.99)), 2)


def _colours(words: str, rng: random.Random) -> dict[str, str]:
    words = words.lower()
    hue = next((value for name, value in HUES.items() if name in words), rng.random())
    hue += rng.uniform(-0.03, 0.03)
    return {
        "primary": shade(hue, rng.uniform(0.42, 0.72), rng.uniform(0.52, 0.84)),
        "accent": shade(
            hue + rng.choice((0.08, 0.45, 0.55)), rng.uniform(0.12, 0.5), rng.uniform(0.82, 0.97)
        ),
    }
