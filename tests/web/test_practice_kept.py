"""What is kept of a practice for a reload: nothing that cannot be read, and nothing of who has left."""

from datetime import timedelta

import pytest
from django.utils import timezone

from play.lesson import practice_done
from play.practice_kept import KeptPractice, practice_keep, practice_kept
from sessions.models import Participant
from sessions.services.people import participant_exclude, participant_return
from sessions.services.seats import seats_release_stale
from siturec.protocol.study import TaskChoice
from tests.web.samples_studies import opened, shopping

KEPT = KeptPractice(turn=2, done=frozenset({"walk"}), draft={"text": "half a sen"})


@pytest.fixture
def practising(db):
    person = shopping(opened(tasks=TaskChoice(sample=2), quota=3))
    Participant.objects.filter(pk=person.pk).update(practised_at=None)
    practice_keep(participant_id=person.pk, kept=KEPT)
    assert practice_kept(person.pk) == KEPT
    return person


def stay_away(person):
    person.study.participants.update(seen_at=timezone.now() - timedelta(hours=30))
    seats_release_stale(study=person.study, now=timezone.now())


@pytest.mark.parametrize(
    "end",
    [
        lambda person: practice_done(participant=person),
        lambda person: participant_return(participant=person),
        lambda person: participant_exclude(participant=person, reason="asked to"),
        stay_away,
    ],
    ids=["done", "left", "excluded", "gone"],
)
def test_nothing_is_kept_of_a_practice_that_is_over_or_whose_participant_has_left(practising, end):
    end(practising)
    practice_keep(participant_id=practising.pk, kept=KEPT)  # by a tab that has not heard of it
    assert Participant.objects.get(pk=practising.pk).practice == {}


def test_what_cannot_be_read_any_more_begins_anew_and_the_log_says_where_it_was_wrong(practising, caplog):
    kept = {"turn": "second", "draft": "my own words"}
    Participant.objects.filter(pk=practising.pk).update(practice=kept)
    assert practice_kept(practising.pk) == KeptPractice()
    assert "cannot be read: draft, turn" in caplog.text
    assert "my own words" not in caplog.text
