"""What the store consists of, by object id: products' instances, fixtures, store fronts, and the building."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from siturec.scene.schema import LEAST_APART, LOWEST_CHANNEL, Colour

Triple = tuple[float, float, float]


@dataclass(frozen=True)
class WorldObject:
    """One object; its place in ``StoreWorld.objects`` is its id in the id frames.

    Metres and degrees in the scene pack's frame. ``low`` and ``high`` bound it in the world, ``position``
    and ``yaw_deg`` are its pose at the start. ``entity`` is ``product:<id>``, ``fixture:<id>``,
    ``store:<id>``, or None for the building's parts.
    """

    name: str
    kind: Literal["product", "fixture", "store", "structure"]
    entity: str | None
    product: str | None
    colour: Colour
    low: Triple
    high: Triple
    position: Triple
    yaw_deg: float
    movable: bool


@dataclass(frozen=True)
class Placed:
    """A thing shown somewhere else than the pack has it, or beside it: moved, carried, or spawned.

    ``look`` is the object id whose shape it takes, or ``cube`` (one metre) or ``sphere`` (one metre across).
    ``object_id`` is what id frames show; it may lie beyond ``StoreWorld.objects``. ``position`` is the centre
    of its base, ``rotation`` is (pitch, yaw, roll) as on the wire.
    """

    object_id: int
    look: int | Literal["cube", "sphere"]
    position: Triple
    rotation: Triple = (0.0, 0.0, 0.0)
    scale: Triple = (1.0, 1.0, 1.0)


class Palette:
    """Deals segmentation colours that no mask can mistake for another; never black, which means nothing."""

    def __init__(self, taken: set[Colour]) -> None:
        self._taken = np.array([*taken, (0, 0, 0)], np.int32)
        self._next = 0

    def deal(self) -> Colour:
        """A fresh colour. Multiplying by an odd constant never gives the same 24 bits twice."""
        while True:
            self._next += 1
            mixed = (self._next * 0x9E3779B1) & 0xFFFFFF
            colour = (mixed >> 16, (mixed >> 8) & 0xFF, mixed & 0xFF)
            if min(colour) >= LOWEST_CHANNEL and self._apart(colour) >= LEAST_APART:
                self._taken = np.vstack([self._taken, np.array([colour], np.int32)])
                return colour

    def _apart(self, colour: Colour) -> int:
        """How far the nearest colour that someone has is, in the channel that tells them apart best."""
        return int(np.abs(self._taken - np.array(colour, np.int32)).max(axis=1).min())
