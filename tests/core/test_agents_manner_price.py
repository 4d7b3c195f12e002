"""How much the agenda-based shopper minds a price."""

import re

import pytest

from agents.scripted.words import money_limit
from siturec.protocol.messages import Observation, Pose
from tests.core.agent_samples import past, seen
from tests.core.shopper_answers import OPENED, TOLD, answer, with_cod


def test_the_price_sensitive_ask_for_the_price_before_they_take_something():
    said = answer("I'd recommend the Cod Fillets, they are mild.", manner={"price_sensitivity": "high"})
    assert said.tool_call.tool == "idle"
    assert re.search(r"(How much|cost).*\?", said.reply)


@pytest.mark.parametrize("level", ["low", "medium"])
def test_others_take_it_without_asking_for_the_price(level):
    said = answer("I'd recommend the Cod Fillets, they are mild.", manner={"price_sensitivity": level})
    assert said.tool_call.tool == "pick_up_item"


@pytest.mark.parametrize(
    "words",
    [
        "I'd recommend the Cod Fillets: mild, and it costs $7.50.",
        "How about the Cod Fillets? I suggest it because it is mild, and it costs $7.50.",
        "It costs $7.50; mild. I'd recommend the Cod Fillets.",
    ],
)
def test_a_price_that_was_said_is_not_asked_for(words):
    assert answer(words, manner={"price_sensitivity": "high"}).tool_call.tool == "pick_up_item"


def test_of_two_prices_each_belongs_to_the_product_named_before_it():
    view = Observation(
        pose=Pose(x_m=0, y_m=0),
        visible=(
            seen("product:sm-1", "product", "Cod Fillets", "1", "B", reachable=True),
            seen("product:sm-3", "product", "Firm Tofu", "2", "A", reachable=True),
        ),
    )
    words = "I suggest comparing the two: the Cod Fillets, it costs $7.50; the Firm Tofu, it costs $3.30."
    taken = {
        level: answer(words, view=view, manner={"price_sensitivity": level}).tool_call.args["product"]
        for level in ("low", "high")
    }
    assert taken == {"low": "1", "high": "2"}


def test_a_price_is_asked_for_once_and_then_looked_up():
    asked = past(2, "I'd recommend the Cod Fillets.", "How much is the Cod Fillets?")
    said = answer(
        "I'd recommend the Cod Fillets.", history=(OPENED, TOLD, asked), manner={"price_sensitivity": "high"}
    )
    assert said.tool_call.tool == "pick_up_item"


def test_the_price_sensitive_ask_once_for_a_cheaper_one_when_most_of_the_budget_would_go():
    high = {"price_sensitivity": "high"}
    first = with_cod(price=6.5, manner=high)
    assert first.tool_call.tool == "idle"
    assert "cheaper" in first.reply
    assert "$6.50" in first.reply
    asked = past(3, "There you are.", first.reply)
    again = with_cod("I know of no cheaper one.", price=6.5, manner=high, since=(asked,))
    assert again.tool_call.tool == "add_to_cart"


def test_the_price_sensitive_do_not_haggle_over_what_is_cheap_anyway():
    assert with_cod(price=5.5, manner={"price_sensitivity": "high"}).tool_call.tool == "add_to_cart"


@pytest.mark.parametrize("level", ["low", "medium"])
def test_others_buy_within_the_budget_at_once(level):
    said = with_cod(price=7.9, manner={"price_sensitivity": level})
    assert said.tool_call.tool == "add_to_cart"
    assert "$" not in said.reply


def test_something_cheaper_that_is_shown_is_preferred():
    view = Observation(
        pose=Pose(x_m=0, y_m=0),
        visible=(
            seen("product:sm-1", "product", "Cod Fillets", "1", "B", reachable=True),
            seen("product:sm-9", "product", "Hake Fillets", "2", "A", reachable=True),
        ),
    )
    asked = past(3, "There you are.", "$7.50 is a lot for me. Is there a cheaper one than the Cod Fillets?")
    said = with_cod(
        "The Hake Fillets is cheaper; it costs $5.00.",
        view=view,
        since=(asked,),
        manner={"price_sensitivity": "high"},
    )
    assert said.tool_call.tool == "drop_item"
    assert "Hake Fillets" in said.reply


@pytest.mark.parametrize(("level", "named"), [("low", False), ("medium", False), ("high", True)])
def test_what_is_over_the_budget_nobody_buys_and_the_price_sensitive_name_the_price(level, named):
    said = with_cod(price=9.25, manner={"price_sensitivity": level})
    assert said.tool_call.tool == "drop_item"
    assert "too expensive" in said.reply
    assert ("$9.25" in said.reply) is named
    assert money_limit(said.reply) == 8
