"""What the agenda-based shopper answers at a few points of a visit to a store of five products."""

from agents.scripted.agenda import AgendaUser
from siturec.protocol.messages import ShopperState
from tests.core.agent_samples import past, user_input

OPENED = past(0, "Hello!", "I'm looking for fish for dinner.")

TOLD = past(1, "Anything else?", "It should be mild. No nuts, please. My budget is about $8.")

FACTS = {"name": "Cod Fillets", "category": "fish", "tags": ["mild"], "price": 7.5, "allergens": ["fish"]}


def answer(utterance, *, seed=1, history=(OPENED, TOLD), **more):
    given = user_input(utterance, history=history, **more)
    return AgendaUser(seed=seed).answer(given)


def with_cod(
    utterance="Shall we put the Cod Fillets in your cart?", *, price=7.5, history=(OPENED, TOLD), **more
):
    """An answer with the cod in hand, picked up in the turn before."""
    taken = past(
        len(history), "I'd recommend the Cod Fillets.", "Let me see.", "pick_up_item", product="product:sm-1"
    )
    known = {"sm-1": {**FACTS, "price": price}}
    return answer(
        utterance,
        history=(*history, taken, *more.pop("since", ())),
        state=ShopperState(held="sm-1"),
        known=known,
        **more,
    )
