"""A participant's way without a browser: the server decides the step; nothing is skipped or doubled."""

import re
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection
from django.test import Client
from django.utils import timezone

from questionnaire.models import Answer, Rating, Sheet
from questionnaire.selectors import ratings_of
from questionnaire.services import judgement_save
from sessions.models import AuditLog, Episode, Participant, Seat, Study
from sessions.services.studies import study_create, study_open
from siturec.protocol.study import StudyConfig
from siturec.protocol.vocabulary import DIMENSIONS
from tests.web.shelf import shelve

FULL = dict.fromkeys(DIMENSIONS, "4")


def open_study(**changes) -> Study:
    document = {
        "slug": "demo",
        "title": "Shopping",
        "scene": "supermarket",
        "assistants": [{"slug": "expert"}, {"slug": "bad"}],
        "tasks": {"sample": 2, "per_participant": 1},
        "quota": 6,
        "consent": {"text": "You walk through a store."},
        "codes": {
            "done": "DONE",
            "screened_out": "OUT",
            "returned": "BACK",
            "return_url": "https://x.test/?cc={code}",
        },
    } | changes
    shelve()
    return study_open(study=study_create(config=StudyConfig.model_validate(document)))


def walk(client: Client, until: str, query: str = "") -> str:
    """From the link to a step; returns the participant's base address."""
    base = client.post(f"/s/demo/{query}", _fields(query)).headers["Location"]
    steps = [
        ("consent", {"choice": "agree", "agree": "yes"}),
        ("profile", {"age_group": "25-34"}),
        ("how", {}),
        ("goal/1", {}),
    ]
    for step, data in steps:
        if step == until:
            return base
        if step == "consent":
            data = data | {"shown": Study.objects.get().design.consent.digest}
        assert client.post(f"{base}{step}/", data).status_code == 302
    return base


def _fields(query: str) -> dict[str, str]:
    return dict(pair.split("=") for pair in query.strip("?").split("&") if pair)


def end_visit(number: int = 1, reason: str = "turn_limit") -> Episode:
    """The visit's end, as the runner writes it."""
    episode = Episode.objects.order_by("position")[number - 1]
    now = timezone.now()
    Episode.objects.filter(pk=episode.pk).update(
        status="ended", end_reason=reason, started_at=now, ended_at=now
    )
    return episode


def where(client: Client, base: str) -> str:
    """The step the server sends this participant to."""
    return client.get(base).headers["Location"].removeprefix(base)


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


@pytest.mark.django_db(transaction=True)
def test_five_sendings_at_once_store_one_sheet_and_all_succeed(client):
    open_study()
    base = walk(client, "store")
    end_visit()

    def send(_):
        try:
            return Client().post(f"{base}questionnaire/1/", FULL | {"client_id": "c"})
        finally:
            connection.close()

    with ThreadPoolExecutor(5) as pool:
        answers = list(pool.map(send, range(5)))
    assert {(answer.status_code, answer.headers["Location"]) for answer in answers} == {(302, base)}
    assert Sheet.objects.count() == 1
    assert Answer.objects.count() == Rating.objects.count() == 7
    assert where(client, base) == "store/2/"


@pytest.mark.django_db
def test_what_is_missing_is_named_and_what_was_given_is_kept(client):
    open_study()
    base = walk(client, "store")
    episode = end_visit()
    given = {key: value for key, value in FULL.items() if key != "groundedness"}
    page = client.post(f"{base}questionnaire/1/", given).content.decode()
    assert "1 answer is still missing" in page
    assert 'href="#item-groundedness"' in page
    again = client.get(f"{base}questionnaire/1/").content.decode()
    assert len(re.findall(r"value=\"4\" checked", again)) == 6
    assert Rating.objects.count() == 0
    assert Episode.objects.get(pk=episode.pk).rated_at is None


@pytest.mark.django_db
def test_where_the_study_allows_it_an_item_left_out_is_missing_not_a_score(client):
    open_study(missing_allowed=True)
    base = walk(client, "store")
    episode = end_visit()
    client.post(f"{base}questionnaire/1/", FULL | {"groundedness": ""})
    assert ratings_of(episode, "human") == dict.fromkeys(DIMENSIONS, 4) | {"groundedness": None}


@pytest.mark.django_db
def test_a_half_filled_sheet_is_kept_on_the_server_but_not_for_another_visit(client):
    open_study()
    base = walk(client, "store")
    end_visit()
    assert client.post(f"{base}questionnaire/1/draft/", {"naturalness": "2", "foreign": "1"}).json() == {
        "kept": True
    }
    assert client.post(f"{base}questionnaire/2/draft/", {"naturalness": "5"}).status_code == 409
    assert Sheet.objects.get().draft == {"naturalness": "2"}
    assert 'value="2" checked' in client.get(f"{base}questionnaire/1/").content.decode()


@pytest.mark.django_db
def test_a_missed_attention_check_ends_it_with_its_own_code_over_any_reload(client):
    open_study(attention_checks=[{"after_episode": 1, "text": "Please choose 2 here.", "expected": 2}])
    base = walk(client, "store")
    end_visit()
    assert "Please choose 2 here." in client.get(f"{base}questionnaire/1/").content.decode()
    client.post(f"{base}questionnaire/1/", FULL | {"check-1": "5"})
    for _ in range(2):
        assert where(client, base) == "done/"
        page = client.get(f"{base}done/").content.decode()
        assert "OUT" in page
        assert "DONE" not in page
    assert Rating.objects.filter(dimension="check-1").count() == 0


@pytest.mark.django_db
def test_the_code_comes_only_after_every_required_answer_is_stored(client):
    open_study()
    base = walk(client, "store")
    for number in (1, 2):
        end_visit(number)
        assert client.get(f"{base}done/").status_code == 302
        client.post(f"{base}questionnaire/{number}/", FULL)
    assert where(client, base) == "done/"
    page = client.get(f"{base}done/").content.decode()
    assert "DONE" in page
    assert "https://x.test/?cc=DONE" in page
    assert Rating.objects.filter(rater_kind="human").count() == 14


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
def test_a_judge_is_stored_beside_people_and_judging_again_replaces_it(client):
    open_study()
    walk(client, "store")
    episode = end_visit()
    judgement_save(episode=episode, judge="rules", scores=dict.fromkeys(DIMENSIONS, 3), raw="first")
    judgement_save(
        episode=episode, judge="rules", scores=dict.fromkeys(DIMENSIONS, 2) | {"naturalness": None}
    )
    assert ratings_of(episode, "judge") == dict.fromkeys(DIMENSIONS, 2) | {"naturalness": None}
    assert ratings_of(episode, "human") is None


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
def test_the_sheet_speaks_german_and_remembers_that_it_did(client):
    open_study()
    base = walk(client, "store")
    end_visit()
    page = client.get(f"{base}questionnaire/1/", headers={"accept-language": "de"}).content.decode()
    assert "Wie war Assistent" in page
    assert "Gar nicht" in page
    client.post(f"{base}questionnaire/1/", FULL, headers={"accept-language": "de"})
    assert Sheet.objects.get().language == "de"


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
