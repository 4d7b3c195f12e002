"""The steps from the link to the questionnaire: each once, in order, and nobody lost between them."""

import re

import pytest
from django.test import Client

from questionnaire.models import Answer, Rating, Sheet
from sessions.models import AuditLog, Episode, Participant, Seat, Study
from tests.web.link_walks import FULL, end_visit, open_study, walk, where


@pytest.mark.django_db
def test_a_look_at_the_link_takes_no_seat(client):
    open_study()
    for _ in range(3):
        assert client.get("/s/demo/?PROLIFIC_PID=abc").status_code == 200
        assert client.head("/s/demo/?PROLIFIC_PID=abc").status_code == 200
    assert Participant.objects.count() == 0
    assert Seat.objects.filter(status="claimed").count() == 0


@pytest.mark.django_db
def test_the_same_person_in_two_browsers_is_one_participant_with_one_seat():
    open_study()
    first, second = Client(), Client()
    base = walk(first, "profile", "?PROLIFIC_PID=abc&SESSION_ID=s1")
    assert second.get("/s/demo/?PROLIFIC_PID=abc").headers["Location"] == base
    assert Participant.objects.get().external == {"PROLIFIC_PID": "abc", "SESSION_ID": "s1"}
    assert Seat.objects.filter(status="claimed").count() == 1
    assert where(second, base) == "profile/"


@pytest.mark.django_db
def test_a_person_whom_a_service_names_in_small_letters_is_the_same_one():
    open_study()
    base = walk(Client(), "profile", "?prolific_pid=abc&session_id=s1&workerid=")
    assert Client().get("/s/demo/?Prolific_Pid=abc").headers["Location"] == base
    assert Participant.objects.get().external == {"PROLIFIC_PID": "abc", "SESSION_ID": "s1"}


@pytest.mark.django_db
@pytest.mark.parametrize(
    "left", ["PROLIFIC_PID={{%PROLIFIC_PID%}}", "SONA_ID=%SURVEY_CODE%", "workerId=${e://Field/w}"]
)
def test_people_whom_a_service_did_not_name_are_not_taken_for_one_another(left):
    open_study()
    bases = {walk(Client(), "profile", f"?{left}&STUDY_ID=s1") for _ in range(2)}
    assert len(bases) == 2
    assert [(one.external_id, one.external) for one in Participant.objects.all()] == [
        ("", {"STUDY_ID": "s1"})
    ] * 2


@pytest.mark.django_db
def test_every_other_page_leads_to_the_step_one_is_at(client):
    open_study()
    base = walk(client, "profile")
    for other in ("consent", "how", "goal/1", "store/1", "store/7", "questionnaire/1", "done"):
        assert client.get(f"{base}{other}/").headers["Location"] == base
    assert client.get(f"{base}profile/").status_code == 200
    assert client.post(f"{base}questionnaire/1/", FULL).headers["Location"] == base
    assert Answer.objects.count() == 0


@pytest.mark.django_db
def test_consent_stores_what_was_shown_and_needs_the_tick(client):
    study = open_study()
    base = walk(client, "consent")
    shown = study.design.consent.digest
    assert client.post(f"{base}consent/", {"choice": "agree", "shown": shown}).status_code == 200
    refused = client.post(f"{base}consent/", {"choice": "agree", "agree": "yes", "shown": "old"})
    assert "has changed" in refused.content.decode()
    assert Seat.objects.filter(status="claimed").count() == 0
    client.post(f"{base}consent/", {"choice": "agree", "agree": "yes", "shown": shown})
    person = Participant.objects.get()
    assert (person.consent_version, person.consent_hash) == ("1", shown)
    assert person.consented_at is not None


@pytest.mark.django_db
def test_declining_takes_no_seat_and_gives_the_code_for_it(client):
    open_study()
    base = walk(client, "consent")
    client.post(f"{base}consent/", {"choice": "decline"})
    assert where(client, base) == "done/"
    assert b"BACK" in client.get(f"{base}done/").content
    assert Seat.objects.exclude(status="free").count() == 0


@pytest.mark.django_db
def test_a_profile_keeps_only_what_was_said(client):
    open_study()
    walk(client, "how")
    assert Participant.objects.get().profile == {"age_group": "25-34"}


@pytest.mark.django_db
def test_who_has_left_is_offered_to_erase_their_data_and_not_to_leave_again(client):
    open_study()
    base = walk(client, "profile")
    assert "Leave the study" in client.get(f"{base}profile/").content.decode()
    assert f'href="{base}leave/"' not in client.get(f"{base}leave/").content.decode(), "one is there already"
    page = client.post(f"{base}leave/", {"choice": "leave"}, follow=True).content.decode()
    assert "Erase my data" in page
    for shown in (page, client.get(f"{base}leave/").content.decode()):
        assert "Leave the study" not in shown


@pytest.mark.django_db
def test_erasing_leaves_nothing_of_the_person_and_frees_the_seat(client):
    open_study()
    base = walk(client, "store")
    end_visit()
    client.post(f"{base}questionnaire/1/", FULL)
    code = Participant.objects.get().code
    assert client.post(f"{base}leave/", {"choice": "erase"}).status_code == 200
    assert Participant.objects.count() == 1
    page = client.post(f"{base}leave/", {"choice": "erase", "sure": "yes"}).content.decode()
    assert "erased" in page
    for rows in (Participant, Episode, Sheet, Answer, Rating):
        assert rows.objects.count() == 0
    assert client.get(base).status_code == 404
    assert AuditLog.objects.filter(action="participant_erase", subject=code).count() == 1
    assert Seat.objects.filter(status="free").count() == 6


@pytest.mark.django_db
def test_items_are_never_machine_translated_and_pages_hold_no_inline_code(client):
    open_study()
    base = walk(client, "store")
    pages = {"store": client.get(f"{base}store/1/")}
    end_visit()
    pages["questionnaire"] = client.get(f"{base}questionnaire/1/")
    for name, page in pages.items():
        text = page.content.decode()
        assert '<meta name="google" content="notranslate">' in text
        assert not re.search(r"<script(?![^>]*\bsrc=)|\sstyle=|\son\w+=", text), name
        assert "unsafe" not in page.headers["Content-Security-Policy"]
        assert "no-store" in page.headers["Cache-Control"]
    items = re.findall(r"<fieldset[^>]*>", pages["questionnaire"].content.decode())
    assert len(items) == 7
    assert all('translate="no"' in item and "notranslate" in item for item in items)


@pytest.mark.django_db
def test_a_closed_study_says_so_and_lets_who_is_inside_go_on(client):
    study = open_study()
    base = walk(client, "store")
    Study.objects.filter(pk=study.pk).update(status="closed")
    assert "closed" in Client().get("/s/demo/").content.decode()
    assert Client().post("/s/demo/").status_code == 200
    assert Participant.objects.count() == 1
    assert where(client, base) == "store/1/"


@pytest.mark.django_db
def test_links_that_lead_nowhere_say_so(client):
    assert client.get("/s/nothing/").status_code == 404
    assert "does not lead anywhere" in client.get("/p/nothing/consent/").content.decode()
    assert client.get("/p/nothing/frame/1/0/").status_code == 404
