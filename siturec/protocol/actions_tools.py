"""The user's tools as argument models: one definition for the page, the models' schemas and the validator.

Markers are strings in the caller's own alphabet; a bare number is taken for its digits. Source:
SituRecBench B.2 (features S36, S37) and docs/protocol.md, *User tools*.
"""

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from siturec.protocol.messages import Shape
from siturec.protocol.vocabulary import TOOLS, SceneKind, ToolName

DistanceName = Literal["short", "medium", "long"]
DISTANCES_M: dict[str, float] = {"short": 1.0, "medium": 2.0, "long": 4.0}
ANGLE_MIN_DEG, ANGLE_MAX_DEG = 15.0, 180.0
ANGLES_DEG = 15, 30, 45, 60, 90, 120, 150, 180
"""What a person can choose from; scripted minds keep to it, so that their turns are ones people can take."""
PITCH_LIMIT_DEG = 60.0


def _as_marker(value: object) -> object:
    if isinstance(value, bool):
        return value
    return str(value) if isinstance(value, int) else value


Marker = Annotated[str, BeforeValidator(_as_marker), Field(min_length=1, max_length=16)]
Distance = Annotated[DistanceName, Field(description="short is 1 m, medium 2 m, long 4 m")]
# Strict: the schema promises a number, and an expected "90" would never equal an executed 90.
Angle = Annotated[
    float, Field(strict=True, ge=ANGLE_MIN_DEG, le=ANGLE_MAX_DEG, description="degrees, 15 to 180")
]


class NoArgs(Shape):
    """A tool without arguments."""


class Walk(Shape):
    """Straight ahead or straight back, sliding to a stop before an obstacle."""

    distance: Distance


class SideStep(Shape):
    """A step to one side; the eyes keep their direction."""

    direction: Literal["left", "right"]
    distance: Distance


class Turn(Shape):
    """On the spot."""

    direction: Literal["left", "right"]
    angle: Angle


class Look(Shape):
    """Raise or lower the eyes; the pitch stays within 60 degrees of level."""

    direction: Literal["up", "down"]
    angle: Angle


class TurnAndWalk(Shape):
    """A turn and a walk, in the order the tool's name says."""

    direction: Literal["left", "right"]
    angle: Angle
    distance: Distance


class ToFixture(Shape):
    """Go to a visible fixture; front and back only where the marker table offers them."""

    target: Marker
    approach: Literal["nearest", "front", "back"] = "nearest"


class ToStore(Shape):
    """Go to a fixed point on either side of a visible store's entrance."""

    target: Marker
    approach: Literal["outside_doorway", "inside_doorway"] = "outside_doorway"


class ToArea(Shape):
    """Go to the fixed point of a visible display area."""

    target: Marker


class OnProduct(Shape):
    """Act on a visible product within reach."""

    product: Marker


ARGUMENTS: dict[ToolName, type[Shape]] = {
    "move_forward": Walk,
    "move_backward": Walk,
    "side_step": SideStep,
    "turn": Turn,
    "look_up_down": Look,
    "turn_and_move": TurnAndWalk,
    "move_and_turn": TurnAndWalk,
    "move_to_fixture": ToFixture,
    "pick_up_item": OnProduct,
    "drop_item": NoArgs,
    "move_to_store": ToStore,
    "move_to_area": ToArea,
    "check_item": OnProduct,
    "add_to_cart": NoArgs,
    "do_not_add_to_cart": NoArgs,
    "idle": NoArgs,
}

DESCRIPTIONS: dict[ToolName, str] = {
    "move_forward": "Walk straight ahead.",
    "move_backward": "Step straight back.",
    "side_step": "Step to the left or right without turning.",
    "turn": "Turn on the spot.",
    "look_up_down": "Look up or down; at most 60 degrees from level.",
    "turn_and_move": "Turn, then walk straight ahead.",
    "move_and_turn": "Walk straight ahead, then turn.",
    "move_to_fixture": "Walk to a visible fixture: its nearest standing point, or its front or back side.",
    "pick_up_item": "Take a visible product within reach into your hand.",
    "drop_item": "Put back what you hold.",
    "move_to_store": "Walk to a visible store, before or behind its doorway.",
    "move_to_area": "Walk to a visible display area.",
    "check_item": "Look closely at a visible product within reach.",
    "add_to_cart": "Put the held (or just checked) product into the cart.",
    "do_not_add_to_cart": "Decide against the product just checked.",
    "idle": "Stay as you are.",
}


def argument_schema(tool: ToolName) -> dict[str, Any]:
    """JSON schema of one tool's arguments: closed, without ``$ref``, every bound included."""
    schema = ARGUMENTS[tool].model_json_schema()
    schema["additionalProperties"] = False
    schema.pop("title", None)
    schema.pop("description", None)
    for field in schema.get("properties", {}).values():
        field.pop("title", None)
    return schema


def tool_schema(kind: SceneKind) -> dict[str, Any]:
    """JSON schema of a whole ``ToolCall`` in a scene of this kind: one closed alternative per tool."""
    return {
        "anyOf": [
            {
                "type": "object",
                "description": DESCRIPTIONS[tool],
                "properties": {"tool": {"const": tool, "type": "string"}, "args": argument_schema(tool)},
                "required": ["tool", "args"],
                "additionalProperties": False,
            }
            for tool in TOOLS[kind]
        ]
    }


def tool_list(kind: SceneKind) -> list[dict[str, Any]]:
    """The tools as a page or a prompt lists them: name, description, and schema of the arguments."""
    return [
        {"name": tool, "description": DESCRIPTIONS[tool], "parameters": argument_schema(tool)}
        for tool in TOOLS[kind]
    ]
