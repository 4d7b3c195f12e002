"""What a scripted assistant does in a situation: the first rule that applies decides."""

from typing import Any

from agents.scripted import belief as beliefs
from agents.scripted.routing import Step, at, closer, explore, idle_since, in_view, towards
from agents.scripted.situation import Situation, sighting_of
from agents.scripted.speech import GREETINGS, QUESTIONS
from siturec.protocol.messages import (
    AssistantAction,
    AssistantMessage,
    ExpectedAction,
    Sighting,
    TargetEntry,
)
from siturec.protocol.vocabulary import DialogueAct

_NEAR_M, _TRIES = 5.0, 5
_AS_GOOD = 0.92


def decide(here: Situation, ranking: tuple[str, ...]) -> AssistantMessage:
    """The message for this turn."""
    words, action, expected = _act(here)
    return AssistantMessage(
        utterance=words, assistant_actions=(action,), ranking=ranking, expected_user_action=expected
    )


Move = tuple[str, AssistantAction, ExpectedAction]


def _act(here: Situation) -> Move:
    given, belief, skill = here.given, here.belief, here.skill
    if not given.history:
        return here.speaker.one(GREETINGS), AssistantAction(type="Greet"), ExpectedAction(tool="idle")
    inspected = given.state.held or given.state.checked
    if inspected in here.index.entries and not skill.aimless:
        return _in_hand(here, inspected)
    if skill.aimless:
        return _aimless(here)
    asked = beliefs.OFFER_ME.sub(" ", belief.last_reply.lower())
    asking = beliefs.QUESTION.search(belief.last_reply) is not None and asked == belief.last_reply.lower()
    if asking and skill.explains and (move := _answer(here)) is not None:
        return move
    if not belief.knows_kind and not belief.complete and belief.replies <= 3:
        return _ask(here)
    if not _ready(here) and not _worth_walking(here):
        return _ask(here)
    return _lead(here)


def _ready(here: Situation) -> bool:
    """Whether enough is known to offer something, or there is no point in asking on."""
    belief = here.belief
    return (
        belief.complete or belief.details >= here.skill.patience or belief.replies > here.skill.patience + 3
    )


def _worth_walking(here: Situation) -> bool:
    """Whether it is clear enough already which way to go, so that questions can be asked on the way."""
    return here.sighting is None and bool(here.index.places(here.product)) and here.belief.knows_kind


def _question(here: Situation) -> str:
    belief, turn = here.belief, here.belief.replies
    if not belief.knows_kind:
        return here.speaker.one(QUESTIONS["need"])
    if belief.limit is None and here.skill.heeds_budget and turn % 2 == 0:
        return here.speaker.one(QUESTIONS["budget"])
    if not any(wish.avoid for wish in belief.wishes) and here.skill.heeds_dislikes and turn % 3 == 0:
        return here.speaker.one(QUESTIONS["dislikes"])
    return here.speaker.one(QUESTIONS["specifics"])


def _ask(here: Situation) -> Move:
    kind = "AskPreference" if here.belief.knows_kind else "ClarifyNeed"
    words = f"{here.speaker.thanks()} {_question(here)}"
    return words, AssistantAction(type=kind), ExpectedAction(tool="idle")


def _in_hand(here: Situation, product: str) -> Move:
    """Something is held or was just checked: answer about it, confirm it, or talk them out of it."""
    entry, belief = here.index.entries[product], here.belief
    home = here.given.store.kind == "home"
    away = ExpectedAction(tool="do_not_add_to_cart" if home else "drop_item")
    add = ExpectedAction(tool="add_to_cart")
    dear = belief.limit is not None and entry.price > belief.limit + 0.005
    disliked = any(wish.avoid and wish.labels & here.index.labels[product] for wish in belief.wishes)
    facts = here.speaker.facts(entry)
    if product in belief.refused or ((dear or disliked) and here.skill.learns_from_refusals):
        why = "it is over your budget" if dear else "it doesn't fit what you told me"
        words = f"{here.speaker.sorry()} The {entry.name} can go back, {why}. We can find something better."
        return words, AssistantAction(type="HandleRejection"), away
    reply = belief.last_reply.lower()
    if beliefs.QUESTION.search(reply) and here.skill.explains:
        if beliefs.CHEAPER.search(reply):
            words, kind = _cheaper(here, product)
            return words, AssistantAction(type=kind), add
        if beliefs.WHY.search(reply):
            words = f"I picked the {entry.name} because {here.speaker.praise(entry, here.matched(product))}."
            return words, AssistantAction(type="Explain"), add
        return f"About the {entry.name}: {facts}.", AssistantAction(type="AnswerQuestion"), add
    words = here.speaker.one(
        (
            "For the {name}: {facts}. If you're happy with it, put it in your cart.",
            "The {name} fits, I think: {facts}. Shall we put it in the cart?",
            "{facts_up}. If that suits you, the {name} can go in your cart.",
        ),
        name=entry.name,
        facts=facts,
        facts_up=facts[:1].upper() + facts[1:],
    )
    return words, AssistantAction(type="ConfirmPurchase"), add


def _cheaper(here: Situation, product: str) -> tuple[str, DialogueAct]:
    """A cheaper product was asked for with one in hand: the best cheaper match, or that there is none."""
    entry, scores = here.index.entries[product], dict(here.ranked)
    cheaper = [
        other
        for other, score in here.ranked
        if here.index.entries[other].price < entry.price - 0.005
        and score >= _AS_GOOD * scores[product]
        and other not in here.belief.refused
    ]
    price = here.speaker.price(entry)
    if not cheaper or not here.skill.compares:
        close = f"I know of no cheaper one that is as close to what you asked for as the {entry.name}"
        return f"{close}; {price}." if price else f"{close}.", "AnswerQuestion"
    other = here.index.entries[
        min(cheaper, key=lambda one: (sighting_of(here.given, one) is None, -scores[one]))
    ]
    words = f"The {other.name} is cheaper; {here.speaker.facts(other, most=2)}. The {entry.name} is as good."
    return words, "Compare"


def _answer(here: Situation) -> Move | None:
    """A question without anything in hand: compare, or give facts about what was asked for by name."""
    reply = here.belief.last_reply
    product = here.index.named(reply) or (here.belief.offered[-1] if here.belief.offered else None)
    if beliefs.LOST.search(reply.lower()) or product is None or here.belief.last_refused:
        return None
    seen = sighting_of(here.given, product)
    expected = _inspect(here, seen) if seen is not None and seen.reachable else ExpectedAction(tool="idle")
    entry = here.index.entries[product]
    if beliefs.COMPARE.search(reply.lower()) and product != here.product:
        return _comparison(here, product, expected)
    if beliefs.WHY.search(reply.lower()):
        words = f"Because {here.speaker.praise(entry, here.matched(product))}."
        return f"Why the {entry.name}? {words}", AssistantAction(type="Explain"), expected
    return f"The {entry.name}: {here.speaker.facts(entry)}.", AssistantAction(type="AnswerQuestion"), expected


def _comparison(here: Situation, other: str, expected: ExpectedAction) -> Move:
    first, second = here.entry, here.index.entries[other]
    words = (
        f"Comparing the two: the {first.name}, {here.speaker.facts(first, most=2)}; "
        f"the {second.name}, {here.speaker.facts(second, most=2)}. "
        "Take whichever suits you, the first one is closer to your wishes."
    )
    return words, AssistantAction(type="Compare"), expected


def _inspect(here: Situation, seen: Sighting) -> ExpectedAction:
    tool = "check_item" if here.given.store.kind == "home" else "pick_up_item"
    return ExpectedAction(tool=tool, args={"product": seen.assistant_marker})


def _lead(here: Situation) -> Move:
    """Offer what is in reach, else bring the shopper to it."""
    seen, places = here.sighting, here.index.places(here.product)
    if seen is not None and places and not seen.reachable and _under_way(here):
        return _go(here, closer(here.given, places[0], seen), seen)
    if seen is not None and (seen.reachable or not here.skill.waits_for_reach):
        return _offer(here, seen) if _ready(here) or here.belief.last_refused else _ask(here)
    if not places:
        return _offer(here, seen)
    goal = places[0]
    if here.given.observation is None and at(here.given, goal):
        return _blindly(here, goal)
    if not here.skill.waits_for_reach and here.chance.happens(0.12, "blurt"):
        return _offer(here, seen)
    step = _step(here, goal, seen)
    return _go(here, step, seen) if step is not None else _offer(here, seen)


def _under_way(here: Situation) -> bool:
    """Whether the product was offered last and the shopper is on the way to it."""
    return here.belief.offered[-1:] == (here.product,) and not here.belief.last_refused


def _blindly(here: Situation, goal: TargetEntry) -> Move:
    """At the place without seeing it: ask what is missing, offer by name, or look elsewhere."""
    if not _ready(here) and not here.belief.last_refused:
        return _ask(here)
    lost = beliefs.LOST.search(here.belief.last_reply.lower()) is not None
    if not (lost and _under_way(here)):
        return _offer(here, None)
    step = explore(here.given, goal) or _elsewhere(here, goal)
    return _go(here, step, None) if step is not None else _offer(here, None)


def _step(here: Situation, goal: TargetEntry, seen: Sighting | None) -> Step | None:
    if here.chance.happens(here.skill.stray, "stray"):
        return towards(here.index, here.given, here.chance.pick(here.given.store.targets, "where"))
    arrived, tries = at(here.given, goal), idle_since(here.given.history, goal.entity)
    if seen is not None and _walkable(here, goal, seen, arrived) and tries < _TRIES:
        return closer(here.given, goal, seen)
    if not arrived:
        return towards(here.index, here.given, goal)
    return explore(here.given, goal) or _elsewhere(here, goal)


def _walkable(here: Situation, goal: TargetEntry, seen: Sighting, arrived: bool) -> bool:
    """Whether to walk up to a product in view rather than to its place first."""
    return arrived or (seen.distance_m < _NEAR_M and (goal.kind == "area" or not in_view(here.given, goal)))


def _elsewhere(here: Situation, spent: TargetEntry) -> Step | None:
    """Another place of the same product, or of the next-best one, when this place was searched in vain."""
    for product, score in [(here.product, 0.0), *here.ranked[:6]]:
        for place in here.index.places(product):
            if place.entity == spent.entity or place.kind == "store" or score < 0:
                continue
            step = explore(here.given, place) if at(here.given, place) else None
            if step is not None or not at(here.given, place):
                return step or towards(here.index, here.given, place)
    return None


def _offer(here: Situation, seen: Sighting | None) -> Move:
    entry, belief = here.entry, here.belief
    lead = here.speaker.sorry() if belief.last_refused else ""
    reachable = seen is not None and bool(seen.reachable)
    if here.skill.compares and len(belief.offered) >= 2 and here.given.observation is not None:
        other = next((p for p, _ in here.ranked if p != here.product and sighting_of(here.given, p)), None)
        if other is not None and reachable and seen is not None:
            return _comparison(here, other, _inspect(here, seen))
    why = here.speaker.praise(entry, here.matched(here.product)) if here.skill.explains else "people like it"
    words = here.speaker.one(
        (
            "I'd recommend the {name}: {why}. Have a look at it.",
            "How about the {name}? I suggest it because {why}.",
            "My suggestion is the {name}; {why}. Would you take a closer look?",
        ),
        name=entry.name,
        why=why,
    )
    action = AssistantAction(
        type="Recommend", display_name=entry.name, visible_now=seen is not None, reason=why
    )
    if seen is not None and reachable:
        expected = _inspect(here, seen)
    elif here.given.observation is None and here.given.store.kind == "supermarket":
        expected = ExpectedAction(tool="pick_up_item")
    else:
        expected = ExpectedAction(tool="move_forward", args={"distance": "short"})
    return f"{lead} {words}".strip(), action, expected


def _go(here: Situation, step: Step, seen: Sighting | None) -> Move:
    lead = here.speaker.sorry() if here.belief.last_refused else ""
    words = here.speaker.step(step, closer=seen is not None, here=at(here.given, step.goal))
    if (
        not here.belief.complete
        and here.belief.details < 6
        and here.chance.happens(0.8, "ask")
        and not here.skill.aimless
    ):
        words = f"{words} {_question(here)}"
    args: dict[str, Any] = {
        "navigation_goal": step.goal.assistant_marker,
        "reason": f"{here.entry.name} is kept there",
    }
    if here.given.store.kind == "home":
        args["next_waypoint"] = (step.via or step.goal).assistant_marker
        args["target_approach"] = step.approach
    expected = ExpectedAction(tool=step.tool, args=step.args)
    return f"{lead} {words}".strip(), AssistantAction(type="Navigate", **args), expected


def _aimless(here: Situation) -> Move:
    """Bad on purpose: hawks whatever is at hand in the same words, or wanders off."""
    seen = here.sighting
    if here.chance.happens(0.35, "hawk"):
        words = f"Just take the {here.entry.name}, it's our best seller."
        action = AssistantAction(
            type="Recommend",
            display_name=here.entry.name,
            visible_now=seen is not None,
            reason="it is our best seller",
        )
        return words, action, ExpectedAction(tool="add_to_cart")
    place = here.chance.pick(here.given.store.targets, "where")
    return _go(here, towards(here.index, here.given, place), seen)
