"""What a shopper's interaction settings make of a turn: price, caution, curiosity, strolling, small talk."""

from collections.abc import Sequence

from agents.scripted import replies
from agents.scripted.goal import Judgement, wanted_stems
from agents.scripted.mind import Mind
from agents.scripted.words import stems
from siturec.protocol.messages import Sighting, ToolCall

DEAR_SHARE = 0.75
"""From this share of the budget on the price-sensitive ask for something cheaper."""
FOLLOWS = (0.75, 0.88, 0.97)
ENDURES = (5.0, 8.0, 12.0)
VOLUNTEERS = (0.3, 0.55, 0.85)
STROLLS = 0.5
CHATS = 0.35
IDLE = ToolCall(tool="idle")

Move = tuple[str, ToolCall]


def explained(mind: Mind, name: str) -> bool:
    """Whether the latest words say of a product, besides its name, anything the shopper cares about."""
    said = set(stems(mind.given.utterance)) - set(stems(name))
    return bool(wanted_stems(mind.goal) & said)


def before_taking(mind: Mind, seen: Sighting) -> Move | None:
    """What is asked of a product on offer before it is taken, once: its price, or the reason for it."""
    product = seen.entity.partition(":")[2]
    if mind.asked_of(seen.name):
        return None
    if mind.goal.price_sensitivity == 2 and mind.price(product, seen.name) is None:
        return replies.ask_price(seen.name, mind.chance), IDLE
    if mind.goal.explanation_seeking == 2 and not explained(mind, seen.name):
        return replies.ask_why(seen.name, mind.chance), IDLE
    return None


def at_hand(mind: Mind, product: str, name: str, opinion: Judgement) -> Move | None:
    """What is still asked of a product at hand that does not fail; None when it may be bought."""
    goal = mind.goal
    asked = any("?" in past.reply for past in mind.since_taken())
    curious = goal.explanation == "much" or (goal.explanation == "some" and goal.explanation_seeking == 2)
    if curious and not asked and name.lower() not in mind.given.utterance.lower():
        return replies.ask_why(name, mind.chance), IDLE
    if opinion.verdict == "unknown":
        careful = goal.explanation_seeking > 0 or goal.style == "cautious"
        return None if asked or not careful else (replies.ask_about(name, opinion.why, mind.chance), IDLE)
    price = mind.price(product, name)
    if goal.price_sensitivity == 2 and price is not None and price > DEAR_SHARE * goal.budget:
        if not mind.asked_for_cheaper():
            return replies.ask_cheaper(name, price, mind.chance), IDLE
        if (other := _cheaper_in_reach(mind, product, price)) is not None:
            away = ToolCall(tool="do_not_add_to_cart" if mind.home else "drop_item")
            return replies.prefer(other.name, name, mind.chance), away
    if goal.style == "cautious" and not asked:
        return replies.ask_before_buying(name, mind.chance), IDLE
    return None


def _cheaper_in_reach(mind: Mind, product: str, price: float) -> Sighting | None:
    """A cheaper product the assistant has just named, in reach and not known to be unsuitable."""
    for seen in mind.heard.products:
        other = seen.entity.partition(":")[2]
        said = mind.price(other, seen.name)
        cheaper = other != product and said is not None and said < price - 0.005
        if cheaper and seen.reachable and mind.judge(other, seen.name).verdict != "fails":
            return seen
    return None


def preferred(mind: Mind, good: Sequence[Sighting]) -> Sighting:
    """Which of the products named to look at: the first, or for the price-sensitive the cheapest."""
    if mind.goal.price_sensitivity < 2:
        return good[0]

    def cost(seen: Sighting) -> float:
        said = mind.price(seen.entity.partition(":")[2], seen.name)
        return mind.goal.budget if said is None else said

    return min(good, key=cost)


def look_around(mind: Mind) -> ToolCall:
    """A look to one side; the exploring kind walks to some place in view instead."""
    if mind.goal.style == "exploratory" and mind.chance.happens(STROLLS, "stroll"):
        kind = "area" if mind.home else "fixture"
        places = [seen for seen in mind.given.observation.visible if seen.kind == kind]
        if places:
            tool = "move_to_area" if mind.home else "move_to_fixture"
            target = mind.chance.pick(places, "stroll to").user_marker
            return ToolCall(tool=tool, args={"target": target})
    direction = mind.chance.pick(("left", "right"), "look")
    return ToolCall(tool="turn", args={"direction": direction, "angle": 60})


def while_waiting(mind: Mind) -> ToolCall:
    """What one does with nothing left to say: waits for a suggestion, or for the exploring kind strolls."""
    return look_around(mind) if mind.goal.style == "exploratory" else IDLE


def while_talking(mind: Mind) -> ToolCall:
    """What one does while answering a question: stands still, or for the exploring kind looks around."""
    if mind.goal.style == "exploratory" and mind.chance.happens(0.3, "glance"):
        direction = mind.chance.pick(("left", "right"), "glance to")
        return ToolCall(tool="turn", args={"direction": direction, "angle": 30})
    return IDLE


def follows(mind: Mind) -> bool:
    """Whether a suggestion where to go is followed; after one refusal to, the next is."""
    strayed = bool(mind.given.history) and mind.given.history[-1].reply.startswith(replies.OWN_WAYS)
    return strayed or mind.chance.happens(FOLLOWS[mind.goal.navigation_following], "follow")


def volunteers(mind: Mind) -> bool:
    """Whether the next key detail is told now: when asked, else by talkativeness; the direct come to it."""
    if mind.heard.asks and "?" in mind.given.utterance:
        return True
    more = 0.2 if mind.goal.style == "direct" else 0.0
    return mind.chance.happens(VOLUNTEERS[mind.goal.talkativeness] + more, "volunteer")


def with_small_talk(mind: Mind, words: str) -> str:
    """The words as the sociable say them: now and then with a remark, never the same one twice."""
    if mind.goal.style != "social" or "?" in words or not mind.chance.happens(CHATS, "chat"):
        return words
    said = " ".join(past.reply for past in mind.given.history)
    fresh = [remark for remark in replies.SMALL_TALK if remark not in said]
    return f"{words} {mind.chance.pick(fresh, 'remark')}" if fresh else words
