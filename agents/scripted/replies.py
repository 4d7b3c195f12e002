"""How the agenda-based shopper talks; wordiness follows the profile, key details are said word for word."""

from collections.abc import Sequence

from agents.scripted.chance import Chance
from agents.scripted.goal import Goal, Judgement
from siturec.protocol.messages import PastTurn


def next_detail(goal: Goal, history: Sequence[PastTurn]) -> str | None:
    """The next key detail not yet said, in the order of the disclosure policy."""
    return next((d for d in goal.details if not any(d in past.reply for past in history)), None)


def opening(goal: Goal, chance: Chance) -> str:
    """The broad first request."""
    hello = ("", "Hi. ", "Hello there! ")[goal.talkativeness]
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
    }[goal.talkativeness]
    return f"{chance.pick(lead, 'lead')} {detail}".strip()


def nothing_more(chance: Chance) -> str:
    """All details are said and nothing specific was asked."""
    return chance.pick(
        (
            "That's all I can think of. What would you suggest?",
            "Nothing else comes to mind; where should we look?",
            "No, that's everything. Can you show me something?",
        ),
        "more",
    )


def follow(chance: Chance) -> str:
    """Going where one is sent."""
    return chance.pick(("All right.", "Okay, going there.", "Sure.", "Lead the way.", "Okay."), "follow")


OWN_WAY = ("Hold on, let me look around first.", "One moment, I want to see what's here.")


def own_way(chance: Chance) -> str:
    """Not going where one is sent."""
    return chance.pick(OWN_WAY, "own")


def coming(chance: Chance) -> str:
    """Walking up to something in view."""
    return chance.pick(
        ("Let me get closer to it.", "I see it, I'll walk up to it.", "I'm coming closer."), "closer"
    )


def unseen(chance: Chance) -> str:
    """An offer that cannot be seen."""
    return chance.pick(
        (
            "I can't see that from here. Which way is it?",
            "Where is it? I don't see it.",
            "I can't find it, where should I look?",
        ),
        "unseen",
    )


def inspect(name: str, goal: Goal, chance: Chance) -> str:
    """Taking a closer look."""
    short = ("I'll take a look.", "Let me see.", "Let me check it.")
    long = (
        f"The {name}? Let me have a closer look.",
        f"Let me see what the {name} is like.",
        "All right, let me look at that one.",
    )
    return chance.pick(long if goal.talkativeness else short, "inspect")


def buy(name: str, goal: Goal, chance: Chance) -> str:
    """The decision to buy."""
    long = (
        f"The {name} is what I was after, into the cart it goes.",
        f"Good, the {name} suits me. I'll take it.",
        "That fits, I'll take it.",
    )
    return chance.pick(long if goal.talkativeness else ("I'll take it.", "Good, this one."), "buy")


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


_COMPARING = ("I would rather have one that fits better.", "Another one may fit better than this.")


def refusal(goal: Goal, name: str, opinion: Judgement, chance: Chance) -> str:
    """Turning a product down with a reason, a question or a comparison, as the acceptance policy says."""
    if opinion.dear:
        reason = f"The {name} is too expensive for me, {opinion.why}."
    else:
        reason = f"The {name} is not quite right for me: {opinion.why}."
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
