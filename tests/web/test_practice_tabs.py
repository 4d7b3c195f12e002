"""A practice in one tab and in many: one world, one turn at a time, and no database that stops it."""

import asyncio
import contextlib
import itertools

import pytest
from asgiref.sync import sync_to_async
from channels.db import database_sync_to_async
from channels.testing import WebsocketCommunicator
from django.db import OperationalError

from catalog.selectors import scene_pack
from play import consumers_practice
from play.loading import knowledge_of
from sessions.services import participant_exclude
from siturec.protocol.study import TaskChoice
from siturec_web.asgi import application
from tests.web.plainworld import plain_source
from tests.web.samples_studies import opened, shopping
from tests.web.tabs import ORIGIN, Browser

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("plain_store")]


class Practising(Browser):
    """A tab at the practice's address."""

    def __init__(self, person):
        super().__init__(person)
        self.client = WebsocketCommunicator(application, f"/ws/p/{person.token}/practice/", headers=ORIGIN)

    async def __aenter__(self):
        connected, _ = await self.client.connect(timeout=20)
        assert connected
        return self

    async def act(self, number):
        await super().act(frame=0, client_id=f"client-{number}", reply="")


@pytest.fixture
def practice_worlds(monkeypatch):
    held = []

    @contextlib.asynccontextmanager
    async def lease(scene, **_):
        pack = await database_sync_to_async(scene_pack)(scene)
        async with plain_source(pack, knowledge_of(pack))() as world:
            held.append(world)
            try:
                yield world
            finally:
                held.remove(world)

    monkeypatch.setattr(consumers_practice, "lease_world", lease)
    return held


@sync_to_async
def newcomer():
    return shopping(opened(tasks=TaskChoice(sample=2), quota=3))


async def test_however_many_practices_are_opened_one_world_is_held(practice_worlds):
    person = await newcomer()

    async def the_others_give_theirs_back():
        for _ in range(500):
            if len(practice_worlds) == 1:
                return
            await asyncio.sleep(0.02)
        raise AssertionError(f"{len(practice_worlds)} worlds are held")

    async with contextlib.AsyncExitStack() as tabs:
        opened_tabs = [await tabs.enter_async_context(Practising(person)) for _ in range(4)]
        await opened_tabs[-1].until("snapshot", phase="user")
        for older in opened_tabs[:-1]:
            await older.until("superseded")
        await the_others_give_theirs_back()
        await opened_tabs[0].act(1)
        assert (await opened_tabs[0].until("refused"))["code"] == "superseded"
        await opened_tabs[0].send(type="take_over")
        await opened_tabs[0].until("snapshot", phase="user")
        await opened_tabs[-1].until("superseded")
        await the_others_give_theirs_back()


@pytest.mark.parametrize("listens", [True, False], ids=["already", "not yet"])
async def test_a_tab_that_was_opened_first_and_comes_in_last_takes_nothing_over(
    practice_worlds, monkeypatch, listens
):
    person, late = await newcomer(), asyncio.Event()
    name = "_practise_here" if listens else "_listen"
    going_on, first = getattr(consumers_practice.PracticeConsumer, name), []

    async def held_up(consumer):
        first.append(consumer)
        if consumer is first[0]:
            await late.wait()
        await going_on(consumer)

    monkeypatch.setattr(consumers_practice.PracticeConsumer, name, held_up)
    async with Practising(person) as older, Practising(person) as newer:
        await newer.until("snapshot", phase="user")
        late.set()
        await older.until("superseded")
        await newer.act(1)
        await newer.until("snapshot", turn=1)
        assert len(practice_worlds) == 1


async def test_a_clock_that_is_set_back_leaves_the_practice_where_one_says_it_shall_go_on(
    practice_worlds, monkeypatch
):
    person, moments = await newcomer(), itertools.count(10**9, -1000)
    monkeypatch.setattr(consumers_practice.time, "time_ns", lambda: next(moments))
    async with Practising(person) as first, Practising(person) as second:
        await second.until("superseded")
        await first.until("snapshot", phase="user")
        for older, newer in ((first, second), (second, first)):
            await newer.send(type="take_over")
            await older.until("superseded")
            await newer.until("snapshot", phase="user")


async def test_a_database_that_is_busy_for_a_moment_costs_nobody_the_practice(practice_worlds, monkeypatch):
    def busy(**_):
        raise OperationalError("database is locked")

    monkeypatch.setattr(consumers_practice, "practice_keep", busy)
    async with Practising(await newcomer()) as tab:
        await tab.send(type="draft", stamp="lost", text="half a sen")
        await tab.until("snapshot", phase="user")
        await tab.act(1)
        await tab.until("snapshot", phase="user", turn=1)
    assert "drafted" not in [message["type"] for message in tab.seen]


async def test_acts_sent_at_once_in_practice_are_one_turn(practice_worlds):
    async with Practising(await newcomer()) as tab:
        await tab.until("snapshot", phase="user")
        for number in range(4):
            await tab.act(number)
        refused = [await tab.until("refused") for _ in range(3)]
        await tab.send(type="resume", have_seq=1)
        while (await tab.until("snapshot"))["turn"] != 1:
            await tab.send(type="resume", have_seq=1)
    assert {message["code"] for message in refused} <= {"busy", "stale"}


async def test_there_is_no_practice_before_consent_or_after_leaving(practice_worlds):
    person = await newcomer()
    await database_sync_to_async(participant_exclude)(participant=person, reason="a test")
    async with Practising(person) as tab:
        assert (await tab.until("refused"))["code"] == "ended"
    assert practice_worlds == []
