"""Many people in the stores at once: all get in, and nobody waits for another's slow call."""

import asyncio
import contextlib
import threading

import pytest
from asgiref.sync import sync_to_async

from play import live
from sessions.selectors import play as reading
from sessions.services.episodes import episode_goal_read
from siturec.protocol.study import TaskChoice
from tests.web.plainworld import plain_source
from tests.web.samples_studies import opened, shopping
from tests.web.tabs import Browser, ended

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def plain_store(monkeypatch):
    monkeypatch.setattr(
        live, "world_source", lambda scene, setting, **_: plain_source(setting.pack, setting.knowledge)
    )


@sync_to_async
def crowd(number):
    """People of one study, each before their first visit."""
    study = opened(assistants=("expert",), tasks=TaskChoice(sample=2, per_participant=1), quota=number)
    people = [shopping(study) for _ in range(number)]
    for person in people:
        episode_goal_read(episode=person.episodes.get())
    return people


@contextlib.asynccontextmanager
async def at_their_turn(people):
    """Everybody's tab, once it is their turn; all connect at the same moment."""
    async with contextlib.AsyncExitStack() as stack:

        async def enter(person):
            tab = await stack.enter_async_context(Browser(person))
            await tab.my_turn()
            return tab

        tabs = await asyncio.gather(*(enter(person) for person in people))
        try:
            yield tabs
        finally:
            for person in people:
                await ended(person)


async def test_a_hundred_who_enter_in_the_same_second_all_get_their_turn():
    people = await crowd(100)
    async with at_their_turn(people) as tabs:
        snapshots = [next(message for message in tab.seen if message["type"] == "snapshot") for tab in tabs]
        assert len(snapshots) == 100
        kinds = {message["type"] for tab in tabs for message in tab.seen}
        assert kinds <= {"snapshot", "phase", "line"}, "nobody was refused or apologised to"


async def test_while_one_call_to_the_database_hangs_the_others_get_their_answers(monkeypatch):
    people = await crowd(50)
    stuck, others = people[0], people[1:]
    asked, free, threads = threading.Event(), threading.Event(), set()
    real = reading.participant_standing

    def standing(participant_id):
        threads.add(threading.get_ident())
        if participant_id == stuck.pk:
            asked.set()
            assert free.wait(60), "the test is over"
        return real(participant_id)

    async with at_their_turn(people) as tabs:
        monkeypatch.setattr(reading, "participant_standing", standing)
        try:
            await tabs[0].act()
            assert await asyncio.to_thread(asked.wait, 20)
            for tab in tabs[1:]:
                await tab.act(frame=9, client_id="client-2")
            answers = await asyncio.gather(*(tab.until("refused") for tab in tabs[1:]))
            assert {answer["code"] for answer in answers} == {"stale"}
            assert not free.is_set()
        finally:
            free.set()
        await tabs[0].until("accepted", client_id="client-1")
    assert len(others) == 49
    assert len(threads) <= 16, "a thread is a connection to the database"
