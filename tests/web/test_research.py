"""The researcher's pages: who gets in, studies made by form and by file, and the team's deeds."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from agents.models import ModelCall
from play.research.form import StudyForm
from play.research.form_checks import checks_as_text, checks_from_text
from play.research.studies import config_from_yaml
from sessions.errors import StudyError
from sessions.models import AuditLog, Event, Participant, Seat, Study, StudyMember
from sessions.selectors.access import study_role
from sessions.selectors.studies import study_config_yaml
from sessions.services import study_create, study_open
from sessions.services.members import invitation_create
from sessions.services.people import participant_consent, participant_join, participant_profile
from sessions.services.rehearsal import participant_rehearse
from simulator_bridge.models import WorldWait
from siturec.protocol.study import StudyConfig
from tests.web.shelf import shelve

pytestmark = pytest.mark.django_db

DESIGN = {
    "slug": "pilot",
    "title": "Pilot",
    "scene": "supermarket",
    "assistants": [{"slug": "expert"}, {"slug": "bad", "control": "floor"}],
    "tasks": {"mode": "fixed", "ids": ["1.1", "2.1"], "per_participant": 1},
    "quota": 4,
    "consent": {"text": "You take part of your own will."},
}


@pytest.fixture
def study() -> Study:
    shelve()
    return study_create(config=StudyConfig.model_validate(DESIGN))


@pytest.fixture
def researcher(study: Study) -> User:
    user = User.objects.create_user("rosa", password="a long password")
    StudyMember.objects.create(study=study, user=user, role="researcher")
    return user


@pytest.fixture
def monitor(study: Study) -> User:
    user = User.objects.create_user("mona", password="a long password")
    StudyMember.objects.create(study=study, user=user, role="monitor")
    return user


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def inside(study: Study) -> Participant:
    person = participant_join(study=study)
    return participant_consent(participant=person, shown_hash=study.design.consent.digest)


def pages(study: Study) -> list[str]:
    return [
        reverse(f"research:{name}", args=[study.slug])
        for name in ("overview", "live", "participants", "settings")
    ]


def test_strangers_are_asked_to_sign_in_and_outsiders_do_not_learn_that_a_study_exists(study):
    outsider = signed_in(User.objects.create_user("otto", password="a long password"))
    for page in pages(study):
        assert Client().get(page).headers["Location"].startswith("/research/login/")
        assert outsider.get(page).status_code == 404


@pytest.mark.parametrize("opened", [False, True])
def test_every_page_of_a_study_opens_for_its_team(study, researcher, opened):
    if opened:
        study = study_open(study=study)
        inside(study)
    client = signed_in(researcher)
    for page in [*pages(study), reverse("research:edit", args=[study.slug]), "/research/"]:
        answer = client.get(page)
        assert answer.status_code == 200, page
        assert "Pilot" in answer.content.decode()


def test_a_monitor_sees_but_changes_nothing(study, monitor):
    client = signed_in(monitor)
    assert client.get(reverse("research:overview", args=[study.slug])).status_code == 200
    assert client.post(reverse("research:act", args=[study.slug, "open"])).status_code == 403
    study.refresh_from_db()
    assert study.status == Study.Status.DRAFT


def test_opening_freezes_the_design_lays_out_the_seats_and_is_written_down(study, researcher):
    signed_in(researcher).post(reverse("research:act", args=[study.slug, "open"]))
    study.refresh_from_db()
    assert study.status == Study.Status.OPEN
    assert Seat.objects.filter(study=study, status="free").count() == 4
    assert AuditLog.objects.filter(study=study, actor=researcher, action="study: open").exists()


def test_the_form_keeps_a_design_exactly(study):
    form = StudyForm(_posted(StudyForm.initial_of(study.design)))
    assert form.is_valid(), form.errors
    assert form.config == study.design


def _posted(initial: dict) -> dict:
    return {name: value for name, value in initial.items() if value is not None and value is not False}


def test_what_the_form_makes_its_file_makes_again(study):
    assert config_from_yaml(study_config_yaml(study)) == study.design


def test_a_form_with_a_fault_saves_nothing_and_names_the_field(researcher):
    researcher.user_permissions.add(_add_study())
    initial = StudyForm.initial_of(StudyConfig.model_validate(DESIGN | {"slug": "other"}))
    answer = signed_in(researcher).post(
        reverse("research:new"), _posted(initial) | {"tasks_mode": "fixed", "tasks_ids": ""}
    )
    assert answer.status_code == 400
    assert "needs at least one id" in answer.content.decode()
    assert not Study.objects.filter(slug="other").exists()


def _add_study():
    from django.contrib.auth.models import Permission

    return Permission.objects.get(codename="add_study")


def test_a_file_with_faults_names_every_key():
    with pytest.raises(StudyError) as caught:
        config_from_yaml(
            "slug: Bad Slug\ntitle: ''\nscene: supermarket\nassistants: []\nconsent: {}\nnonsense: 1\n"
        )
    lines = str(caught.value).splitlines()
    assert {line.split(":")[0] for line in lines} >= {
        "slug",
        "title",
        "assistants",
        "consent.text",
        "nonsense",
    }


@pytest.mark.parametrize("text", ["2; 4", "x; 4; Choose 4", "2; 4;"])
def test_an_attention_check_that_cannot_be_read_names_its_line(text):
    with pytest.raises(ValueError, match="Line 2"):
        checks_from_text("1; 2; Choose 2\n" + text)


def test_attention_checks_survive_the_text_box():
    text = "1; 2; Choose; two\n3; 5; Choose 5"
    config = StudyConfig.model_validate(DESIGN | {"attention_checks": checks_from_text(text)})
    assert checks_as_text(config.attention_checks) == text


def test_a_look_at_a_draft_takes_no_seat_and_never_counts(study):
    visitor = participant_rehearse(study=study)
    participant_consent(participant=visitor, shown_hash=study.design.consent.digest)
    assert visitor.kind == "test"
    assert not Seat.objects.filter(study=study, rehearsal=False).exists()
    assert Seat.objects.get(participant=visitor).rehearsal
    opened = study_open(study=study)
    assert Seat.objects.filter(study=opened, rehearsal=False, status="free").count() == 4


def test_a_note_is_kept_for_the_participant_and_ends_a_call_for_help(study, monitor):
    opened = study_open(study=study)
    person = inside(opened)
    Event.objects.create(kind="help", participant=person, payload={"text": "I am lost"})
    client = signed_in(monitor)
    state = client.get(reverse("research:live-state", args=[study.slug])).json()
    assert state["figures"]["help"] == 1
    client.post(reverse("research:note", args=[study.slug, person.code]), {"text": "Turn around."})
    assert client.get(reverse("research:live-state", args=[study.slug])).json()["figures"]["help"] == 0
    assert Event.objects.get(kind="note").payload == {"text": "Turn around.", "by": "mona"}


def test_excluding_somebody_needs_a_reason_and_deals_the_seat_again(study, researcher):
    opened = study_open(study=study)
    person = inside(opened)
    client, page = signed_in(researcher), reverse("research:remove", args=[study.slug, person.code])
    client.post(page, {"deed": "exclude", "reason": " "})
    person.refresh_from_db()
    assert person.state == "active"
    client.post(page, {"deed": "exclude", "reason": "answered at random"})
    person.refresh_from_db()
    assert (person.state, person.state_reason) == ("excluded", "answered at random")
    assert Seat.objects.filter(study=opened, rehearsal=False, status="free").count() == 4


def test_an_invitation_makes_one_account_a_member_once(study, researcher):
    invitation = invitation_create(study=study, role="monitor", actor=researcher)
    page = reverse("research:invitation", args=[invitation.token])
    form = {"username": "nina", "password1": "walk-the-aisle-9", "password2": "walk-the-aisle-9"}
    assert Client().post(page, form).status_code == 302
    assert study_role(User.objects.get(username="nina"), study) == "monitor"
    Client().post(page, form | {"username": "niko"})
    assert not User.objects.filter(username="niko").exists()


def test_pictures_of_other_studies_stay_out_of_reach(study, researcher):
    page = reverse("research:picture", args=[study.slug, "0" * 64])
    assert signed_in(researcher).get(page).status_code == 404


def test_a_code_is_never_given_twice_even_after_an_erasure(study):
    from play.erasure import participant_erase

    opened = study_open(study=study)
    first, second = inside(opened), inside(opened)
    participant_erase(participant=first)
    third = inside(opened)
    participant_erase(participant=third)
    assert [second.code, third.code, inside(opened).code] == ["P002", "P003", "P004"]


def test_the_monitor_counts_people_and_shows_bots_apart(study, monitor):
    opened = study_open(study=study)
    inside(opened)
    for kind in ("bot", "test"):
        participant_rehearse(study=opened, kind=kind)
    state = signed_in(monitor).get(reverse("research:live-state", args=[study.slug])).json()
    assert (state["figures"]["inside"], state["figures"]["rehearsing"]) == (1, 2)
    assert [person["kind"] for person in state["people"]] == ["human", "bot", "test"]


def test_who_never_agreed_and_is_gone_no_longer_fills_the_monitor(study, monitor):
    opened = study_open(study=study)
    seated, passing = inside(opened), participant_join(study=opened)
    long_ago = timezone.now() - timedelta(minutes=30)
    Participant.objects.filter(study=opened).update(seen_at=long_ago)
    state = signed_in(monitor).get(reverse("research:live-state", args=[study.slug])).json()
    assert [person["code"] for person in state["people"]] == [seated.code]
    assert state["people"][0]["away"]
    assert passing.state == "active"


def test_the_monitor_says_who_waits_in_line_what_failed_what_it_cost_and_the_balance(study, monitor):
    opened = study_open(study=study)
    person = participant_profile(participant=inside(opened), profile={})
    first, second = person.episodes.order_by("position")[:2]
    first.goal_read_at = timezone.now()
    first.save()
    WorldWait.objects.create(
        scene=first.scene, holder=first.public_id, until=timezone.now() + timedelta(minutes=1)
    )
    ModelCall.objects.create(
        id="c1",
        episode=first.public_id,
        role="assistant",
        model_slug="m",
        started_at=timezone.now(),
        duration_s=1.0,
        outcome=ModelCall.Outcome.values[0],
        messages=[],
        cost_usd=0.25,
    )
    second.status, second.end_reason, second.failure = "ended", "technical_failure", "timeout"
    second.save()
    client = signed_in(monitor)
    state = client.get(reverse("research:live-state", args=[study.slug])).json()
    assert state["people"][0]["line"] == 1
    assert state["people"][0]["where"].startswith("in the store (1 of")
    assert state["figures"]["waiting"] == 1
    assert state["failures"] == {"timeout": 1}
    assert state["figures"]["cost"] == "0.25"
    assert sum(map(sum, state["positions"].values())) == person.episodes.count()
    page = client.get(reverse("research:live", args=[study.slug])).content.decode()
    assert "place 1 in line" in page
    assert "Balance" in page
