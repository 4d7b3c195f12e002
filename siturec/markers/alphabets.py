"""The two marker alphabets: what each role calls the things in view.

Source: SituRecBench B.2 (S27, S28). Users: numbers for products, letters for fixtures and stores, ``A1`` for
areas. Assistants: letters for products, numbers for fixtures and stores, ``1a`` for areas. Letters go on
after Z as AA, AB …; numbers after 9 as 10, 11 …
"""

import random
from collections.abc import Iterable, Sequence
from string import ascii_uppercase

from siturec.protocol.vocabulary import Role
from siturec.scene.schema import Target


def letters(index: int) -> str:
    """A for 0, Z for 25, AA for 26, AB for 27 …"""
    text = ""
    index += 1
    while index > 0:
        index, digit = divmod(index - 1, 26)
        text = ascii_uppercase[digit] + text
    return text


def number(index: int) -> str:
    """1 for 0, 10 for 9 …"""
    return str(index + 1)


def product_marker(index: int, role: Role) -> str:
    """The marker of the product dealt ``index``-th to a role."""
    return number(index) if role == "user" else letters(index)


def deal_products(
    entities: Iterable[str], *, scene: str, observation: int, role: Role, seed: int = 0
) -> dict[str, str]:
    """Markers for the products of one observation, in this role's own order.

    The same arguments always deal the same markers, whatever the order of ``entities``.
    """
    order = sorted(entities)
    random.Random(f"{scene}|{seed}|{observation}|{role}").shuffle(order)  # noqa: S311 - not a secret
    return {entity: product_marker(index, role) for index, entity in enumerate(order)}


def fixed_markers(targets: Sequence[Target], role: Role) -> dict[str, str]:
    """Markers of fixtures, stores and areas, fixed by the role's minimap.

    The user's map is read row by row, the assistant's column by column. An area carries its store's
    marker and its own place in the store: ``B2`` is the second area of store B, ``2b`` that of store 2.
    """
    markers: dict[str, str] = {}
    buildings = _in_map_order([t for t in targets if t.kind != "area"], role)
    for index, target in enumerate(buildings):
        markers[target.entity] = letters(index) if role == "user" else number(index)
    prefixes = {t.id: markers[t.entity] for t in buildings if t.kind == "store"}
    for index, home in enumerate(_homeless(targets, prefixes), start=len(buildings)):
        prefixes[home] = letters(index) if role == "user" else number(index)
    for home, prefix in prefixes.items():
        areas = _in_map_order([t for t in targets if t.kind == "area" and (t.store or "") == home], role)
        for index, area in enumerate(areas):
            suffix = number(index) if role == "user" else letters(index).lower()
            markers[area.entity] = prefix + suffix
    return markers


def _homeless(targets: Sequence[Target], stores: Iterable[str]) -> list[str]:
    """What areas name as their store without there being one, "" included."""
    return sorted({t.store or "" for t in targets if t.kind == "area"} - set(stores))


def _in_map_order(targets: Sequence[Target], role: Role) -> list[Target]:
    def place(target: Target) -> tuple[float, float, str]:
        across, along = (target.y_m, target.x_m) if role == "user" else (target.x_m, target.y_m)
        return round(across), along, target.id

    return sorted(targets, key=place)
