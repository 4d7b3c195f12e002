"""Objects as values: where a thing is, how it is turned, what it looks like in the mask."""

import math
from dataclasses import dataclass
from typing import Literal

from siturec.scene.schema import Colour
from storefront.world_objects import Triple

_SAME_M = 1e-5
_SAME_DEG = 1e-4


@dataclass(frozen=True)
class Placement:
    """Centre of the base in metres, (pitch, yaw, roll) in degrees, scale."""

    position: Triple
    rotation: Triple = (0.0, 0.0, 0.0)
    scale: Triple = (1.0, 1.0, 1.0)

    def same_as(self, other: "Placement") -> bool:
        """Whether the two differ by no more than the wire's own rounding."""
        return (
            math.dist(self.position, other.position) < _SAME_M
            and all(
                abs((a - b + 180) % 360 - 180) < _SAME_DEG
                for a, b in zip(self.rotation, other.rotation, strict=True)
            )
            and math.dist(self.scale, other.scale) < _SAME_M
        )


@dataclass(frozen=True)
class Thing:
    """One object as a shopper has it."""

    index: int
    name: str
    look: int | Literal["cube", "sphere"]
    home: Placement
    low: Triple
    high: Triple
    colour: Colour
    movable: bool
    uclass: str = "StaticMeshActor"
    placement: Placement | None = None
    hidden: bool = False
    destroyed: bool = False
    recoloured: bool = False


def axes(rotation: Triple) -> tuple[Triple, Triple, Triple]:
    """Forward, right and up of an Unreal rotator (pitch, yaw, roll) in degrees; left-handed, Z up."""
    p, y, r = (math.radians(angle) for angle in rotation)
    cp, sp, cy, sy, cr, sr = math.cos(p), math.sin(p), math.cos(y), math.sin(y), math.cos(r), math.sin(r)
    return (
        (cp * cy, cp * sy, sp),
        (sr * sp * cy - cr * sy, sr * sp * sy + cr * cy, -sr * cp),
        (-(cr * sp * cy + sr * sy), cy * sr - cr * sp * sy, cr * cp),
    )


def turned(offset: Triple, rotation: Triple) -> Triple:
    """An offset in an object's own frame, in the world's."""
    f, r, u = axes(rotation)
    x, y, z = offset
    return (
        x * f[0] + y * r[0] + z * u[0],
        x * f[1] + y * r[1] + z * u[1],
        x * f[2] + y * r[2] + z * u[2],
    )
