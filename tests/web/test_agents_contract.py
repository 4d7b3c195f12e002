"""The contract with providers, held against third parties: llmock's server and OpenAI's own types."""

import asyncio
import json
import subprocess
import sys
import typing
from pathlib import Path

import jsonschema
import pytest
from pydantic import TypeAdapter

from agents import schemas
from agents.calls import MemoryLedger, ModelSpec
from agents.llm import LanguageModel
from agents.model_minds import ModelAssistant, ModelJudge, ModelModerator, ModelUser
from siturec.protocol.vocabulary import DIMENSIONS
from tests.core.agent_samples import assistant_input, judge_input, moderator_input, past, picture, user_input
from tests.core.providers import Crooked, llmock, says

ROOT = Path(__file__).resolve().parents[2]


def mind(kind, base, *, ledger=None, frames=None, **more):
    spec = ModelSpec("m", "openai/gpt-5", api_base=f"{base}/v1", **{"max_wait_s": 3, **more})
    model = LanguageModel(spec, ledger or MemoryLedger())

    async def source():
        return model

    return kind("m", source, seed=1) if frames is None else kind("m", source, seed=1, frames=frames)


@pytest.fixture(scope="module")
def mock():
    with llmock() as base:
        yield base


@pytest.mark.parametrize("kind", ["supermarket", "home"])
async def test_an_assistant_gets_a_valid_turn_from_a_server_that_follows_its_schema(mock, kind):
    answer = await mind(ModelAssistant, mock).respond(assistant_input(kind=kind))
    assert answer.outcome == "answered"
    assert len(answer.value.ranking) == 5
    assert set(answer.value.ranking) <= {"sm-1", "sm-2", "sm-3", "sm-4", "sm-5"}


async def test_a_user_gets_a_valid_turn_from_a_server_that_follows_its_schema(mock):
    answer = await mind(ModelUser, mock).respond(user_input())
    assert answer.outcome == "answered"


@pytest.mark.parametrize("frames", [False, True])
async def test_a_judge_gets_seven_scores_from_a_server_that_follows_its_schema(mock, frames):
    answer = await mind(ModelJudge, mock, frames=frames).score(judge_input(frames=(picture(),)))
    assert answer.outcome == "answered"
    assert set(answer.value.scores) == set(DIMENSIONS)
    assert all(1 <= score <= 5 for score in answer.value.scores.values())


async def test_a_third_party_finds_our_retries_well_behaved():
    with llmock("--error-rate-429", "0.3", "--error-rate-503", "0.2") as base:
        user = mind(ModelUser, base, max_retries=6, max_wait_s=2)
        outcomes = [(await user.respond(user_input())).outcome for _ in range(3)]
        program = Path(sys.executable).with_name("llmock")
        command = [program, "report", "--url", base]
        verdict = await asyncio.to_thread(subprocess.run, command, capture_output=True, text=True, timeout=30)
    assert outcomes.count("answered") >= 2
    assert verdict.returncode == 0, verdict.stdout


async def requests_of_all_roles():
    """What each role really sends, as a provider receives it."""
    with Crooked(says("{}")) as server:
        base = server.base.removesuffix("/v1")
        for kind in ("supermarket", "home"):
            for condition in ("full", "no_ego_view", "no_ego_view_no_caption"):
                await mind(ModelAssistant, base).respond(assistant_input(kind=kind, condition=condition))
            await mind(ModelUser, base, parameters={"temperature": 0.7}).respond(user_input(kind=kind))
        await mind(ModelModerator, base).decide(moderator_input())
        await mind(ModelJudge, base, frames=True).score(judge_input(frames=(picture(),)))
    return server.requests


async def test_every_request_is_one_that_openais_own_types_accept():
    # Imported here: it takes a second, of every process that collects tests.
    from openai.types.chat.completion_create_params import CompletionCreateParamsNonStreaming

    known = set(typing.get_type_hints(CompletionCreateParamsNonStreaming))
    accepted = TypeAdapter(CompletionCreateParamsNonStreaming)
    requests = await requests_of_all_roles()
    assert len(requests) == 19
    for body in requests:
        list(accepted.validate_python(body)["messages"])
        assert set(body) <= known


async def test_every_schema_sent_is_valid_and_strict():
    sent = [
        body["response_format"]["json_schema"]
        for body in await requests_of_all_roles()
        if "response_format" in body
    ]
    assert sent
    for given in sent:
        assert given["strict"] is True
        jsonschema.Draft202012Validator.check_schema(given["schema"])
        assert_strict(given["schema"])


def assert_strict(schema):
    """OpenAI's strict rules: every object closed, every key required, no defaults."""
    if isinstance(schema, list):
        for part in schema:
            assert_strict(part)
    elif isinstance(schema, dict):
        if schema.get("type") == "object":
            assert schema["additionalProperties"] is False
            assert schema["required"] == list(schema["properties"])
        assert "default" not in schema
        for part in schema.values():
            assert_strict(part)


@pytest.mark.parametrize("kind", ["supermarket", "home"])
def test_without_bounds_no_schema_limits_a_string(kind):
    text = json.dumps(
        [
            schemas.assistant_schema(kind, ["a"], bounds=False),
            schemas.user_schema(kind, bounds=False),
            schemas.judge_schema(bounds=False),
        ]
    )
    assert "maxLength" not in text
    assert "minLength" not in text


async def test_the_ablations_keep_picture_and_table_from_the_model():
    sent = {}
    for condition in ("full", "no_ego_view", "no_ego_view_no_caption"):
        with Crooked(says("{}")) as server:
            await mind(ModelAssistant, server.base.removesuffix("/v1")).respond(
                assistant_input(condition=condition)
            )
        sent[condition] = server.requests[0]["messages"][-1]["content"]
    assert [part["type"] for part in sent["full"]] == ["text", "image_url"]
    assert "B | Cod Fillets" in sent["no_ego_view"]
    assert "Cod Fillets" not in sent["no_ego_view_no_caption"]
    assert "any label from the list of places" in sent["no_ego_view_no_caption"]


async def test_no_role_is_told_the_other_roles_markers():
    with Crooked(says("{}")) as server:
        base = server.base.removesuffix("/v1")
        await mind(ModelAssistant, base).respond(assistant_input())
        await mind(ModelUser, base).respond(user_input())
    assistant, user = server.requests[0], server.requests[2]
    assert "B | Cod Fillets | product" in assistant["messages"][-1]["content"][0]["text"]
    assert "1 | Cod Fillets | product" in user["messages"][-1]["content"][0]["text"]
    assert "B | Cod Fillets" not in json.dumps(user)


async def test_an_assistant_is_told_nothing_of_the_goal():
    with Crooked(says("{}")) as server:
        await mind(ModelAssistant, server.base.removesuffix("/v1")).respond(assistant_input())
    text = json.dumps(server.requests)
    assert "mild dinner protein" not in text
    assert "busy parent" not in text


async def test_a_small_context_gets_the_best_matches_of_the_catalog_only():
    with Crooked(says("{}")) as server:
        assistant = mind(ModelAssistant, server.base.removesuffix("/v1"), catalog_limit=2)
        await assistant.respond(assistant_input(history=[past(0, "Hello!", "I'm looking for cereal.")]))
    body = server.requests[0]
    assert "Nut Granola" in body["messages"][0]["content"]
    assert "Smoked Salmon" not in body["messages"][0]["content"]
    ranking = body["response_format"]["json_schema"]["schema"]["properties"]["ranking"]
    assert ranking["items"]["enum"] == ["sm-4", "sm-5"]


@pytest.mark.timeout(600)
def test_litellm_is_loaded_at_the_first_call_only_and_then_in_silence():
    program = """
import socket, sys
reached = []
def connect(self, address):
    reached.append(address)
    raise OSError("no network here")
socket.socket.connect = socket.socket.connect_ex = connect
import agents.llm, agents.model_minds
assert "litellm" not in sys.modules
agents.llm._litellm()
assert "litellm" in sys.modules
assert reached == [], reached
"""
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
