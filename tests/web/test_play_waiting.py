"""Waiting: one's true place in the line while every store is taken, and an assistant that takes minutes."""

import asyncio
import contextlib
import json

import pytest
from asgiref.sync import sync_to_async
from channels.testing import WebsocketCommunicator
from django.test import AsyncClient

from agents.registry import make_assistant
from play import live
from sessions.models import Turn
from sessions.services.episodes import episode_goal_read
from simulator_bridge import services
from simulator_bridge.models import WorldServer
from siturec.protocol.events import SERVER_EVENT
from siturec.protocol.study import TaskChoice
from siturec_web.asgi import application
from tests.web.plainworld import plain_source
from tests.web.samples_studies import opened, shopping

pytestmark = pytest.mark.django_db(transaction=True)
ORIGIN = [(b"origin", b"http://testserver"), (b"host", b"testserver")]


@pytest.fixture
async def full(monkeypatch):
    """The only store there is has one place, and somebody is in it; gives what frees it."""
    monkeypatch.setattr("simulator_bridge.pool.WAIT_POLL_S", 0.05)

    @sync_to_async
    def fill():
        WorldServer.objects.create(name="only", kind="store", address="127.0.0.1:9", capacity=1)
        return services.lease_take(scene="supermarket", holder="somebody")

    taken = await fill()
    return lambda: sync_to_async(services.lease_release)(token=taken.token)


@sync_to_async
def people(number, *, practising=0):
    study = opened(tasks=TaskChoice(sample=2), quota=5)
    all_of_them = [shopping(study) for _ in range(number)]
    for person in all_of_them[: number - practising]:
        episode_goal_read(episode=person.episodes.order_by("position").first())
    return all_of_them


@contextlib.asynccontextmanager
async def tab(address):
    client = WebsocketCommunicator(application, address, headers=ORIGIN)
    connected, _ = await client.connect()
    assert connected
    yield client
    with contextlib.suppress(asyncio.CancelledError):
        await client.disconnect()


async def place(client, wanted):
    """Read on until the page is told this place."""
    while True:
        message = json.loads(await client.receive_from(timeout=20))
        SERVER_EVENT.validate_python(message)
        if message["type"] in ("phase", "snapshot") and message["queue"] == wanted:
            return message


async def test_people_in_line_are_told_their_place_and_when_it_changes(full):
    first, second = await people(2)
    async with tab(f"/ws/p/{first.token}/") as one:
        assert (await place(one, 1))["phase"] == "preparing"
        async with tab(f"/ws/p/{second.token}/") as two:
            await place(two, 2)
            await two.send_to(text_data=json.dumps({"type": "resume"}))
            assert (await place(two, 2))["type"] == "snapshot", "a reload shows the place at once"
            await live.session_of(first.pk, first.token).stop()
            await place(two, 1)
            await full()
            assert (await place(two, None))["type"] == "phase"
            await live.session_of(second.pk, second.token).stop()


async def test_who_practises_stands_in_the_same_line(full):
    first, second = await people(2, practising=1)
    async with tab(f"/ws/p/{first.token}/") as one:
        await place(one, 1)
        async with tab(f"/ws/p/{second.token}/practice/") as practising:
            assert (await place(practising, 2))["practice"] is True
            await live.session_of(first.pk, first.token).stop()
            await place(practising, 1)


class SlowAssistant:
    """A model that takes minutes, in no time: it answers when the test says so."""

    slug = "slow"

    def __init__(self, inner):
        self.inner, self.asked, self.free = inner, asyncio.Event(), asyncio.Event()

    async def respond(self, given):
        self.asked.set()
        await self.free.wait()
        return await self.inner.respond(given)


@pytest.fixture
def slow(monkeypatch):
    """The assistant of whoever shops next."""
    mind = SlowAssistant(make_assistant("expert", seed=1))
    monkeypatch.setattr(live, "make_assistant", lambda slug, *, seed: mind)
    monkeypatch.setattr(
        live, "world_source", lambda scene, setting, **_: plain_source(setting.pack, setting.knowledge)
    )
    return mind


async def told(client, kind, **wanted):
    while True:
        got = await client.receive_output(timeout=20)
        message = json.loads(got["text"]) if got.get("text") else {}
        if message.get("type") == kind and wanted.items() <= message.items():
            return message


ACT = {
    "type": "act",
    "client_id": "client-1",
    "frame": 0,
    "reply": "Are you there?",
    "tool": "turn",
    "args": {"direction": "left", "angle": 30},
}


async def test_while_an_assistant_takes_minutes_the_page_lives_and_then_the_controls_come_back(slow):
    (person,) = await people(1)
    async with tab(f"/ws/p/{person.token}/") as one:
        await told(one, "phase", phase="assistant")
        await slow.asked.wait()
        await one.send_to(text_data=json.dumps(ACT))
        assert (await told(one, "refused"))["code"] == "busy"
        await one.send_to(text_data=json.dumps({"type": "draft", "text": "Are you there?"}))
        await one.send_to(text_data=json.dumps({"type": "resume"}))
        again = await told(one, "snapshot", phase="assistant")
        assert (again["frame"], again["draft"]["text"]) == (0, "Are you there?")
        slow.free.set()
        await told(one, "phase", phase="user")
        await one.send_to(text_data=json.dumps(ACT))
        await told(one, "accepted", client_id="client-1")
        await live.session_of(person.pk, person.token).stop()


async def test_while_an_assistant_takes_minutes_one_can_end_it(slow):
    (person,) = await people(1)
    async with tab(f"/ws/p/{person.token}/") as one:
        await told(one, "phase", phase="assistant")
        await slow.asked.wait()
        left = await AsyncClient().post(f"/p/{person.token}/leave/", {"choice": "leave"})
        assert left.status_code == 302
        await one.send_to(text_data=json.dumps(ACT))
        assert (await told(one, "refused"))["code"] == "sign_in"
        await live.session_of(person.pk, person.token).stop()
    slow.free.set()
    assert await sync_to_async(Turn.objects.filter(assistant__isnull=False).count)() == 0
