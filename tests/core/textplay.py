"""A whole visit in a store without pixels, by the protocol's end checks."""

from dataclasses import dataclass

from siturec.protocol.actions import Refusal, validate_call
from siturec.protocol.messages import (
    AssistantInput,
    ModeratorInput,
    PastTurn,
    ToolCall,
    UserInput,
)
from tests.core.textworld import TextWorld

FRAME = b"no picture"


@dataclass
class Played:
    """One finished episode."""

    end: str
    cart: tuple[str, ...]
    turns: list
    rankings: list


async def play(
    pack, knowledge, task, assistant, user, moderator, *, seed, condition="full", limit=20
) -> Played:
    """Play one task to its end by the protocol's end checks."""
    world, history, known, rankings, turns = TextWorld(pack, knowledge), (), {}, [], []
    profile = next(p for p in pack.profiles if p.id == task.profile_id).model_dump()
    products = {p.id: p for p in pack.products}
    offers = stalls = 0
    for number in range(limit):
        view = world.observe()
        hidden = condition == "no_ego_view_no_caption"
        past = tuple(p.model_copy(update={"visible": None}) for p in history) if hidden else history
        told = await assistant.respond(
            AssistantInput(
                store=knowledge,
                condition=condition,
                turn=number,
                turn_limit=limit,
                pose=world.pose,
                observation=None if hidden else view,
                frame=FRAME if condition == "full" else None,
                minimap=None,
                minimap_text="",
                history=past,
                state=world.state,
                seed=seed,
            )
        )
        message = told.value
        offers += message.action.type == "Recommend"
        rankings.append(message.ranking)
        given = UserInput(
            scene=pack.info.id,
            kind=pack.info.kind,
            turn=number,
            turn_limit=limit,
            utterance=message.utterance,
            observation=view,
            frame=FRAME,
            minimap=None,
            history=history,
            state=world.state,
            known=known,
            profile=profile,
            task=task.model_dump(),
            seed=seed,
        )
        said = (await user.respond(given)).value
        action = validate_call(said.tool_call, kind=pack.info.kind, observation=view, state=world.state)
        if isinstance(action, Refusal):
            said = (await user.respond(given.model_copy(update={"refusal": action.reason}))).value
            action = validate_call(said.tool_call, kind=pack.info.kind, observation=view, state=world.state)
        if isinstance(action, Refusal):
            action = validate_call(
                ToolCall(tool="idle"), kind=pack.info.kind, observation=view, state=world.state
            )
        outcome = world.execute(action)
        if action.tool in ("pick_up_item", "check_item"):
            entry = products[action.product.removeprefix("product:")]
            known = {
                **known,
                entry.id: {"name": entry.name, "category": entry.category, "price": entry.price},
            }
            known[entry.id] |= {"tags": list(entry.tags), **entry.details}
        turns.append((message, said, action, outcome, view))
        history = (
            *history,
            PastTurn(
                turn=number,
                utterance=message.utterance,
                reply=said.reply,
                action=action,
                outcome=outcome,
                visible=view.visible,
            ),
        )
        if world.state.cart:
            return Played("success_cart_added", world.state.cart, turns, rankings)
        if offers >= 3:
            return Played("recommendation_exhausted", (), turns, rankings)
        moving = action.tool.startswith(("move", "side", "turn_and"))
        stalls = (stalls + 1 if outcome.displacement_m < 0.05 else 0) if moving else 0
        if stalls >= 3:
            return Played("motion_stall", (), turns, rankings)
        decision = await moderator.decide(
            ModeratorInput(
                history=history[:-1],
                utterance=message.utterance,
                reply=said.reply,
                action=action,
                outcome=outcome,
                seed=seed,
            )
        )
        if decision.value.stop:
            return Played("moderator_stop", (), turns, rankings)
    return Played("turn_limit", (), turns, rankings)
