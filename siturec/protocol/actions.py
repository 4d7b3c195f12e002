"""Validation of tool calls, and what an executed action does to the shopper's state.

A call comes in its caller's own markers and nothing about it is trusted. It either resolves to an action
in entity ids, metres and degrees, or is refused with a reason a person can read. Source: SituRecBench
B.2 (S30, S36-S38); the rules are those of docs/protocol.md, *User tools*.
"""

from collections.abc import Iterable
from typing import Literal, cast

from pydantic import Field, ValidationError

from siturec.protocol.actions_tools import ARGUMENTS, DISTANCES_M, PITCH_LIMIT_DEG, tool_list, tool_schema
from siturec.protocol.messages import (
    Approach,
    Observation,
    Outcome,
    ResolvedAction,
    Shape,
    ShopperState,
    Sighting,
    ToolCall,
)
from siturec.protocol.vocabulary import TOOLS, EntityKind, Role, SceneKind, ToolName

__all__ = [
    "Refusal",
    "ToolState",
    "apply_to_state",
    "tool_list",
    "tool_schema",
    "tool_states",
    "validate_call",
]

NEGLIGIBLE_M = 0.05
TARGET_KIND: dict[str, EntityKind] = {
    "move_to_fixture": "fixture",
    "move_to_store": "store",
    "move_to_area": "area",
}
PRODUCT_TOOLS = frozenset({"pick_up_item", "check_item"})
Direction = Literal["left", "right", "up", "down"]

RefusalCode = Literal[
    "unknown_tool",
    "bad_arguments",
    "not_visible",
    "wrong_kind",
    "side_not_offered",
    "out_of_reach",
    "hands_full",
    "nothing_held",
    "nothing_checked",
    "pitch_limit",
]


class Refusal(Shape):
    """Why a call was not carried out, in words for the one who made it. Nothing changed.

    ``values`` are the names and numbers in ``reason``, for who words it in another language.
    """

    code: RefusalCode
    reason: str
    values: dict[str, str | float] = Field(default_factory=dict)


class ToolState(Shape):
    """Whether a tool can be used now; ``reason`` says why not."""

    tool: ToolName
    enabled: bool
    reason: str = ""


class Refused(Exception):
    """Raised inside validation; turned into a ``Refusal`` at its edge."""

    def __init__(self, code: RefusalCode, reason: str, **values: str | float) -> None:
        super().__init__(reason)
        self.refusal = Refusal(code=code, reason=reason, values=values)


def validate_call(
    call: ToolCall,
    *,
    kind: SceneKind,
    observation: Observation,
    state: ShopperState,
    role: Role = "user",
) -> ResolvedAction | Refusal:
    """Resolve a call against what its caller sees and holds, or refuse it with the reason."""
    try:
        tool = known_tool(call.tool, kind)
        blocked = _blocked(tool, kind, state)
        if blocked is not None:
            return blocked
        args = parse_args(tool, call.args)
        action = _moved(tool, args, observation)
        if tool in TARGET_KIND:
            action = _to_target(tool, args, observation, role)
        elif tool in PRODUCT_TOOLS:
            action = _on_product(tool, args, observation, role)
        elif tool in ("add_to_cart", "do_not_add_to_cart", "drop_item"):
            action = ResolvedAction(tool=tool, product=f"product:{_at_hand(kind, state)}")
        return action
    except Refused as refused:
        return refused.refusal


def known_tool(name: str, kind: SceneKind) -> ToolName:
    """The tool of this name in scenes of this kind. Raises: Refused."""
    if name not in TOOLS[kind]:
        raise Refused("unknown_tool", f"There is no tool '{name}' here; there are: {', '.join(TOOLS[kind])}.")
    return name


def parse_args(tool: ToolName, args: dict[str, object]) -> Shape:
    """The tool's arguments, checked. An argument given as null counts as left out. Raises: Refused."""
    given = {key: value for key, value in args.items() if value is not None}
    try:
        return ARGUMENTS[tool].model_validate(given)
    except ValidationError as error:
        faults = "; ".join(_fault(tool, dict(problem)) for problem in error.errors())
        raise Refused("bad_arguments", f"{faults}.") from None


def _fault(tool: ToolName, problem: dict[str, object]) -> str:
    location = cast(tuple[object, ...], problem["loc"])
    name = str(location[0]) if location else "arguments"
    if problem["type"] == "missing":
        return f"{tool} needs '{name}'"
    if problem["type"] == "extra_forbidden":
        return f"{tool} does not take '{name}'"
    message = str(problem["msg"])
    return f"'{name}' of {tool}: {message[0].lower()}{message[1:]}, not {problem['input']!r}"


def _moved(tool: ToolName, args: Shape, observation: Observation) -> ResolvedAction:
    direction = cast(Direction | None, getattr(args, "direction", None))
    angle = cast(float | None, getattr(args, "angle", None))
    distance = getattr(args, "distance", None)
    if tool == "look_up_down" and angle is not None:
        pitch = observation.pose.pitch_deg + (angle if direction == "up" else -angle)
        if abs(pitch) > PITCH_LIMIT_DEG + 1e-6:
            room = PITCH_LIMIT_DEG - observation.pose.pitch_deg * (1 if direction == "up" else -1)
            left = round(max(room, 0.0))
            raise Refused(
                "pitch_limit",
                f"You cannot look {direction} by {angle:g}°: at most {PITCH_LIMIT_DEG:g}° from level, "
                f"{f'{left}° are' if left else 'nothing is'} left.",
                direction=direction or "",
                angle=angle,
                left=left,
            )
    return ResolvedAction(
        tool=tool,
        direction=direction,
        angle_deg=angle,
        distance_m=None if distance is None else DISTANCES_M[distance],
    )


def seen_as(
    marker: str, wanted: EntityKind, observation: Observation, role: Role, *, tool: ToolName
) -> Sighting:
    """The visible thing of the wanted kind a role calls ``marker``. Raises: Refused."""
    seen = observation.by_marker(role, marker)
    if seen is None:
        raise Refused("not_visible", f"No {wanted} marked '{marker}' is in view.", marker=marker)
    if seen.kind != wanted:
        reason = f"'{marker}' is the {seen.kind} {seen.name}; {tool} takes a {wanted}."
        raise Refused("wrong_kind", reason, name=seen.name)
    return seen


def _to_target(tool: ToolName, args: Shape, observation: Observation, role: Role) -> ResolvedAction:
    seen = seen_as(str(getattr(args, "target", "")), TARGET_KIND[tool], observation, role, tool=tool)
    approach = cast(Approach | None, getattr(args, "approach", None))
    if approach is not None and approach not in seen.approaches:
        offered = ", ".join(seen.approaches) or "none"
        raise Refused(
            "side_not_offered",
            f"{seen.name} cannot be approached '{approach}' from here; offered: {offered}.",
            name=seen.name,
        )
    return ResolvedAction(tool=tool, target=seen.entity, approach=approach)


def _on_product(tool: ToolName, args: Shape, observation: Observation, role: Role) -> ResolvedAction:
    seen = seen_as(str(getattr(args, "product", "")), "product", observation, role, tool=tool)
    if not seen.reachable:
        raise Refused(
            "out_of_reach",
            f"{seen.name} is {seen.distance_m:.1f} m away, out of reach; walk closer first.",
            name=seen.name,
            distance_m=round(seen.distance_m, 1),
        )
    return ResolvedAction(tool=tool, product=seen.entity)


def _at_hand(kind: SceneKind, state: ShopperState) -> str | None:
    return state.held if kind == "supermarket" else state.checked


def _blocked(tool: ToolName, kind: SceneKind, state: ShopperState) -> Refusal | None:
    """The refusal that follows from the shopper's state alone."""
    if tool == "pick_up_item" and state.held is not None:
        return Refusal(
            code="hands_full", reason="You already hold a product; drop it or add it to the cart first."
        )
    if tool == "drop_item" and state.held is None:
        return Refusal(code="nothing_held", reason="You hold nothing to put back.")
    if tool == "add_to_cart" and kind == "supermarket" and state.held is None:
        return Refusal(code="nothing_held", reason="Pick up a product before adding it to the cart.")
    if tool in ("add_to_cart", "do_not_add_to_cart") and kind == "home" and state.checked is None:
        return Refusal(code="nothing_checked", reason="Check a product before deciding about it.")
    return None


def tool_states(kind: SceneKind, *, observation: Observation, state: ShopperState) -> tuple[ToolState, ...]:
    """Every tool of the scene with whether it can be used from here, and why not."""
    return tuple(_tool_state(tool, kind, observation, state) for tool in TOOLS[kind])


def _tool_state(tool: ToolName, kind: SceneKind, observation: Observation, state: ShopperState) -> ToolState:
    blocked = _blocked(tool, kind, state)
    if blocked is not None:
        return ToolState(tool=tool, enabled=False, reason=blocked.reason)
    if tool in TARGET_KIND and not _any(observation.visible, TARGET_KIND[tool]):
        return ToolState(tool=tool, enabled=False, reason=f"No {TARGET_KIND[tool]} is in view.")
    if tool in PRODUCT_TOOLS and not any(s.kind == "product" and s.reachable for s in observation.visible):
        return ToolState(tool=tool, enabled=False, reason="No product is within reach; walk closer.")
    return ToolState(tool=tool, enabled=True)


def _any(visible: Iterable[Sighting], kind: EntityKind) -> bool:
    return any(seen.kind == kind for seen in visible)


def apply_to_state(
    state: ShopperState, action: ResolvedAction, outcome: Outcome | None = None
) -> ShopperState:
    """The shopper's state after an action; unchanged when the outcome says it was not carried out.

    A checked product stays checked until another is checked, it is decided upon, or the shopper walks off.
    """
    if outcome is not None and not outcome.ok:
        return state
    product = None if action.product is None else action.product.removeprefix("product:")
    match action.tool:
        case "pick_up_item":
            return state.model_copy(update={"held": product})
        case "drop_item":
            return state.model_copy(update={"held": None})
        case "check_item":
            return state.model_copy(update={"checked": product})
        case "do_not_add_to_cart":
            return state.model_copy(update={"checked": None})
        case "add_to_cart" if product is not None:
            return ShopperState(cart=(*state.cart, product))
        case _ if outcome is not None and outcome.displacement_m >= NEGLIGIBLE_M:
            return state.model_copy(update={"checked": None})
        case _:
            return state
