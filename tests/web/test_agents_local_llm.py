"""The path to a real model, through litellm and a real server: plumbing and shape, never what it says."""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

from agents.calls import MemoryLedger, ModelSpec
from agents.llm import LanguageModel
from agents.local_model import model_file
from agents.model_minds import ModelAssistant, ModelJudge, ModelModerator, ModelUser
from tests.core.agent_samples import assistant_input, judge_input, moderator_input, user_input

ROOT = Path(__file__).resolve().parents[2]
pytestmark = [pytest.mark.local_llm, pytest.mark.timeout(600)]


def skip_or_fail(reason):
    if os.environ.get("REQUIRE_LOCAL_LLM") == "1":
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(scope="module")
def server():
    """The real 0.5B model behind its own server, on one thread."""
    if importlib.util.find_spec("xllamacpp") is None:
        skip_or_fail("xllamacpp is not installed (pip install 'siturec-web[localllm]')")
    if model_file("0.5b") is None:
        skip_or_fail("the local model is not here (python scripts/fetch_local_model.py)")
    command = [
        sys.executable,
        "manage.py",
        "serve_local_llm",
        "--port",
        "0",
        "--threads",
        "1",
        "--context",
        "6144",
    ]
    with subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        try:
            line = process.stdout.readline()
            assert "listening on" in line, line
            yield line.split()[-1]
        finally:
            process.terminate()
            process.wait(20)


def mind(kind, base, **more):
    ledger = MemoryLedger()
    given = {
        "timeout_s": 280,
        "max_retries": 0,
        "max_tokens": 420,
        "parameters": {"temperature": 0.7},
        "vision": False,
    }
    model = LanguageModel(
        ModelSpec("local", "openai/qwen-coder-0.5b", api_base=base, **{**given, **more}), ledger
    )

    async def source():
        return model

    made = kind("local", source, seed=1)
    made.ledger = ledger
    return made


@pytest.fixture
def patiently():
    """For the two long answers, a minute of a busy processor each: only where they are asked for."""
    if os.environ.get("LOCAL_LLM_LONG") != "1":
        pytest.skip("a long answer of the local model: make test-local-model, or LOCAL_LLM_LONG=1")


async def test_it_answers_as_a_shopper_and_a_picture_it_cannot_see_is_left_out(server):
    user = mind(ModelUser, server, vision=True)
    answer = await user.respond(user_input())
    assert answer.outcome in ("answered", "repaired", "missing")
    assert (answer.value is None) == (answer.outcome == "missing")
    assert user.ledger.calls[0].attempts[0].failure == "text_only"
    assert user.ledger.calls[0].tokens_out > 0


async def test_its_moderation_is_a_strict_word_or_missing(server):
    answer = await mind(ModelModerator, server, max_tokens=8).decide(moderator_input())
    assert answer.failure in (None, "too_long")
    assert answer.value is None or answer.value.stop in (True, False)


async def test_it_answers_as_an_assistant(server, patiently):
    answer = await mind(ModelAssistant, server).respond(assistant_input())
    assert answer.outcome in ("answered", "repaired")
    assert set(answer.value.ranking) <= {"sm-1", "sm-2", "sm-3", "sm-4", "sm-5"}


async def test_it_scores_a_visit(server, patiently):
    answer = await mind(ModelJudge, server, max_tokens=600).score(judge_input())
    assert answer.outcome in ("answered", "repaired")
    assert all(1 <= score <= 5 for score in answer.value.scores.values())
