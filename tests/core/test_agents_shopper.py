"""What the agenda-based shopper does, and when the moderator ends its visit."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agents.scripted.agenda import AgendaUser
from agents.scripted.goal import Goal
from agents.scripted.hearing import hear
from agents.scripted.moderator import RuleModerator
from siturec.protocol.actions import validate_call
from siturec.protocol.messages import ResolvedAction, ShopperState
from tests.core.agent_samples import (
    VIEW,
    moderator_input,
    past,
    user_input,
)
from tests.core.scripted_minds import agenda


def held(product="sm-1", **known):
    facts = {"name": "Cod Fillets", "category": "fish", "tags": ["mild"], "price": 7.5, "allergens": ["fish"]}
    history = [past(0, "Hello!", "I'm looking for fish for dinner.")]
    return {"history": history, "state": ShopperState(held=product), "known": {product: {**facts, **known}}}


async def test_what_suits_is_bought():
    answer = await agenda().respond(user_input("Shall we put the Cod Fillets in your cart?", **held()))
    assert answer.value.tool_call.tool == "add_to_cart"


@pytest.mark.parametrize(
    ("known", "why"),
    [
        ({"price": 8.5}, "too expensive"),
        ({"tags": ["rich"]}, "it should be mild"),
        ({"allergens": ["fish", "nuts"]}, "no nuts"),
        ({"category": "cereal"}, "I'd like fish"),
    ],
)
async def test_what_does_not_suit_is_put_back_with_the_reason(known, why):
    answer = await agenda().respond(user_input("Shall we put the Cod Fillets in your cart?", **held(**known)))
    assert answer.value.tool_call.tool == "drop_item"
    assert why in answer.value.reply


@pytest.mark.parametrize(("policy", "sign"), [("question", "?"), ("comparison", "better")])
async def test_a_refusal_follows_the_acceptance_policy(policy, sign):
    task = {"acceptance": {"explanation": "little", "substitutes": "none", "rejection": policy}}
    answer = await agenda().respond(user_input("Shall we put it in the cart?", task=task, **held(price=9.0)))
    assert sign in answer.value.reply.replace("Is there another one?", "?")


async def test_much_explanation_is_asked_for_before_buying():
    task = {"acceptance": {"explanation": "much", "substitutes": "none", "rejection": "reason"}}
    answer = await agenda().respond(user_input("There you are.", task=task, **held()))
    assert answer.value.tool_call.tool == "idle"
    assert "?" in answer.value.reply


async def test_an_offer_in_reach_is_picked_up_by_the_shoppers_own_marker():
    history = [past(0, "Hello!", "I'm looking for fish for dinner.")]
    answer = await agenda().respond(user_input("I'd recommend the Cod Fillets.", history=history))
    assert answer.value.tool_call.model_dump() == {"tool": "pick_up_item", "args": {"product": "1"}}


async def test_an_offer_called_too_dear_is_refused_unseen():
    history = [past(0, "Hello!", "I'm looking for fish for dinner.")]
    answer = await agenda().respond(
        user_input("I'd recommend the Cod Fillets, it costs $9.99.", history=history)
    )
    assert answer.value.tool_call.tool == "idle"
    assert "too expensive" in answer.value.reply


async def test_an_offer_out_of_sight_is_asked_for():
    history = [past(0, "Hello!", "I'm looking for fish for dinner.")]
    answer = await agenda().respond(
        user_input("I'd recommend the Nut Granola, have a look.", history=history)
    )
    assert "?" in answer.value.reply or "can't" in answer.value.reply


def calls(words, view=VIEW):
    return hear(user_input(words, view=view)).call.model_dump()


def test_directions_are_understood_from_words():
    assert calls("Please turn slightly left.") == {"tool": "turn", "args": {"direction": "left", "angle": 30}}
    assert calls("Could you turn around?") == {"tool": "turn", "args": {"direction": "right", "angle": 180}}
    assert calls("Take a step to the right.")["tool"] == "side_step"
    assert calls("Look down at the lower rows.")["args"] == {"direction": "down", "angle": 30}
    assert calls("Walk straight ahead.") == {"tool": "move_forward", "args": {"distance": "medium"}}
    assert calls("Let's go to the front of the Fish Cooler.") == {
        "tool": "move_to_fixture",
        "args": {"target": "A", "approach": "front"},
    }


async def test_the_obedient_follow_more_often_than_the_headstrong():
    history = [past(0, "Hello!", "I'm looking for fish for dinner.")]

    async def followed(level):
        answers = [
            await agenda(seed).respond(
                user_input("Please turn left.", history=history, manner={"navigation_following": level})
            )
            for seed in range(60)
        ]
        return sum(a.value.tool_call.args.get("angle") == 90 for a in answers)

    low, high = await followed("low"), await followed("high")
    assert low < high
    assert low > 30


async def test_the_impatient_give_up_first_and_the_moderator_sees_it():
    history = [past(n, "Please wait.", "I'm looking for fish for dinner. Hm.") for n in range(6)]

    async def reply(patience):
        answer = await agenda().respond(
            user_input("Please wait.", history=history, manner={"patience": patience})
        )
        return answer.value.reply

    moderator = RuleModerator(seed=1)
    stops = [
        (await moderator.decide(moderator_input(reply=await reply(level)))).value.stop
        for level in ("low", "high")
    ]
    assert stops == [True, False]


@pytest.mark.parametrize(
    ("reply", "stop"),
    [
        ("I give up for today.", True),
        ("Never mind, I'll come back another day.", True),
        ("Not this one. Is there another?", False),
        ("Let me look around first.", False),
        ("I can't find it, where should I look?", False),
        ("Yes, let me see it.", False),
    ],
)
async def test_the_moderator_stops_only_on_a_clear_end(reply, stop):
    answer = await RuleModerator(seed=1).decide(moderator_input(reply=reply))
    assert answer.value.stop is stop


def test_an_unlearned_attribute_is_neither_met_nor_missed():
    goal = Goal.read(user_input())
    assert goal.judge({"price": 5.0, "category": "fish"}).verdict == "unknown"
    assert goal.judge({}).verdict == "unknown"


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    words=st.text(max_size=120),
    held_one=st.booleans(),
    levels=st.lists(st.sampled_from(["low", "medium", "high"]), min_size=6, max_size=6),
    seed=st.integers(0, 2**31),
)
def test_whatever_is_said_the_shopper_answers_with_a_call_that_is_allowed_here(words, held_one, levels, seed):
    names = list(user_input().profile["interaction"])[1:]
    state = ShopperState(held="sm-1") if held_one else ShopperState()
    inp = user_input(words, state=state, manner=dict(zip(names, levels, strict=True)))
    message = AgendaUser(seed=seed).answer(inp)
    action = validate_call(message.tool_call, kind="supermarket", observation=inp.observation, state=state)
    assert isinstance(action, ResolvedAction)
    assert message.reply
