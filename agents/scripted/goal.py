"""A shopper's private goal as an agenda: what was said, what is known of a product, whether it suits."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from agents.scripted.words import amounts, mentions, stems
from siturec.protocol.messages import PastTurn, UserInput

Verdict = Literal["suits", "fails", "unknown"]
LEVELS = {"low": 0, "medium": 1, "high": 2}


@dataclass(frozen=True)
class Judgement:
    """What the shopper thinks of one product; ``why`` is the fault, or what is still to be learned.

    ``dear`` says that the fault is the ``price``, in dollars.
    """

    verdict: Verdict
    why: str = ""
    dear: bool = False
    price: float | None = None


@dataclass(frozen=True)
class Goal:
    """Task and profile as the agenda uses them. Levels are 0 low, 1 medium, 2 high; budget in dollars."""

    opening: str
    details: tuple[str, ...]
    needs: tuple[Mapping[str, Any], ...]
    budget: float
    substitutes: str
    rejection: str
    explanation: str
    patience: int
    price_sensitivity: int
    explanation_seeking: int
    navigation_following: int
    talkativeness: int
    style: str

    @classmethod
    def read(cls, given: UserInput) -> "Goal":
        """From the pack's records. Raises: KeyError when a record lacks a field."""
        task, manner = given.task, given.profile["interaction"]
        return cls(
            opening=task["disclosure"]["opening"],
            details=tuple(task["disclosure"]["details"]),
            needs=tuple(task["needs"]),
            budget=float(task["budget"]),
            substitutes=task["acceptance"]["substitutes"],
            rejection=task["acceptance"]["rejection"],
            explanation=task["acceptance"]["explanation"],
            patience=LEVELS[manner["patience"]],
            price_sensitivity=LEVELS[manner["price_sensitivity"]],
            explanation_seeking=LEVELS[manner["explanation_seeking"]],
            navigation_following=LEVELS[manner["navigation_following"]],
            talkativeness=LEVELS[manner["talkativeness"]],
            style=manner["behavior_style"],
        )

    def told(self, history: Sequence[PastTurn]) -> int:
        """How many key details were said already; the opening is none of them."""
        return sum(any(detail in past.reply for past in history) for detail in self.details)

    def opened(self, history: Sequence[PastTurn]) -> bool:
        """Whether the opening was said."""
        return any(self.opening in past.reply for past in history)

    def judge(self, known: Mapping[str, Any] | None, *, lenient: bool = False) -> Judgement:
        """Whether a product whose attributes are known suits; ``lenient`` forgives one soft need."""
        if not known:
            return Judgement("unknown", "the price")
        price = known.get("price")
        if isinstance(price, int | float) and price > self.budget + 0.005:
            why = f"it is more than my ${self.budget:,.0f}"
            return Judgement("fails", why, dear=True, price=float(price))
        missed: list[str] = []
        open_points: list[str] = []
        for need in self.needs:
            met = meets(need, known)
            if met is None:
                open_points.append(str(need["key"]).replace("_", " "))
            elif not met:
                hard = bool(need.get("avoid")) or need["key"] == "category"
                if hard or not lenient or missed:
                    return Judgement("fails", need_words(need))
                missed.append(need_words(need))
        if price is None:
            open_points.insert(0, "price")
        return Judgement("unknown", open_points[0]) if open_points else Judgement("suits")


def need_words(need: Mapping[str, Any]) -> str:
    """A need as the shopper says it, for use after a colon."""
    text = str(need.get("text") or ", ".join(need["values"])).strip().rstrip(".")
    return text[:1].lower() + text[1:] if text[:2] != "I " and text[:2] != "I'" else text


def meets(need: Mapping[str, Any], known: Mapping[str, Any]) -> bool | None:
    """Whether known attributes meet a need; None while the attribute is not known."""
    key = need["key"]
    name = "tags" if key == "tag" and "tags" in known else key
    if name not in known:
        return None
    value = known[name]
    values = value if isinstance(value, list | tuple) else (value,)
    have = {str(one).strip().casefold() for one in values}
    accepted = {str(one).strip().casefold() for one in need["values"]}
    return not have & accepted if need.get("avoid") else bool(have & accepted)


def heard(given: UserInput, name: str) -> dict[str, Any]:
    """What was said about a product: so far its price, if one was named along with it."""
    others = [seen.name for seen in given.observation.visible if seen.name != name]
    for text in (given.utterance, *(past.utterance for past in reversed(given.history))):
        if mentions(text, name):
            after = text[text.lower().index(name.lower()) + len(name) :]
            ends = [found for other in others if (found := after.lower().find(other.lower())) >= 0]
            named = amounts(after[: min(ends, default=None)]) or _only(amounts(text))
            if named:
                return {"price": named[0]}
    return {}


def _only(found: Sequence[float]) -> Sequence[float]:
    return found if len(set(found)) == 1 else ()


def wanted_stems(goal: Goal) -> frozenset[str]:
    """The stems of everything the shopper wants; what is to be avoided is none of them."""
    wanted = set(stems(goal.opening)) | {word for detail in goal.details for word in stems(detail)}
    return frozenset(wanted) | {
        word for need in goal.needs if not need.get("avoid") for v in need["values"] for word in stems(str(v))
    }


def akin(goal: Goal, name: str) -> bool:
    """Whether a display name has a word in common with what is wanted."""
    return bool(wanted_stems(goal) & set(stems(name)))


def dollars(amount: float) -> str:
    """A price as it is said in the shop."""
    return f"${amount:,.2f}"
