"""What an assistant may conclude from a conversation: wants, dislikes, budget, what was refused and why."""

import re
from collections import Counter
from dataclasses import dataclass

from agents.scripted.index import StoreIndex
from agents.scripted.skill import Skill
from agents.scripted.wishes import Wish
from agents.scripted.words import amounts, read
from siturec.protocol.messages import AssistantInput, PastTurn

_OPENING = 2
TOO_DEAR = re.compile(
    r"\b(too expensive|over my budget|more than i|too much|out of my budget|too pricey|too dear|costs more)\b"
)
REFUSAL = re.compile(
    r"\b(not (quite )?(what|right|for me)|no thanks|no, thank|don't want|rather not|"
    r"put (it|this) back|won't do|"
    r"not going to|doesn't (fit|suit|work|match)|isn't (right|what)|pass on|"
    r"leave (it|this) (here|be)|i'll pass)\b"
)
QUESTION = re.compile(r"\?")
OFFER_ME = re.compile(
    r"\b(what would you (suggest|recommend)|show me (something|one)|where should we look|is there another|"
    r"something closer to it|which way is it|where (is it|should i look))\b"
)
COMPARE = re.compile(r"\b(compare|comparison|difference|versus|better than|which of)\b")
CHEAPER = re.compile(r"\b(cheaper|less expensive|costs less)\b")
NOTHING_MORE = re.compile(
    r"\b(that's (all|everything|it)|nothing (else|more)|"
    r"no(thing)? (other|further|more) (wishes|wish|requirements)|"
    r"can't think of|that is all|no, that's|already told you|as i said|don't mind|"
    r"doesn't matter|anything is fine)\b"
)
WHY = re.compile(r"\b(why|what makes|tell me more|explain|reason)\b")
LOST = re.compile(r"\b(can't see|don't see|cannot see|can't find|where|which way|lost|not in view)\b")


@dataclass(frozen=True)
class Belief:
    """What is known of a shopper.

    ``wishes`` is what was understood; ``wanted`` and ``unwanted`` are the bare stems, which only break ties;
    ``limit`` is in dollars; ``offered`` and ``refused`` are product ids. ``complete`` says that the shopper
    was asked and had nothing to add.
    """

    wishes: tuple[Wish, ...]
    wanted: dict[str, float]
    unwanted: frozenset[str]
    limit: float | None
    replies: int
    complete: bool
    offered: tuple[str, ...]
    refused: frozenset[str]
    last_reply: str
    last_refused: bool

    @property
    def details(self) -> int:
        """How much is known: distinct wishes, occasions aside, and the limit."""
        return sum(wish.weight >= 1 for wish in self.wishes) + (self.limit is not None)

    @property
    def knows_kind(self) -> bool:
        """Whether the kind of product is known."""
        return any(wish.is_kind and not wish.avoid for wish in self.wishes)


def _refused_in(index: StoreIndex, past: PastTurn) -> str | None:
    if past.action is not None and past.action.tool in ("drop_item", "do_not_add_to_cart"):
        product = (past.action.product or "").removeprefix("product:")
        return product or index.named(past.utterance)
    reply = past.reply.lower()
    if TOO_DEAR.search(reply) or REFUSAL.search(reply):
        return index.named(past.reply) or index.named(past.utterance)
    return None


def _carried(history: tuple[PastTurn, ...], turn: int) -> bool:
    """Whether the shopper picked something up in the turn before, so that naming it was no new offer."""
    before = history[turn - 1].action if turn > 0 else None
    return before is not None and before.tool in ("pick_up_item", "check_item")


def _remembered(history: tuple[PastTurn, ...], skill: Skill) -> tuple[PastTurn, ...]:
    """The first replies, which nobody forgets but the aimless, and the latest ones."""
    if not skill.memory:
        return ()
    return tuple(past for n, past in enumerate(history) if n < _OPENING or n >= len(history) - skill.memory)


def believe(index: StoreIndex, given: AssistantInput, skill: Skill) -> Belief:
    """Read the conversation as far back as the skill remembers."""
    history = given.history
    remembered = _remembered(history, skill)
    wishes: dict[Wish, None] = {}
    wanted: Counter[str] = Counter()
    unwanted: set[str] = set()
    limit: float | None = None
    complete = False
    for past in remembered:
        before = len(wishes) + (limit is not None)
        refused_now = _refused_in(index, past) is not None
        if not refused_now or skill.learns_from_refusals:
            wishes |= dict.fromkeys(index.wishes(past.reply, skill.vocabulary))
            limit = _limit(past, limit)
        if not refused_now:
            claim = read(past.reply)
            wanted.update({word for word in claim.wanted if word in index.rarity})
            unwanted |= {word for word in claim.unwanted if word in index.rarity}
        asked = QUESTION.search(past.utterance) is not None and past.turn > 0
        complete = complete or (asked and bool(NOTHING_MORE.search(past.reply.lower())))
        complete = complete and len(wishes) + (limit is not None) == before
    refused = [_refused_in(index, past) for past in remembered] if skill.learns_from_refusals else []
    offered = [index.named(past.utterance) for n, past in enumerate(history) if not _carried(history, n)]
    last = history[-1] if history else None
    return Belief(
        wishes=tuple(wish for wish in wishes if skill.heeds_dislikes or not wish.avoid),
        wanted={word: 1.0 + 0.25 * (count - 1) for word, count in wanted.items()},
        unwanted=frozenset(unwanted - set(wanted)) if skill.heeds_dislikes else frozenset(),
        limit=limit if skill.heeds_budget else None,
        replies=sum(bool(past.reply) for past in history),
        complete=complete,
        offered=tuple(product for product in offered if product),
        refused=frozenset(product for product in refused if product),
        last_reply=last.reply if last else "",
        last_refused=last is not None and _refused_in(index, last) is not None,
    )


def _limit(past: PastTurn, before: float | None) -> float | None:
    """The limit after a reply: what it says, or for a product called too dear just under its price."""
    said = read(past.reply).limit
    if said is not None:
        return said
    if before is None and TOO_DEAR.search(past.reply.lower()):
        named = amounts(past.utterance)
        return min(named) * 0.999 if named else None
    return before


def ranked(index: StoreIndex, belief: Belief) -> list[tuple[str, float]]:
    """Every product, best first, with its score; over the limit and refused ones sink to the end."""
    scores = index.scores(belief.wishes, belief.wanted, belief.unwanted)
    sunk = Counter(index.entries[product].category for product in belief.refused if product in index.entries)
    for product, entry in index.entries.items():
        scores[product] -= 0.8 * sunk[entry.category]
        if belief.limit is not None and entry.price > belief.limit + 0.005:
            scores[product] -= 50.0
        if product in belief.refused:
            scores[product] -= 100.0
    return sorted(scores.items(), key=lambda pair: (-pair[1], pair[0]))
