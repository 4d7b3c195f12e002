"""A wall clock that is set back: nothing of an episode lasts less than it lasted, nor less than nothing."""

import time
from datetime import timedelta

import pytest
from asgiref.sync import sync_to_async
from django.utils import timezone

from play.clock import EpisodeClock
from sessions.models import Episode, Turn
from sessions.services.episodes import episode_fail
from sessions.services.people import participant_exclude, participant_return
from sessions.services.seats import episodes_abandon_stale, seats_release_stale
from siturec.protocol.study import TaskChoice
from tests.web.playing import STOP, Says, planned, play, record_of, reply
from tests.web.samples_studies import opened, shopping

HOUR = timedelta(hours=1)
PAUSE_S = 0.05


@pytest.fixture
def wall(monkeypatch):
    """Sets the wall clock this far off from now on."""
    true, off = timezone.now, [timedelta(0)]
    monkeypatch.setattr(timezone, "now", lambda: true() + off[0])

    def turn(by):
        off[0] = by

    return turn


@sync_to_async
def times(episode):
    row = Episode.objects.get(pk=episode.pk)
    turns = Turn.objects.filter(episode=row).order_by("index").values_list("observed_at", "executed_at")
    return [row.started_at, *(moment for both in turns for moment in both), row.ended_at]


@pytest.mark.django_db(transaction=True)
async def test_set_back_in_the_middle_of_an_episode_every_step_still_takes_its_time(wall):
    (episode,) = await sync_to_async(planned)()

    def slowly_while_the_clock_is_set_back(given):
        wall(-HOUR)
        time.sleep(PAUSE_S)
        return reply("I stay.")

    user = Says(reply("Hello."), slowly_while_the_clock_is_set_back, reply("Bye."))
    moderator = Says(None, None, None, None, STOP)
    await play(episode, cast={"user": user, "moderator": moderator})
    found = await times(episode)
    assert len(found) >= 8
    assert None not in found
    assert found == sorted(found)
    assert found[4] - found[3] >= timedelta(seconds=PAUSE_S)
    record = await record_of(episode, bare=False)
    assert record["ended_at"] > record["started_at"]


@pytest.mark.django_db(transaction=True)
async def test_an_episode_that_goes_on_after_a_restart_with_an_earlier_clock_goes_on_later(wall):
    (episode,) = await sync_to_async(planned)()
    once = iter([False])

    def stop_at_the_second_turn(operation):
        if operation == "execute" and next(once, True):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        await play(episode, fail=stop_at_the_second_turn, cast={"user": Says(reply())})
    wall(-HOUR)
    await play(episode, cast={"user": Says(reply())})
    found = await times(episode)
    assert found == sorted(found)


@pytest.fixture
def visiting(db):
    """Somebody in a visit that began, as the clock had it, an hour from now, and has had one look."""
    person = shopping(opened(tasks=TaskChoice(sample=2), quota=3))
    visit = person.episodes.order_by("position").first()
    began = timezone.now() + HOUR
    Episode.objects.filter(pk=visit.pk).update(status="running", started_at=began)
    Turn.objects.create(episode=visit, index=0, observed_at=began + timedelta(minutes=1))
    return person


def gone(person):
    person.study.participants.update(seen_at=timezone.now() - 30 * HOUR)
    return {"study": person.study, "now": timezone.now()}


@pytest.mark.parametrize(
    "end",
    [
        lambda person: participant_return(participant=person),
        lambda person: participant_exclude(participant=person, reason="asked to"),
        lambda person: episodes_abandon_stale(**gone(person)),
        lambda person: seats_release_stale(**gone(person)),
        lambda person: episode_fail(episode_id=person.episodes.get(status="running").pk, kind="w", detail=""),
    ],
    ids=["left", "excluded", "episode given up", "seat given up", "failed"],
)
def test_however_a_visit_is_ended_it_ends_after_what_was_in_it(visiting, end):
    end(visiting)
    visit = visiting.episodes.get(status="ended")
    assert visit.ended_at == visit.turns.get().observed_at
    assert visit.ended_at > visit.started_at


def test_a_visit_that_never_began_has_no_time_at_all(db):
    person = shopping(opened(tasks=TaskChoice(sample=2), quota=3))
    participant_return(participant=person)
    assert set(person.episodes.values_list("started_at", "ended_at")) == {(None, None)}


def test_the_next_episode_takes_the_clock_as_it_is(wall):
    clock = EpisodeClock()
    first = clock.now()
    wall(-HOUR)
    assert clock.now() > first
    assert EpisodeClock().now() < first
    wall(HOUR)
    assert clock.now() >= first + HOUR
