"""What all shoppers of one process share: the store as it is at opening time, by name, and its floor plan."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from siturec.scene.schema import Colour, ScenePack
from storefront.planning import Planner
from storefront.render import StoreWorld
from storefront.walking import FloorPlan
from storefront.world_objects import Palette, Triple, WorldObject

Lut = NDArray[np.uint32]

AGENT_NAME = "GEN_BP_Humanoid_0"
"""The shopper's name on the wire, the one SimWorld gives its first humanoid."""


@dataclass(frozen=True)
class Group:
    """Objects that share one mask colour, such as all instances of a product: one actor on the wire."""

    name: str
    members: tuple[int, ...]
    pivot: Triple


def colour_lut(colours: Sequence[Colour]) -> Lut:
    """Mask colours by object id as BGRA words; the last row, black, is for -1, nothing."""
    table = np.zeros((len(colours) + 1, 4), np.uint8)
    table[:, 3] = 255
    table[:-1, :3] = np.array(colours, np.uint8).reshape(-1, 3)[:, ::-1]
    return table.view(np.uint32).ravel()


class Store:
    """One store at opening time, and what every shopper needs of it.

    Args:
        pack: the scene pack.
        world: the renderer's world of the same pack.
    """

    def __init__(self, pack: ScenePack, world: StoreWorld) -> None:
        self.pack = pack
        self.world = world
        self.sight = pack.info.sight
        layout = pack.layout
        self.plan = FloorPlan(
            world.solids, (0.0, 0.0, layout.width_m, layout.depth_m), self.sight.body_radius_m
        )
        self.planner = Planner(self.plan)
        self.objects: tuple[WorldObject, ...] = tuple(world.objects)
        self.by_name = {thing.name.casefold(): index for index, thing in enumerate(self.objects)}
        self.agent_id = len(self.objects)
        self.by_name[AGENT_NAME.casefold()] = self.agent_id
        self.agent_colour = Palette({thing.colour for thing in self.objects}).deal()
        self.lut = colour_lut([thing.colour for thing in self.objects] + [self.agent_colour])
        self.groups: dict[str, Group] = {}
        self.group_of: dict[int, Group] = {}
        self._group_by_colour()

    def _group_by_colour(self) -> None:
        sharing: dict[Colour, list[int]] = defaultdict(list)
        for index, thing in enumerate(self.objects):
            if thing.colour != (0, 0, 0):
                sharing[thing.colour].append(index)
        for members in sharing.values():
            if len(members) == 1:
                continue
            first = self.objects[members[0]]
            kind, _, own = (first.entity or f"group:{first.name}").partition(":")
            low = [min(self.objects[m].low[axis] for m in members) for axis in range(3)]
            high = [max(self.objects[m].high[axis] for m in members) for axis in range(3)]
            pivot = ((low[0] + high[0]) / 2, (low[1] + high[1]) / 2, low[2])
            group = Group(self._free_name(f"{kind}_{own}"), tuple(members), pivot)
            self.groups[group.name.casefold()] = group
            for member in members:
                self.group_of[member] = group

    def _free_name(self, name: str) -> str:
        while name.casefold() in self.by_name:
            name += "_all"
        return name
