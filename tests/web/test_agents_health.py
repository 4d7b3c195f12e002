"""Models are tried before people meet them: in the demo, when a study opens, and whenever its team asks."""

from datetime import timedelta

import pytest
from django.contrib.auth import get_user_model
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from agents.calls import CallRecord
from agents.health import model_health, models_among
from agents.models import LanguageModel, ModelCall
from agents.services import call_record
from catalog.selectors import scene_version
from play.research.form import StudyForm
from play.research.models import model_notices
from sessions.models import Episode, Study
from sessions.selectors.studies import study_config_yaml
from sessions.services import study_create
from tests.core.providers import Crooked, fails, says
from tests.web.samples_studies import config
from tests.web.shelf import shelve

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def supermarket(transactional_db):
    shelve("supermarket")
    return scene_version("supermarket")


@pytest.fixture
def client():
    made = Client()
    made.force_login(get_user_model().objects.create_superuser("boss", password="x"))
    return made


def a_study(server, **more):
    """A draft with one scripted assistant and one model behind this server."""
    LanguageModel.objects.create(slug="chatty", label="Chatty", model="openai/c", api_base=server.base)
    return study_create(config=config("models", assistants=("expert", "chatty"), **more))


def calls(count, *, seconds=1.0, role="assistant", outcome="answered", failure=None, ago_s=3600.0):
    for number in range(count):
        call_record(
            call=CallRecord(
                model_slug="chatty",
                model="openai/c",
                role=role,
                prompt_version="assistant@1:a",
                messages=[],
                started_at=timezone.now() - timedelta(seconds=ago_s - number),
                duration_s=seconds,
                outcome=outcome,
                failure=failure,
                reply="x",
            )
        )


def act(client, deed):
    page = client.post(f"/research/studies/models/do/{deed}/", follow=True)
    assert page.status_code == 200
    return page.content.decode()


def test_names_of_models_are_told_from_scripted_ones():
    assert models_among(["expert", "m", "rules", "m+frames", "", "agenda", "expert-twin"]) == ["m"]


def test_a_study_opens_when_its_models_answer(client, supermarket):
    with Crooked(says("Welcome!")) as server:
        a_study(server)
        assert "The study is open" in act(client, "open")
    assert Study.objects.get().status == "open"
    assert ModelCall.objects.get().role == "trial"


def test_a_study_does_not_open_while_a_model_of_it_fails_and_says_what_to_do(client, supermarket):
    with Crooked(fails(401, "wrong key")) as server:
        a_study(server)
        page = act(client, "open")
    assert "does not answer" in page
    assert "chatty" in page
    assert "Check name, address, key and parameters." in page
    assert Study.objects.get().status == "draft"


def test_a_studys_file_is_not_opened_with_a_model_that_fails_but_stays_a_draft(supermarket, tmp_path):
    file = tmp_path / "study.yaml"
    with Crooked(fails(500, "out of order")) as server:
        study = a_study(server)
        file.write_text(study_config_yaml(study))
        study.delete()
        with pytest.raises(CommandError, match=r"chatty.*does not answer"):
            call_command("create_study", str(file), "--open")
    assert Study.objects.get().status == "draft"


def test_an_open_study_takes_in_no_model_that_fails(client, supermarket):
    with Crooked(says("Welcome!"), fails(401, "wrong key")) as server:
        study = a_study(server)
        act(client, "open")
        LanguageModel.objects.create(slug="mute", label="Mute", model="openai/m", api_base=server.base)
        initial = StudyForm.initial_of(Study.objects.get().design) | {"assistant_mute": "plain"}
        changed = {key: value for key, value in initial.items() if value is not None and value is not False}
        page = client.post("/research/studies/models/settings/design/", changed)
    assert "mute" in page.content.decode()
    assert "does not answer" in page.content.decode()
    study.refresh_from_db()
    assert study.version == 1


def test_a_model_that_answered_a_moment_ago_is_not_asked_again_but_on_request(client, supermarket):
    with Crooked(says("Welcome!")) as server:
        a_study(server)
        calls(1, ago_s=60)
        act(client, "open")
        assert server.requests == []
        assert "1 model answered." in act(client, "try")
        assert len(server.requests) == 1


def test_a_model_that_stopped_answering_is_named_on_the_studys_pages(client, supermarket):
    with Crooked(says("Welcome!")) as server:
        study = a_study(server)
        act(client, "open")
    calls(3, outcome="failed", failure="provider_error", ago_s=-5)
    said = "Its last 3 calls failed (provider error)."
    assert model_health("chatty").in_a_row == 3
    assert model_notices(study)[0].endswith(said)
    for page in ("", "live/"):
        assert said in client.get(f"/research/studies/models/{page}").content.decode()


def test_a_slow_model_is_named_before_anybody_meets_it_and_a_hidden_one_is_not(client, supermarket):
    with Crooked(says("Welcome!")) as server:
        study = a_study(server, min_reply_ms=1500)
        calls(6, seconds=4.0)
    (said,) = model_notices(study)
    assert "19 of 20 within 4.0 s; the shortest reply time is 1.5 s" in said
    assert "can be told from faster assistants" in client.get("/research/studies/models/").content.decode()
    study.config |= {"min_reply_ms": 4000}
    assert model_notices(study) == []


def test_once_people_have_met_it_their_own_waiting_counts(client, supermarket):
    with Crooked(says("Welcome!")) as server:
        study = a_study(server, min_reply_ms=1000)
    person = study.participants.create(code="P001")
    for at, (slug, seconds) in enumerate((("expert", 0.1), ("chatty", 3.0))):
        episode = Episode.objects.create(
            study=study, participant=person, scene="supermarket", task_id="1.1", assistant=slug,
            user_kind="human", position=at,
        )  # fmt: skip
        for number in range(5):
            episode.turns.create(index=number, assistant={"utterance": "x"}, timings={"assistant": seconds})
    (said,) = model_notices(study)
    assert "chatty 100 %" in said
    for page in ("", "live/"):
        assert (
            "can be told apart by how long" in client.get(f"/research/studies/models/{page}").content.decode()
        )
