"""The store's objects as one shopper has them: what was moved, hidden, taken, coloured or put there.

Only what differs from opening time is kept, so a shopper costs next to nothing.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Literal

from siturec.scene.schema import Colour
from storefront.shopper_scene import AGENT_NAME, Group, Store
from storefront.shopper_things import Placement, Thing, turned
from storefront.world_objects import Placed, Triple

MOST_SPAWNED = 512
"""Objects one shopper may put into the store."""


class NameTaken(Exception):
    """An object of that name exists already."""


class TooMany(Exception):
    """A shopper has put as many objects into the store as one may."""


class Objects:
    """A shopper's overlay of the shared store."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.changed: dict[int, Thing] = {}
        self.group_poses: dict[str, Placement] = {}
        self.group_colours: dict[str, Colour] = {}
        self.renamed: dict[str, int] = {}
        self.version = 0
        self._next = store.agent_id + 1

    def get(self, index: int) -> Thing:
        """An object by its id. Raises: IndexError when there is none."""
        thing = self.changed.get(index)
        if thing is not None:
            return thing
        if index == self.store.agent_id:
            return self._agent()
        base = self.store.objects[index]
        return Thing(
            index=index,
            name=base.name,
            look=index,
            home=Placement(base.position, (0.0, base.yaw_deg, 0.0)),
            low=base.low,
            high=base.high,
            colour=base.colour,
            movable=base.movable,
        )

    def _agent(self) -> Thing:
        """The shopper's own body; where it is, only the body knows."""
        return Thing(
            index=self.store.agent_id,
            name=AGENT_NAME,
            look="cube",
            home=Placement((0.0, 0.0, 0.0)),
            low=(-0.25, -0.25, 0.0),
            high=(0.25, 0.25, 1.8),
            colour=self.store.agent_colour,
            movable=True,
            uclass="BP_Humanoid_C",
        )

    def find(self, name: str) -> Thing | None:
        """An object by its name, whatever its case; None when there is none or it was destroyed."""
        key = name.casefold()
        index = self.renamed.get(key, self.store.by_name.get(key))
        if index is None:
            return None
        thing = self.get(index)
        return None if thing.destroyed or thing.name.casefold() != key else thing

    def put(self, thing: Thing) -> None:
        """Keep a changed object."""
        self.changed[thing.index] = thing
        self.version += 1

    def placement(self, thing: Thing) -> Placement:
        """Where an object is now (a held one: goes back to): its own place, its group's, or its first."""
        if thing.placement is not None:
            return thing.placement
        group = self.store.group_of.get(thing.index)
        pose = None if group is None else self.group_poses.get(group.name)
        if group is None or pose is None:
            return thing.home
        home = thing.home
        offset = (
            home.position[0] - group.pivot[0],
            home.position[1] - group.pivot[1],
            home.position[2] - group.pivot[2],
        )
        to = turned(offset, pose.rotation)
        pitch, yaw, roll = pose.rotation
        return Placement(
            (pose.position[0] + to[0], pose.position[1] + to[1], pose.position[2] + to[2]),
            (pitch, home.rotation[1] + yaw, roll),
        )

    def move(self, thing: Thing, placement: Placement) -> None:
        """Put an object somewhere; back at its first place it is as if it never left."""
        own = self.placement(replace(thing, placement=None))
        self.put(replace(thing, placement=None if placement.same_as(own) else placement))

    def group_placement(self, group: Group) -> Placement:
        """Where a group is: its pivot, moved and turned with all its members."""
        return self.group_poses.get(group.name, Placement(group.pivot))

    def move_group(self, group: Group, placement: Placement) -> None:
        """Move a group's members together; those moved one by one stay where they are."""
        if placement.same_as(Placement(group.pivot)):
            self.group_poses.pop(group.name, None)
        else:
            self.group_poses[group.name] = placement
        self.version += 1

    def colour(self, thing: Thing, colour: Colour) -> None:
        """Set one object's mask colour; it leaves its group unless that has the same."""
        group = self.store.group_of.get(thing.index)
        theirs = (
            None
            if group is None
            else self.group_colours.get(group.name, self.store.objects[thing.index].colour)
        )
        self.put(replace(thing, colour=colour, recoloured=group is not None and colour != theirs))

    def colour_group(self, group: Group, colour: Colour) -> None:
        """Set the mask colour of a group's members."""
        self.group_colours[group.name] = colour
        for thing in self.members(group):
            self.put(replace(thing, colour=colour))

    def members(self, group: Group) -> list[Thing]:
        """A group's objects that still carry its colour."""
        things = (self.get(member) for member in group.members)
        return [thing for thing in things if not thing.destroyed and not thing.recoloured]

    def bounds(self, thing: Thing, at: Placement | None = None) -> tuple[Triple, Triple]:
        """An object's axis-aligned box in the world, in metres."""
        place = at or self.placement(thing)
        if place == thing.home:
            return thing.low, thing.high
        home = thing.home
        back = (0.0, -home.rotation[1], 0.0)
        corners: list[Triple] = []
        for x in (thing.low[0], thing.high[0]):
            for y in (thing.low[1], thing.high[1]):
                for z in (thing.low[2], thing.high[2]):
                    own = turned((x - home.position[0], y - home.position[1], z - home.position[2]), back)
                    sized = (own[0] * place.scale[0], own[1] * place.scale[1], own[2] * place.scale[2])
                    to = turned(sized, place.rotation)
                    corners.append(
                        (place.position[0] + to[0], place.position[1] + to[1], place.position[2] + to[2])
                    )
        xs, ys, zs = zip(*corners, strict=True)
        return (min(xs), min(ys), min(zs)), (max(xs), max(ys), max(zs))

    def spawn(self, name: str, *, look: Literal["cube", "sphere"], uclass: str, colour: Colour) -> Thing:
        """Put a new object, a metre across, at the origin.

        The mask shows it once it has a colour other than black.

        Raises: NameTaken; TooMany.
        """
        if self.find(name) is not None or name.casefold() in self.store.groups:
            raise NameTaken(name)
        if sum(not thing.destroyed for thing in self.spawned()) >= MOST_SPAWNED:
            raise TooMany
        thing = Thing(
            index=self._next,
            name=name,
            look=look,
            home=Placement((0.0, 0.0, 0.0)),
            low=(-0.5, -0.5, 0.0),
            high=(0.5, 0.5, 1.0),
            colour=colour,
            movable=True,
            uclass=uclass,
        )
        self._next += 1
        self.renamed[name.casefold()] = thing.index
        self.put(thing)
        return thing

    def destroy(self, thing: Thing) -> None:
        """Take an object out of this shopper's store for good."""
        if thing.index > self.store.agent_id:
            self.renamed.pop(thing.name.casefold(), None)
            del self.changed[thing.index]
            self.version += 1
        else:
            self.put(replace(thing, destroyed=True))

    def rename(self, thing: Thing, name: str) -> None:
        """Give an object another name. Raises: NameTaken."""
        if self.find(name) is not None or name.casefold() in self.store.groups:
            raise NameTaken(name)
        self.renamed.pop(thing.name.casefold(), None)
        self.renamed[name.casefold()] = thing.index
        self.put(replace(thing, name=name))

    def spawned(self) -> Iterator[Thing]:
        """The objects this shopper put there."""
        return (thing for index, thing in self.changed.items() if index > self.store.agent_id)

    def names(self) -> list[str]:
        """One name for each mask colour that is to be seen, and for each object without one."""
        names: list[str] = []
        listed: set[str] = set()
        for index in range(len(self.store.objects)):
            group = self.store.group_of.get(index)
            changed = self.changed.get(index)
            if changed is not None and changed.destroyed:
                continue
            if group is None or (changed is not None and changed.recoloured):
                names.append(self.store.objects[index].name if changed is None else changed.name)
            elif group.name not in listed:
                listed.add(group.name)
                names.append(group.name)
        names.append(self.get(self.store.agent_id).name)
        names.extend(thing.name for thing in self.spawned())
        return names

    def shown(
        self, elsewhere: Mapping[int, Placement], *, without: int | None = None
    ) -> tuple[frozenset[int], tuple[Placed, ...]]:
        """What the renderer is to leave out of the store as it was, and what to show besides.

        ``elsewhere``: where held things and other bodies are. ``without``: the object whose eyes these are.
        """
        first_own = self.store.agent_id
        touched = {index for index in (*self.changed, *elsewhere) if index != first_own}
        for name in self.group_poses:
            touched.update(self.store.groups[name.casefold()].members)
        hidden: set[int] = set()
        extra: list[Placed] = []
        for index in sorted(touched):
            thing = self.get(index)
            place = elsewhere.get(index) or self.placement(thing)
            gone = index == without or thing.destroyed or thing.hidden
            if index < first_own:
                if not gone and place == thing.home:
                    continue
                hidden.add(index)
            if not gone:
                extra.append(Placed(index, thing.look, place.position, place.rotation, place.scale))
        return frozenset(hidden), tuple(extra)
