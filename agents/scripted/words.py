"""What a sentence says about wants: stems wanted, stems unwanted, a price limit, and what it is for."""

import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

_WORD = re.compile(r"[a-z0-9]+")
_CLAUSE = re.compile(r"[.;!?,:\n]+|\bbut\b|\bthough\b|\bhowever\b")
NEGATION = re.compile(
    r"\b(no|not|without|avoid|avoids|avoiding|never|nothing|none|hate|dislike|don't|doesn't|can't|"
    r"cannot|isn't|"
    r"won't|shouldn't|mustn't|allergic to|rather not|instead of|skip|steer clear of|free of|free from|"
    r"anything but|stay away from)\b"
)
_MONEY = re.compile(
    r"(?:\$\s*(\d+(?:,\d{3})*(?:\.\d+)?))|(?:(\d+(?:,\d{3})*(?:\.\d+)?)\s*(?:dollars|bucks|usd)\b)"
)
_LIMIT = re.compile(
    r"\b(budget|spend|under|below|at most|up to|no more than|maximum|max|within|limit|less than|"
    r"afford|cheaper than|"
    r"stay|over|more than|above|keep it|go past|cap|ceiling|not more|have about|cost more)\b"
)
STOP = frozenset(Path(__file__).with_name("stopwords.txt").read_text().split())


@dataclass(frozen=True)
class Claim:
    """One utterance, read for wants. Stems keep the order of the sentence; a limit is in dollars."""

    wanted: tuple[str, ...]
    unwanted: tuple[str, ...]
    limit: float | None


def stem(word: str) -> str:
    """A crude English stem, enough to bring singular and plural, and verb and noun, together."""
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    for ending in ("ing", "es", "s", "ed", "y"):
        if len(word) > len(ending) + 3 and word.endswith(ending) and not word.endswith("ss"):
            return word[: -len(ending)]
    return word


def stems(text: str) -> list[str]:
    """The meaningful stems of a text, in order, stop words left out."""
    words = _WORD.findall(text.lower().replace("_", " "))
    return [stem(word) for word in words if word not in STOP and len(word) > 1 and not word.isdigit()]


@lru_cache(maxsize=4096)
def read(text: str) -> Claim:
    """Read one utterance. Words after a negation, up to the end of the clause, count as unwanted."""
    lowered = text.lower().replace("\u2019", "'")
    wanted: list[str] = []
    unwanted: list[str] = []
    for clause in _CLAUSE.split(re.sub(r"(\d)[.,](\d)", r"\1_\2", lowered)):
        denied = NEGATION.search(clause)
        if denied and _LIMIT.search(clause) is None:
            wanted += stems(clause[: denied.start()])
            unwanted += stems(clause[denied.end() :])
        else:
            wanted += stems(clause)
    return Claim(tuple(wanted), tuple(unwanted), money_limit(lowered))


@lru_cache(maxsize=4096)
def _clauses(text: str) -> tuple[tuple[str, ...], ...]:
    lowered = re.sub(r"(\d)[.,](\d)", r"\1_\2", text.lower().replace("\u2019", "'"))
    return tuple(
        tuple(clause for clause in _CLAUSE.split(sentence) if clause.strip())
        for sentence in re.split(r"[.;!?\n]+", lowered)
        if sentence.strip()
    )


def sentences(text: str) -> list[list[str]]:
    """A text in lower case as sentences, each as its clauses."""
    return [list(clauses) for clauses in _clauses(text)]


def amounts(text: str) -> list[float]:
    """The amounts of money named in a text, in dollars."""
    return [float((a or b).replace(",", "")) for a, b in _MONEY.findall(text.lower())]


def money_limit(text: str) -> float | None:
    """The amount one says one will not go over, or None when the text sets no limit.

    Amounts after the first word that sets a limit count, and others only where there are none:
    in "at $9 it is more than my $8" the limit is 8.
    """
    lowered = text.lower()
    limit = _LIMIT.search(lowered)
    if limit is None:
        return None
    named = amounts(lowered[limit.end() :]) or amounts(lowered)
    return max(named) if named else None


def mentions(text: str, name: str) -> bool:
    """Whether a text speaks of something by its whole name, ignoring case."""
    return re.search(rf"(?<!\w){re.escape(name.lower())}(?!\w)", text.lower()) is not None
