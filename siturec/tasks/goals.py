"""Step 3, second half: a goal told to its shopper, and what the shopper says of it (SituRecBench A.3)."""

import random
from dataclasses import dataclass

from siturec.scene.schema import Acceptance, Disclosure, Product, Profile
from siturec.tasks.eligible import values_of
from siturec.tasks.needs import Wish, spoken
from siturec.tasks.speech import Theme

LEADS = (
    "You are looking for {noun}.",
    "You have come for {noun}.",
    "What you need is {noun}.",
    "On your list today: {noun}.",
    "You would like to take home {noun}.",
    "So you are after {noun}.",
    "You want to find {noun}.",
    "You have set out to buy {noun}.",
)
BUDGETS = (
    "You can spend up to ${b}.",
    "${b} is the most you want to pay.",
    "Your limit is ${b}.",
    "You have put ${b} aside for it.",
    "Anything up to ${b} is fine with you.",
    "You do not want to go over ${b}.",
)
SPOKEN_BUDGETS = (
    "I can spend up to ${b}.",
    "I'd like to stay within ${b}.",
    "My limit is ${b}.",
    "It shouldn't cost more than ${b}.",
    "I have about ${b} for it, not more.",
)
CARES = (
    "You care about {cares}.",
    "What counts for you: {cares}.",
    "Above all you think of {cares}.",
)
ASIDES = {
    "low": ("", ""),
    "medium": ("", "", "For me that matters: "),
    "high": ("Let me add one thing: ", "Oh, and this is important to me: ", "You should know: ", ""),
}
SOFT = ("packaging", "color")
"""Labels that may be wished for softly."""
ORDERS = ("slncb", "lsncb", "slbnc", "cslnb", "lncbs", "slnbc")
"""Sentence orders: situation, lead, needs, cares, budget. Each task of a profile has another."""


@dataclass
class Deck:
    """Phrases dealt to one profile: none comes twice before all have come once."""

    rng: random.Random
    dealt: dict[str, list[str]]

    def deal(self, name: str, phrases: tuple[str, ...]) -> str:
        """The next phrase of a kind."""
        left = self.dealt.get(name)
        if not left:
            left = self.rng.sample(phrases, len(phrases))
            self.dealt[name] = left
        return left.pop()


def money(amount: float) -> str:
    """An amount without cents when it has none."""
    return f"{amount:,.0f}" if amount == int(amount) else f"{amount:,.2f}"


def goal_text(theme: Theme, wish: Wish, cares: str, budget: float, deck: Deck) -> str:
    """The goal as its shopper reads it, in the second person, without naming any product."""
    parts = {
        "s": deck.deal(f"situation {theme.id}", theme.situations),
        "l": deck.deal("lead", LEADS).replace("{noun}", wish.group.noun),
        "n": " ".join(_needs(wish)),
        "c": deck.deal("cares", CARES).replace("{cares}", cares) if cares else "",
        "b": deck.deal("budget", BUDGETS).replace("{b}", money(budget)),
    }
    return " ".join(parts[letter] for letter in deck.deal("order", ORDERS) if parts[letter])


def request_text(theme: Theme, wish: Wish) -> str:
    """The whole request, as the shopper would put it if it were told at once."""
    return " ".join((f"I need {wish.group.noun} ({theme.name}).", *_needs(wish)))


def disclosure_for(profile: Profile, theme: Theme, wish: Wish, budget: float, deck: Deck) -> Disclosure:
    """The opening names the use, or use and kind; then follow the kind where it is still unsaid, the budget,
    what is unwanted, and the finer needs: one key detail each."""
    opening = deck.deal(f"opening {theme.id}", theme.openings)
    others = wish.needs[1:]
    kind = f"I'm after {wish.group.noun}."
    details: list[str] = []
    if profile.interaction.behavior_style in ("exploratory", "cautious"):
        details.append(kind)
    else:
        opening = f"{opening} {kind}"
    details.append(deck.deal("spoken budget", SPOKEN_BUDGETS).replace("{b}", money(budget)))
    for need in sorted(others, key=lambda need: not need.avoid):
        aside = deck.deal("aside", ASIDES[profile.interaction.talkativeness])
        text = need.text[0].lower() + need.text[1:] if aside else need.text
        details.append(aside + text)
    return Disclosure(opening=opening, details=tuple(details))


def acceptance_for(profile: Profile, rng: random.Random) -> Acceptance:
    """Explanation and substitutes follow the profile's settings; how a bad offer is met follows its style."""
    settings = profile.interaction
    ways = {
        "direct": ("reason", "reason", "question"),
        "exploratory": ("comparison", "question"),
        "cautious": ("question", "comparison"),
        "social": ("reason", "question", "comparison"),
    }[settings.behavior_style]
    return Acceptance.model_validate(
        {
            "explanation": {"low": "little", "medium": "some", "high": "much"}[settings.explanation_seeking],
            "substitutes": {"low": "none", "medium": "close", "high": "open"}[
                settings.substitute_willingness
            ],
            "rejection": rng.choice(ways),
        }
    )


def preferences_of(wish: Wish, target: Product, cares: str) -> tuple[str, ...]:
    """Softer wishes beside the needs: something about the target that none of them mentions, and what the
    shopper cares about. They decide between products that meet the needs, and exclude none."""
    asked = {need.key for need in wish.needs}
    soft = [
        f"If there is a choice: {value}."
        for key in SOFT
        if key not in asked
        for value in values_of(target, key)[:1]
    ]
    return (*soft, *((f"What counts besides: {cares}.",) if cares else ()))


def _needs(wish: Wish) -> list[str]:
    """One sentence for what is wanted (joined when it begins alike), one for what is not."""
    sentences: list[str] = []
    wants = list(wish.wants)
    if wants:
        first, rest = wants[0], wants[1:]
        for phrase in rest:
            head = " ".join(first.split(" ")[:2])
            short = phrase.removeprefix(head + " ") if phrase.startswith(head + " ") else phrase
            first = f"{first} and {short}"
        sentences.append(spoken(first, wish.group))
    if wish.avoids:
        sentences.append(spoken(" and ".join(wish.avoids), wish.group))
    return sentences
