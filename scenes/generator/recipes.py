"""Which scenes can be built, and how each is put together from an order."""

from collections.abc import Callable
from dataclasses import dataclass

from scenes.generator import home, supermarket
from siturec.scene.schema import ScenePack


@dataclass(frozen=True)
class Order:
    """What was asked for; None means ``scale`` times the usual number."""

    seed: int = 42
    scale: int = 1
    products: int | None = None
    instances: int | None = None
    profiles: int | None = None


def build_supermarket(order: Order) -> ScenePack:
    """The supermarket, in as many blocks of its floor plan as the scale says."""
    return supermarket.build(
        order.seed,
        supermarket.Sizes(
            blocks=order.scale,
            products=order.products or supermarket.PRODUCTS * order.scale,
            instances=order.instances or supermarket.INSTANCES * order.scale,
        ),
    )


def build_home_furnishings(order: Order) -> ScenePack:
    """The home furnishings store, in as many blocks of seven shops as the scale says."""
    return home.build(
        order.seed,
        home.Sizes(
            blocks=order.scale,
            products=order.products or home.PRODUCTS * order.scale,
            instances=order.instances or home.INSTANCES * order.scale,
        ),
    )


RECIPES: dict[str, Callable[[Order], ScenePack]] = {
    supermarket.SLUG: build_supermarket,
    home.SLUG: build_home_furnishings,
}
