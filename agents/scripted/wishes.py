"""From words to wishes: which catalog values a sentence asks for, or asks to avoid."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from agents.scripted.chance import Chance
from agents.scripted.words import NEGATION, sentences

Label = tuple[str, str]
WEIGHTS = {"category": 3.0, "use": 0.5, "flavour": 0.7}
USUAL = 2.0
_LINE = re.compile(r"^(?P<plain>=?)(?P<words>.+?) -> (?P<avoid>!?)(?P<key>\w+): (?P<values>.+)$")
_COLOUR = re.compile(r"\b(colou?r|come in|go with the rest|shine|dark as)\b")


@dataclass(frozen=True)
class Wish:
    """Met by a product with any of the labels; with ``avoid``, by one with none. Labels: (key, value)."""

    labels: frozenset[Label]
    avoid: bool = False

    @property
    def weight(self) -> float:
        """How much it counts: kinds most, occasions least."""
        return max(WEIGHTS.get(key, USUAL) for key, _ in self.labels)

    @property
    def is_kind(self) -> bool:
        """Whether it says what kind of product is wanted."""
        return any(key == "category" for key, _ in self.labels)


@dataclass(frozen=True)
class Saying:
    """One line of the thesaurus."""

    number: int
    words: re.Pattern[str]
    labels: frozenset[Label]
    avoid: bool
    plain: bool


@lru_cache(maxsize=1)
def thesaurus() -> tuple[Saying, ...]:
    """The thesaurus, in the order of its file. Raises: ValueError naming a line that is none."""
    found: list[Saying] = []
    text = Path(__file__).with_name("thesaurus.txt").read_text(encoding="utf-8")
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        parts = _LINE.match(line)
        if parts is None:
            raise ValueError(f"thesaurus.txt line {number}: not 'words -> key: values'")
        labels = frozenset((parts["key"], value.strip()) for value in parts["values"].split(","))
        words = re.compile(rf"\b(?:{parts['words']})(?!\w)")
        found.append(Saying(number, words, labels, bool(parts["avoid"]), bool(parts["plain"])))
    return tuple(found)


@dataclass(frozen=True)
class Lexicon:
    """The values a catalog uses, by their words, longest first; each with the keys it occurs under."""

    values: tuple[tuple[str, re.Pattern[str], frozenset[str]], ...]

    @classmethod
    def of(cls, labels: frozenset[Label]) -> "Lexicon":
        """From every (key, value) that occurs in a catalog."""
        keys: dict[str, set[str]] = {}
        for key, value in labels:
            keys.setdefault(value, set()).add(key)
        return cls(
            tuple(
                (value, re.compile(rf"\b{re.escape(value)}s?(?!\w)"), frozenset(keys[value]))
                for value in sorted(keys, key=lambda value: (-len(value), value))
            )
        )

    def wishes(self, text: str, vocabulary: float = 1.0) -> tuple[Wish, ...]:
        """The wishes in a text. ``vocabulary`` is the share of the thesaurus that is known."""
        return tuple(wish for sentence in sentences(text) for wish in self._sentence(sentence, vocabulary))

    def _sentence(self, clauses: list[str], vocabulary: float) -> Iterator[Wish]:
        kinds: set[Label] = set()
        for clause in clauses:
            for wish in self._clause(clause, vocabulary):
                if wish.is_kind and not wish.avoid:
                    kinds |= wish.labels
                else:
                    yield wish
        if kinds:
            yield Wish(frozenset(kinds))

    def _clause(self, clause: str, vocabulary: float) -> Iterator[Wish]:
        denial = NEGATION.search(clause)
        start = denial.start() if denial else len(clause)
        for saying in thesaurus():
            found = saying.words.search(clause)
            if found is None or not Chance("vocabulary").happens(vocabulary, saying.number):
                continue
            turned = not saying.plain and start < found.end()
            yield Wish(saying.labels, saying.avoid != turned)
            clause = _blanked(clause, found)
        for value, pattern, keys in self.values:
            if value[:3] not in clause:
                continue
            found = pattern.search(clause)
            if found is not None:
                yield Wish(_meant(value, keys, clause), start < found.end())
                clause = _blanked(clause, found)


def _blanked(clause: str, found: re.Match[str]) -> str:
    return clause[: found.start()] + " " * (found.end() - found.start()) + clause[found.end() :]


def _meant(value: str, keys: frozenset[str], clause: str) -> frozenset[Label]:
    """Which keys a value is meant under: brass is a colour where colours are spoken of, else a material."""
    if {"color", "material"} <= keys:
        keys = keys - ({"material"} if _COLOUR.search(clause) else {"color"})
    return frozenset((key, value) for key in keys)
