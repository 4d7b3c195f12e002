"""What a scripted assistant understands of what was said, and what it makes of it."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agents.scripted.chance import Chance
from agents.scripted.index import index_of
from agents.scripted.skill import SKILLS
from agents.scripted.words import money_limit
from siturec.protocol.messages import Observation, Pose, ShopperState
from tests.core.agent_samples import (
    VIEW,
    assistant_input,
    past,
    store,
)
from tests.core.scripted_minds import assistant


@pytest.mark.parametrize(
    ("said", "limit"),
    [
        ("My budget is about $8.", 8),
        ("I have about $4 for it, not more.", 4),
        ("It shouldn't cost more than $1,100.", 1100),
        ("I can spend up to 12.50 dollars.", 12.5),
        ("The last one cost $8.", None),
        ("I'd like some fish.", None),
    ],
)
def test_a_budget_is_read_from_words(said, limit):
    assert money_limit(said) == limit


@pytest.mark.parametrize(
    ("said", "best"),
    [
        ("I'm after a protein for dinner. It should be mild. It must not contain soy.", "sm-1"),
        ("I'm after a protein for dinner. It has to do without anything from animals.", "sm-3"),
        ("Something to start the day with, but no nuts.", "sm-5"),
        ("I'd like some cereal, it should not be made for children.", "sm-4"),
    ],
)
async def test_the_expert_ranks_by_what_the_words_mean(said, best):
    answer = await assistant().respond(assistant_input(history=[past(0, "Hello!", said)]))
    assert answer.value.ranking[0] == best


async def test_what_is_over_the_budget_is_not_ranked_first():
    history = [past(0, "Hello!", "I'm looking for rich fish."), past(1, "Anything else?", "My budget is $8.")]
    answer = await assistant().respond(assistant_input(history=history))
    assert answer.value.ranking[0] == "sm-1"


async def test_a_refused_product_is_not_offered_again():
    history = [
        past(0, "Hello!", "I'm looking for fish."),
        past(
            1, "I'd recommend the Cod Fillets: mild.", "Let me see.", "pick_up_item", product="product:sm-1"
        ),
        past(
            2, "Shall we?", "The Cod Fillets is not quite right for me.", "drop_item", product="product:sm-1"
        ),
    ]
    answer = await assistant().respond(assistant_input(history=history))
    assert answer.value.ranking[0] != "sm-1"
    assert "Cod Fillets" not in answer.value.utterance


async def test_the_price_of_what_is_held_is_told_on_asking():
    history = [past(0, "Hello!", "Fish, please."), past(1, "Look!", "What about the price?", "idle")]
    given = assistant_input(history=history, state=ShopperState(held="sm-1"))
    answer = await assistant().respond(given)
    assert answer.value.action.type == "AnswerQuestion"
    assert "$7.50" in answer.value.utterance


async def test_a_goal_behind_the_shopper_is_turned_to():
    view = Observation(pose=Pose(x_m=0, y_m=0), visible=())
    history = [past(0, "Hello!", "I want cereal for the mornings.")]
    pose = Pose(x_m=0, y_m=0, yaw_deg=90)
    answer = await assistant().respond(assistant_input(history=history, view=view, pose=pose))
    assert answer.value.action.type == "Navigate"
    assert "turn around" in answer.value.utterance
    assert answer.value.expected_user_action.tool == "turn"


async def test_a_correction_changes_the_words():
    first = await assistant().respond(assistant_input())
    again = await assistant().respond(assistant_input(correction="Do not say markers."))
    assert again.value.utterance
    assert first.value.action.type == again.value.action.type


def test_an_index_is_built_once_per_store():
    knowledge = store()
    assert index_of(knowledge) is index_of(knowledge)
    assert index_of(store()) is index_of(knowledge)
    assert index_of(store("home")) is not index_of(knowledge)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    replies=st.lists(st.text(max_size=80), max_size=6),
    slug=st.sampled_from(list(SKILLS)),
    condition=st.sampled_from(["full", "no_ego_view", "no_ego_view_no_caption"]),
    kind=st.sampled_from(["supermarket", "home"]),
    seed=st.integers(0, 2**31),
)
def test_whatever_was_said_every_assistant_gives_a_whole_answer(replies, slug, condition, kind, seed):
    history = [past(n, "Hello!", reply) for n, reply in enumerate(replies)]
    view = VIEW if kind == "supermarket" else Observation(pose=Pose(x_m=0, y_m=0), visible=())
    message = assistant(slug, seed).answer(
        assistant_input(history=history, kind=kind, condition=condition, view=view)
    )
    assert message.utterance.strip()
    assert len(set(message.ranking)) == 5


@given(st.lists(st.text(), min_size=1), st.integers())
def test_a_draw_depends_on_its_key_alone(options, seed):
    assert Chance(seed).pick(options, "x") == Chance(seed).pick(options, "x")
    assert 0 <= Chance(seed).unit("y") < 1
