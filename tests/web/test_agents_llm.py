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

from agents.calls import ModelSpec, calling
from agents.model_minds import ModelAssistant, ModelUser
from tests.core.agent_samples import assistant_input, user_input
from tests.core.providers import HANGS, Crooked, fails, says
from tests.web.crooked_minds import GOOD_ASSISTANT, GOOD_USER, mind


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


async def test_a_cancelled_call_is_logged():
    with Crooked(HANGS) as server:
        user = mind(ModelUser, server, timeout_s=10)
        task = asyncio.create_task(user.respond(user_input()))
        await asyncio.to_thread(server.asked.wait, 5)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
    assert [call.outcome for call in user.ledger.calls] == ["failed"]
