"""Markers said aloud: neither role may name a label in dialogue (SituRecBench B.2, S27).

Ordinary speech is full of letters and numbers, so a marker counts as said only where little else fits:

* letter and number together (``A2``, ``12b``): whenever it stands alone as a word; not as a measure
  (``2 g``) and not after ``vitamin``;
* letters (``C``, ``AB``): in capitals, after a word that announces a label (``cooler C``) or a verb that
  takes one (``go to C``), in brackets or quotes, or alone; for ``A`` and ``I`` verbs do not count;
* a plain number: after an announcing word (``item 4``, ``#4``), in brackets or quotes, or alone; amounts,
  prices and counts (``2 apples``, ``$4``, ``number 1 choice``) never.

Names of things may hold numbers and letters themselves (``Open cooler 2``): saying a name is no leak.
"""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from siturec.protocol.messages import Sighting
from siturec.protocol.vocabulary import Role

_NOUNS = (
    r"(?i:\b(?:labell?ed|labels?|marked(?:\s+(?:as|with))?|markers?|tagged|tags?|numbers?|numbered|no\.|nr\.?|items?|"
    r"products?|objects?|letters?|fixtures?|shelf|shelves|freezers?|coolers?|stands?|stores?|shops?|areas?|"
    r"displays?|sections?|racks?|targets?|"
    # German, for people write in the language their pages speak.
    r"nummern?|markierung(?:en)?|markiert(?:e|er|es)?(?:\s+mit)?|buchstaben?|produkte?|artikel|regale?|kühlregale?|"
    r"truhen?|gefriertruhen?|läden|laden|geschäfte?|bereiche?))"
)
_VERBS = (
    r"(?i:\b(?:(?:go|walk|move|head|come|get|turn|over|up|next|closer)\s+to|pick(?:\s+up)?|take|grab|check|"
    r"at|near|from|towards?|in front of|beside|behind|"
    r"zu|zur|zum|bei|beim|vor|neben|hinter|nach|nimm|nehme?n?|hole?n?))"
)
_MEASURES = re.compile(r"(g|kg|l|m|cm|mm|ml|w|v|k|d|x|h|s|p|a|am|pm|lb|oz|ft|in|st|nd|rd|th|min)\Z")
_NO_UNIT = (
    r"(?![\w%°$€£]|[.,:/\u2013-]\s?\d|\s*(?:%|°)|\s+(?:"
    r"(?!has\b|was\b|looks\b|costs\b|does\b|comes\b|seems\b)[a-z]{3,}s|of|to|more|times|percent|degree|dollar|euro|"
    r"choice|pick|seller|reason|kg|g|ml|l|cm|m|oz|lb|feet|inch|step|metre|meter|minute|pack|person|people|"
    r"piece|bottle|can|year|mal|prozent|grad|euro|meter|schritte?|minuten?|personen|stück|flaschen?|"
    r"packung(?:en)?|dosen?|jahre?)\b)"
)


def leaked_markers(
    text: str,
    visible: Sequence[Sighting],
    *,
    roles: Iterable[Role] = ("user", "assistant"),
    names: Iterable[str] = (),
) -> list[str]:
    """The markers of things in view that ``text`` says aloud, in the order said, each once.

    ``roles`` are the alphabets to look for; ``names`` are further names of the scene that may be said.
    """
    markers = _markers(visible, roles)
    if not text.strip() or not markers:
        return []
    folded = text.casefold()
    said = [marker for marker in markers if marker.casefold() in folded]
    if not said:
        return []
    spoken = _without_names(text, [*names, *(seen.name for seen in visible)])
    hits = [(hit.start(), marker) for marker in said if (hit := _rule(marker).search(spoken)) is not None]
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
        text = re.sub(
            rf"(?<!\w){re.escape(name)}(?!\w)",
            lambda hit: "_" * len(hit.group()),
            text,
            flags=re.IGNORECASE,
        )
    return text


@lru_cache(maxsize=4096)
def _rule(marker: str) -> re.Pattern[str]:
    shown = rf"[(\[\"'\u201c\u2018]\s*{marker}\s*[)\]\"'\u201d\u2019]|\A\s*{marker}\s*[.!]?\s*\Z"
    if marker.isdigit():
        # "12" within quotes may be inches; a bare number in brackets is a label.
        return re.compile(rf"{_NOUNS}\s+#?\s?{marker}{_NO_UNIT}|#\s?{marker}(?!\w)|{shown}")
    if marker.isalpha():
        alone = rf"{marker}(?![\w'\u2019&]|-\w|\.\w|\s+(?i:few|lot|bit|little|couple|pair)\b)"
        before = _NOUNS if marker in ("A", "I") else rf"(?:{_NOUNS}|{_VERBS}(?:\s+(?i:the))?)"
        return re.compile(rf"{before}\s+{alone}|{shown}")
    unit = marker.lstrip("0123456789").casefold()
    free = rf"(?<![\w.$€£-])(?<!vitamin\s)(?<!vitamins\s)(?i:{marker})(?![\w%]|-\w|\.\d)"
    return re.compile(rf"{_NOUNS}\s+{free}|{shown}" if _MEASURES.match(unit) else free)
