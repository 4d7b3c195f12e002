"""How the agenda-based shopper talks: its style and talkativeness choose the words, details are verbatim."""

from collections.abc import Mapping, Sequence

from agents.scripted.chance import Chance
from agents.scripted.goal import Goal, Judgement, dollars
from siturec.protocol.messages import PastTurn

_FOLLOW: Mapping[str, tuple[str, ...]] = {
    "direct": ("Okay.", "Going there.", "Right."),
    "exploratory": (
        "All right, I'd like to see that.",
        "Sure, let's see what's there.",
        "Okay, I'm curious.",
    ),
    "cautious": ("All right, if you think so.", "Okay, I'll go and see.", "Hm, all right."),
    "social": ("Sure, lead the way!", "With pleasure.", "Okay, let's go together."),
}
_OWN_WAY: Mapping[str, tuple[str, ...]] = {
    "direct": ("Wait, I'll look for myself.",),
    "exploratory": ("One moment, I want to see what's here.", "Let me stroll a little first."),
    "cautious": ("Hold on, let me look around first.",),
    "social": ("Oh, one moment, let me just look around.",),
}
OWN_WAYS: tuple[str, ...] = tuple(text for texts in _OWN_WAY.values() for text in texts)
_COMING: Mapping[str, tuple[str, ...]] = {
    "direct": ("I see it.", "Coming closer."),
    "exploratory": ("I see it, let me have a look from near by.", "Interesting, I'm coming closer."),
    "cautious": ("I think I see it, let me get closer to it.", "Let me get closer before I say anything."),
    "social": ("Oh yes, I see it, I'm coming.", "There it is! Let me get closer."),
}
_UNSEEN: Mapping[str, tuple[str, ...]] = {
    "direct": ("I don't see it. Where is it?", "I can't see it. Which way is it?"),
    "exploratory": ("I can't find it, where should I look?", "I don't see it yet. Which way is it?"),
    "cautious": (
        "I can't see that from here. Which way is it?",
        "I'm not sure, I don't see it. Where is it?",
    ),
    "social": ("Help me out, where is it? I don't see it.", "I can't see it yet. Which way is it?"),
}
_NOTHING_MORE: Mapping[str, tuple[str, ...]] = {
    "direct": ("That's all. What would you suggest?", "Nothing else. Where should we look?"),
    "exploratory": (
        "Nothing else comes to mind; where should we look?",
        "That's all I can think of. Can you show me something?",
    ),
    "cautious": (
        "That's all I can think of. What would you suggest?",
        "No, that's everything, I believe. Where should we look?",
    ),
    "social": (
        "No, that's everything, thank you. Can you show me something?",
        "That's all I can think of, you know best. What would you suggest?",
    ),
}
SMALL_TALK: tuple[str, ...] = (
    "It's nice to have someone to ask.",
    "I haven't been here for ages.",
    "My sister always says I take forever in here.",
    "You know your way about, I must say.",
    "What a day it has been.",
    "I do enjoy going out for this.",
)
"""Remarks that say nothing about the goal; a test holds that assistants hear no wish in them."""


def next_detail(goal: Goal, history: Sequence[PastTurn]) -> str | None:
    """The next key detail not yet said, in the order of the disclosure policy."""
    return next((d for d in goal.details if not any(d in past.reply for past in history)), None)


def opening(goal: Goal, chance: Chance) -> str:
    """The broad first request."""
    if goal.style == "social":
        hello = chance.pick(("Hello there, how kind of you! ", "Hi, lovely to meet you. "), "hi")
        return f"{hello}{goal.opening}"
    hello = ("", "Hi. ", "Hello there! ")[0 if goal.style == "direct" else goal.talkativeness]
    return f"{hello}{goal.opening}"


def answer(goal: Goal, detail: str, chance: Chance) -> str:
    """One key detail, in more or fewer words."""
    lead = {
        0: ("",),
        1: ("", "Well, one thing:", "By the way:"),
        2: (
            "To give you a better idea:",
            "One more thing that matters to me:",
            "Since you ask:",
            "Let me add this:",
        ),
    }[0 if goal.style == "direct" else goal.talkativeness]
    return f"{chance.pick(lead, 'lead')} {detail}".strip()


def nothing_more(goal: Goal, chance: Chance) -> str:
    """All details are said and nothing specific was asked."""
    return chance.pick(_NOTHING_MORE[goal.style], "more")


def follow(goal: Goal, chance: Chance) -> str:
    """Going where one is sent."""
    return chance.pick(_FOLLOW[goal.style], "follow")


def own_way(goal: Goal, chance: Chance) -> str:
    """Not going where one is sent."""
    return chance.pick(_OWN_WAY[goal.style], "own")


def coming(goal: Goal, chance: Chance) -> str:
    """Walking up to something in view."""
    return chance.pick(_COMING[goal.style], "closer")


def unseen(goal: Goal, chance: Chance) -> str:
    """An offer that cannot be seen."""
    return chance.pick(_UNSEEN[goal.style], "unseen")


def inspect(name: str, goal: Goal, chance: Chance) -> str:
    """Taking a closer look."""
    if goal.style == "cautious":
        options: tuple[str, ...] = (
            f"Let me check the {name} first.",
            f"I'd like to read what it says on the {name}.",
        )
    elif goal.talkativeness and goal.style != "direct":
        options = (
            f"The {name}, all right. Let me have a closer look.",
            f"Let me see what the {name} is like.",
            "All right, let me look at that one.",
        )
    else:
        options = ("I'll take a look.", "Let me see.", "Let me check it.")
    return chance.pick(options, "inspect")


def buy(name: str, goal: Goal, price: float | None, chance: Chance) -> str:
    """The decision to buy; who minds the price says that it is all right."""
    if goal.talkativeness and goal.style != "direct":
        options: tuple[str, ...] = (
            f"The {name} is what I was after, into the cart it goes.",
            f"Good, the {name} suits me. I'll take it.",
            "That fits, I'll take it.",
        )
    else:
        options = ("I'll take it.", "Good, this one.")
    words = chance.pick(options, "buy")
    if goal.price_sensitivity == 2 and price is not None:
        words = f"{dollars(price)} is all right. {words}"
    return f"{words} Thank you, you were a great help!" if goal.style == "social" else words


def ask_why(name: str, chance: Chance) -> str:
    """Asking for the grounds of a recommendation."""
    return chance.pick(
        (f"Why do you think the {name} is right for me?", f"What makes the {name} a good choice?"), "why"
    )


def ask_about(name: str, point: str, chance: Chance) -> str:
    """Asking for what could not be seen."""
    return chance.pick(
        (f"What about {point} for the {name}?", f"Can you tell me about {point} of the {name}?"), "about"
    )


def ask_price(name: str, chance: Chance) -> str:
    """Asking for a price before anything is taken."""
    return chance.pick((f"How much is the {name}?", f"What does the {name} cost?"), "price")


def ask_cheaper(name: str, price: float, chance: Chance) -> str:
    """Asking for something cheaper than what would do."""
    return chance.pick(
        (
            f"{dollars(price)} is a lot for me. Is there a cheaper one than the {name}?",
            f"The {name} would do, but {dollars(price)} is quite something. Do you have a cheaper one?",
        ),
        "cheaper",
    )


def prefer(other: str, name: str, chance: Chance) -> str:
    """Putting something back for a cheaper one."""
    return f"Then I'd rather look at the {other}; the {name} can wait."


def ask_before_buying(name: str, chance: Chance) -> str:
    """A careful shopper's last question."""
    return chance.pick(
        (
            f"Before I decide: is there anything I should know about the {name}?",
            f"Let me read the label first. Can you tell me more about the {name}?",
        ),
        "careful",
    )


_COMPARING = ("I would rather have one that fits better.", "Another one may fit better than this.")


def refusal(goal: Goal, name: str, opinion: Judgement, chance: Chance) -> str:
    """Turning a product down with a reason, a question or a comparison, as the acceptance policy says.

    The price-sensitive name the price that is too high; those open to substitutes say so.
    """
    if opinion.dear and opinion.price is not None and goal.price_sensitivity == 2:
        reason = f"At {dollars(opinion.price)} the {name} is too expensive for me, {opinion.why}."
    elif opinion.dear:
        reason = f"The {name} is too expensive for me, {opinion.why}."
    else:
        reason = f"The {name} is not quite right for me: {opinion.why}."
    if goal.substitutes == "open":
        reason = f"{reason} Something similar would do as well."
    if goal.rejection == "question":
        return (
            f"{reason} {chance.pick(('Is there another one?', 'Do you have something closer to it?'), 'q')}"
        )
    if goal.rejection == "comparison":
        return f"{reason} {chance.pick(_COMPARING, 'c')}"
    return reason


def stuck(chance: Chance) -> str:
    """The chosen action was not possible."""
    return chance.pick(("That didn't work from here.", "I can't do that from where I stand."), "stuck")


def farewell(chance: Chance) -> str:
    """Giving up."""
    return chance.pick(
        (
            "I don't think we'll find it. I'll leave it for today.",
            "Thanks, but I give up for today.",
            "Never mind, I'll come back another day.",
        ),
        "farewell",
    )
