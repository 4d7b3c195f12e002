"""Small records shared by the makers of fixtures, building and goods."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from storefront.mesh import Mesh

RGB = tuple[int, int, int]
IDENTITY: NDArray[np.float64] = np.eye(3, 4)


def hex_colour(text: str) -> RGB:
    """``#rrggbb`` as three bytes."""
    return int(text[1:3], 16), int(text[3:5], 16), int(text[5:7], 16)


@dataclass(frozen=True)
class Pane:
    """A flat sheet of glass: four corners counter-clockwise as seen from its outer side, (4, 3)."""

    corners: NDArray[np.float64]

    def moved(self, matrix: NDArray[np.float64]) -> "Pane":
        """The same pane placed by a (3, 4) matrix."""
        return Pane(self.corners @ matrix[:, :3].T + matrix[:, 3])


@dataclass(frozen=True)
class Lamp:
    """A small light of a fixture's own: where, how strong (1 is a ceiling panel), how far it reaches."""

    position: NDArray[np.float64]
    power: float
    reach: float


@dataclass(frozen=True)
class StructurePart:
    """A piece of the building. Parts of one ``name`` are one object; ``owner`` is the store it belongs to."""

    name: str
    mesh: Mesh
    owner: str | None = None
    panes: tuple[Pane, ...] = ()
    matrix: NDArray[np.float64] = field(default_factory=lambda: IDENTITY)
