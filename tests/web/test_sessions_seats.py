"""Seats: laid out, claimed, released and dealt again."""

from datetime import timedelta

import pytest
from django.utils import timezone

from sessions.errors import NoSeatFree, NotAccepting
from sessions.models import Episode, Participant, Seat
from sessions.selectors import balance_table
from sessions.services.people import (
    participant_consent,
    participant_exclude,
    participant_finish,
    participant_join,
    participant_return,
    participant_screen_out,
)
from sessions.services.seats import episodes_abandon_stale, seats_release_stale
from tests.web.samples_studies import opened, rate_all, seated

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("supermarket_once")]


def test_a_study_in_the_papers_shape_has_five_seats_that_use_each_row_once():
    study = opened()
    seats = list(Seat.objects.filter(study=study))
    assert len(seats) == 5
    assert sorted(part["row"] for seat in seats for part in seat.plan) == list(range(10))


def test_a_claimed_seat_plans_ten_episodes_under_letters_in_its_order():
    person = seated(opened())
    episodes = list(person.episodes.order_by("position"))
    plan = person.seats.get().plan
    assert [episode.letter for episode in episodes] == list("ABCDE") * 2
    assert [episode.assistant for episode in episodes] == plan[0]["order"] + plan[1]["order"]
    assert {episode.task_id for episode in episodes} == {part["task"] for part in plan}
    assert len({episode.seed for episode in episodes}) == 10


def test_the_same_recruiting_id_is_the_same_participant_with_one_seat():
    study = opened()
    first, again = seated(study, external_id="abc"), seated(study, external_id="abc")
    assert first.pk == again.pk
    assert Seat.objects.filter(status="claimed").count() == 1


def test_when_all_seats_are_taken_nobody_new_gets_in():
    study = opened(quota=2)
    late = participant_join(study=study)
    seated(study), seated(study)
    with pytest.raises(NotAccepting, match="All places in this study are taken"):
        participant_join(study=study)
    with pytest.raises(NoSeatFree):
        seated_late(study, late)


def seated_late(study, person):
    return participant_consent(participant=person, shown_hash=study.design.consent.digest)


@pytest.mark.parametrize("leave", [participant_return, participant_screen_out, participant_exclude])
def test_the_row_of_one_who_leaves_is_dealt_again_with_the_reason_kept(leave):
    study = opened(quota=1)
    person = seated(study)
    plan = person.seats.get().plan
    leave(participant=person, reason="too loud")
    released = Seat.objects.get(status="released")
    assert released.participant == person
    assert "too loud" in released.reason
    follower = seated(study)
    assert follower.seats.get().plan == plan
    assert follower.seats.get().deal == 2


def test_excluding_someone_who_finished_deals_their_row_again():
    study = opened(quota=1)
    person = seated(study)
    rate_all(person)
    person.profiled_at = timezone.now()
    person.save()
    participant_finish(participant=person)
    assert Seat.objects.get(participant=person).status == "finished"
    participant_exclude(participant=person, reason="played by a bot")
    assert Seat.objects.filter(study=study, status="free").count() == 1


def test_people_who_are_gone_for_long_lose_their_seat_and_those_who_are_back_in_time_do_not():
    study = opened(quota=2)
    gone, here = seated(study), seated(study)
    now = timezone.now()
    Participant.objects.filter(pk=gone.pk).update(seen_at=now - timedelta(hours=3))
    released = seats_release_stale(study=study, now=now)
    assert [seat.participant_id for seat in released] == [gone.pk]
    gone.refresh_from_db()
    here.refresh_from_db()
    assert (gone.state, here.state) == ("abandoned", "active")
    assert Seat.objects.filter(study=study, status="free").count() == 1


def test_an_interaction_nobody_came_back_to_is_abandoned_but_keeps_its_seat():
    study = opened(quota=1)
    person = seated(study)
    episode = person.episodes.order_by("position").first()
    Episode.objects.filter(pk=episode.pk).update(status="running", started_at=timezone.now())
    Participant.objects.filter(pk=person.pk).update(seen_at=timezone.now() - timedelta(minutes=31))
    assert episodes_abandon_stale(study=study, now=timezone.now()) == 1
    episode.refresh_from_db()
    assert episode.end_reason == "abandoned"
    assert Seat.objects.get(participant=person).status == "claimed"


def test_bots_and_withdrawn_people_leave_twelve_humans_balanced_alone():
    study = opened(assistants=("expert", "plain", "bad"), quota=12)
    for _ in range(10):
        seated(study, kind="bot")
    for _ in range(2):
        participant_return(participant=seated(study))
    for _ in range(12):
        seated(study)
    balance = balance_table(study)
    assert balance.spread == 0
    assert {count for row in balance.follows.values() for count in row.values()} == {8}
    assert balance.seats == {"free": 0, "claimed": 12, "finished": 0, "released": 2}
