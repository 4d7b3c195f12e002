"""Which scenes can be built, and how each is put together from an order."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from scenes.generator import home, supermarket
from scenes.generator.chance import stream
from siturec.scene.schema import ScenePack
from siturec.strict_yaml import read_yaml
from siturec.tasks.build import build_shoppers
from siturec.tasks.roles import roles_from
from siturec.tasks.speech import speech_from

PROFILES = 25


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
    sizes = supermarket.Sizes(
        blocks=order.scale,
        products=order.products or supermarket.PRODUCTS * order.scale,
        instances=order.instances or supermarket.INSTANCES * order.scale,
    )
    return with_shoppers(supermarket.build(order.seed, sizes), order)


def build_home_furnishings(order: Order) -> ScenePack:
    """The home furnishings store, in as many blocks of seven shops as the scale says."""
    sizes = home.Sizes(
        blocks=order.scale,
        products=order.products or home.PRODUCTS * order.scale,
        instances=order.instances or home.INSTANCES * order.scale,
    )
    return with_shoppers(home.build(order.seed, sizes), order)


def with_shoppers(pack: ScenePack, order: Order) -> ScenePack:
    """The pack with its profiles and tasks, from the data file of its shoppers."""
    slug = pack.info.id
    file = Path(__file__).parent / "data" / f"{slug}_shoppers.yaml"
    raw = read_yaml(file.read_text(encoding="utf-8"))
    count = PROFILES * order.scale if order.profiles is None else order.profiles
    profiles, tasks = build_shoppers(
        pack, roles_from(raw["roles"]), speech_from(raw), stream(slug, order.seed, "shoppers"), count
    )
    return pack.model_copy(update={"profiles": profiles, "tasks": tasks})


RECIPES: dict[str, Callable[[Order], ScenePack]] = {
    supermarket.SLUG: build_supermarket,
    home.SLUG: build_home_furnishings,
}
