"""One rule per rated dimension: a share from 0 to 1 over the record, and the turns it was read from.

Anchors: SituRecBench C.1 (the seven dimensions), turned into counts. Scores are 1 + 4 x share, rounded.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from agents.scripted.words import amounts, stems
from siturec.protocol.messages import CatalogEntry, JudgeInput

_JARGON = re.compile(
    r"[_{}\[\]<>]|\b(json|marker|waypoint|tool call|product id|fixture:|entity|turn limit)\b", re.IGNORECASE
)
_DIRECTION = re.compile(
    r"\b(left|right|ahead|straight|behind|forward|around|front|inside|next to)\b", re.IGNORECASE
)
_ASKS = re.compile(r"\?")
_UNPROVEN = re.compile(
    r"\b(best[- ]?seller|everybody|everyone|people (like|love) it|most popular|guaranteed|number one|"
    r"the best (one )?(here|we have)|you('ll| will) love)\b",
    re.IGNORECASE,
)
_STOCK = 3
_QUOTED = 3


@dataclass(frozen=True)
class Reading:
    """A score from 1 to 5 and what it was read from."""

    score: int
    evidence: str
    share: float


@dataclass(frozen=True)
class Case:
    """A record as the rules read it."""

    turns: list[dict[str, Any]]
    bought: list[str]
    reference: set[str]
    catalog: dict[str, CatalogEntry]
    budget: float | None

    @classmethod
    def read(cls, given: JudgeInput) -> "Case":
        """From a trajectory record; keys that are absent count as nothing said."""
        record = given.record
        budget = given.task.get("budget")
        return cls(
            turns=list(record.get("turns") or ()),
            bought=list(record.get("final_cart") or ()),
            reference=set(record.get("reference_items") or given.task.get("reference_items") or ()),
            catalog={entry.id: entry for entry in given.catalog},
            budget=float(budget) if isinstance(budget, int | float) else None,
        )

    def said(self) -> list[tuple[int, str]]:
        """(turn, utterance) of the assistant."""
        return [
            (turn["turn"], str((turn.get("assistant") or {}).get("utterance") or "")) for turn in self.turns
        ]

    def acts(self) -> list[tuple[int, dict[str, Any]]]:
        """(turn, annotated action) of the assistant."""
        return [(turn["turn"], (turn.get("assistant") or {}).get("action") or {}) for turn in self.turns]

    def named(self, text: str) -> CatalogEntry | None:
        """The catalog entry with the longest name in a text."""
        lowered = text.lower()
        found = [entry for entry in self.catalog.values() if entry.name.lower() in lowered]
        return max(found, key=lambda entry: len(entry.name), default=None)


def reading(share: float, good: Sequence[str], poor: Sequence[str]) -> Reading:
    """A share as a score, with up to three quotations for and three against."""
    quoted = "; ".join(
        f"{label} {', '.join(list(found)[:_QUOTED])}"
        for label, found in (("for:", good), ("against:", poor))
        if found
    )
    return Reading(
        1 + round(4 * share), f"{share:.0%} ({len(good)} of {len(good) + len(poor)}). {quoted}", share
    )


def quote(turn: int, text: str) -> str:
    """A turn's words, shortened, as evidence."""
    return f"T{turn} \u201c{text if len(text) <= 60 else text[:57] + '...'}\u201d"


def split(pairs: Sequence[tuple[int, str, bool]]) -> Reading | None:
    """The share of utterances for which a rule holds; None when there is none to judge."""
    if not pairs:
        return None
    good = [quote(turn, text) for turn, text, holds in pairs if holds]
    poor = [quote(turn, text) for turn, text, holds in pairs if not holds]
    return reading(len(good) / len(pairs), good, poor)


def informativeness(case: Case) -> Reading | None:
    """Mean over utterances after the greeting: 1 for facts, a direction or a question, half for a bare name.

    Facts are a price or an attribute of the product that is named.
    """
    worths = [(n, text, _content(case, text)) for n, text in case.said()[1:] if text]
    if not worths:
        return None
    good = [quote(n, text) for n, text, worth in worths if worth == 1.0]
    poor = [quote(n, text) for n, text, worth in worths if worth < 1.0]
    return reading(sum(worth for _, _, worth in worths) / len(worths), good, poor)


def _content(case: Case, text: str) -> float:
    entry = case.named(text)
    if entry is not None:
        rest = text.lower().replace(entry.name.lower(), " ")
        words = {
            word
            for value in (*entry.tags, entry.category, *map(str, entry.details.values()))
            for word in stems(value)
        }
        return 1.0 if amounts(text) or words & set(stems(rest)) else 0.5
    if _DIRECTION.search(text) or (_ASKS.search(text) and len(stems(text)) > 1):
        return 1.0
    return 0.0


def naturalness(case: Case) -> Reading | None:
    """Share of utterances of 3 to 60 words, without system jargon, and not a stock phrase.

    A stock phrase is one said for the third time with nothing but the names changed.
    """
    said: dict[str, int] = {}
    pairs = []
    for turn, text in case.said():
        entry = case.named(text)
        phrase = text.lower().replace(entry.name.lower(), "it") if entry is not None else text.lower()
        said[phrase] = said.get(phrase, 0) + 1
        fine = 3 <= len(text.split()) <= 60 and _JARGON.search(text) is None and said[phrase] < _STOCK
        pairs.append((turn, text, fine))
    return split(pairs)


def groundedness(case: Case) -> Reading | None:
    """Share of checkable claims that the record bears out: prices, names, what is in view, praise."""
    pairs: list[tuple[int, str, bool]] = []
    for turn in case.turns:
        number, told = turn["turn"], turn.get("assistant") or {}
        text, action = str(told.get("utterance") or ""), told.get("action") or {}
        entry, prices = case.named(text), amounts(text)
        if entry is not None and prices:
            pairs.append((number, text, any(abs(price - entry.price) < 0.01 for price in prices)))
        if unproven := _UNPROVEN.search(text):
            pairs.append((number, f"claims {unproven.group(0)}", False))
        name = action.get("display_name")
        if action.get("type") == "Recommend" and name and case.catalog:
            pairs.append((number, f"offers {name}", any(e.name == name for e in case.catalog.values())))
        visible = (turn.get("observation") or {}).get("visible")
        if action.get("visible_now") is not None and visible is not None:
            offered = next((f"product:{e.id}" for e in case.catalog.values() if e.name == name), "")
            seen = any(thing.get("entity") == offered for thing in visible)
            pairs.append(
                (
                    number,
                    f"says {name} is {'' if action['visible_now'] else 'not '}in view",
                    seen == action["visible_now"],
                )
            )
    return split(pairs)


def preference_alignment(case: Case) -> Reading | None:
    """Share of offers, else of first ranks, that are reference items; a quarter for within the budget."""
    offers: list[tuple[int, str, float]] = []
    for turn, action in case.acts():
        if action.get("type") == "Recommend" and (entry := case.named(str(action.get("display_name") or ""))):
            offers.append((turn, entry.name, _worth(case, entry)))
    if not offers:
        for record in case.turns:
            first = next(iter((record.get("assistant") or {}).get("ranking") or ()), None)
            if (entry := case.catalog.get(str(first))) is not None:
                offers.append((record["turn"], f"{entry.name} ranked first", _worth(case, entry)))
    if not offers:
        return None
    good = [quote(n, text) for n, text, worth in offers if worth == 1.0]
    poor = [quote(n, text) for n, text, worth in offers if worth < 1.0]
    return reading(sum(worth for _, _, worth in offers) / len(offers), good, poor)


def _worth(case: Case, entry: CatalogEntry) -> float:
    if entry.id in case.reference:
        return 1.0
    return 0.25 if case.budget is not None and entry.price <= case.budget else 0.0


def proactiveness(case: Case) -> Reading | None:
    """Share of turns after the greeting that moved on: an expectation met, or a detail drawn out."""
    pairs: list[tuple[int, str, bool]] = []
    for turn in case.turns[1:]:
        told, did = turn.get("assistant") or {}, turn.get("user") or {}
        call, outcome = did.get("tool_call") or {}, did.get("outcome") or {}
        expected = (told.get("expected_user_action") or {}).get("tool")
        moved = (
            call.get("tool") not in (None, "idle")
            and outcome.get("ok", True)
            and call.get("tool") == expected
        )
        drawn = (
            _ASKS.search(str(told.get("utterance") or "")) is not None
            and len(stems(str(did.get("reply") or ""))) > 2
        )
        pairs.append((turn["turn"], str(told.get("utterance") or ""), bool(moved or drawn)))
    return split(pairs)


def non_repetition(case: Case) -> Reading | None:
    """Share of turns that repeat neither wording nor an offered product."""
    words: set[str] = set()
    products: set[str] = set()
    pairs: list[tuple[int, str, bool]] = []
    for (number, text), (_, action) in zip(case.said(), case.acts(), strict=True):
        offered = str(action.get("display_name") or "") if action.get("type") == "Recommend" else ""
        fresh = text not in words and (not offered or offered not in products)
        words.add(text)
        products.add(offered)
        pairs.append((number, text, fresh))
    return split(pairs)


def overall(case: Case, others: Sequence[Reading]) -> Reading:
    """Half the mean of the others, half whether a fitting product was bought, less for a long way."""
    mean = sum(r.share for r in others) / len(others) if others else 0.5
    fits = bool(case.bought) and (not case.reference or set(case.bought) <= case.reference)
    done = 1.0 if fits else 0.5 if case.bought else 0.0
    pace = 1.0 if len(case.turns) <= 10 else 0.9
    share = (0.5 * mean + 0.5 * done) * pace
    bought = (
        "bought a fitting product" if fits else "bought something else" if case.bought else "bought nothing"
    )
    return Reading(
        1 + round(4 * share), f"{bought} after {len(case.turns)} turns; mean of the others {mean:.0%}", share
    )
