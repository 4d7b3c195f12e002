"""Putting things into one shopper's store: cubes, spheres, and humanoids that walk by themselves."""

from storefront.commands import ARGUMENT_INVALID, OK, CommandError, CommandTable, Reply
from storefront.commands_camera import metres
from storefront.commands_objects import LONGEST_NAME, Named
from storefront.shopper import MOST_BODIES, Shopper
from storefront.shopper_objects import NameTaken, TooMany
from storefront.shopper_scene import AGENT_NAME

table = CommandTable()


def spawn_thing(shopper: Shopper, uclass: str, name: str) -> str:
    """Put a cube, a sphere or a humanoid into the store. Raises: CommandError."""
    if max(len(uclass), len(name)) > LONGEST_NAME:
        raise CommandError(ARGUMENT_INVALID)
    kind = uclass.rpartition(".")[2].removesuffix("_C").casefold()
    free = name or f"{uclass.rpartition('.')[2]}_{shopper.objects.version}"
    try:
        if any(word in kind for word in ("humanoid", "user_agent", "character", "pedestrian")):
            if len(shopper.bodies) >= MOST_BODIES:
                raise TooMany
            return shopper.add_body(free).name
        look = {"cube": "cube", "sphere": "sphere", "staticmeshactor": "cube"}.get(kind)
        if look is None:
            raise CommandError(f"Can not find a class with name '{uclass[:200]}'")
        shopper.objects.spawn(
            free, look="sphere" if look == "sphere" else "cube", uclass=uclass, colour=(0, 0, 0)
        )
    except NameTaken:
        raise CommandError(f"Failed to spawn {free}, object exists.") from None
    except TooMany:
        raise CommandError(f"Failed to spawn {free}, the store is full.") from None
    return free


@table.add("vset /objects/spawn [str]", "Add a Cube, a Sphere or a humanoid")
def spawn(shopper: Shopper, uclass: str) -> Reply:
    """Its name. The mask shows it once it has a colour."""
    return spawn_thing(shopper, uclass, "")


@table.add("vset /objects/spawn [str] [str]", "Add a Cube, a Sphere or a humanoid of a given name")
def spawn_named(shopper: Shopper, uclass: str, name: str) -> Reply:
    """Its name."""
    return spawn_thing(shopper, uclass, name)


@table.add("vset /objects/spawn [str] [str] [float] [float] [float]", "Add an object at a location")
def spawn_at(shopper: Shopper, uclass: str, name: str, x: float, y: float, z: float) -> Reply:
    """Its name."""
    at = metres(x, y, z)
    made = spawn_thing(shopper, uclass, name)
    Named(shopper, made).move(position=at)
    return made


@table.add("vset /objects/spawn_cube", "Add a cube of one metre")
def spawn_cube(shopper: Shopper) -> Reply:
    """Its name."""
    return spawn_thing(shopper, "Cube", "")


@table.add("vset /objects/spawn_cube [str]", "Add a cube of a given name")
def spawn_cube_named(shopper: Shopper, name: str) -> Reply:
    """Its name."""
    return spawn_thing(shopper, "Cube", name)


@table.add("vset /objects/spawn_bp_asset [str] [str]", "Add a humanoid from a blueprint's path")
def spawn_bp_asset(shopper: Shopper, path: str, name: str) -> Reply:
    """``ok``; the shopper's own body is there already."""
    kind = path.rpartition(".")[2].casefold()
    if name.casefold() not in (AGENT_NAME.casefold(), "gen_bp_uemanager") and "manager" not in kind:
        spawn_thing(shopper, path, name)
    return OK
