"""Each interaction setting beside price sensitivity changes what the agenda-based shopper says or does."""

import re
from pathlib import Path

import pytest

from agents.scripted import replies
from agents.scripted.chance import Chance
from agents.scripted.goal import Goal, Judgement
from agents.scripted.index import index_of
from siturec.protocol.messages import Observation, Pose
from siturec.scene.load import load_pack
from tests.core.agent_samples import past, seen, user_input
from tests.core.shopper_answers import OPENED, answer, with_cod
from tests.core.text_knowledge import knowledge_of

SCENES = Path(__file__).resolve().parents[2] / "scenes"

STYLES = ("direct", "exploratory", "cautious", "social")

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
