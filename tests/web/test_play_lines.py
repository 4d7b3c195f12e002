"""A person at a browser through reloads, restarts, other tabs, other people, and where there is no socket."""

import asyncio
import json

import pytest
from asgiref.sync import ThreadSensitiveContext, sync_to_async
from channels.testing import WebsocketCommunicator
from django.test import AsyncClient

from play import live
from sessions.models import Episode, Event
from sessions.services.episodes import episode_goal_read
from sessions.services.people import participant_return
from siturec_web.asgi import application
from tests.web.samples_studies import shopping
from tests.web.tabs import ORIGIN, Browser, ended, shopper, turns_of

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("plain_store")]


@sync_to_async
def kept_draft(person):
    return Episode.objects.filter(participant=person).exclude(draft={}).get().draft


async def test_a_reload_comes_back_to_the_same_turn_with_the_draft():
    person = await shopper()
    async with Browser(person) as tab:
        await tab.my_turn()
        await tab.act()
        await tab.my_turn(1)
        await tab.send(type="draft", stamp="first", text="Where is", tool="idle", args={})
        await tab.until("drafted", stamp="first")
        assert await kept_draft(person) == {"text": "Where is", "tool": "idle", "args": {}}
    async with Browser(person) as again:
        snapshot = await again.until("snapshot")
        await ended(person)
    assert (snapshot["turn"], snapshot["phase"]) == (1, "user")
    assert snapshot["draft"]["text"] == "Where is"
    assert len(snapshot["lines"]) == 3


async def test_after_a_restart_another_process_goes_on_where_the_record_stands():
    person = await shopper()
    async with Browser(person) as tab:
        await tab.my_turn()
        await tab.act()
        await tab.my_turn(1)
        before = tab.seen[-1]["seq"]
    await ended(person)
    live._hubs.clear()
    async with Browser(person) as again:
        view = await again.until("snapshot", frame=1)
        await again.my_turn(1)
        await again.act(frame=1, client_id="client-2")
        await again.until("outcome", turn=1)
        await again.my_turn(2)
        await ended(person)
    assert view["seq"] > before
    assert view["last_client_id"] in (None, "client-1")
    turns = await turns_of(person)
    assert [turn.client_id for turn in turns if turn.user] == ["client-1", "client-2"]
    assert not await Event.objects.filter(kind="view_differs").aexists()


async def test_the_newest_tab_plays_and_the_older_one_can_take_over():
    person = await shopper()
    async with Browser(person) as old:
        await old.my_turn()
        async with Browser(person) as new:
            await old.until("superseded")
            await old.act()
            assert (await old.until("refused"))["code"] == "superseded"
            await old.send(type="take_over")
            await new.until("superseded")
            await old.until("snapshot")
            await old.act()
            await old.until("accepted")
            await ended(person)


async def test_two_people_at_once_do_not_disturb_each_other():
    one, other = await shopper(), None
    study = await sync_to_async(lambda: one.study)()
    other = await sync_to_async(lambda: shopping(study))()
    await sync_to_async(lambda: episode_goal_read(episode=other.episodes.order_by("position").first()))()
    async with Browser(one) as first, Browser(other) as second:
        await asyncio.gather(first.my_turn(), second.my_turn())
        await asyncio.gather(first.act(reply="One."), second.act(reply="Two."))
        await asyncio.gather(first.my_turn(1), second.my_turn(1))
        await asyncio.gather(ended(one), ended(other))
    assert (await turns_of(one))[0].user["reply"] == "One."
    assert (await turns_of(other))[0].user["reply"] == "Two."


async def test_who_has_left_in_another_tab_is_told_so_and_keeps_the_text():
    person = await shopper()
    async with Browser(person) as tab:
        await tab.my_turn()
        await sync_to_async(participant_return)(participant=person)
        await tab.act()
        assert (await tab.until("refused"))["code"] == "sign_in"
        await ended(person)


async def test_a_link_nobody_has_is_closed_with_a_reason():
    client = WebsocketCommunicator(application, "/ws/play/nobody/", headers=ORIGIN)
    await client.connect()
    assert json.loads(await client.receive_from())["code"] == "sign_in"
    assert (await client.receive_output())["code"] == 4404


async def test_without_a_socket_the_same_talk_goes_over_plain_requests():
    person = await shopper()
    web = AsyncClient()
    snapshot = {}
    for _ in range(200):
        async with ThreadSensitiveContext():  # as the server does for each request
            answer = await web.get(f"/p/{person.token}/state/")
        snapshot = answer.json()
        if snapshot.get("phase") == "user":
            break
        await asyncio.sleep(0.05)
    act = {"type": "act", "client_id": "client-1", "frame": 0, "reply": "Hello.", "tool": "idle", "args": {}}
    body = json.dumps(act)
    for _ in range(2):
        async with ThreadSensitiveContext():
            answer = await web.post(f"/p/{person.token}/act/", body, content_type="application/json")
        assert [event["type"] for event in answer.json()["events"]] == ["accepted"]
    await ended(person)
    assert len([turn for turn in await turns_of(person) if turn.user]) == 1
