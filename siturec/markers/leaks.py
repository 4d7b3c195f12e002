"""Markers said aloud: neither role may name a label in dialogue (SituRecBench B.2, S27).

Ordinary speech is full of letters and numbers, so a marker counts as said only where little else fits:

* letter and number together (``A2``, ``12b``): whenever it stands alone as a word, also as ``A-2``; as
  ``A 2`` after a word that announces a label or a verb that takes one; not as a measure (``2 g``);
* letters (``C``, ``AB``): in capitals, after an announcing word (``cooler C``) or verb (``go to C``), before
  one (``the C shelf``), in brackets, quotes or stars, asked about (``is C vegan?``), said something of
  (``C is cheaper``), or as a clause of its own; for ``A`` and ``I`` verbs and clauses do not count; one small
  letter after an announcing word (``cooler c``) or a verb of motion;
* a plain number: after an announcing word (``item 4``, ``#4``, ``number four``), in brackets or quotes,
  alone, walked to, checked or compared; amounts, prices and counts (``2 apples``, ``$4``, ``number 1
  choice``) never.

What may as well be a size (``M``), or a vitamin or a grade beside words for those, counts only where it is
announced, shown or stands for a place; what is said of a kind (``E is healthy``) is not said of a label.

Full-width and other forms of letters and digits are read as the plain ones. Names of things may hold numbers
and letters themselves (``Open cooler 2``), and so may set phrases (``vitamin B12``, ``size M``, ``A4
paper``): saying those is no leak.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache

from siturec.markers.leaks_words import (
    AFTER_NOUN,
    BESIDE,
    CARTED,
    CHOICES,
    DOUBTS,
    ENDS,
    FINE,
    GLUED,
    KINDS,
    LYING,
    MEASURES,
    MOTION,
    NO_UNIT,
    NOUNS,
    PHRASES,
    PLACED,
    PLACES,
    PRICED,
    SAID_OF,
    SIZED,
    SIZES,
    TAKEN,
    TOLD,
    VERBS,
    VITAMINS,
)
from siturec.markers.numerals import numerals
from siturec.protocol.messages import Sighting
from siturec.protocol.vocabulary import Role

_PARTS = re.compile(r"\d+|[^\W\d_]+")
_INVISIBLE = dict.fromkeys(map(ord, "\u00ad\u200b\u200c\u200d\u2060\ufeff"))


def leaked_markers(
    text: str,
    visible: Sequence[Sighting],
    *,
    roles: Iterable[Role] = ("user", "assistant"),
    names: Iterable[str] = (),
    places: Iterable[str] = (),
) -> list[str]:
    """The markers that ``text`` says aloud of things in view or on the map, in the order said, each once.

    ``roles`` are the alphabets to look for; ``names`` are further names of the scene that may be said;
    ``places`` are the markers of the map that the speaker has.
    """
    markers = _markers(visible, roles) | set(places)
    if not text.strip() or not markers:
        return []
    text = unicodedata.normalize("NFKC", text).translate(_INVISIBLE)
    spoken = _without_names(text, [*names, *(seen.name for seen in visible)])
    unblanked, spoken = spoken, PHRASES.sub(_blank, spoken)
    # Rules are slow, so most are not even asked.
    parts = set(_PARTS.findall(spoken.casefold()))
    asked = [marker for marker in markers if any(form <= parts for form in _forms(marker))]
    hits = [
        (hit.end(), marker)
        for marker in asked
        if (hit := _rule(marker, _doubt(marker, unblanked)).search(spoken))
    ]
    return [marker for _, marker in sorted(hits)]


def _markers(visible: Sequence[Sighting], roles: Iterable[Role]) -> set[str]:
    wanted = set(roles)
    user = {seen.user_marker for seen in visible} if "user" in wanted else set()
    assistant = {seen.assistant_marker for seen in visible} if "assistant" in wanted else set()
    return (user | assistant) - {""}


def _without_names(text: str, names: Iterable[str]) -> str:
    """The text with every name that could be mistaken for a marker blanked out, at equal length."""
    folded = text.casefold()
    said = {name for name in names if name.casefold() in folded}
    for name in sorted(said, key=len, reverse=True):
        text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", _blank, text, flags=re.IGNORECASE)
    return text


def _blank(hit: re.Match[str]) -> str:
    return "_" * len(hit.group())


@lru_cache(maxsize=4096)
def _forms(marker: str) -> tuple[frozenset[str], ...]:
    """What runs of letters and of digits a text has that says the marker, in one form or another."""
    return tuple(frozenset(_PARTS.findall(form)) for form in (marker.casefold(), *numerals(marker)))


def _doubt(marker: str, text: str) -> int:
    """How likely letters are something else than a label: 0 not, 1 a size or vitamin, 2 a size surely."""
    if SIZES.fullmatch(marker):
        return 2 if SIZED.search(text) else 1
    return int(any(letters.fullmatch(marker) and words.search(text) for letters, words in DOUBTS))


@lru_cache(maxsize=4096)
def _rule(marker: str, doubt: int) -> re.Pattern[str]:
    shown = rf"[(\[\"'\u201c\u2018]\s*{marker}\s*[)\]\"'\u201d\u2019]"
    if not doubt:
        shown += rf"|\A\s*{marker}\s*[.!]?\s*\Z"
    if marker.isdigit():
        return re.compile(_number(marker, shown))
    return re.compile(_letters(marker, shown, doubt) if marker.isalpha() else _both(marker, shown))


def _number(marker: str, shown: str) -> str:
    # "12" within quotes may be inches; a bare number in brackets is a label.
    said = rf"(?:{marker}|(?i:{'|'.join(map(_spaced, numerals(marker)))}))" if numerals(marker) else marker
    # A sum may come to 12, too.
    come = r"(?<!would )(?<!could )(?<!might )(?<!may )(?<!will )come"
    walked = rf"(?i:\b(?:walk|move|head|{come})\s+to)\s+{marker}\s*(?:\Z|[.;!?])"
    # So may a budget go to 12, but nobody is told that it shall.
    sent = rf"{TOLD}(?i:go|walk|move|head|gehe?|gehen\s+sie)\s+(?i:to|towards?|zu)\s+{marker}{NO_UNIT}{ENDS}"
    looked = rf"(?i:\b(?:check|compare|prüfe?n?|vergleiche?n?|tell\s+me\s+about))\s+{marker}{NO_UNIT}{ENDS}"
    picked = rf"(?i:\bprefer)\s+{marker}\s+(?i:over)\b"
    asked = rf"(?i:\b(?:how\s+much\s+(?:is|does)|(?:what|how\s+much)\s+does))\s+{marker}{NO_UNIT}"
    borne = rf"(?i:\b(?:one\s+with\s+the|(?:das|der|die)\s+mit\s+der))\s+{marker}(?=\s+(?i:on)\b|{ENDS})"
    glued = rf"{GLUED}{marker}{NO_UNIT}"
    refused = r"(?!\s+(?i:is|are|would\s+be)\s+(?i:too|enough|plenty|all)\b)"
    rules = (
        rf"{AFTER_NOUN}#?\s?{said}{NO_UNIT}{refused}",
        rf"#\s?{marker}(?!\w)",
        walked,
        sent,
        looked,
        picked,
    )
    return "|".join((*rules, asked, borne, glued, shown))


def _spaced(numeral: str) -> str:
    return numeral.replace("-", r"[\s-]")


def _letters(marker: str, shown: str, doubt: int) -> str:
    alone = rf"{marker}(?![\w'\u2019&+]|-\w|\.\w|\s+(?i:few|lot|bit|little|couple|pair)\b)"
    starred = rf"#\s?{marker}(?!\w)|(?<!\w)\*{{1,2}}{marker}\*"
    before = rf"\b(?i:the|das|der|die)\s+{marker}\s+(?i:{PLACES})\b|(?i:\b(?:{PLACES}))-{marker}(?![\w-])"
    rules = [starred, before, shown]
    small = marker.lower()
    if marker in ("A", "I"):
        rules.append(rf"{AFTER_NOUN}{alone}(?={ENDS}|\s+(?i:is|has|on|in|at)\b)")
        rules.append(rf"{NOUNS}\s+{small}\s*(?:\Z|[.!?])")
        return "|".join(rules)
    rules.append(rf"{AFTER_NOUN}{alone}")
    if len(marker) == 1 and marker not in "NRU":
        rules.append(rf"(?:{NOUNS}|{MOTION})\s+{small}(?![\w'\u2019&]|-\w|\.\w)")
    if doubt < 2:
        rules.append(rf"{PLACED}(?:\s+(?i:the))?\s+{alone}")
    first = r"(?:\A|[.!?;:,]\s+)"
    if not SIZES.fullmatch(marker):
        rules.append(rf"{first}{marker}(?=\s+{PRICED}\b)")
    rules.append(rf"{first}{marker}{BESIDE}")
    if doubt:
        return "|".join(rules)
    rules.append(rf"{TAKEN}(?:\s+(?i:the))?\s+{alone}")
    rules.append(rf"{CHOICES}\s+(?:[A-Z]{{1,2}}\s+(?i:and|or|with|to|und|oder|mit)\s+)?{marker}(?!\w){ENDS}")
    rules.append(rf"{LYING}\s+{marker}\s*(?:\Z|[.,;!?])")
    answered = r"(?:\A|[.!?;:]\s+|(?i:\bit(?:'|\u2019|\si)s|\b(?:yes|no|ok|okay|ja|nein),|\bnot|\bnicht)\s+)"
    rules.append(rf"{answered}{marker}\s*(?:\Z|[?!,;:]|\.(?:\s|\Z)|\s(?i:please|bitte|then|dann|it\s+is)\b)")
    rules.append(rf"(?i:\b(?:add|put))\s+{marker}{CARTED}|\b(?i:the)\s+{marker}\s+(?i:ones?|item|product)\b")
    kinds = KINDS + FINE if VITAMINS.fullmatch(marker) else KINDS
    rules.append(rf"{first}{marker}(?=\s+(?:{SAID_OF}\b|(?i:or|oder)\s+[A-Z]{{1,2}}\s*\?)){kinds}")
    rules.append(rf"{first}[A-Z]{{1,2}}\s+(?i:or|oder)\s+{marker}\s*\?")
    rules.append(
        r"(?i:\b(?:what(?:'|\u2019|\si)s|is|does|ist|hat|kostet))\s+"
        rf"{marker}{kinds}(?:\s*\?|\s+[a-zäöü]+[^.!]*\?)"
    )
    rules.append(rf"\b{marker}\s+(?:nehmen|kaufen|wählen|prüfen|ansehen|anschauen)\b")
    return "|".join(rules)


def _both(marker: str, shown: str) -> str:
    first, second = re.findall(r"\d+|\D+", marker)
    unit = marker.lstrip("0123456789").casefold()
    joined = rf"(?<![\w.$€£-])(?i:{first}-?{second})(?![\w%]|-\w|\.\d)"
    between = "-" if second == "a" else r"[\s.-]\s?"
    apart = rf"{first}{between}{second}{NO_UNIT}(?!['\u2019&]|[.-]\w)"
    if MEASURES.match(unit):
        return rf"{AFTER_NOUN}(?i:{first}[\s-]?{second})(?![\w%]|-\w|\.\d)|{shown}"
    # "Go to a 1 pound shop": a small "a" before a number is an article.
    after_verb = apart if first in ("A", "I") else rf"(?i:{apart})"
    return rf"{joined}|{AFTER_NOUN}(?i:{apart})|{VERBS}\s+{after_verb}|{shown}"
