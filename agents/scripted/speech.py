"""How a scripted assistant talks: plain, varied shop English that never says a marker."""

from collections.abc import Sequence
from typing import Any

from agents.scripted.chance import Chance
from agents.scripted.routing import Step
from siturec.protocol.messages import CatalogEntry, PastTurn

GREETINGS = (
    "Hello, welcome in! What are you shopping for today?",
    "Hi there! What can I help you find?",
    "Good to see you. What brings you in today?",
    "Hello! Tell me what you have in mind and we'll find it together.",
)
QUESTIONS: dict[str, tuple[str, ...]] = {
    "need": (
        "What kind of thing do you have in mind, and what is it for?",
        "Could you tell me a bit more about what you need it for?",
        "Which sort of product should I look for?",
    ),
    "budget": (
        "Roughly how much would you like to spend?",
        "Do you have a budget in mind?",
        "Is there a price you'd rather not go over?",
    ),
    "dislikes": (
        "Is there anything you'd rather avoid?",
        "Anything it must not have?",
        "Is there something you definitely don't want?",
    ),
    "specifics": (
        "Is there anything else it should have?",
        "Any other wishes, so that I pick the right one?",
        "What else matters to you in it?",
        "What would make it just right for you?",
    ),
}
_WALK = (
    "Let's walk over to the {via}.",
    "Could you head over to the {via}?",
    "Please go to the {via}; you can see it from here.",
    "The {via} is the way to go, shall we?",
)
_CUES: dict[str, tuple[str, ...]] = {
    "walk": _WALK,
    "front": (
        "Let's go and stand in front of the {via}.",
        "Could you walk to the front of the {via}?",
        "Please head to the {via} and stop in front of it.",
    ),
    "back": (
        "Let's go round to the back of the {via}.",
        "Could you walk around to the back side of the {via}?",
    ),
    "enter": (
        "Let's step inside {via}.",
        "Could you go in through the doorway of {via}?",
        "Please walk into {via}; what you want is in there.",
    ),
    "outside": (
        "Let's walk to the entrance of {via} first and stay outside.",
        "Could you head over to {via} and wait outside its doorway?",
    ),
    "forward": (
        "Please walk straight ahead for a few steps.",
        "Let's carry on straight ahead a little further.",
    ),
    "down": (
        "Could you look down at the lower rows?",
        "Please look down a little, the lower part matters here.",
    ),
    "up": ("Could you look up a little? It is higher up.", "Please look up, it hangs or stands above."),
    "closer": (
        "Could you take a step forward, a bit closer to it?",
        "Please step forward so you can reach it.",
    ),
}
_TURNING_HERE = (
    "Could you turn {way}? It should be close by.",
    "Please turn {way}, it must be somewhere around here.",
    "Let's look to the other side: please turn {way}.",
)
_SIDEWAYS = {
    "side": ("Could you take a step to the {side}?", "Please step to the {side} along the shelf."),
    "veer": (
        "Could you turn slightly {side} and take a step forward?",
        "Please turn slightly {side} and step a bit closer.",
    ),
}
_UNREADABLE = frozenset({"dimensions_cm", "use", "nutrition"})
_THANKS = ("Got it.", "Thanks, that helps.", "All right.", "Understood.", "Good to know.")
_SORRY = (
    "I see, let's leave that one.",
    "Fair enough, that one isn't right.",
    "Thanks for telling me, let's try something else.",
    "Understood, we'll look further.",
)


def money(amount: float) -> str:
    """A price as it is said in the shop."""
    return f"${amount:,.2f}"


def fact(key: str, value: Any) -> str | None:
    """One catalog detail as a phrase, or None where it does not read well."""
    name = key.replace("_", " ")
    if value is True:
        return name
    if value is False or value is None or isinstance(value, dict) or key in _UNREADABLE:
        return None
    if isinstance(value, list | tuple):
        return f"{name}: {', '.join(str(part) for part in value)}" if value else f"no {name}"
    return f"{name} {value}"


class Speaker:
    """Words for one turn; varied by chance, and never the same as what was said before if avoidable."""

    def __init__(self, chance: Chance, history: Sequence[PastTurn], *, plain: bool = False) -> None:
        self._chance = chance
        self._said = {past.utterance for past in history}
        self._plain = plain

    def one(self, options: Sequence[str], **names: str) -> str:
        """One of the options, filled in, preferring one that is not yet part of an earlier utterance."""
        filled = [option.format(**names) for option in options]
        fresh = [text for text in filled if not any(text in said for said in self._said)]
        return self._chance.pick(fresh or filled, "words", len(fresh))

    def thanks(self) -> str:
        """A short sign of having listened."""
        return self.one(_THANKS)

    def sorry(self) -> str:
        """A short sign of having heard the rejection."""
        return self.one(_SORRY)

    def step(self, step: Step, *, closer: bool = False, here: bool = False) -> str:
        """A navigation suggestion in words; ``here`` when the goal is where the shopper already stands."""
        if closer and step.cue == "forward":
            return self.one(_CUES["closer"])
        if step.cue == "turn":
            options = _TURNING_HERE if here else _turning(step.args["direction"], step.args["angle"])
            how = "slightly " if step.args["angle"] <= 45 else ""
            return self.one(options, goal=step.goal.name, way=how + step.args["direction"])
        if step.cue in ("side", "veer"):
            return self.one(_SIDEWAYS[step.cue], side=step.args["direction"])
        return self.one(_CUES[step.cue], via=(step.via or step.goal).name)

    def price(self, entry: CatalogEntry) -> str:
        """The price as a clause; empty when numbers have to be left out."""
        return "" if self._plain else f"it costs {money(entry.price)}"

    def facts(self, entry: CatalogEntry, *, most: int = 3) -> str:
        """A product's main attributes as one clause."""
        found = [text for key, value in entry.details.items() if (text := fact(key, value))]
        if self._plain:
            found = [text for text in found if not any(char.isdigit() for char in text)]
        parts = [part for part in (self.price(entry), *found[:most]) if part]
        return "; ".join(parts) or "it is " + ", ".join(entry.tags[:most])

    def praise(self, entry: CatalogEntry, matched: Sequence[str]) -> str:
        """Why a product fits: the wishes it meets, and its price."""
        parts = []
        if matched:
            parts.append(
                "it is "
                + self._chance.pick(("what you asked for:", "a match:"), "praise")
                + " "
                + ", ".join(matched[:3])
            )
        if price := self.price(entry):
            parts.append(price)
        return ", and ".join(parts) or "it seems close to what you described"


def _turning(direction: str, angle: int) -> tuple[str, ...]:
    if angle >= 150:
        return (
            "Please turn around, the {goal} is behind you.",
            "The {goal} is behind us; could you turn around?",
        )
    how = "slightly " if angle <= 45 else "sharply " if angle > 105 else ""
    return (
        f"Could you turn {how}{direction}? The {{goal}} should be that way.",
        f"Please turn {how}{direction}, towards the {{goal}}.",
        f"If you turn {how}{direction}, we'll find the {{goal}}.",
    )
