"""A person at a browser: the socket, and plain requests where there is none."""

import asyncio
import contextlib
import json

import pytest
from asgiref.sync import ThreadSensitiveContext, sync_to_async
from channels.testing import WebsocketCommunicator
from django.test import AsyncClient

from play import live
from play.worlds import world_source
from sessions.models import Episode, Event, Turn
from sessions.services.episodes import episode_goal_read
from sessions.services.people import participant_return
from siturec.protocol.events import SERVER_EVENT, unpack_picture
from siturec.protocol.study import TaskChoice
from siturec_web.asgi import application
from tests.web.plainworld import plain_source
from tests.web.samples_studies import FIVE, opened, shopping

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def plain_store(monkeypatch):
    def source(scene, setting, *, on_waiting=None):
        return plain_source(setting.pack, setting.knowledge)

    assert callable(world_source)
    monkeypatch.setattr(live, "world_source", source)


@sync_to_async
def shopper(**changes):
    study = opened(tasks=TaskChoice(sample=2), quota=3, **changes)
    person = shopping(study)
    episode_goal_read(episode=person.episodes.order_by("position").first())
    return person


class Browser:
    """A tab: reads messages as they come, keeps all of them."""

    def __init__(self, person):
        self.person, self.seen, self.pictures = person, [], []
        self.client = WebsocketCommunicator(application, f"/ws/play/{person.token}/", headers=ORIGIN)

    async def __aenter__(self):
        connected, _ = await self.client.connect()
        assert connected
        return self

    async def __aexit__(self, *exception):
        with contextlib.suppress(asyncio.CancelledError):
            await self.client.disconnect()

    async def send(self, **message):
        await self.client.send_to(text_data=json.dumps(message))

    async def until(self, kind, **wanted):
        """The next message of a kind with these values."""
        while True:
            got = await self.client.receive_output(timeout=20)
            if "bytes" in got and got["bytes"] is not None:
                self.pictures.append(unpack_picture(got["bytes"]))
                continue
            assert got["type"] == "websocket.send", got
            message = json.loads(got["text"])
            SERVER_EVENT.validate_python(message)
            self.seen.append(message)
            if message["type"] == kind and all(message.get(key) == value for key, value in wanted.items()):
                return message

    async def my_turn(self, turn=0):
        """Wait until it is this turn and the person's."""
        await self.until("phase", phase="user", turn=turn)

    async def act(self, frame=0, client_id="client-1", reply="Hello.", tool="turn", **more):
        args = more.pop("args", {"direction": "left", "angle": 30} if tool == "turn" else {})
        await self.send(
            type="act", client_id=client_id, frame=frame, reply=reply, tool=tool, args=args, **more
        )


ORIGIN = [(b"origin", b"http://testserver"), (b"host", b"testserver")]


async def ended(person):
    await live.session_of(person.pk, person.token).stop()


@sync_to_async
def turns_of(person):
    return list(Turn.objects.filter(episode__participant=person).order_by("index"))


async def test_a_turn_goes_from_the_page_to_the_record_and_back():
    person = await shopper()
    async with Browser(person) as tab:
        await tab.until("snapshot", frame=0)
        await tab.my_turn()
        await tab.act()
        await tab.until("accepted", client_id="client-1")
        outcome = await tab.until("outcome", turn=0)
        view = await tab.until("snapshot", turn=1)
        await ended(person)
    assert outcome["deed"]["ok"] is True
    assert [line["speaker"] for line in view["lines"]] == ["assistant", "user"]
    assert {kind for kind, _, _ in tab.pictures} == {1, 2}
    first = (await turns_of(person))[0]
    assert (first.client_id, first.user["reply"]) == ("client-1", "Hello.")
    numbers = [message["seq"] for message in tab.seen if message["type"] not in ("refused", "superseded")]
    assert numbers == sorted(numbers)
    assert set(range(1, max(numbers) + 1)) <= set(numbers)


async def test_sending_twice_counts_once():
    person = await shopper()
    async with Browser(person) as tab:
        await tab.my_turn()
        await tab.act()
        await tab.act()
        await tab.my_turn(1)
        await tab.act()
        await tab.until("accepted", client_id="client-1")
        await ended(person)
    assert len([turn for turn in await turns_of(person) if turn.user]) == 1


@pytest.mark.parametrize(
    ("act", "code", "words"),
    [
        ({"frame": 7}, "stale", "view has changed"),
        ({"tool": "add_to_cart"}, "not_allowed", "Pick up a product"),
        ({"tool": "fly"}, "not_allowed", "no tool 'fly'"),
        ({"reply": "x" * 1001}, "too_long", "1001 characters"),
        ({"reply": "Is it the shelf (A)?"}, "says_marker", "says a label"),
    ],
)
async def test_what_cannot_be_taken_is_refused_with_the_reason_and_costs_nothing(act, code, words):
    person = await shopper()
    async with Browser(person) as tab:
        snapshot = await tab.until("snapshot", frame=0)
        await tab.my_turn()
        if code == "says_marker":
            marker = next(thing["marker"] for thing in snapshot["things"] if thing["kind"] == "fixture")
            act = {"reply": f"Is it the shelf ({marker})?"}
        await tab.act(**act)
        refused = await tab.until("refused", client_id="client-1")
        assert (refused["code"], words in refused["reason"]) == (code, True)
        await tab.act(**{**act, "confirmed": True} if code == "says_marker" else {})
        await tab.until("accepted", client_id="client-1")
        await ended(person)
    assert len([turn for turn in await turns_of(person) if turn.user]) == 1
    assert await Event.objects.filter(kind="refused", participant=person).acount() == 1


async def test_a_study_may_want_words_and_block_labels():
    person = await shopper(reply_required=True, marker_policy="block")
    async with Browser(person) as tab:
        snapshot = await tab.until("snapshot", frame=0)
        await tab.my_turn()
        await tab.act(reply="  ")
        assert (await tab.until("refused"))["code"] == "empty"
        marker = next(thing["marker"] for thing in snapshot["things"] if thing["kind"] == "fixture")
        await tab.act(reply=f"The shelf ({marker})?", confirmed=True)
        assert (await tab.until("refused"))["code"] == "says_marker"
        await ended(person)


async def test_nonsense_is_refused_and_the_socket_lives_on():
    person = await shopper()
    async with Browser(person) as tab:
        await tab.my_turn()
        await tab.client.send_to(text_data="{not json")
        assert (await tab.until("refused"))["code"] == "invalid"
        await tab.send(type="act", frame=0)
        assert "client_id" in (await tab.until("refused"))["reason"]
        await tab.act()
        await tab.until("accepted")
        await ended(person)


async def test_a_reload_comes_back_to_the_same_turn_with_the_draft():
    person = await shopper()
    async with Browser(person) as tab:
        await tab.my_turn()
        await tab.act()
        await tab.my_turn(1)
        await tab.send(type="draft", text="Where is", tool="idle", args={})
        await tab.send(type="resume", have_seq=0, have_frame=None)
        await tab.until("snapshot")
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


async def test_nothing_sent_to_a_participant_names_an_assistant():
    person = await shopper()
    async with Browser(person) as tab:
        for turn in range(3):
            await tab.my_turn(turn)
            await tab.act(frame=turn, client_id=f"client-{turn}")
        await tab.my_turn(3)
        await ended(person)
    sent = json.dumps(tab.seen).casefold()
    words = {word.strip(".,!?\"'") for word in sent.split()}
    assert not words & set(FIVE) - {"plain"}
    assert "assistant_marker" not in sent
    assert "agents" not in sent


async def test_every_letter_answers_after_the_same_least_time():
    person = await shopper(min_reply_ms=400)
    async with Browser(person) as tab:
        await tab.my_turn()
        await ended(person)
    events = {event.kind: event.at async for event in Event.objects.filter(participant=person, seq__gt=0)[:4]}
    assert (events["assistant"] - events["view"]).total_seconds() >= 0.4


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


async def test_a_call_for_help_is_kept_where_the_team_looks():
    person = await shopper()
    async with Browser(person) as tab:
        await tab.my_turn()
        await tab.send(type="help", text="I am stuck.")
        await tab.act()
        await tab.until("accepted")
        await ended(person)
    event = await Event.objects.aget(kind="help", participant=person)
    assert event.payload["text"] == "I am stuck."


async def test_the_end_is_said_with_the_way_on_and_the_episode_is_closed():
    person = await shopper()
    episode = await person.episodes.order_by("position").afirst()
    await Episode.objects.filter(pk=episode.pk).aupdate(limits={"turns": 1})
    async with Browser(person) as tab:
        await tab.my_turn()
        await tab.act()
        over = await tab.until("ended")
    assert (over["end_reason"], over["next_url"]) == ("turn_limit", f"/p/{person.token}/")
    await episode.arefresh_from_db()
    assert (episode.status, episode.lease_owner) == ("ended", "")
