"""The demo with a language model: one of the assistants when named, refused in words when it cannot be."""

import io
from datetime import UTC, datetime

import pytest
from django.contrib.auth import get_user_model
from django.core.management import CommandError, call_command
from django.urls import reverse
from rich.console import Console

from agents.calls import CallRecord
from agents.services import call_record
from sessions.models import Episode, Study
from sessions.services import study_create
from siturec_web.demo import demo_config
from siturec_web.demo_model import _told, local_model
from siturec_web.serving import CannotServe
from tests.ports import free_port


class Said:
    """A process that has said these lines."""

    def __init__(self, text):
        self.stdout = io.StringIO(text)


def test_a_named_model_joins_the_demos_assistants_in_a_study_of_its_own():
    plain, with_model = demo_config(model=False), demo_config(model=True)
    assert set(with_model.assistant_slugs) - set(plain.assistant_slugs) == {"model"}
    assert plain.slug != with_model.slug


def test_a_local_model_that_is_not_there_is_named_with_how_to_fetch_it(monkeypatch, tmp_path):
    monkeypatch.setenv("SITUREC_VAR", str(tmp_path))
    monkeypatch.setattr("siturec_web.demo_model.RUNTIME", "json")
    with (
        pytest.raises(CannotServe, match=r"fetch_local_model\.py --size 0\.5b"),
        local_model("0.5b", Console()),
    ):
        pass


def test_a_runtime_that_is_not_there_is_named_with_how_to_install_it(monkeypatch):
    monkeypatch.setattr("siturec_web.demo_model.RUNTIME", "no_such_runtime")
    with pytest.raises(CannotServe, match="pip install"), local_model("0.5b", Console()):
        pass


def test_the_settings_are_read_from_what_the_server_says():
    told = "SITUREC_MODEL=openai/q SITUREC_MODEL_API_BASE=http://127.0.0.1:9/v1 "
    told += "SITUREC_MODEL_OPTIONS='{\"a\": 1}'"
    ready, given = _told(Said(f"listening\n{told}\n"))
    assert ready == "listening"
    assert given == {
        "SITUREC_MODEL": "openai/q",
        "SITUREC_MODEL_API_BASE": "http://127.0.0.1:9/v1",
        "SITUREC_MODEL_OPTIONS": '{"a": 1}',
    }


def test_a_server_that_says_nothing_did_not_start():
    with pytest.raises(CannotServe, match="did not start"):
        _told(Said(""))


@pytest.mark.django_db
def test_a_study_shows_how_its_own_model_calls_turned_out(client):
    study = study_create(config=demo_config(model=True))
    Episode.objects.create(
        public_id="e-1",
        study=study,
        scene="supermarket",
        task_id="1.1",
        assistant="model",
        user_kind="simulated",
    )
    for episode, outcome in (("e-1", "answered"), ("e-1", "missing"), ("other", "failed")):
        call = CallRecord(
            model_slug="model",
            model="openai/m",
            role="assistant",
            prompt_version="assistant@1:abc",
            messages=[],
            started_at=datetime(2026, 11, 1, tzinfo=UTC),
            episode=episode,
            outcome=outcome,
        )
        call_record(call=call)
    get_user_model().objects.create_superuser("boss", password="secret")
    client.login(username="boss", password="secret")
    page = client.get(reverse("research:overview", args=[study.slug])).content.decode()
    table = page.partition("Calls to models")[2]
    assert "1 (50 %)" in table
    assert "assistant@1:abc" in table
    assert "100 %" not in table


@pytest.mark.django_db(transaction=True)
def test_the_demo_does_not_start_with_a_model_nobody_can_reach_and_says_so(settings):
    settings.SITUREC_MODEL = "openai/nobody"
    settings.SITUREC_MODEL_API_BASE = f"http://127.0.0.1:{free_port()}/v1"
    with pytest.raises(CommandError) as refused:
        call_command("demo", "--no-serve")
    said = str(refused.value)
    assert settings.SITUREC_MODEL_API_BASE in said
    assert "Start its server or mend the settings" in said
    assert not Study.objects.exists()
