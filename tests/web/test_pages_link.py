"""A participant's link is all it takes: no cookie can be blocked, cleared or run out on the way."""

import json
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from django.test import Client
from django.utils import timezone
from django.utils.translation import override

from play.served import SERVED, worded
from sessions.models import Participant
from sessions.services.studies import study_close
from siturec.protocol.study import TaskChoice
from siturec.protocol.vocabulary import DIMENSIONS
from tests.web.samples_studies import opened, shopping

pytestmark = pytest.mark.django_db


def stranger() -> Client:
    """A browser that keeps no cookie, and a server that minds."""
    return Client(enforce_csrf_checks=True)


@pytest.fixture
def study():
    return opened("shop", assistants=("expert",), tasks=TaskChoice(sample=2), quota=5)


def test_without_any_cookie_one_gets_from_the_studys_link_to_the_store(study):
    address = stranger().post("/s/shop/").headers["Location"]
    for step, data in (
        ("consent", {"choice": "agree", "agree": "yes", "shown": study.design.consent.digest}),
        ("profile", {}),
        ("how", {}),
        ("goal/1", {}),
    ):
        assert stranger().post(f"{address}{step}/", data).status_code == 302
    assert stranger().get(address).headers["Location"].endswith("/store/1/")


def test_without_any_cookie_answers_are_kept_and_handed_in(study):
    person = shopping(study)
    first = person.episodes.order_by("position")[0]
    now = timezone.now()
    person.episodes.filter(pk=first.pk).update(
        status="ended", end_reason="turn_limit", goal_read_at=now, started_at=now, ended_at=now
    )
    Participant.objects.filter(pk=person.pk).update(practised_at=now)
    page = f"/p/{person.token}/questionnaire/1/"
    assert stranger().post(f"{page}draft/", {"naturalness": "2"}).json() == {"kept": True}
    assert b'value="2" checked' in stranger().get(page).content
    done = stranger().post(page, {"client_id": "one"} | dict.fromkeys(DIMENSIONS, "4"))
    assert done.status_code == 302
    assert person.episodes.get(pk=first.pk).rated_at is not None


def test_what_another_site_sends_is_refused_kindly_and_changes_nothing(study):
    person = shopping(study)
    elsewhere = {"Origin": "https://evil.example"}
    for address, data in (("/s/shop/", {}), (f"/p/{person.token}/leave/", {"choice": "leave"})):
        answer = stranger().post(address, data, headers=elsewhere)
        assert answer.status_code == 403
        assert b"your place is kept" in answer.content
    act = json.dumps({"type": "help", "text": "hello"})
    told = stranger().post(f"/p/{person.token}/act/", act, "application/json", headers=elsewhere)
    assert told.status_code == 403
    assert Participant.objects.count() == 1
    assert Participant.objects.get().state == person.state
    own = {"Origin": "http://testserver"}
    assert stranger().post("/s/shop/", headers=own).status_code == 302


def test_a_site_the_operator_trusts_may_send(study, settings):
    settings.CSRF_TRUSTED_ORIGINS = ["https://*.lab.example"]
    panel = {"Origin": "https://panel.lab.example"}
    assert stranger().post("/s/shop/", headers=panel).status_code == 302
    assert stranger().post("/s/shop/", headers={"Origin": "https://lab.example.evil"}).status_code == 403


def test_who_comes_too_early_reads_when_to_come_in_their_own_language():
    opens = datetime(2040, 3, 1, 9, 30, tzinfo=ZoneInfo("Asia/Kolkata"))
    opened("later", assistants=("expert",), tasks=TaskChoice(sample=2), quota=5, opens_at=opens)
    page = stranger().get("/s/later/", headers={"Accept-Language": "de"}).content.decode()
    assert "öffnet am 1. März 2040 04:00 (UTC)" in page
    assert "opens at" not in page
    assert "data-start" not in page


def test_a_reason_without_a_moment_is_said_as_it_is_whenever_the_study_opens():
    opens = datetime(2040, 3, 1, 9, 30, tzinfo=ZoneInfo("Asia/Kolkata"))
    study = opened("later", assistants=("expert",), tasks=TaskChoice(sample=2), quota=5, opens_at=opens)
    study_close(study=study)
    page = stranger().get("/s/later/", headers={"Accept-Language": "de"}).content.decode()
    assert "Diese Studie ist beendet" in page
    assert "öffnet am" not in page
    with override("de"):
        for reason in SERVED:
            told = worded(reason, opens_at=opens)
            assert "2040" not in told
            assert told != reason
        assert "1. März 2040 04:00" in worded("This study opens at 2040-03-01 04:00 UTC.", opens_at=opens)


def test_whom_a_recruiting_service_sent_to_a_closed_study_reads_what_to_do(study):
    study_close(study=study)
    assert "give your place back" in stranger().get("/s/shop/?PROLIFIC_PID=a").content.decode()
    assert "give your place back" not in stranger().get("/s/shop/").content.decode()
