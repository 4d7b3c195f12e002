"""The words by which speech names a label, and the phrases in which letters and numbers are none.

Parts of regular expressions, English and German. ``siturec.markers.leaks`` puts them together.
"""

import re

PLACES = (
    r"fixtures?|shelf|shelves|freezers?|coolers?|stands?|stores?|shops?|areas?|displays?|sections?|racks?|"
    r"regale?|kühlregale?|truhen?|gefriertruhen?|läden|laden|geschäfte?|bereiche?"
)
# German too, for people write in the language their pages speak.
NOUNS = (
    r"(?i:\b(?:labell?ed|labels?|marked(?:\s+(?:as|with))?|markers?|tagged|tags?|numbers?|numbered|no\.|nr\.?|"
    r"n[°º]|items?|products?|objects?|letters?|targets?|options?|optionen|varianten?|nummern?|markierung(?:en)?|"
    rf"markiert(?:e|er|es)?(?:\s+mit)?|buchstaben?|etiketten?|etikett|kennzeichen|kennzeichnung(?:en)?|ziffern?|produkte?|artikel|{PLACES}))"
)
AFTER_NOUN = (
    rf"(?:{NOUNS}\s+|(?i:\b(?:label|marker|mark|tag|letter|buchstabe|markierung))\s*[:=]\s*)"
    r"(?:[A-Za-z0-9]{1,3}\s?(?:[,/&]|\b(?i:and|or|und|oder)\b)\s*)*"
)
"""After an announcing word there may be several labels: ``items 4, 12 and 7``."""
MOTION = r"(?i:\b(?:go|walk|move|head|come|get|turn|over|next|closer)\s+to)"
PLACED = (
    rf"(?:{MOTION}|(?i:\b(?:near|(?<!start )(?<!starts )at|towards?|in front of|beside|behind|past|opposite|"
    r"(?:left|right|front)\s+of|zu|zur|zum|beim|vor|neben|hinter|(?:links|rechts)\s+von)))"
)
TAKEN = (
    r"(?i:\b(?:up\s+to|pick(?:ed)?(?:\s+up)?|take|took|grab|check|drop|put\s+back|enter|inside|from|"
    r"bei|nach|nimm|nehme?n?|hole?n?))"
)
VERBS = rf"(?:{PLACED}|{TAKEN})"
CHOICES = (
    r"(?i:\b(?:compare|prefer|choose|try|buy|want|see|(?:i|you|we|they|would|['\u2019]d)\s+like|"
    r"(?:will|['\u2019]ll|let['\u2019]?s)\s+(?:have|get)|between|(?:what|how|me)\s+about|go(?:ing)?\s+with|called|show\s+me|"
    r"vergleiche?n?|wähle?n?|kaufe?n?|möchte|zeige?n?(?:\s+sie)?\s+mir|schaue?n?(?:\s+sie)?\s+(?:dir|sich)|prüfe?n?|"
    r"zwischen|namens|ist\s+mit))"
)
ENDS = (
    r"\s*(?:\Z|[.,;:!?)]|\b(?:and|or|with|over|to|please|then|instead|on\s+(?:the|your)|und|oder|mit|bitte|an\Z|"
    r"an(?=[.!?]))\b)"
)
THING = (
    r"(?:(?:the|your|our|der|die|das)\s+[\w-]+(?:\s+(?!available|offered|sold|included|contained|present)[\w-]+)?|"
    r"it|they|sie|es|er)"
)
LYING = (
    rf"(?i:\b(?:{THING}(?:\s+(?:is|are|ist|sind|steht|stehen|liegt|liegen)|['\u2019](?:s|re))|"
    rf"(?:is|are|ist|sind|steht|stehen|liegt|liegen|put|find)\s+{THING}|be\s+found|look)\s+in)"
)
"""What says of a thing where it lies: ``the salmon is in C``; not what it is rich in or comes in."""
_IS = r"(?:\s+(?i:is|isn't|are|ist|also|very|really|so|just|more|as|not|always|auch|sehr|nicht))*\s+"
KINDS = (
    rf"(?!{_IS}(?i:"
    r"good|bad|health(?:y|ier)|important|essential|necessary|needed|vital|safe|for|enough|short|"
    r"too(?!\s+(?:expensive|far|sweet|salty))|helps?|works?|supports?|do|found|made|from|in\s+(?:it|there)|"
    r"an?\s+(?:vitamin|letter|size|grade|blood)|gesund|gesünder|gut|schlecht|wichtig|nötig|notwendig|für|genug|drin|hilft|ein(?:e|en)?\s+vitamin|"
    r"zu(?!\s+(?:teuer|weit|süß|salzig)))(?=\s*[.,;!?]|\s|\Z))"
)
"""What is not said of one thing but of a kind, as of a vitamin: ``is E good for me?``, ``V is for vegan``."""
FINE = rf"(?!{_IS}(?i:fine|ok|okay|in\s+ordnung)(?=\s*[.,;!?]|\s|\Z))"
"""As little is that of a vitamin."""
VITAMINS = re.compile(r"[A-EK]")
BESIDE = (
    r"(?=\s+(?i:is|ist)\s+(?i:behind|ahead|near(?:er|by)?|closer|close|next\s+to|in\s+front|straight|links|rechts|"
    r"vor\s+(?:dir|ihnen|uns)|hinter|(?:on|to)\s+(?:the|your|our)\s+(?:left|right)|auf\s+der)\b)"
)
"""Where only a place or a thing can be: no size and no vitamin is on anyone's left."""
CARTED = r"(?=\s+(?i:back|(?:in|into|to)\s+(?:the|my|your)\s+(?:shopping\s+)?(?:cart|basket|trolley))\b)"
PRICED = r"(?i:costs?|tastes?|contains?|kostet|schmeckt|enthält)"
SAID_OF = r"(?i:is|isn't|looks?|has|ist|hat|sieht|steht|liegt)"
"""What is said of a thing that a label stands for, or asked."""
SIZES = re.compile(r"X{0,3}[SL]|M")
NUTRIENTS = re.compile(
    r"(?i)vitamin|\b(?:zin[ck]|iron|eisen|bones?|knochen|blood|blut|daily|täglich|every\s+day|jeden\s+tag)\b|"
    r"[ck]al[cz]ium|magnesium|supplement|nutrient|nährstoff|immun"
)
GRADES = re.compile(r"(?i)\bgrad(?:es?|ed|ing)\b|score\b|\bclass(?:es)?\b|klasse\b|effi[cz]ien")
DOUBTS = ((VITAMINS, NUTRIENTS), (re.compile(r"[A-G]"), GRADES))
"""Letters, and the words beside which they are rather vitamins or grades than labels."""
SIZED = re.compile(r"(?i)\bsiz(?:es?|ed|ing)\b|größe|\bfits?\b|passt|konfektion")
MEASURES = re.compile(r"(g|kg|l|m|cm|mm|ml|w|v|k|d|x|h|s|p|am|pm|lb|oz|ft|in|st|nd|rd|th|min)\Z")
LIST = (
    r"(?:on|in|of|auf|von)\s+(?:my|your|our|the|meiner|deiner|ihrer|unserer|der)\s+"
    r"(?:shopping\s+|einkaufs)?(?:liste?|ranking)"
)
COUNTED = (
    r"from\s+(?:the\s+)?(?:left|right|top|bottom|front|back)|von\s+(?:links|rechts|oben|unten|vorne?|hinten)"
)
TOLD = r"(?:\A|[.!?]\s+|(?i:\b(?:please|then|now|bitte|dann)\s+))"
GLUED = (
    r"(?i:\b(?:(?:items?|products?|numbers?|labels?|markers?|produkte?|artikel|nummer)(?:-|(?=\d))|"
    r"(?:item|product|produkt|artikel)[\s-]+n[or]\.?\s*|(?:no|nr)\.(?=\d)))"
)
NO_UNIT = (
    r"(?![\w%°$€£]|[.,:/]\d|\s?[\u2013-]\s?\d|\s*(?:%|°)|\s?[x\u00d7]\s?\d|\s+(?i:"
    r"(?!has\b|was\b|looks\b|costs\b|does\b|comes\b|seems\b)[a-z]{3,}s|of|to|more|times|percent|degree|dollar|euro|"
    r"choice|pick|seller|reason|priority|kg|g|ml|l|cm|m|m2|km|oz|lb|feet|inch|step|metre|meter|square|minute|pack|"
    r"person|people|piece|bottle|can|year|each|apiece|at\s+(?:a\s+time|most|least|once)|max|o['\u2019]clock|pm|"
    r"hundred|thousand|dozen|cent|bis|(?:or|and)\s+(?:less|fewer|more|under|over|below|above|up|so|cheaper|lower|"
    r"higher|smaller|larger|bigger|older|younger)|(?:oder|und)\s+(?:weniger|mehr|da?runter|da?rüber|so|"
    r"billiger|günstiger|kleiner|größer|älter)|(?:or|oder)\s+[\w-]+\s+(?:euros?|dollars?|minute[ns]?|hours?|"
    rf"stunden?|met(?:er|re)s?|days?|tage?)|{LIST}|{COUNTED}|"
    r"mal|prozent|grad|(?:zenti|kilo)?meter|gramm|kilo(?:gramm)?|liter|schritte?|minuten?|stunden?|uhr|personen|"
    r"stück|flaschen?|packung(?:en)?|dosen?|jahre?)\b)"
)
"""What follows a number that counts or measures; German units begin with capitals."""
PAPERS = (
    r"papers?|posters?|prints?|frames?|notebooks?|\w*rahmen|hefte?|block|ordner|notizbuch|papier|plakate?"
)
PHRASES = re.compile(
    r"\b(?i:vitamine?s?)\s+[A-Z]\s?\d{0,2}\b(?:(?:\s*[,&/]\s*|\s+(?i:and|or|und|oder)\s+)[A-Z]\d{0,2}\b)*|"
    r"\b(?i:type|grade|class|size|model|plan|format|usb|din|typ|klasse|größe|modell|score|rating|(?:energy|eu)\s+label)"
    r"[\s:-]+[A-Z]{1,3}\d{0,2}\b\+*|"
    r"\b[A-Z]\d{0,2}[\s-](?i:milk|vitamine?s?|paper|poster|posters|prints?|sheets?|format|cells?|batter(?:y|ies))\b|"
    rf"\b[Aa][0-6][\s-](?i:{PAPERS})\b|\b(?i:{PAPERS})\s+(?:(?i:for|of|für)\s+)?[Aa][0-6]\b|"
    r"\b(?i:bus|tram|line|train|flight|room|house|flat|apartment|gate|platform|phone|linie|zimmer)\s+"
    r"(?i:number|no\.?|nr\.?|nummer)\s*#?\d+\b|"
    r"\bE[\s-]?(?:(?i:numbers?|nummern?)|\d{3})\b|"
    r"\b(?i:from|von)\s+A\s+(?i:to|nach|bis|zu)\s+[BZ]\b|\b(?:A\s+to\s+Z|A\s+und\s+O)\b|"
    r"\b(?i:high(?:er)?|rich(?:er)?|low(?:er)?|reich(?:er)?|arm)\s+(?i:in|an)\s+[A-Z]\b"
    r"(?:\s+(?i:and|or|und|oder)\s+[A-Z]\b)?|"
    r"\bA{2,4}\s(?i:batter(?:y|ies)|batterien?)\b|\b[A-G]\+{1,3}|\b24/7\b|(?<![\w.])(?:[A-Za-z]\.\s?){2,}"
)
"""Letters and numbers that mean no label here, whatever is in view."""
