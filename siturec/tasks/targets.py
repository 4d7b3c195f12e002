"""Step 2: four target products per role, covering categories, uses and places (SituRecBench A.3)."""

import random
from collections.abc import Mapping
from dataclasses import dataclass, field

from siturec.scene.schema import Product, Profile
from siturec.tasks.conflicts import product_conflicts, says
from siturec.tasks.eligible import values_of
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
    catalog: tuple[tuple[Product, ...], Mapping[str, str]],
    coverage: Coverage,
    rng: random.Random,
    count: int = 4,
) -> list[tuple[str, Product]]:
    """(theme, target) for each of a profile's tasks. ``catalog`` is the products and each one's first place.

    No two targets of a profile share a category or a place, where the catalog allows.

    Raises: NoTarget when nothing suits a theme.
    """
    products, places = catalog
    chosen: list[tuple[str, Product]] = []
    for number in range(count):
        theme = role.themes[number % len(role.themes)]
        able = [
            p for p in products if suits(role, profile, theme, p) and all(p is not one for _, one in chosen)
        ]
        if not able:
            raise NoTarget(f"{role.role}: nothing for {theme}")
        categories = {one.category for _, one in chosen}
        taken = {places[one.id] for _, one in chosen}

        def rank(p: Product) -> tuple[int, int, int, int, float]:
            return (
                (p.category in categories) + (places[p.id] in taken),  # noqa: B023 - used within the loop
                coverage.products.get(p.id, 0),
                coverage.categories.get(p.category, 0),
                coverage.places.get(places[p.id], 0),
                rng.random(),
            )

        best = sorted(able, key=rank)[:CHOICE]
        first = rank(best[0])[0]
        product = rng.choice([p for p in best if rank(p)[0] == first])
        coverage.add(product, places[product.id])
        chosen.append((theme, product))
    return chosen


def suits(role: Role, profile: Profile, theme: str, product: Product) -> bool:
    """Whether a product serves a theme and contradicts neither the role nor how the profile lives."""
    return (
        theme in values_of(product, "use")
        and set(role.must) <= set(product.tags)
        and not says(product, role.never)
        and not product_conflicts(profile.demographics, product)
    )
