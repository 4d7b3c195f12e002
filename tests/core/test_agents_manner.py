"""Each of the seven interaction settings changes what the agenda-based shopper says or does."""

import re
from pathlib import Path

import pytest

from agents.scripted import replies
from agents.scripted.agenda import AgendaUser
from agents.scripted.assistant import scripted_assistant
from agents.scripted.chance import Chance
from agents.scripted.goal import Goal, Judgement
from agents.scripted.index import index_of
from agents.scripted.words import money_limit
from siturec.protocol.messages import Observation, Pose, ShopperState
from siturec.scene.load import load_pack
from tests.core.agent_samples import assistant_input, past, seen, user_input
from tests.core.textworld import knowledge_of

SCENES = Path(__file__).resolve().parents[2] / "scenes"
OPENED = past(0, "Hello!", "I'm looking for fish for dinner.")
TOLD = past(1, "Anything else?", "It should be mild. No nuts, please. My budget is about $8.")
FACTS = {"name": "Cod Fillets", "category": "fish", "tags": ["mild"], "price": 7.5, "allergens": ["fish"]}
STYLES = ("direct", "exploratory", "cautious", "social")


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


# Price sensitivity.


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


# Behaviour style.


def test_each_style_has_words_of_its_own():
    said = {
        style: {
            answer("Please turn left.", seed=n, manner={"behavior_style": style}).reply for n in range(12)
        }
        for style in STYLES
    }
    for style, words in said.items():
        for other in set(STYLES) - {style}:
            assert not words & said[other]


def test_the_direct_come_to_the_point():
    direct = answer("Hello!", history=(), manner={"behavior_style": "direct", "talkativeness": "high"})
    social = answer("Hello!", history=(), manner={"behavior_style": "social", "talkativeness": "low"})
    assert direct.reply == "I'm looking for fish for dinner."
    assert len(social.reply) > len(direct.reply)


def test_the_exploratory_stroll_where_others_wait():
    def walked(style):
        answers = [answer("What do you think?", seed=n, manner={"behavior_style": style}) for n in range(30)]
        return sum(said.tool_call.tool != "idle" for said in answers), {a.tool_call.tool for a in answers}

    assert walked("direct") == walked("cautious") == walked("social") == (0, {"idle"})
    assert walked("exploratory") == (30, {"turn", "move_to_fixture"})


def test_in_a_home_store_the_exploratory_stroll_to_display_areas():
    view = Observation(
        pose=Pose(x_m=0, y_m=0),
        visible=(seen("area:fish", "area", "Fish Counter", "B1", "2a", distance=6.0),),
    )
    answers = [
        answer("What do you think?", seed=n, kind="home", view=view, manner={"behavior_style": "exploratory"})
        for n in range(30)
    ]
    walks = [said.tool_call for said in answers if said.tool_call.tool == "move_to_area"]
    assert walks
    assert all(call.args == {"target": "B1"} for call in walks)


def test_the_cautious_ask_once_before_they_buy():
    first = with_cod(manner={"behavior_style": "cautious"})
    assert first.tool_call.tool == "idle"
    assert "?" in first.reply
    asked = past(3, "There you are.", first.reply)
    assert (
        with_cod("Nothing else.", manner={"behavior_style": "cautious"}, since=(asked,)).tool_call.tool
        == "add_to_cart"
    )


def test_the_sociable_chat_now_and_then_and_never_repeat_a_remark():
    history, remarks = [OPENED], []
    for turn in range(1, 20):
        said = answer(
            "Please turn left.",
            seed=4,
            history=history,
            manner={"behavior_style": "social", "patience": "high"},
        )
        remarks += [text for text in replies.SMALL_TALK if text in said.reply]
        history.append(past(turn, f"Please turn left, {turn}.", said.reply, "turn"))
    assert len(remarks) >= 2
    assert len(set(remarks)) == len(remarks)


@pytest.mark.parametrize("scene", ["supermarket", "home_furnishings"])
def test_assistants_hear_no_wish_in_what_is_only_manner(scene):
    index = index_of(knowledge_of(load_pack(SCENES / scene)))
    chance = Chance(1)
    for style in STYLES:
        goal = Goal.read(
            user_input(manner={"behavior_style": style, "talkativeness": "high", "price_sensitivity": "high"})
        )
        spoken = [
            getattr(replies, name)(goal, Chance(n))
            for name in ("follow", "own_way", "coming", "unseen", "nothing_more")
            for n in range(9)
        ]
        spoken += [
            replies.ask_price("X", chance),
            replies.ask_before_buying("X", chance),
        ]
        spoken += [replies.buy("X", goal, 5.0, chance), *replies.SMALL_TALK]
        spoken += [replies.opening(goal, Chance(n)).removesuffix(goal.opening) for n in range(5)]
        for text in spoken:
            assert index.wishes(text, 1.0) == (), text


# The other five.


def test_the_patient_endure_what_the_impatient_do_not():
    history = [past(n, "Please wait.", "I'm looking for fish for dinner. Hm.") for n in range(6)]
    said = {
        level: answer("Please wait.", history=history, manner={"patience": level}).reply
        for level in ("low", "high")
    }
    assert re.search("leave it|give up|another day", said["low"])
    assert not re.search("leave it|give up|another day", said["high"])


def test_who_seeks_explanations_asks_why_when_given_none():
    def asks(level, words):
        return "?" in answer(words, manner={"explanation_seeking": level}).reply

    bare, reasoned = "I'd recommend the Cod Fillets.", "I'd recommend the Cod Fillets, they are mild."
    assert asks("high", bare)
    assert not asks("high", reasoned)
    assert not asks("low", bare)


def test_who_takes_substitutes_says_so_on_refusing():
    fault = Judgement("fails", "it should be mild")
    said = {
        policy: replies.refusal(
            Goal.read(
                user_input(
                    task={
                        "acceptance": {"explanation": "little", "substitutes": policy, "rejection": "reason"}
                    }
                )
            ),
            "Cod Fillets",
            fault,
            Chance(1),
        )
        for policy in ("none", "open")
    }
    assert "similar" in said["open"]
    assert "similar" not in said["none"]


def test_the_headstrong_go_their_own_way_more_often():
    def strayed(level):
        said = [
            answer("Please turn left.", seed=n, manner={"navigation_following": level}).reply
            for n in range(80)
        ]
        return sum(text.startswith(replies.OWN_WAYS) for text in said)

    assert strayed("low") > strayed("medium") > strayed("high")


def test_the_talkative_tell_more_unasked():
    def told(level):
        said = [
            answer("Please turn left.", seed=n, history=(OPENED,), manner={"talkativeness": level}).reply
            for n in range(80)
        ]
        return sum("mild" in text for text in said)

    assert told("low") < told("medium") < told("high")


# What the assistants make of it.


async def test_the_expert_says_honestly_whether_there_is_a_cheaper_one():
    history = [
        past(0, "Hello!", "I'm looking for fish."),
        past(1, "Look!", "$7.50 is a lot for me. Is there a cheaper one than the Cod Fillets?"),
    ]
    said = (
        await scripted_assistant("expert", seed=1).respond(
            assistant_input(history=history, state=ShopperState(held="sm-1"))
        )
    ).value
    assert said.action.type == "AnswerQuestion"
    assert "no cheaper" in said.utterance
    dearer = assistant_input(history=history, state=ShopperState(held="sm-2"))
    said = (await scripted_assistant("expert", seed=1).respond(dearer)).value
    assert said.action.type == "Compare"
    assert "Cod Fillets is cheaper" in said.utterance
    assert "$7.50" in said.utterance


def test_a_fixture_is_looked_at_from_its_other_side_when_one_shows_nothing():
    view = Observation(
        pose=Pose(x_m=0, y_m=-3),
        visible=(
            seen(
                "fixture:shelf-1",
                "fixture",
                "Breakfast Shelf",
                "B",
                "2",
                approaches=("nearest", "front", "back"),
            ),
        ),
    )
    walk = past(1, "Let's go.", "Sure.", "move_to_fixture", target="fixture:shelf-1", approach="front")
    history = [past(0, "Hello!", "I want cereal for the mornings. My budget is $5."), walk]
    given = assistant_input(history=history, view=view, pose=Pose(x_m=0, y_m=-3, yaw_deg=-90))
    said = scripted_assistant("expert", seed=1).answer(given)
    assert said.expected_user_action.args == {"target": "2", "approach": "back"}
