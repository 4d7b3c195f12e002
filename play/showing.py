"""What a participant's page is sent, built from the record and the view; no assistant is named here."""

from collections.abc import Iterable, Sequence
from typing import Any

from play.inputs import facts_of
from play.progress import Progress
from play.setting import Setting
from siturec.protocol.actions import tool_states
from siturec.protocol.actions_text import describe_outcome
from siturec.protocol.events import Deed, Goal, Item, Line, Thing, Tool
from siturec.protocol.messages import Observation, Outcome, PastTurn, ResolvedAction, ShopperState
from siturec.scene.schema import ScenePack

FACTS = ("name", "category", "price", "tags")


def shown_things(observation: Observation) -> tuple[Thing, ...]:
    """Everything in view under the user's markers."""
    return tuple(
        Thing(
            marker=seen.user_marker,
            kind=seen.kind,
            name=seen.name,
            distance_m=round(seen.distance_m, 2),
            side=seen.side,
            reachable=seen.reachable,
            approaches=seen.approaches,
            outlines=seen.outlines,
        )
        for seen in observation.visible
    )


def shown_tools(setting: Setting, observation: Observation, state: ShopperState) -> tuple[Tool, ...]:
    """Every tool of the scene, and if it cannot be used from here, why."""
    states = tool_states(setting.pack.info.kind, observation=observation, state=state)
    return tuple(Tool(tool=one.tool, enabled=one.enabled, reason=one.reason) for one in states)


def shown_item(pack: ScenePack, product_id: str | None, observation: Observation | None) -> Item | None:
    """A product that has been inspected: its price and details are known to the one who holds it."""
    facts = facts_of(pack, product_id)
    if facts is None:
        return None
    seen = observation.by_entity(f"product:{product_id}") if observation is not None else None
    return Item(
        name=facts["name"],
        marker=seen.user_marker if seen is not None else None,
        price=facts["price"],
        details={key: value for key, value in facts.items() if key not in FACTS},
    )


def shown_cart(pack: ScenePack, cart: Iterable[str]) -> tuple[Item, ...]:
    """What is in the cart."""
    found = (shown_item(pack, product_id, None) for product_id in cart)
    return tuple(item for item in found if item is not None)


def shown_goal(setting: Setting) -> Goal:
    """What the participant is shopping for."""
    task = setting.task
    return Goal(
        text=task.goal,
        budget=task.budget,
        preferences=task.preferences,
        needs=tuple(need.text for need in task.needs),
    )


def deed_of(
    setting: Setting, action: ResolvedAction, outcome: Outcome | None, args: dict[str, Any] | None = None
) -> Deed:
    """An action, before or after it was carried out, in a participant's words."""
    entity = action.target or action.product
    return Deed(
        tool=action.tool,
        args=args if args is not None else shown_args(action),
        name=names_of(setting.pack).get(entity, "") if entity is not None else "",
        ok=outcome.ok if outcome is not None else None,
        displacement_m=round(outcome.displacement_m, 2) if outcome is not None else None,
        message=describe_outcome(action, outcome) if outcome is not None else "",
    )


def shown_args(action: ResolvedAction) -> dict[str, Any]:
    """The arguments of an action that hold whatever the markers are by now."""
    lengths = {1.0: "short", 2.0: "medium", 4.0: "long"}
    args: dict[str, Any] = {
        "direction": action.direction,
        "angle": action.angle_deg,
        "approach": action.approach,
        "distance": lengths.get(action.distance_m) if action.distance_m is not None else None,
    }
    return {key: value for key, value in args.items() if value is not None}


def names_of(pack: ScenePack) -> dict[str, str]:
    """Display names by entity."""
    products = {f"product:{product.id}": product.name for product in pack.products}
    return products | {target.entity: target.name for target in pack.targets}


def user_line(setting: Setting, turn: int, reply: str, deed: Deed | None) -> Line:
    """A participant's half of a turn."""
    return Line(index=2 * turn + 1, turn=turn, speaker="user", text=reply, deed=deed)


def assistant_line(turn: int, utterance: str) -> Line:
    """An assistant's half of a turn."""
    return Line(index=2 * turn, turn=turn, speaker="assistant", text=utterance)


def lines_of(setting: Setting, history: Sequence[PastTurn]) -> list[Line]:
    """The talk so far."""
    lines: list[Line] = []
    for past in history:
        deed = deed_of(setting, past.action, past.outcome) if past.action is not None else None
        lines.append(assistant_line(past.turn, past.utterance))
        lines.append(user_line(setting, past.turn, past.reply, deed))
    return lines


def recorded_lines(setting: Setting, progress: Progress) -> list[Line]:
    """The talk so far, with what is recorded of the turn under way."""
    lines = lines_of(setting, progress.history)
    turn = progress.current
    if turn is not None and turn.assistant is not None:
        lines.append(assistant_line(turn.index, turn.assistant["utterance"]))
    if turn is not None and turn.user is not None:
        lines.append(user_line(setting, turn.index, turn.user["reply"], None))
    return lines
