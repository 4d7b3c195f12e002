"""Proving a scene pack right: every fault is one readable line that names file, row and field."""

from collections.abc import Iterable, Iterator

import numpy as np

from siturec.scene.check_space import check_space
from siturec.scene.schema import LEAST_APART, LOWEST_CHANNEL, Colour, ScenePack, Sign, Target, Wall
from siturec.tasks.check import check_tasks

APPROACHES = {
    "fixture": {"front", "back"},
    "store": {"outside_doorway", "inside_doorway"},
    "area": {"front"},
}
NEEDED = {"fixture": {"front"}, "store": {"outside_doorway", "inside_doorway"}, "area": {"front"}}
KINDS = {"supermarket": {"fixture"}, "home": {"store", "area"}}


def check_pack(pack: ScenePack) -> list[str]:
    """Every fault of a pack; an empty list means it can be used.

    References and colours come first; space is looked at only when they hold, and shoppers and tasks only
    when the products do, since their faults would be echoes.
    """
    faults = [*_unique(pack), *_targets(pack), *_instances(pack), *_layout(pack), *_colours(pack)]
    if not faults:
        faults += check_space(pack)
    return faults + list(check_tasks(pack))


def row(file: str, number: int, field: str, text: str) -> str:
    """One fault as a line. Rows count from 1, as lines of records do."""
    return f"{file}.json row {number}, {field}: {text}"


def _unique(pack: ScenePack) -> Iterator[str]:
    tables: dict[str, Iterable[str]] = {
        "products": [product.id for product in pack.products],
        "targets": [target.id for target in pack.targets],
        "waypoints": [waypoint.id for waypoint in pack.waypoints],
        "instances": [instance.id.casefold() for instance in pack.instances],
        "profiles": [profile.id for profile in pack.profiles],
        "tasks": [task.id for task in pack.tasks],
    }
    for name, ids in tables.items():
        first: dict[str, int] = {}
        for number, identity in enumerate(ids, start=1):
            if identity in first:
                yield row(name, number, "id", f"{identity} is already the id of row {first[identity]}")
            first.setdefault(identity, number)
    names: dict[str, int] = {}
    for number, product in enumerate(pack.products, start=1):
        name = product.name.casefold()
        if name in names:
            yield row("products", number, "name", f"{product.name} is already the name of row {names[name]}")
        names.setdefault(name, number)


def _targets(pack: ScenePack) -> Iterator[str]:
    waypoints = {waypoint.id for waypoint in pack.waypoints}
    stores = {target.id for target in pack.targets if target.kind == "store"}
    held: dict[str, set[str]] = {}
    for instance in pack.instances:
        held.setdefault(instance.target, set()).add(instance.product)
    for target in pack.targets:
        if target.store is not None:
            held.setdefault(target.store, set()).update(held.get(target.id, set()))
    for number, target in enumerate(pack.targets, start=1):
        if target.kind not in KINDS[pack.info.kind]:
            yield row("targets", number, "kind", f"a {pack.info.kind} scene has no {target.kind}")
        yield from _shape(target, number, stores)
        for standing in target.standing:
            if standing.waypoint not in waypoints:
                yield row("targets", number, "standing", f"there is no waypoint {standing.waypoint}")
            if standing.approach not in APPROACHES[target.kind]:
                yield row(
                    "targets", number, "standing", f"a {target.kind} has no approach {standing.approach}"
                )
        for missing in sorted(NEEDED[target.kind] - {standing.approach for standing in target.standing}):
            yield row("targets", number, "standing", f"no standing point for {missing}")
        listed, there = set(target.products), held.get(target.id, set())
        for product in sorted(listed ^ there):
            fault = "listed, but no instance of it is there" if product in listed else "there, but not listed"
            yield row("targets", number, "products", f"{product} is {fault}")


def _shape(target: Target, number: int, stores: set[str]) -> Iterator[str]:
    rect = target.footprint
    if rect.x1 <= rect.x0 or rect.y1 <= rect.y0:
        yield row("targets", number, "footprint", "has no extent")
    if target.yaw_deg % 90:
        yield row("targets", number, "yaw_deg", f"{target.yaw_deg} is no multiple of 90")
    if target.kind == "fixture" and (target.type is None or target.height_m <= 0):
        yield row("targets", number, "type", "a fixture needs a type and a height")
    if target.kind == "store" and not target.entrances:
        yield row("targets", number, "entrances", "a store needs an entrance")
    if (target.kind == "area") != (target.store is not None):
        yield row("targets", number, "store", "areas, and only areas, belong to a store")
    if target.store is not None and target.store not in stores:
        yield row("targets", number, "store", f"there is no store {target.store}")
    if (target.kind == "area") != (target.colour is None):
        yield row("targets", number, "colour", "fixtures and stores have a colour, areas have none")


def _instances(pack: ScenePack) -> Iterator[str]:
    products = {product.id: product for product in pack.products}
    holders = {target.id: target for target in pack.targets if target.kind != "store"}
    placed: set[str] = set()
    for number, instance in enumerate(pack.instances, start=1):
        placed.add(instance.product)
        product, target = products.get(instance.product), holders.get(instance.target)
        if product is None:
            yield row("instances", number, "product", f"there is no product {instance.product}")
        if target is None:
            yield row("instances", number, "target", f"there is no fixture or area {instance.target}")
        if product and target and product.storage != (target.type or "display"):
            where = target.type or "display area"
            yield row(
                "instances", number, "target", f"{product.id} is kept in {product.storage}, not in {where}"
            )
    for number, product in enumerate(pack.products, start=1):
        if product.id not in placed:
            yield row("products", number, "id", f"no instance of {product.id} stands in the scene")


def _layout(pack: ScenePack) -> Iterator[str]:
    stores = {target.id for target in pack.targets if target.kind == "store"}
    owned: dict[str, tuple[Wall | Sign, ...]] = {"walls": pack.layout.walls, "signs": pack.layout.signs}
    for name, things in owned.items():
        for number, thing in enumerate(things, start=1):
            if thing.owner is not None and thing.owner not in stores:
                yield f"layout.json {name} row {number}, owner: there is no store {thing.owner}"
    owners = {wall.owner for wall in pack.layout.walls}
    for number, target in enumerate(pack.targets, start=1):
        if target.kind == "store" and target.id not in owners:
            yield row("targets", number, "id", f"no wall of layout.json is the front of {target.id}")


def _colours(pack: ScenePack) -> Iterator[str]:
    """Channels high enough, and every two colours far enough apart in some channel to be told apart."""
    owners: list[tuple[str, int, Colour]] = [
        ("products", number, product.colour) for number, product in enumerate(pack.products, start=1)
    ]
    owners += [
        ("targets", number, target.colour)
        for number, target in enumerate(pack.targets, start=1)
        if target.colour is not None
    ]
    for file, number, colour in owners:
        if not all(LOWEST_CHANNEL <= channel <= 255 for channel in colour):
            yield row(file, number, "colour", f"{colour} has a channel outside {LOWEST_CHANNEL} to 255")
    values = np.array([colour for _, _, colour in owners], dtype=np.int32).reshape(-1, 3)
    for index in range(1, len(values)):
        apart = np.abs(values[:index] - values[index]).max(axis=1)
        near = int(apart.argmin())
        if apart[near] < LEAST_APART:
            file, number, colour = owners[index]
            other, line, _ = owners[near]
            yield row(file, number, "colour", f"{colour} is too near that of {other}.json row {line}")
