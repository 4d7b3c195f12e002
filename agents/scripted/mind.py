"""One turn as the agenda-based shopper understands it, and what it remembers of earlier ones."""

from dataclasses import dataclass

from agents.scripted.chance import Chance
from agents.scripted.goal import Goal, Judgement, heard
from agents.scripted.hearing import Heard
from siturec.protocol.messages import PastTurn, UserInput

CHEAPER = "cheaper"
_PUT_BACK = ("drop_item", "do_not_add_to_cart")
_TAKEN = ("pick_up_item", "check_item")


@dataclass(frozen=True)
class Mind:
    """One turn as the shopper understands it."""

    given: UserInput
    goal: Goal
    heard: Heard
    chance: Chance

    @property
    def home(self) -> bool:
        """Whether products are checked on the spot (home furnishings) rather than picked up."""
        return self.given.kind == "home"

    def judge(self, product: str, name: str) -> Judgement:
        """What the shopper thinks of a product, from inspection and from what was said."""
        known = self.given.known.get(product)
        lenient = self.goal.substitutes == "open" and self.refusals() >= 1
        if known:
            return self.goal.judge(known, lenient=lenient)
        price = self.price(product, name)
        if price is not None and price > self.goal.budget + 0.005:
            return Judgement("fails", f"it is more than my ${self.goal.budget:,.0f}", dear=True, price=price)
        return Judgement("unknown", "the details")

    def price(self, product: str, name: str) -> float | None:
        """A product's price in dollars if it was seen or said."""
        seen = (self.given.known.get(product) or {}).get("price")
        if isinstance(seen, int | float):
            return float(seen)
        said = heard(self.given, name).get("price")
        return None if said is None else float(said)

    def refusals(self) -> int:
        """How many products were put back or decided against."""
        return sum(past.action is not None and past.action.tool in _PUT_BACK for past in self.given.history)

    def since_taken(self) -> tuple[PastTurn, ...]:
        """The turns since the product at hand was picked up or checked."""
        history = self.given.history
        taken = [n for n, past in enumerate(history) if past.action and past.action.tool in _TAKEN]
        return history[taken[-1] + 1 :] if taken else history[-1:]

    def asked_of(self, name: str) -> bool:
        """Whether a question about a product was asked without anything in hand."""
        return any(
            name in past.reply and "?" in past.reply and (past.action is None or past.action.tool == "idle")
            for past in self.given.history
        )

    def asked_for_cheaper(self) -> bool:
        """Whether a cheaper product was asked for; a shopper does so once."""
        return any(CHEAPER in past.reply and "?" in past.reply for past in self.given.history)

    def frustration(self) -> float:
        """How much has gone wrong: repeats, failed actions, unsuitable offers, turns that led nowhere."""
        history = self.given.history
        said = [past.utterance for past in history] + [self.given.utterance]
        repeats = sum(text in said[:n] for n, text in enumerate(said))
        failed = sum(past.outcome is not None and not past.outcome.ok for past in history)
        still = sum(past.action is None or past.action.tool == "idle" for past in history[2:])
        return 1.5 * repeats + 1.0 * failed + 1.5 * self.refusals() + 0.5 * still + 0.12 * len(history)
