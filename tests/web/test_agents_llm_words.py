"""What is made of a model's words: repaired, asked for again, kept as given, or missing."""

import json

import pytest

from agents.calls import ModelSpec
from agents.model_minds import ModelAssistant, ModelJudge, ModelModerator, ModelUser
from tests.core.agent_samples import assistant_input, judge_input, moderator_input, user_input
from tests.core.providers import Crooked, says
from tests.web.crooked_minds import GOOD_ASSISTANT, GOOD_USER, mind


async def test_truncated_json_is_repaired_once_with_the_reason():
    with Crooked(says('{"reply": "I would like'), says(GOOD_USER)) as server:
        user = mind(ModelUser, server)
        answer = await user.respond(user_input())
    assert answer.outcome == "repaired"
    assert "cut off" in server.requests[1]["messages"][-1]["content"]
    first, second = user.ledger.calls
    assert (first.outcome, first.asked_again) == ("missing", True)
    assert (second.outcome, second.asked_again) == ("repaired", False)


async def test_words_around_the_json_count_as_repaired_without_a_second_call():
    with Crooked(says(f"Here you are:\n```json\n{GOOD_USER}\n```")) as server:
        answer = await mind(ModelUser, server).respond(user_input())
    assert answer.outcome == "repaired"
    assert len(server.requests) == 1


async def test_nonsense_twice_is_missing_with_the_raw_text():
    with Crooked(says("I am sorry, Dave.")) as server:
        answer = await mind(ModelUser, server).respond(user_input())
    assert (answer.value, answer.outcome, answer.raw) == (None, "missing", "I am sorry, Dave.")
    assert len(server.requests) == 2


async def test_an_empty_reply_is_nudged_once_and_then_bad_output():
    with Crooked(says("")) as server:
        answer = await mind(ModelUser, server).respond(user_input())
    assert (answer.value, answer.outcome, answer.failure) == (None, "failed", "bad_output")
    assert len(server.requests) == 2


async def test_a_user_who_talks_like_the_assistant_is_told_so_and_then_missing():
    swapped = json.dumps({"reply": "How can I help you today?", "tool_call": {"tool": "idle", "args": {}}})
    with Crooked(says(swapped)) as server:
        answer = await mind(ModelUser, server).respond(user_input())
    assert (answer.value, answer.outcome) == (None, "missing")
    assert "you are the customer" in server.requests[1]["messages"][-1]["content"]


async def test_the_ranking_is_kept_as_given():
    with Crooked(says(json.dumps(GOOD_ASSISTANT))) as server:
        answer = await mind(ModelAssistant, server).respond(assistant_input())
    assert answer.value.ranking == ("sm-1", "sm-1", "unknown")


async def test_an_assistant_knows_the_words_that_would_tell_who_it_and_its_fallback_are():
    with Crooked(says(json.dumps(GOOD_ASSISTANT))) as server:
        other = ModelSpec("n", "openai/substitute-7", api_base=server.base, label="Second Best")
        assistant = mind(
            ModelAssistant, server, label="Shop Helper", fallbacks=(other,), identity_policy="flag"
        )
        await assistant.respond(assistant_input())
    assert {"crooked", "shop helper", "substitute-7", "second best"} <= set(assistant.own_words)
    assert assistant.identity_policy == "flag"


@pytest.mark.parametrize(("said", "stop"), [("no", False), ("Yes.", True), (" NO\n", False)])
async def test_a_moderators_strict_word_is_read(said, stop):
    with Crooked(says(said)) as server:
        answer = await mind(ModelModerator, server).decide(moderator_input())
    assert (answer.outcome, answer.value.stop) == ("answered", stop)


@pytest.mark.parametrize(
    "said", ["Yet the customer goes on.", "You decide", "yes and no", "Yes, the customer left"]
)
async def test_a_moderator_that_rambles_is_missing_and_when_asked_again_is_told_why(said):
    with Crooked(says(said), says("no")) as server:
        moderator = mind(ModelModerator, server)
        first = await moderator.decide(moderator_input())
        second = await moderator.decide(moderator_input())
    assert (first.value, first.outcome, first.raw) == (None, "missing", said)
    assert (second.value.stop, second.outcome) == (False, "repaired")
    assert len(server.requests) == 2
    assert "neither 'yes' nor 'no'" in server.requests[1]["messages"][-1]["content"]


async def test_a_judge_keeps_the_scores_it_can_read_and_leaves_the_others_missing():
    scores = {
        name: {"evidence": 'T2: "mild, and it costs $7.50"', "score": 4}
        for name in ("naturalness", "groundedness")
    }
    scores["groundedness"]["evidence"] = "T9: words nobody said"
    scores["proactiveness"] = {"evidence": "", "score": 9}
    with Crooked(says(json.dumps(scores))) as server:
        answer = await mind(ModelJudge, server).score(judge_input())
    assert answer.value.scores["naturalness"] == 4
    assert answer.value.scores["proactiveness"] is None
    assert answer.value.scores["overall_satisfaction"] is None
    assert not answer.value.evidence["naturalness"].startswith("(not found")
    assert answer.value.evidence["groundedness"].startswith("(not found in the record)")


async def test_a_judge_without_one_readable_score_is_missing_never_low():
    with Crooked(says('{"rating": "great"}')) as server:
        answer = await mind(ModelJudge, server).score(judge_input())
    assert (answer.value, answer.outcome) == (None, "missing")
