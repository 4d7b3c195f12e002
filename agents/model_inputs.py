"""Each role's input as chat messages: what is lasting in the system part, what is new in the user part."""

from typing import Any

import orjson

from agents.images import image_part
from agents.prompting import (
    Prompt,
    catalog_text,
    history_text,
    names_of,
    places_text,
    record_text,
    tools_text,
    view_text,
)
from agents.scripted.belief import believe, ranked
from agents.scripted.index import index_of
from agents.scripted.skill import SKILLS
from siturec.protocol.actions_text import describe_action, describe_outcome
from siturec.protocol.messages import (
    AssistantInput,
    CatalogEntry,
    JudgeInput,
    ModeratorInput,
    Observation,
    PastTurn,
    UserInput,
)

Messages = list[dict[str, Any]]


def catalog_for(given: AssistantInput, limit: int | None) -> tuple[CatalogEntry, ...]:
    """The whole catalog, or for a model with a small context the best keyword matches and what is in view."""
    catalog = given.store.catalog
    if limit is None or limit >= len(catalog):
        return catalog
    index = index_of(given.store)
    best = [product for product, _ in ranked(index, believe(index, given, SKILLS["expert"]))][:limit]
    return tuple(entry for entry in catalog if entry.id in set(best))


async def assistant_messages(
    prompt: Prompt, given: AssistantInput, entries: tuple[CatalogEntry, ...], *, longest: int
) -> Messages:
    """The system prompt with the store, and this turn with frame and minimap where it may have them."""
    names = names_of(given.store)
    system = prompt.fill(
        tools=tools_text(given.store.kind),
        places=places_text(given.store),
        catalog=catalog_text(given.store, entries),
    )
    pose = given.pose
    parts = [
        f"Turn {given.turn} (the visit ends after {given.turn_limit} turns).",
        f"The conversation so far:\n{history_text(given.history, names, me='assistant')}",
        f"The customer stands at x {pose.x_m:.1f} m, y {pose.y_m:.1f} m, facing {pose.yaw_deg:.0f} degrees "
        f"(0 is along x, 90 along y), eyes at {pose.pitch_deg:.0f} degrees.",
    ]
    if given.minimap_text:
        parts.append(f"The map:\n{given.minimap_text}")
    if given.observation is not None:
        parts.append(
            f"In the customer's view, with your labels:\n{view_text(given.observation.visible, 'assistant')}"
        )
    else:
        parts.append(
            "You cannot see the customer's view. Work from map, position, catalog and conversation; any "
            "label from the list of places may be used, and pick_up_item may be expected without a product."
        )
    parts.append(_carrying(given.state.held, given.state.checked, given.state.cart, names, you=False))
    if given.held_details:
        parts.append(f"Details of the product in hand: {orjson.dumps(given.held_details).decode()}")
    if given.correction:
        parts.append(f"Your first answer to this turn cannot stand: {given.correction} Answer again.")
    content: list[dict[str, Any]] = [{"type": "text", "text": "\n\n".join(parts)}]
    for picture in (given.frame, given.minimap):
        if picture is not None:
            content.append(await image_part(picture, longest=longest))
    return _chat(system, content)


async def user_messages(prompt: Prompt, given: UserInput, *, longest: int) -> Messages:
    """The simulated user's system prompt with person and goal, and this turn with the user's own view."""
    task, names = given.task, _seen_names(given.observation, given.history, given.known)
    system = prompt.fill(
        profile=_profile_text(given.profile),
        goal=f"{task['request']}\nWishes: {'; '.join(task['preferences']) or 'none beyond that'}.",
        opening=task["disclosure"]["opening"],
        details="\n".join(f"- {detail}" for detail in task["disclosure"]["details"]) or "- (none)",
        budget=f"{task['budget']:g}",
        explanation=task["acceptance"]["explanation"],
        substitutes=task["acceptance"]["substitutes"],
        rejection=task["acceptance"]["rejection"],
        tools=tools_text(given.kind),
    )
    known = {names.get(f"product:{p}", p): details for p, details in given.known.items()}
    parts = [
        f"The conversation so far:\n{history_text(given.history, names, me='user')}",
        f"In your view, with your labels:\n{view_text(given.observation.visible, 'user')}",
        _carrying(given.state.held, given.state.checked, given.state.cart, names, you=True),
        f"What you have learned of products: {orjson.dumps(known).decode() if known else 'nothing yet'}",
        f"The assistant now says: {given.utterance}",
    ]
    if given.refusal:
        parts.append(f"Your action was not possible: {given.refusal} Choose another.")
    content: list[dict[str, Any]] = [{"type": "text", "text": "\n\n".join(parts)}]
    for picture in (given.frame or None, given.minimap):
        if picture is not None:
            content.append(await image_part(picture, longest=longest))
    return _chat(system, content)


def moderator_messages(prompt: Prompt, given: ModeratorInput) -> Messages:
    """History, the latest two messages, and the current action."""
    done = "nothing"
    if given.action is not None:
        result = describe_outcome(given.action, given.outcome) if given.outcome is not None else ""
        done = f"{describe_action(given.action)}. {result}".rstrip()
    text = (
        f"Earlier:\n{history_text(given.history, {}, me='assistant').replace('You:', 'Assistant:')}\n\n"
        f"Latest:\nAssistant: {given.utterance}\nCustomer: {given.reply or '(says nothing)'}\n"
        f"Customer did: {done}\n\nIs it over? Answer yes or no."
    )
    return _chat(prompt.fill(), [{"type": "text", "text": text}])


def judge_messages(prompt: Prompt, given: JudgeInput) -> tuple[Messages, str]:
    """The record to rate, and its text alone, in which evidence is looked up."""
    names = {f"product:{entry.id}": entry.name for entry in given.catalog}
    record = record_text(given.record, names)
    task = given.task
    wishes = "; ".join(str(wish) for wish in task.get("preferences") or ()) or "none"
    shown = {
        p
        for turn in given.record.get("turns") or ()
        for p in (turn.get("assistant") or {}).get("ranking") or ()
    }
    spoken = [e for e in given.catalog if e.name.lower() in record.lower() or e.id in shown]
    prices = "\n".join(
        f"{e.name}: ${e.price:.2f}; {', '.join(e.tags)}; {orjson.dumps(e.details).decode()}"
        for e in spoken
        if e.name.lower() in record.lower()
    )
    text = (
        f"The customer's task: {task.get('request') or task.get('goal') or 'unknown'}\nWishes: {wishes}\n"
        f"Budget: ${task.get('budget', 'unknown')}\n\nThe record:\n{record}\n\n"
        f"What the catalog says of products named in it:\n{prices or '(none was named)'}"
    )
    return [{"role": "system", "content": prompt.fill()}, {"role": "user", "content": text}], record


def _chat(system: str, content: list[dict[str, Any]]) -> Messages:
    plain = content[0]["text"] if len(content) == 1 else content
    return [{"role": "system", "content": system}, {"role": "user", "content": plain}]


def _carrying(
    held: str | None, checked: str | None, cart: tuple[str, ...], names: dict[str, str], *, you: bool
) -> str:
    who = "You have" if you else "The customer has"

    def called(product: str | None) -> str:
        return names.get(f"product:{product}", product) if product else "nothing"

    bought = ", ".join(called(product) for product in cart) or "nothing"
    return f"{who} in hand: {called(held)}; just checked: {called(checked)}; in the cart: {bought}."


def _profile_text(profile: dict[str, Any]) -> str:
    living = "; ".join(f"{key.replace('_', ' ')} {value}" for key, value in profile["demographics"].items())
    traits = ", ".join(f"{key} {value}" for key, value in profile["big_five"].items())
    manner = ", ".join(f"{key.replace('_', ' ')} {value}" for key, value in profile["interaction"].items())
    return f"{profile['persona']}\n{living}\nTraits: {traits}\nHow you shop: {manner}"


def _seen_names(
    observation: Observation, history: tuple[PastTurn, ...], known: dict[str, dict[str, Any]]
) -> dict[str, str]:
    """Display names of everything this user has seen or learned of."""
    names = {f"product:{p}": str(details["name"]) for p, details in known.items() if "name" in details}
    for visible in (*(past.visible or () for past in history), observation.visible):
        names |= {seen.entity: seen.name for seen in visible}
    return names
