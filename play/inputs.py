"""What each mind is given in a turn: pure functions of the record and the view.

People and simulated users are told apart nowhere here, so an assistant gets the same bytes for both.
"""

from typing import Any

from play.progress import Progress
from play.setting import Setting
from siturec.markers.ablation import assistant_sight
from siturec.protocol.messages import (
    AssistantInput,
    ModeratorInput,
    Outcome,
    PastTurn,
    ResolvedAction,
    UserInput,
    View,
)
from siturec.scene.schema import Product, ScenePack

INSPECTING = ("pick_up_item", "check_item")


def product_facts(product: Product) -> dict[str, Any]:
    """What inspecting a product tells: name, category, tags, price and every detail."""
    return {
        "name": product.name,
        "category": product.category,
        "price": product.price,
        "tags": list(product.tags),
        **product.details,
    }


def facts_of(pack: ScenePack, product_id: str | None) -> dict[str, Any] | None:
    """The facts of a product by id; None for None and for an id that the pack does not have."""
    found = next((product for product in pack.products if product.id == product_id), None)
    return product_facts(found) if found is not None else None


def known_products(pack: ScenePack, history: tuple[PastTurn, ...]) -> dict[str, dict[str, Any]]:
    """The facts a user has confirmed by inspecting, by product id, in the order of inspection."""
    known: dict[str, dict[str, Any]] = {}
    for past in history:
        if past.action is None or past.action.product is None or past.action.tool not in INSPECTING:
            continue
        if past.outcome is not None and past.outcome.ok:
            product_id = past.action.product.removeprefix("product:")
            facts = facts_of(pack, product_id)
            if facts is not None:
                known[product_id] = facts
    return known


def assistant_input(setting: Setting, progress: Progress, view: View) -> AssistantInput:
    """Everything the assistant is given this turn, its condition applied to now and to the past."""
    sight = assistant_sight(
        observation=view.observation,
        frame=view.assistant_frame or None,
        history=(),
        condition=setting.condition,
    )
    return AssistantInput(
        store=setting.knowledge,
        condition=setting.condition,
        turn=progress.machine.turn,
        turn_limit=setting.rules.limits.turns,
        pose=view.observation.pose,
        observation=sight.observation,
        frame=sight.frame,
        minimap=view.minimap_assistant,
        minimap_text=view.minimap_text,
        history=tuple(past.assistant(setting.condition) for past in progress.memory),
        state=progress.state,
        held_details=facts_of(setting.pack, progress.state.held or progress.state.checked),
        seed=setting.seed,
    )


def user_input(setting: Setting, progress: Progress, view: View, utterance: str) -> UserInput:
    """Everything the user is given this turn. The minimap is there only if the study shows one."""
    observation = view.observation.model_copy(
        update={
            "visible": tuple(
                seen.model_copy(update={"assistant_marker": ""}) for seen in view.observation.visible
            )
        }
    )
    return UserInput(
        scene=setting.pack.info.id,
        kind=setting.pack.info.kind,
        turn=progress.machine.turn,
        turn_limit=setting.rules.limits.turns,
        utterance=utterance,
        observation=observation,
        frame=view.user_frame,
        minimap=view.minimap_user if setting.rules.show_user_minimap else None,
        history=tuple(past.user for past in progress.memory),
        state=progress.state,
        known=known_products(setting.pack, progress.history),
        profile=setting.profile_record,
        task=setting.task_record,
        seed=setting.seed,
    )


def moderator_input(
    setting: Setting,
    progress: Progress,
    *,
    utterance: str,
    reply: str,
    action: ResolvedAction,
    outcome: Outcome,
) -> ModeratorInput:
    """History, the latest two messages and the current action; what could be seen is not the moderator's."""
    history = tuple(past.bare for past in progress.memory)
    return ModeratorInput(
        history=history, utterance=utterance, reply=reply, action=action, outcome=outcome, seed=setting.seed
    )
