"""A study's life, and a participant's way through it."""

from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from sessions.errors import NotAccepting, StudyError, StudyFrozen, WrongStep
from sessions.models import Episode, Seat, Study, StudyVersion
from sessions.selectors import participant_place
from sessions.services import study_close, study_create, study_open, study_pause, study_revise, study_update
from sessions.services.episodes import episode_goal_read, episode_rated
from sessions.services.people import (
    participant_consent,
    participant_finish,
    participant_join,
    participant_profile,
    participant_screen_out,
)
from siturec.protocol.study import AssistantChoice, Consent, TaskChoice
from tests.web.samples_studies import config, opened, rate_all, seated, shopping

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("supermarket_once")]


def test_an_open_study_is_frozen_and_a_change_makes_a_new_version():
    study = opened()
    with pytest.raises(StudyFrozen):
        study_update(study=study, config=config(title="Other"))
    inside = seated(study)
    revised = study_revise(study=study, config=config(title="Other", quota=7))
    assert revised.version == 2
    assert Seat.objects.filter(study=study, version=2, status="free").count() == 6
    assert not Seat.objects.filter(study=study, version=1, status="free").exists()
    newcomer = seated(revised)
    assert (inside.version, newcomer.version) == (1, 2)
    assert set(newcomer.episodes.values_list("study_version", flat=True)) == {2}
    assert StudyVersion.objects.get(number=1).design.title == "A study"


def test_opening_names_every_fault_and_opens_nothing():
    study = study_create(
        config=config(assistants=("expert", "nobody"), tasks=TaskChoice(mode="fixed", ids=("99.1",)))
    )
    with pytest.raises(StudyError, match=r"99\.1.*; assistants: there is no assistant 'nobody'"):
        study_open(study=study, known_assistants=("expert",))
    study.refresh_from_db()
    assert study.status == "draft"
    assert not Seat.objects.exists()


def test_completion_codes_are_made_once_and_differ():
    codes = opened().design.codes
    assert len({codes.done, codes.screened_out, codes.returned}) == 3
    assert Study.objects.get().design.codes == codes


@pytest.mark.parametrize("change", ["draft", "closed", "paused", "early", "late"])
def test_nobody_joins_a_study_that_does_not_accept_people_and_the_reason_is_said(change):
    now = timezone.now()
    times = {
        "early": {"opens_at": now + timedelta(days=1)},
        "late": {"opens_at": now - timedelta(days=2), "closes_at": now - timedelta(days=1)},
    }
    if change == "draft":
        study = study_create(config=config())
    else:
        study = opened(**times.get(change, {}))
    if change == "closed":
        study_close(study=study)
    if change == "paused":
        study_pause(study=study, paused=True)
    words = {
        "draft": "not opened",
        "closed": "closed",
        "paused": "paused",
        "early": "opens at",
        "late": "closed",
    }
    with pytest.raises(NotAccepting, match=words.get(change, "closed")):
        participant_join(study=study)


def test_consent_is_stored_with_version_hash_and_time_and_another_text_is_refused():
    study = opened(consent=Consent(text="I agree.", version="7"))
    person = participant_join(study=study)
    with pytest.raises(WrongStep, match="changed since"):
        participant_consent(participant=person, shown_hash="0" * 64)
    person = participant_consent(participant=person, shown_hash=study.design.consent.digest)
    assert person.consent_version == "7"
    assert person.consent_hash == study.design.consent.digest
    assert person.consented_at is not None


def test_the_steps_follow_the_record_from_consent_to_the_end():
    study = opened(assistants=("expert", "bad"), tasks=TaskChoice(sample=2))
    person = participant_join(study=study)
    assert participant_place(person).step == "consent"
    person = participant_consent(participant=person, shown_hash=study.design.consent.digest)
    assert participant_place(person).step == "profile"
    person = participant_profile(participant=person, profile={})
    seen = []
    while (place := participant_place(person)).step != "finish":
        seen.append((place.step, place.number))
        if place.step == "goal":
            episode_goal_read(episode=place.episode)
        elif place.step == "store":
            Episode.objects.filter(pk=place.episode.pk).update(
                status="ended", end_reason="turn_limit", started_at=timezone.now(), ended_at=timezone.now()
            )
        else:
            with pytest.raises(WrongStep, match="questionnaire"):
                participant_finish(participant=person)
            episode_rated(episode=place.episode)
    assert seen == [
        ("goal", 1), ("store", 1), ("questionnaire", 1), ("store", 2), ("questionnaire", 2),
        ("goal", 3), ("store", 3), ("questionnaire", 3), ("store", 4), ("questionnaire", 4),
    ]  # fmt: skip
    assert participant_finish(participant=person) == study.design.codes.done
    person.refresh_from_db()
    assert participant_place(person).step == "done"
    assert participant_finish(participant=person) == study.design.codes.done


@pytest.mark.parametrize("reason", ["technical_failure", "abandoned"])
def test_an_interaction_that_failed_is_not_asked_about(reason):
    person = shopping(opened())
    first = person.episodes.order_by("position").first()
    Episode.objects.filter(pk=first.pk).update(status="ended", end_reason=reason)
    assert participant_place(person).number == 2


def test_screened_out_stays_screened_out():
    study = opened()
    person = seated(study)
    code = participant_screen_out(participant=person, reason="failed a check")
    assert code == study.design.codes.screened_out
    person.refresh_from_db()
    rate_all(person)
    assert participant_place(person).step == "screened_out"
    with pytest.raises(WrongStep):
        participant_finish(participant=person)


def test_a_study_from_a_file_is_exported_back_the_same(tmp_path):
    twins = (
        AssistantChoice(slug="expert"),
        AssistantChoice(slug="expert-twin", control="twin", twin_of="expert"),
        AssistantChoice(slug="bad", control="floor"),
    )
    design = config("from-file", title="Größe 日本語").model_copy(update={"assistants": twins})
    study_create(config=design)
    call_command("create_study", tmp_path / "one.yaml", export="from-file", verbosity=0)
    Study.objects.all().delete()
    call_command("create_study", tmp_path / "one.yaml", open=True, verbosity=0)
    study = Study.objects.get()
    assert study.status == "open"
    assert study.design.model_copy(update={"codes": design.codes}) == design


def test_a_faulty_file_is_refused_with_the_key(tmp_path):
    path = tmp_path / "bad.yaml"
    path.write_text(
        "slug: x\ntitle: X\nscene: supermarket\nconsent: {text: ok}\nassistants: [{slug: nobody}]\n"
    )
    with pytest.raises(CommandError, match="assistants: there is no assistant 'nobody'"):
        call_command("create_study", path)
    path.write_text("slug: x\ntitel: X\n")
    with pytest.raises(CommandError, match="titel"):
        call_command("create_study", path)
