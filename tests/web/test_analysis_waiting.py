"""Results that take long: no page waits for them, each says how far they are, and they arrive."""

import time
from io import StringIO

import pytest
from django.core.management import call_command
from django.db import connection
from django.utils import timezone

from analysis.filters import Filters
from analysis.models import Computed, Computing, EpisodeScore
from analysis.services import refreshing
from analysis.services.results import study_results
from questionnaire.models import Rating
from tests.web.recorded_study import recorded_study
from tests.web.test_analysis_pages import signed_in, text_of

HOME = "/research/studies/market"


@pytest.fixture
def slow(monkeypatch):
    """Every study counts as one that takes long."""
    monkeypatch.setattr(refreshing, "QUICK", 0)


@pytest.mark.django_db(transaction=True)
def test_a_study_of_many_episodes_is_computed_beside_its_pages(slow):
    study = recorded_study(profiles=1, participants=2)
    client = signed_in(study)
    began = time.monotonic()
    page = client.get(f"{HOME}/results/")
    assert time.monotonic() - began < 2
    assert (page.status_code, page["Retry-After"]) == (202, "3")
    assert "The results are being computed" in text_of(page)
    assert client.get(f"{HOME}/figures/endings.svg").status_code == 503
    assert not EpisodeScore.objects.exists(), "the request scored"
    connection.close()
    while not client.get(f"{HOME}/results/progress/").json()["ready"]:
        assert time.monotonic() - began < 120
        time.sleep(0.3)
    page = client.get(f"{HOME}/results/")
    assert page.status_code == 200
    assert "20 episodes with 2 participants" in text_of(page)
    assert client.get(f"{HOME}/figures/endings.svg").status_code == 200


@pytest.fixture
def under_way(db, slow):
    """A study whose results somebody is working out."""
    study = recorded_study(profiles=1, participants=2)
    Computing.objects.create(study=study, key="results?", beat_at=timezone.now(), done=7, total=40)
    return study


def test_the_page_says_how_far_it_is_and_begins_nothing_twice(under_way):
    text = text_of(signed_in(under_way).get(f"{HOME}/agreement/"))
    assert "7 of 40 episodes scored" in text
    assert Computing.objects.get().done == 7


def test_older_numbers_stay_readable_while_newer_ones_are_computed(under_way):
    before = study_results(study=under_way, filters=Filters())
    Rating.objects.filter(dimension="naturalness").update(score=1)
    page = signed_in(under_way).get(f"{HOME}/results/")
    assert page.status_code == 200
    assert "newer ones are on the way. 7 of 40 episodes scored" in text_of(page)
    shown = before["people"]["assistants"]["expert"]["naturalness"]
    assert shown > 1
    assert f"{shown:.2f}" in text_of(page)


def test_a_machine_is_told_to_ask_again_and_never_gets_older_numbers(under_way):
    study_results(study=under_way, filters=Filters())
    Rating.objects.filter(dimension="naturalness").update(score=1)
    answer = signed_in(under_way).get("/api/studies/market/agreement/")
    assert (answer.status_code, answer.json()) == (202, {"done": 7, "total": 40, "fault": ""})
    assert answer["Retry-After"] == "3"


def test_a_file_that_holds_scores_is_not_made_in_a_request_that_would_hang(under_way):
    client = signed_in(under_way)
    for place in ("wide/csv", "bundle"):
        answer = client.get(f"{HOME}/export/{place}/", follow=True)
        assert answer.redirect_chain == [(f"{HOME}/results/", 302)]
        assert "This file holds scores, which are being computed" in text_of(answer)
    assert client.get(f"{HOME}/export/turns/csv/").status_code == 200


def test_what_failed_is_said_and_not_tried_again_at_once(under_way):
    Computing.objects.update(beat_at=None, fault="SceneError: no floor", failed_at=timezone.now())
    text = text_of(signed_in(under_way).get(f"{HOME}/results/"))
    assert "Computing failed: SceneError: no floor" in text
    assert Computing.objects.get().beat_at is None


def test_results_of_an_older_shape_are_not_shown(under_way):
    study_results(study=under_way, filters=Filters())
    row = Computed.objects.get()
    row.body = bytes(row.body).replace(b'"shape":', b'"shapes":')
    row.save()
    assert signed_in(under_way).get(f"{HOME}/results/").status_code == 202


def test_results_can_be_worked_out_beforehand_by_command(db, slow):
    study = recorded_study(profiles=1, participants=2)
    out = StringIO()
    call_command("compute", "market", stdout=out)
    assert "40 of 40 episodes scored" in out.getvalue()
    assert not Computing.objects.exists()
    assert signed_in(study).get(f"{HOME}/results/").status_code == 200
