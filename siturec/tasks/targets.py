"""Step 2: four target products per role, covering categories, uses and places (SituRecBench A.3)."""

import random
from collections.abc import Mapping
from dataclasses import dataclass, field

from siturec.scene.schema import Product, Profile
from siturec.tasks.conflicts import product_conflicts, says
from siturec.tasks.roles import Role

CHOICE = 6
"""The target is drawn from the so many best candidates."""


class NoTarget(ValueError):
    """No product of the catalog suits a role's theme."""


@dataclass
class Coverage:
    """What has been chosen so far, over all profiles: it steers later choices to what was not yet used."""

    products: dict[str, int] = field(default_factory=dict)
    categories: dict[str, int] = field(default_factory=dict)
    places: dict[str, int] = field(default_factory=dict)

    def of(self, product: Product, place: str) -> tuple[int, int, int]:
        """How often a product, its category and its place have been chosen."""
        return (
            self.products.get(product.id, 0),
            self.categories.get(product.category, 0),
            self.places.get(place, 0),
        )

    def add(self, product: Product, place: str) -> None:
        """Count one target."""
        for counts, key in (
            (self.products, product.id),
            (self.categories, product.category),
            (self.places, place),
        ):
            counts[key] = counts.get(key, 0) + 1


def choose_targets(
    role: Role,
    profile: Profile,
    catalog: tuple[Mapping[str, list[Product]], Mapping[str, str]],
    coverage: Coverage,
    rng: random.Random,
    count: int = 4,
) -> list[tuple[str, Product]]:
    """(theme, target) for each of a profile's tasks. ``catalog`` is the products that serve each theme, and
    each product's first place. No two targets of a profile share a category or a place, where that can be.

    Raises: NoTarget when nothing suits a theme.
    """
    serving, places = catalog
    chosen: list[tuple[str, Product]] = []
    for number in range(count):
        theme = role.themes[number % len(role.themes)]
        taken = {one.id for _, one in chosen}
        able = [p for p in serving[theme] if p.id not in taken and suits(role, profile, p)]
        if not able:
            raise NoTarget(f"{role.role}: nothing for {theme}")
        categories = {one.category for _, one in chosen}
        spots = {places[one.id] for _, one in chosen}
        ranked = sorted(
            (
                (p.category in categories) + (places[p.id] in spots),
                *coverage.of(p, places[p.id]),
                rng.random(),
                index,
            )
            for index, p in enumerate(able)
        )
        best = [able[int(row[-1])] for row in ranked[:CHOICE] if row[0] == ranked[0][0]]
        product = rng.choice(best)
        coverage.add(product, places[product.id])
        chosen.append((theme, product))
    return chosen


def suits(role: Role, profile: Profile, product: Product) -> bool:
    """Whether a product contradicts neither the role nor how the profile lives."""
    return (
        set(role.must) <= set(product.tags)
        and not says(product, role.never)
        and not product_conflicts(profile.demographics, product)
    )
