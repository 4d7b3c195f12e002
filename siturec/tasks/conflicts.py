"""The final check of step 4: role, description, labels and target must not contradict one another."""

from collections.abc import Iterable

from siturec.scene.schema import Demographics, Need, Product, Profile, Task
from siturec.tasks.eligible import values_of

FROZEN = {"chest_freezer", "upright_freezer"}
WITH_CHILDREN = ("child", "family", "teenager")
FOR_MANY = {"family-size"}
SMALL_HOMES = ("studio", "room in", "student hall")


def product_conflicts(lives: Demographics, product: Product) -> list[str]:
    """Why somebody living like this would not be sent for this product; empty when nothing is against it."""
    found: list[str] = []
    if "no freezer" in lives.storage and product.storage in FROZEN:
        found.append(f"{product.id} is frozen, but there is no freezer")
    if product.details.get("size_category") == "large" and any(word in lives.housing for word in SMALL_HOMES):
        found.append(f"{product.id} is large for a {lives.housing}")
    for animal in ("dog", "cat"):
        if product.category == f"{animal} food" and animal not in lives.household:
            found.append(f"{product.id} is {animal} food, but no {animal} lives there")
    if product.category == "pet treats" and not any(word in lives.household for word in ("dog", "cat")):
        found.append(f"{product.id} is for pets, but no pet lives there")
    return found


def need_conflicts(lives: Demographics, needs: Iterable[Need]) -> list[str]:
    """Which needs do not go with how somebody lives, or with one another."""
    found: list[str] = []
    wanted: set[tuple[str, str]] = set()
    unwanted: set[tuple[str, str]] = set()
    children = any(word in lives.household for word in WITH_CHILDREN)
    alone = lives.household.startswith("lives alone")
    for need in needs:
        for value in need.values:
            (unwanted if need.avoid else wanted).add((need.key, value))
            if not need.avoid and value == "kid-friendly" and not children:
                found.append("wants something for children, but none live there")
            if need.avoid and value == "kid-friendly" and children:
                found.append("wants nothing for children, but some live there")
            if not need.avoid and value in FOR_MANY and alone:
                found.append("wants a family's portion, but lives alone")
    found += [f"wants and does not want {key} {value}" for key, value in sorted(wanted & unwanted)]
    return found


def contradictions(profile: Profile, task: Task, target: Product) -> list[str]:
    """What in a task contradicts its shopper, its target, or itself."""
    return [
        *product_conflicts(profile.demographics, target),
        *need_conflicts(profile.demographics, task.needs),
    ]


def says(product: Product, words: Iterable[str]) -> bool:
    """Whether any of the words is the product's category, one of its tags, or one of its allergens."""
    own = {product.category, *product.tags, *values_of(product, "allergens")}
    return not own.isdisjoint(words)
