"""Which products meet a task's needs, and what they cost (SituRecBench A.3, step 4)."""

from collections.abc import Iterable
from typing import Any

from siturec.scene.schema import Need, Product, Task


def values_of(product: Product, key: str) -> tuple[str, ...]:
    """A product's values under a need's key: ``category``, ``tag``, or a key of its details."""
    if key == "category":
        return (product.category,)
    if key == "tag":
        return product.tags
    value: Any = product.details.get(key)
    if value is None:
        return ()
    return tuple(str(item) for item in value) if isinstance(value, (list, tuple)) else (str(value),)


def meets(product: Product, need: Need) -> bool:
    """Whether a product meets one need: it has one of the values, or with ``avoid`` none of them."""
    has = any(value in need.values for value in values_of(product, need.key))
    return not has if need.avoid else has


def eligible(products: Iterable[Product], needs: Iterable[Need]) -> list[Product]:
    """The products that meet every need, whatever they cost, in catalog order."""
    wanted = tuple(needs)
    return [product for product in products if all(meets(product, need) for need in wanted)]


def references(products: Iterable[Product], task: Task) -> tuple[str, ...]:
    """Ids of all products that meet a task's needs within its budget: its reference items."""
    return tuple(p.id for p in eligible(products, task.needs) if p.price <= task.budget)
