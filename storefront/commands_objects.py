"""Objects by name: where they are, their mask colour, bounds, hiding, spawning. Centimetres on the wire.

A name may stand for one object, for all instances of a product that share its mask colour (``product_<id>``),
or for a body. Every change is this shopper's alone.
"""

from collections.abc import Callable
from dataclasses import replace

from storefront.commands import ARGUMENT_INVALID, OK, CommandError, CommandTable, Reply, numbers
from storefront.commands_camera import centimetres, metres, rotation_of
from storefront.shopper import Shopper
from storefront.shopper_body import CAPSULE_M, Body
from storefront.shopper_objects import NameTaken
from storefront.shopper_scene import AGENT_NAME, Group
from storefront.shopper_things import Placement, Thing
from storefront.world_objects import Triple

CANNOT_FIND = "Cannot find object"
LONGEST_NAME = 256

table = CommandTable()


class Named:
    """What a name on the wire stands for, and how it is moved and measured."""

    def __init__(self, shopper: Shopper, name: str) -> None:
        """Raises: CommandError when there is nothing of that name."""
        self.shopper = shopper
        self.objects = shopper.objects
        self.group: Group | None = shopper.store.groups.get(name.casefold())
        if self.group is not None:
            self.things: list[Thing] = self.objects.members(self.group)
            if not self.things:
                raise CommandError(CANNOT_FIND)
        else:
            thing = self.objects.find(name)
            if thing is None:
                raise CommandError(CANNOT_FIND)
            self.things = [thing]
        first = self.things[0]
        self.body: Body | None = next((b for b in shopper.bodies.values() if b.index == first.index), None)

    @property
    def first(self) -> Thing:
        """The object, or the first of several."""
        return self.things[0]

    @property
    def movable(self) -> bool:
        """Whether it can be moved."""
        return all(thing.movable for thing in self.things)

    def placement(self) -> Placement:
        """Where it is. A body's location is its capsule's centre."""
        if self.body is not None:
            body = self.body
            return Placement((body.x, body.y, body.capsule_z), (body.pitch, body.yaw, body.roll))
        if self.group is not None:
            return self.objects.group_placement(self.group)
        return self.shopper.elsewhere().get(self.first.index) or self.objects.placement(self.first)

    def move(self, position: Triple | None = None, rotation: Triple | None = None) -> None:
        """Put it somewhere at once. Raises: CommandError for what cannot be moved."""
        if self.body is not None:
            if position is not None:
                eye_z = position[2] - CAPSULE_M + self.body.eye_m
                self.body.teleport(self.shopper.now, position[0], position[1], eye_z)
            if rotation is not None:
                self.body.face(self.shopper.now, rotation)
            return
        if not self.movable:
            raise CommandError(f"{self.first.name} can not be moved: its mobility is Static")
        was = self.objects.group_placement(self.group) if self.group else self.objects.placement(self.first)
        new = Placement(position or was.position, rotation or was.rotation, was.scale)
        if self.group is not None:
            self.objects.move_group(self.group, new)
        else:
            self.objects.move(self.first, new)

    def bounds(self) -> tuple[Triple, Triple]:
        """The axis-aligned box around it."""
        elsewhere = self.shopper.elsewhere()
        if self.body is not None:
            at = Placement((self.body.x, self.body.y, self.body.eye_z - self.body.eye_m))
            size = self.objects.get(self.shopper.store.agent_id)
            boxes = [self.objects.bounds(replace(size, home=Placement((0.0, 0.0, 0.0))), at)]
        else:
            boxes = [self.objects.bounds(thing, elsewhere.get(thing.index)) for thing in self.things]
        low = tuple(min(box[0][axis] for box in boxes) for axis in range(3))
        high = tuple(max(box[1][axis] for box in boxes) for axis in range(3))
        return (low[0], low[1], low[2]), (high[0], high[1], high[2])

    def change(self, how: Callable[[Thing], Thing]) -> None:
        """Change each of its objects."""
        for thing in self.things:
            self.objects.put(how(thing))


@table.add("vget /objects", "Names of the objects: one for each mask colour, and the bodies")
def names(shopper: Shopper) -> Reply:
    """Separated by spaces."""
    return " ".join(shopper.objects.names())


@table.add("vget /object/[str]/location", "Location x y z")
def get_location(shopper: Shopper, name: str) -> Reply:
    """Centre of the base; of a body, its capsule's centre; of a held object, where the hand has it."""
    return numbers(centimetres(Named(shopper, name).placement().position))


@table.add("vset /object/[str]/location [float] [float] [float]", "Put the object there, without collision")
def set_location(shopper: Shopper, name: str, x: float, y: float, z: float) -> Reply:
    """At once."""
    Named(shopper, name).move(position=metres(x, y, z))
    return OK


@table.add("vget /object/[str]/rotation", "Rotation pitch yaw roll")
def get_rotation(shopper: Shopper, name: str) -> Reply:
    """Degrees."""
    return numbers(Named(shopper, name).placement().rotation)


@table.add("vset /object/[str]/rotation [float] [float] [float]", "Turn the object: pitch yaw roll")
def set_rotation(shopper: Shopper, name: str, pitch: float, yaw: float, roll: float) -> Reply:
    """At once."""
    Named(shopper, name).move(rotation=rotation_of(pitch, yaw, roll))
    return OK


@table.add("vget /object/[str]/color", "Mask colour")
def get_color(shopper: Shopper, name: str) -> Reply:
    """Four numbers; black is an object the mask does not show."""
    red, green, blue = Named(shopper, name).first.colour
    return f"(R={red},G={green},B={blue},A=255)"


@table.add("vset /object/[str]/color [uint] [uint] [uint]", "Set the mask colour")
def set_color(shopper: Shopper, name: str, red: int, green: int, blue: int) -> Reply:
    """For masks to come."""
    named = Named(shopper, name)
    if max(red, green, blue) > 255:
        raise CommandError(ARGUMENT_INVALID)
    if named.group is not None:
        shopper.objects.colour_group(named.group, (red, green, blue))
    else:
        shopper.objects.colour(named.first, (red, green, blue))
    return OK


@table.add("vget /object/[str]/bounds", "Axis-aligned box: minx miny minz maxx maxy maxz")
def get_bounds(shopper: Shopper, name: str) -> Reply:
    """Centimetres."""
    low, high = Named(shopper, name).bounds()
    return numbers((*centimetres(low), *centimetres(high)), 2)


@table.add("vget /object/[str]/uclass_name", "Class of the object")
def uclass_name(shopper: Shopper, name: str) -> Reply:
    """Such as StaticMeshActor."""
    return Named(shopper, name).first.uclass


@table.add("vget /object/[str]/mobility", "Movable or Static")
def mobility(shopper: Shopper, name: str) -> Reply:
    """What can be picked up, and bodies, are Movable."""
    named = Named(shopper, name)
    return "Movable" if named.body is not None or named.movable else "Static"


@table.add("vset /object/[str]/hide", "Show the object no more")
def hide(shopper: Shopper, name: str) -> Reply:
    """Until shown again."""
    Named(shopper, name).change(lambda thing: replace(thing, hidden=True))
    return OK


@table.add("vset /object/[str]/show", "Show the object again")
def show(shopper: Shopper, name: str) -> Reply:
    """As before it was hidden."""
    Named(shopper, name).change(lambda thing: replace(thing, hidden=False))
    return OK


@table.add("vset /object/[str]/destroy", "Take the object out of the store")
def destroy(shopper: Shopper, name: str) -> Reply:
    """For good; the shopper's own body stays."""
    named = Named(shopper, name)
    if named.body is not None:
        if named.body.name == AGENT_NAME:
            raise CommandError(f"{AGENT_NAME} is the shopper of this connection and stays")
        shopper.remove_body(named.body)
    for thing in named.things:
        for body in shopper.bodies.values():
            if body.held == thing.index:
                body.held = None
        shopper.objects.destroy(thing)
    return OK


@table.add("vget /object/[str]/scale", "Scale x y z")
def get_scale(shopper: Shopper, name: str) -> Reply:
    """1 is as made."""
    return numbers(Named(shopper, name).placement().scale)


@table.add("vset /object/[str]/scale [float] [float] [float]", "Set the scale")
def set_scale(shopper: Shopper, name: str, x: float, y: float, z: float) -> Reply:
    """At once; bodies keep theirs."""
    named = Named(shopper, name)
    if not all(0.0 < value <= 1000.0 for value in (x, y, z)):
        raise CommandError(ARGUMENT_INVALID)
    if named.body is not None:
        return OK
    if named.group is not None or not named.movable:
        raise CommandError(f"{name} can not be scaled: it is not one movable object")
    was = shopper.objects.placement(named.first)
    shopper.objects.move(named.first, replace(was, scale=(x, y, z)))
    return OK


@table.add("vset /object/[str]/name [str]", "Give the object another name")
def rename(shopper: Shopper, name: str, new: str) -> Reply:
    """Refused when the name is taken."""
    named = Named(shopper, name)
    if named.group is not None or named.body is not None or not 1 <= len(new) <= LONGEST_NAME:
        raise CommandError(ARGUMENT_INVALID)
    try:
        shopper.objects.rename(named.first, new)
    except NameTaken:
        raise CommandError(
            f"Renaming an object to overwrite an existing object is not allowed: {new}"
        ) from None
    return OK


def _accept(shopper: Shopper, name: str, *args: object) -> Reply:
    Named(shopper, name)
    return OK


for _rest in ("physics [str]", "collision [str]", "object_mobility [str]"):
    table.add(f"vset /object/[str]/{_rest}", "Accepted; bodies collide, objects do not")(_accept)
