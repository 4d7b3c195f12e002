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

from siturec.markers.numerals import numerals
from siturec.protocol.messages import Sighting
from siturec.protocol.vocabulary import Role

_PLACES = (
    r"fixtures?|shelf|shelves|freezers?|coolers?|stands?|stores?|shops?|areas?|displays?|sections?|racks?|"
    r"regale?|kühlregale?|truhen?|gefriertruhen?|läden|laden|geschäfte?|bereiche?"
)
# German too, for people write in the language their pages speak.
_NOUNS = (
    r"(?i:\b(?:labell?ed|labels?|marked(?:\s+(?:as|with))?|markers?|tagged|tags?|numbers?|numbered|no\.|nr\.?|"
    r"n[°º]|items?|products?|objects?|letters?|targets?|nummern?|markierung(?:en)?|"
    rf"markiert(?:e|er|es)?(?:\s+mit)?|buchstaben?|etiketten?|etikett|kennzeichen|kennzeichnung(?:en)?|ziffern?|produkte?|artikel|{_PLACES}))"
)
_AFTER_NOUN = (
    rf"(?:{_NOUNS}\s+|(?i:\b(?:label|marker|mark|tag|letter|buchstabe|markierung))\s*[:=]\s*)"
    r"(?:[A-Za-z0-9]{1,3}\s?(?:[,/&]|\b(?i:and|or|und|oder)\b)\s*)*"
)
"""After an announcing word there may be several labels: ``items 4, 12 and 7``."""
_MOTION = r"(?i:\b(?:go|walk|move|head|come|get|turn|over|next|closer)\s+to)"
_PLACED = (
    rf"(?:{_MOTION}|(?i:\b(?:near|(?<!start )(?<!starts )at|towards?|in front of|beside|behind|zu|zur|zum|"
    r"beim|vor|neben|hinter)))"
)
_TAKEN = r"(?i:\b(?:up\s+to|pick(?:\s+up)?|take|grab|check|from|bei|nach|nimm|nehme?n?|hole?n?))"
_VERBS = rf"(?:{_PLACED}|{_TAKEN})"
_CHOICES = (
    r"(?i:\b(?:compare|prefer|choose|try|buy|want|see|(?:i|you|we|they|would|['\u2019]d)\s+like|"
    r"(?:will|['\u2019]ll|let['\u2019]?s)\s+(?:have|get)|between|(?:what|how|me)\s+about|go(?:ing)?\s+with|called|show\s+me|"
    r"vergleiche?n?|wähle?n?|kaufe?n?|möchte|zeige?n?(?:\s+sie)?\s+mir|schaue?n?(?:\s+sie)?\s+(?:dir|sich)|prüfe?n?|"
    r"zwischen|namens|ist\s+mit))"
)
_ENDS = (
    r"\s*(?:\Z|[.,;:!?)]|\b(?:and|or|with|over|to|please|then|instead|on\s+(?:the|your)|und|oder|mit|bitte|an\Z|"
    r"an(?=[.!?]))\b)"
)
_THING = (
    r"(?:(?:the|your|our|der|die|das)\s+[\w-]+(?:\s+(?!available|offered|sold|included|contained|present)[\w-]+)?|"
    r"it|they|sie|es|er)"
)
_LYING = (
    rf"(?i:\b(?:{_THING}(?:\s+(?:is|are|ist|sind|steht|stehen|liegt|liegen)|['\u2019](?:s|re))|"
    rf"(?:is|are|ist|sind|steht|stehen|liegt|liegen|put|find)\s+{_THING}|be\s+found|look)\s+in)"
)
"""What says of a thing where it lies: ``the salmon is in C``; not what it is rich in or comes in."""
_KINDS = (
    r"(?!(?:\s+(?i:is|isn't|are|ist|also|very|really|so|just|more|as|not|always|auch|sehr|nicht))*\s+(?i:"
    r"good|bad|health(?:y|ier)|important|essential|necessary|needed|vital|safe|for|enough|fine|ok|okay|short|"
    r"too(?!\s+(?:expensive|far|sweet|salty))|helps?|works?|supports?|do|found|made|from|in\s+(?:it|there)|"
    r"an?\s+(?:vitamin|letter|size|grade|blood)|gesund|gesünder|gut|schlecht|wichtig|nötig|notwendig|für|genug|in\s+ordnung|drin|hilft|ein(?:e|en)?\s+vitamin|"
    r"zu(?!\s+(?:teuer|weit|süß|salzig)))(?=\s*[.,;!?]|\s|\Z))"
)
"""What is not said of one thing but of a kind, as of a vitamin: ``is E good for me?``, ``V is for vegan``."""
_PRICED = r"(?i:costs?|tastes?|contains?|kostet|schmeckt|enthält)"
_SAID_OF = r"(?i:is|isn't|looks?|has|ist|hat|sieht|steht|liegt)"
"""What is said of a thing that a label stands for, or asked."""
_SIZES = re.compile(r"X{0,3}[SL]|M")
_NUTRIENTS = re.compile(
    r"(?i)vitamin|\b(?:zin[ck]|iron|eisen|bones?|knochen|blood|blut|daily|täglich|every\s+day|jeden\s+tag)\b|"
    r"[ck]al[cz]ium|magnesium|supplement|nutrient|nährstoff|immun"
)
_GRADES = re.compile(r"(?i)\bgrad(?:es?|ed|ing)\b|score\b|\bclass(?:es)?\b|klasse\b|effi[cz]ien")
_DOUBTS = ((re.compile(r"[A-EK]"), _NUTRIENTS), (re.compile(r"[A-G]"), _GRADES))
"""Letters, and the words beside which they are rather vitamins or grades than labels."""
_SIZED = re.compile(r"(?i)\bsiz(?:es?|ed|ing)\b|größe|\bfits?\b|passt|konfektion")
_MEASURES = re.compile(r"(g|kg|l|m|cm|mm|ml|w|v|k|d|x|h|s|p|am|pm|lb|oz|ft|in|st|nd|rd|th|min)\Z")
_LIST = (
    r"(?:on|in|of|auf|von)\s+(?:my|your|our|the|meiner|deiner|ihrer|unserer|der)\s+"
    r"(?:shopping\s+|einkaufs)?(?:liste?|ranking)"
)
_COUNTED = (
    r"from\s+(?:the\s+)?(?:left|right|top|bottom|front|back)|von\s+(?:links|rechts|oben|unten|vorne?|hinten)"
)
_TOLD = r"(?:\A|[.!?]\s+|(?i:\b(?:please|then|now|bitte|dann)\s+))"
_GLUED = (
    r"(?i:\b(?:(?:items?|products?|numbers?|labels?|markers?|produkte?|artikel|nummer)(?:-|(?=\d))|"
    r"(?:item|product|produkt|artikel)[\s-]+n[or]\.?\s*|(?:no|nr)\.(?=\d)))"
)
_NO_UNIT = (
    r"(?![\w%°$€£]|[.,:/]\d|\s?[\u2013-]\s?\d|\s*(?:%|°)|\s?[x\u00d7]\s?\d|\s+(?i:"
    r"(?!has\b|was\b|looks\b|costs\b|does\b|comes\b|seems\b)[a-z]{3,}s|of|to|more|times|percent|degree|dollar|euro|"
    r"choice|pick|seller|reason|priority|kg|g|ml|l|cm|m|m2|km|oz|lb|feet|inch|step|metre|meter|square|minute|pack|"
    r"person|people|piece|bottle|can|year|each|apiece|at\s+(?:a\s+time|most|least|once)|max|o['\u2019]clock|pm|"
    r"hundred|thousand|dozen|cent|bis|(?:or|and)\s+(?:less|fewer|more|under|over|below|above|up|so|cheaper|lower|"
    r"higher|smaller|larger|bigger|older|younger)|(?:oder|und)\s+(?:weniger|mehr|da?runter|da?rüber|so|"
    r"billiger|günstiger|kleiner|größer|älter)|(?:or|oder)\s+[\w-]+\s+(?:euros?|dollars?|minute[ns]?|hours?|"
    rf"stunden?|met(?:er|re)s?|days?|tage?)|{_LIST}|{_COUNTED}|"
    r"mal|prozent|grad|(?:zenti|kilo)?meter|gramm|kilo(?:gramm)?|liter|schritte?|minuten?|stunden?|uhr|personen|"
    r"stück|flaschen?|packung(?:en)?|dosen?|jahre?)\b)"
)
"""What follows a number that counts or measures; German units begin with capitals."""
_PAPERS = (
    r"papers?|posters?|prints?|frames?|notebooks?|\w*rahmen|hefte?|block|ordner|notizbuch|papier|plakate?"
)
_PHRASES = re.compile(
    r"\b(?i:vitamine?s?)\s+[A-Z]\s?\d{0,2}\b(?:(?:\s*[,&/]\s*|\s+(?i:and|or|und|oder)\s+)[A-Z]\d{0,2}\b)*|"
    r"\b(?i:type|grade|class|size|model|plan|format|usb|din|typ|klasse|größe|modell|score|rating|(?:energy|eu)\s+label)"
    r"[\s:-]+[A-Z]{1,3}\d{0,2}\b\+*|"
    r"\b[A-Z]\d{0,2}[\s-](?i:milk|vitamine?s?|paper|poster|posters|prints?|sheets?|format|cells?|batter(?:y|ies))\b|"
    rf"\b[Aa][0-6][\s-](?i:{_PAPERS})\b|\b(?i:{_PAPERS})\s+(?:(?i:for|of|für)\s+)?[Aa][0-6]\b|"
    r"\bE[\s-]?(?:(?i:numbers?|nummern?)|\d{3})\b|"
    r"\b(?i:from|von)\s+A\s+(?i:to|nach|bis|zu)\s+[BZ]\b|\b(?:A\s+to\s+Z|A\s+und\s+O)\b|"
    r"\b(?i:high(?:er)?|rich(?:er)?|low(?:er)?|reich(?:er)?|arm)\s+(?i:in|an)\s+[A-Z]\b"
    r"(?:\s+(?i:and|or|und|oder)\s+[A-Z]\b)?|"
    r"\bA{2,4}\s(?i:batter(?:y|ies)|batterien?)\b|\b[A-G]\+{1,3}|\b24/7\b|(?<![\w.])(?:[A-Za-z]\.\s?){2,}"
)
"""Letters and numbers that mean no label here, whatever is in view."""
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
    unblanked, spoken = spoken, _PHRASES.sub(_blank, spoken)
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
    if _SIZES.fullmatch(marker):
        return 2 if _SIZED.search(text) else 1
    return int(any(letters.fullmatch(marker) and words.search(text) for letters, words in _DOUBTS))


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
    sent = (
        rf"{_TOLD}(?i:go|walk|move|head|gehe?|gehen\s+sie)\s+(?i:to|towards?|zu)\s+{marker}{_NO_UNIT}{_ENDS}"
    )
    looked = rf"(?i:\b(?:check|compare|prüfe?n?|vergleiche?n?|tell\s+me\s+about))\s+{marker}{_NO_UNIT}{_ENDS}"
    picked = rf"(?i:\bprefer)\s+{marker}\s+(?i:over)\b"
    asked = rf"(?i:\b(?:how\s+much\s+(?:is|does)|(?:what|how\s+much)\s+does))\s+{marker}{_NO_UNIT}"
    borne = rf"(?i:\b(?:one\s+with\s+the|(?:das|der|die)\s+mit\s+der))\s+{marker}(?=\s+(?i:on)\b|{_ENDS})"
    glued = rf"{_GLUED}{marker}{_NO_UNIT}"
    refused = r"(?!\s+(?i:is|are|would\s+be)\s+(?i:too|enough|plenty|all)\b)"
    rules = (
        rf"{_AFTER_NOUN}#?\s?{said}{_NO_UNIT}{refused}",
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
    before = rf"\b(?i:the|das|der|die)\s+{marker}\s+(?i:{_PLACES})\b|(?i:\b(?:{_PLACES}))-{marker}(?![\w-])"
    rules = [starred, before, shown]
    small = marker.lower()
    if marker in ("A", "I"):
        rules.append(rf"{_AFTER_NOUN}{alone}(?={_ENDS}|\s+(?i:is|has|on|in|at)\b)")
        rules.append(rf"{_NOUNS}\s+{small}\s*(?:\Z|[.!?])")
        return "|".join(rules)
    rules.append(rf"{_AFTER_NOUN}{alone}")
    if len(marker) == 1 and marker not in "NRU":
        rules.append(rf"(?:{_NOUNS}|{_MOTION})\s+{small}(?![\w'\u2019&]|-\w|\.\w)")
    if doubt < 2:
        rules.append(rf"{_PLACED}(?:\s+(?i:the))?\s+{alone}")
    first = r"(?:\A|[.!?;:,]\s+)"
    if not _SIZES.fullmatch(marker):
        rules.append(rf"{first}{marker}(?=\s+{_PRICED}\b)")
    if doubt:
        return "|".join(rules)
    rules.append(rf"{_TAKEN}(?:\s+(?i:the))?\s+{alone}")
    rules.append(
        rf"{_CHOICES}\s+(?:[A-Z]{{1,2}}\s+(?i:and|or|with|to|und|oder|mit)\s+)?{marker}(?!\w){_ENDS}"
    )
    rules.append(rf"{_LYING}\s+{marker}\s*(?:\Z|[.,;!?])")
    rules.append(rf"(?:\A|[.!?;:]\s+|(?i:\bit(?:'|\u2019|\si)s)\s+){marker}\s*(?:\Z|[?!,;:]|\.(?:\s|\Z))")
    rules.append(rf"{first}{marker}(?=\s+(?:{_SAID_OF}\b|(?i:or|oder)\s+[A-Z]{{1,2}}\s*\?)){_KINDS}")
    rules.append(rf"{first}[A-Z]{{1,2}}\s+(?i:or|oder)\s+{marker}\s*\?")
    rules.append(
        r"(?i:\b(?:what(?:'|\u2019|\si)s|is|does|ist|hat|kostet))\s+"
        rf"{marker}{_KINDS}(?:\s*\?|\s+[a-zäöü]+[^.!]*\?)"
    )
    rules.append(rf"\b{marker}\s+(?:nehmen|kaufen|wählen|prüfen|ansehen|anschauen)\b")
    return "|".join(rules)


def _both(marker: str, shown: str) -> str:
    first, second = re.findall(r"\d+|\D+", marker)
    unit = marker.lstrip("0123456789").casefold()
    joined = rf"(?<![\w.$€£-])(?i:{first}-?{second})(?![\w%]|-\w|\.\d)"
    between = "-" if second == "a" else r"[\s.-]\s?"
    apart = rf"{first}{between}{second}{_NO_UNIT}(?!['\u2019&]|[.-]\w)"
    if _MEASURES.match(unit):
        return rf"{_AFTER_NOUN}(?i:{first}[\s-]?{second})(?![\w%]|-\w|\.\d)|{shown}"
    # "Go to a 1 pound shop": a small "a" before a number is an article.
    after_verb = apart if first in ("A", "I") else rf"(?i:{apart})"
    return rf"{joined}|{_AFTER_NOUN}(?i:{apart})|{_VERBS}\s+{after_verb}|{shown}"
