"""Calls to a provider that misbehaves: every outcome is typed, visible, bounded and logged."""

import asyncio
import base64
import io
import json
import re
import time
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from PIL import Image

from agents.calls import MemoryLedger, ModelSpec, calling
from agents.llm import LanguageModel
from agents.model_minds import ModelAssistant, ModelJudge, ModelModerator, ModelUser
from tests.core.agent_samples import assistant_input, judge_input, moderator_input, user_input
from tests.core.providers import HANGS, Crooked, fails, says

GOOD_USER = json.dumps({"reply": "I'd like some fish.", "tool_call": {"tool": "idle", "args": {}}})
GOOD_ASSISTANT = {
    "utterance": "Hello! What are you looking for?",
    "assistant_actions": [{"type": "Greet"}],
    "ranking": ["sm-1", "sm-1", "unknown"],
    "expected_user_action": {"tool": "idle", "args": {}},
}


def spec(server, **more):
    return ModelSpec("m", "openai/crooked", api_base=server.base, **{"timeout_s": 5, "max_wait_s": 2, **more})


def mind(kind, server, ledger=None, **more):
    ledger = ledger if ledger is not None else MemoryLedger()
    model = LanguageModel(spec(server, **more), ledger)

    async def source():
        return model

    made = kind("m", source, seed=1)
    made.ledger = ledger
    return made


async def test_a_good_answer_is_answered_and_logged_with_tokens_and_cost():
    with Crooked(says(GOOD_USER)) as server:
        user = mind(ModelUser, server, price_in=1.0, price_out=10.0)
        with calling(episode="e-1", turn=3):
            answer = await user.respond(user_input())
    assert (answer.outcome, answer.value.reply) == ("answered", "I'd like some fish.")
    (call,) = user.ledger.calls
    assert answer.calls == (call.id,)
    assert (call.episode, call.turn, call.outcome, call.tokens_in) == ("e-1", 3, "answered", 100)
    assert call.cost_usd == pytest.approx((100 * 1 + 20 * 10) / 1e6)
    assert call.prompt_version.startswith("user@")
    assert call.prompt_version in answer.policy_version


async def test_a_429_is_retried_after_the_wait_it_names_and_the_wait_is_told():
    told = []

    async def progress(news):
        told.append((news.kind, news.seconds, news.reason))

    with Crooked(fails(429, retry_after=0.3), says(GOOD_USER)) as server:
        user = mind(ModelUser, server)
        began = time.monotonic()
        with calling(progress=progress):
            answer = await user.respond(user_input())
        took = time.monotonic() - began
    assert answer.outcome == "answered"
    assert len(server.requests) == 2
    assert took >= 0.3
    assert ("retrying", 0.3, "rate_limit") in told
    (attempt,) = user.ledger.calls[0].attempts
    assert (attempt.failure, attempt.wait_s) == ("rate_limit", 0.3)


async def test_a_wait_named_as_a_date_is_understood_too():
    until = format_datetime(datetime.now(UTC) + timedelta(hours=1), usegmt=True)
    with Crooked(fails(429, retry_after=until)) as server:
        user = mind(ModelUser, server, max_wait_s=1)
        answer = await user.respond(user_input())
    assert answer.failure == "rate_limit"
    assert len(server.requests) == 1
    (attempt,) = user.ledger.calls[0].attempts
    assert re.fullmatch(r"asks to wait 3[56]\d\d(\.\d+)? s; too long", attempt.detail)


async def test_a_server_that_knows_no_schema_is_asked_without_and_its_words_are_read_all_the_same():
    strict = fails(400, "'response_format' of type 'json_schema' is not supported by this model")
    with Crooked(strict, says(f"Sure! {json.dumps(GOOD_ASSISTANT)}")) as server:
        assistant = mind(ModelAssistant, server)
        answer = await assistant.respond(assistant_input())
    assert answer.outcome == "repaired"
    assert ["response_format" in request for request in server.requests] == [True, False]
    assert [attempt.failure for attempt in assistant.ledger.calls[0].attempts] == ["no_schema"]


async def test_a_fallback_keeps_its_own_budget_whoever_it_answers_for():
    with Crooked(fails(500, retry_after=0)) as broken, Crooked(says(GOOD_USER)) as sound:
        other = ModelSpec("n", "openai/sound", api_base=sound.base, max_calls=2)
        user = mind(ModelUser, broken, max_retries=0, fallbacks=(other,))
        outcomes = [(await user.respond(user_input())).failure for _ in range(3)]
    assert outcomes == [None, None, "budget"]
    assert len(sound.requests) == 2


async def test_a_wait_longer_than_allowed_fails_at_once_as_rate_limit():
    with Crooked(fails(429, retry_after=7)) as server:
        user = mind(ModelUser, server, max_wait_s=1)
        began = time.monotonic()
        answer = await user.respond(user_input())
    assert (answer.value, answer.outcome, answer.failure) == (None, "failed", "rate_limit")
    assert time.monotonic() - began < 3
    assert len(server.requests) == 1


async def test_503_three_times_is_a_provider_error_after_bounded_retries():
    with Crooked(fails(503, retry_after=0)) as server:
        user = mind(ModelUser, server, max_retries=2)
        answer = await user.respond(user_input())
    assert (answer.value, answer.outcome, answer.failure) == (None, "failed", "provider_error")
    assert len(server.requests) == 3


async def test_a_server_that_hangs_is_a_timeout():
    with Crooked(HANGS) as server:
        user = mind(ModelUser, server, timeout_s=0.3, max_retries=0)
        began = time.monotonic()
        answer = await user.respond(user_input())
        took = time.monotonic() - began
    assert (answer.outcome, answer.failure) == ("failed", "timeout")
    assert took < 3


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


async def test_an_answer_cut_off_by_length_is_asked_for_with_more_room_then_too_long():
    with Crooked(says("{", finish="length")) as server:
        answer = await mind(ModelUser, server, max_tokens=50).respond(user_input())
    assert (answer.outcome, answer.failure) == ("failed", "too_long")
    assert [body["max_tokens"] for body in server.requests] == [50, 100]


async def test_a_refusal_is_typed():
    with Crooked(says("", finish="content_filter")) as server:
        answer = await mind(ModelUser, server).respond(user_input())
    assert (answer.outcome, answer.failure) == ("failed", "refused")


async def test_a_prompt_over_the_context_is_too_long_and_not_retried():
    full = "This model's maximum context length is 4096 tokens, however you requested 9000 tokens"
    with Crooked(fails(400, full)) as server:
        answer = await mind(ModelUser, server).respond(user_input())
    assert (answer.outcome, answer.failure) == ("failed", "too_long")
    assert len(server.requests) == 1


async def test_a_wrong_key_is_not_retried_and_not_logged(monkeypatch):
    monkeypatch.setenv("SOME_KEY", "sk-verysecretvalue123")
    with Crooked(fails(401, "Incorrect API key provided: sk-verysecretvalue123")) as server:
        user = mind(ModelUser, server, key_variable="SOME_KEY")
        answer = await user.respond(user_input())
    assert (answer.outcome, answer.failure) == ("failed", "provider_error")
    assert len(server.requests) == 1
    assert "verysecret" not in repr(user.ledger.calls) + repr(answer)


async def test_a_fallback_answers_where_the_first_model_fails():
    with Crooked(fails(500, retry_after=0)) as broken, Crooked(says(GOOD_USER)) as sound:
        other = ModelSpec("n", "openai/sound", api_base=sound.base)
        user = mind(ModelUser, broken, max_retries=0, fallbacks=(other,))
        answer = await user.respond(user_input())
    assert answer.outcome == "answered"
    (call,) = user.ledger.calls
    assert call.model == "openai/sound"
    assert [attempt.failure for attempt in call.attempts] == ["provider_error"]


async def test_a_model_that_cannot_see_gets_the_text_alone():
    blind = fails(500, "image input is not supported - hint: you may need to provide the mmproj")
    with Crooked(blind, says(json.dumps(GOOD_ASSISTANT))) as server:
        assistant = mind(ModelAssistant, server)
        answer = await assistant.respond(assistant_input())
    assert answer.outcome == "answered"
    assert isinstance(server.requests[0]["messages"][-1]["content"], list)
    assert isinstance(server.requests[1]["messages"][-1]["content"], str)
    assert assistant.ledger.calls[0].attempts[0].failure == "text_only"
    assert assistant.ledger.calls[0].images == 0


async def test_pictures_are_sent_as_jpeg_no_larger_than_asked():
    with Crooked(says(json.dumps(GOOD_ASSISTANT))) as server:
        assistant = mind(ModelAssistant, server, image_px=320)
        await assistant.respond(assistant_input())
    (part,) = [p for p in server.requests[0]["messages"][-1]["content"] if p["type"] == "image_url"]
    head, _, data = part["image_url"]["url"].partition(",")
    assert head == "data:image/jpeg;base64"
    assert Image.open(io.BytesIO(base64.b64decode(data))).size == (320, 180)
    assert data not in repr(assistant.ledger.calls)


async def test_the_budget_in_calls_stops_the_next_call_before_it_is_made():
    with Crooked(says(GOOD_USER)) as server:
        user = mind(ModelUser, server, max_calls=2)
        outcomes = [(await user.respond(user_input())).failure for _ in range(3)]
    assert outcomes == [None, None, "budget"]
    assert len(server.requests) == 2


async def test_the_budget_in_money_stops_the_next_call():
    with Crooked(says(GOOD_USER)) as server:
        user = mind(ModelUser, server, price_in=10_000.0, price_out=0.0, max_cost_usd=1.5)
        outcomes = [(await user.respond(user_input())).failure for _ in range(3)]
    assert outcomes == [None, None, "budget"]


async def test_no_more_calls_run_at_once_than_allowed():
    with Crooked(says(GOOD_USER)) as server:
        user = mind(ModelUser, server, concurrency=2)
        answers = await asyncio.gather(*(user.respond(user_input()) for _ in range(6)))
    assert [answer.outcome for answer in answers] == ["answered"] * 6


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


async def test_a_cancelled_call_is_logged():
    with Crooked(HANGS) as server:
        user = mind(ModelUser, server, timeout_s=10)
        task = asyncio.create_task(user.respond(user_input()))
        await asyncio.to_thread(server.asked.wait, 5)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
    assert [call.outcome for call in user.ledger.calls] == ["failed"]
