"""Actions in words: what a button says it will do, and what the record of a walk reads like."""

from collections.abc import Mapping

from siturec.protocol.messages import Observation, Outcome, ResolvedAction
from siturec.protocol.vocabulary import Role

_SIDES = {
    "front": "front side",
    "back": "back side",
    "outside_doorway": "outside the doorway",
    "inside_doorway": "inside the doorway",
}


def describe_action(
    action: ResolvedAction,
    *,
    observation: Observation | None = None,
    role: Role | None = None,
    names: Mapping[str, str] | None = None,
) -> str:
    """An action as an imperative clause: ``walk to Open cooler 2 (C), front side``.

    ``names`` maps entities to display names; an observation gives names too. With ``role`` the marker that
    role sees follows the name, for that role's eyes only.
    """
    thing = _thing(action.target or action.product, observation, role, names)
    angle = f"{action.angle_deg:g}°" if action.angle_deg is not None else ""
    far = f"{action.distance_m:g} m" if action.distance_m is not None else ""
    side = _SIDES.get(action.approach or "", "")
    sentences = {
        "move_forward": f"walk {far} ahead",
        "move_backward": f"step {far} back",
        "side_step": f"step {far} to the {action.direction}",
        "turn": f"turn {angle} {action.direction}",
        "look_up_down": f"look {action.direction} by {angle}",
        "turn_and_move": f"turn {angle} {action.direction}, then walk {far}",
        "move_and_turn": f"walk {far}, then turn {angle} {action.direction}",
        "move_to_fixture": f"walk to {thing}" + (f", {side}" if side else ""),
        "move_to_store": f"walk to {thing}" + (f", {side}" if side else ""),
        "move_to_area": f"walk to {thing}",
        "pick_up_item": f"pick up {thing}",
        "drop_item": f"put back {thing}",
        "check_item": f"check {thing}",
        "add_to_cart": f"add {thing} to the cart",
        "do_not_add_to_cart": f"decide against {thing}",
        "idle": "stay as you are",
    }
    return sentences[action.tool]


def _thing(
    entity: str | None, observation: Observation | None, role: Role | None, names: Mapping[str, str] | None
) -> str:
    if entity is None:
        return "the item"
    seen = observation.by_entity(entity) if observation is not None else None
    name = (names or {}).get(entity) or (seen.name if seen is not None else entity.partition(":")[2])
    if seen is None or role is None:
        return name
    return f"{name} ({seen.user_marker if role == 'user' else seen.assistant_marker})"


def describe_outcome(action: ResolvedAction, outcome: Outcome) -> str:
    """What an executed action did, without markers: safe in the history of either role."""
    if outcome.message:
        return outcome.message
    if not outcome.ok:
        return "It did not work."
    if action.distance_m is not None or action.target is not None:
        return f"Walked {outcome.displacement_m:.1f} m."
    return "Done."
