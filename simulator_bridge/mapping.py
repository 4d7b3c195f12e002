"""How one world is driven: its actor and camera, its functions, and what its objects are called.

A map is a small JSON file beside an Unreal build. The embedded store needs none: its objects carry the
pack's own names. Example: docs/guides/unreal.md.
"""

from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from siturec.scene.schema import Colour, ScenePack
from siturec.strict_json import BadJSON, read_json

Acting = Literal["blueprint", "kinematic"]

STORE_FUNCTIONS: dict[str, str] = {
    "move": "MoveBy {forward_cm:.3f} {right_cm:.3f}",
    "turn": "TurnBy {clockwise_deg:.3f}",
    "look": "LookBy {up_deg:.3f}",
    "walk_to": "WalkTo {x_cm:.3f} {y_cm:.3f}",
    "pick_up": "PickUp {object}",
    "drop": "DropOff",
    "speed": "SetMaxSpeed {cm_per_s:.3f}",
    "moving": "IsMoving",
}
"""The embedded store's functions."""

SIMWORLD_FUNCTIONS: dict[str, str] = {
    "step": "StepForward {seconds:.3f} {backward}",
    "turn": "TurnAround {seconds:.3f} {clockwise_deg:.3f} {turn_sign}",
    "pick_up": "PickUp {object}",
    "drop": "DropOff",
    "speed": "SetMaxSpeed {cm_per_s:.3f}",
}
"""SimWorld's names for its humanoids; what is missing is put together from these."""

KNOWN_FUNCTIONS = frozenset(STORE_FUNCTIONS) | frozenset(SIMWORLD_FUNCTIONS)
NEEDED_FUNCTIONS = ("speed", "turn")
"""Without these, and one of ``move`` and ``step``, no actor gets anywhere."""

VALUES: dict[str, float | int | str] = {
    **dict.fromkeys(("forward_cm", "right_cm", "clockwise_deg", "up_deg", "x_cm", "y_cm"), 0.0),
    **dict.fromkeys(("cm_per_s", "seconds"), 1.0),
    **dict.fromkeys(("backward", "turn_sign"), 1),
    "object": "thing",
}
"""Whatever a function's template may ask for."""


class MapError(Exception):
    """A map cannot be used; says which file and field."""


class WorldMap(BaseModel):
    """One world's names. ``objects`` maps the world's object names to entities of the scene.

    With ``set_colours`` the mapped objects get the pack's mask colours when the world is first used, and all
    others black; without, the world is trusted to show the pack's colours already.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    acting: Acting = "blueprint"
    agent: str = Field(default="GEN_BP_Humanoid_0", pattern=r"^\S+$")
    camera: int = Field(default=0, ge=0)
    functions: dict[str, str] = Field(default_factory=lambda: dict(STORE_FUNCTIONS))
    objects: dict[str, str] = Field(default_factory=dict)
    set_colours: bool = False
    own_shopper: bool = Field(default=True, description="each connection has a shopper and store of its own")

    @model_validator(mode="after")
    def _can_act(self) -> "WorldMap":
        unknown = set(self.functions) - KNOWN_FUNCTIONS
        if unknown:
            raise ValueError(f"functions: nothing here is called {', '.join(sorted(unknown))}")
        if self.acting == "kinematic":
            if self.camera != 0:
                raise ValueError("camera: only the player's, number 0, can be swept, so kinematic needs it")
            return self
        for name, template in self.functions.items():
            try:
                command = template.format(**VALUES)
            except (KeyError, IndexError, ValueError, AttributeError) as error:
                known = ", ".join(sorted(VALUES))
                raise ValueError(f"functions.{name}: '{template}' ({error!r}); there are: {known}") from None
            if not command.isprintable():
                raise ValueError(f"functions.{name}: a command is one line")
        missing = [name for name in NEEDED_FUNCTIONS if name not in self.functions]
        if not {"move", "step"} & set(self.functions):
            missing.append("move or step")
        if missing:
            raise ValueError(f"functions: there is none for {', '.join(missing)}")
        return self

    def named(self, entity: str) -> list[str]:
        """The world's objects that are this entity, in the map's order."""
        return [name for name, mapped in self.objects.items() if mapped == entity]


def store_map(pack: ScenePack, *, agent: str = "GEN_BP_Humanoid_0", acting: Acting = "blueprint") -> WorldMap:
    """The embedded store's map: instances under their ids, targets as ``fixture_<id>`` and ``store_<id>``."""
    objects = {instance.id: f"product:{instance.product}" for instance in pack.instances}
    objects |= {f"{t.kind}_{t.id}": t.entity for t in pack.targets if t.kind != "area"}
    return WorldMap(agent=agent, acting=acting, objects=objects)


def load_map(path: Path, pack: ScenePack) -> WorldMap:
    """Read a map file and check it against the scene. Raises: MapError."""
    try:
        raw = read_json(path.read_bytes())
    except (OSError, BadJSON) as error:
        raise MapError(f"{path.name}: {error}") from None
    return read_map(raw, pack, where=path.name)


def read_map(raw: object, pack: ScenePack, *, where: str) -> WorldMap:
    """Check a map's JSON against the scene. Raises: MapError naming the field."""
    try:
        world_map = WorldMap.model_validate(raw)
    except ValidationError as error:
        problem = error.errors()[0]
        field = ".".join(str(part) for part in problem["loc"]) or "(map)"
        raise MapError(f"{where}, {field}: {problem['msg']}") from None
    colours = entity_colours(pack)
    for name, entity in world_map.objects.items():
        if name.split() != [name] or not name.isprintable():
            raise MapError(f"{where}, objects: '{name}' cannot be named on the wire")
        if entity not in colours:
            raise MapError(f"{where}, objects.{name}: scene {pack.info.id} has no '{entity}'")
    return world_map


def entity_colours(pack: ScenePack) -> dict[str, Colour]:
    """The mask colour of every entity that has one."""
    colours = {f"product:{product.id}": product.colour for product in pack.products}
    colours |= {target.entity: target.colour for target in pack.targets if target.colour is not None}
    return colours
