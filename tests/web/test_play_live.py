"""A turn of a person at a browser: sent, refused, answered, kept and ended."""

import json
from weakref import WeakKeyDictionary

import pytest
from django.test import AsyncClient

from sessions.models import Episode, Event
from tests.web.samples_studies import FIVE
from tests.web.tabs import Browser, ended, shopper, turns_of

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("plain_store")]


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


async def test_a_reply_with_nothing_to_read_is_none():
    person = await shopper()
    async with Browser(person) as tab:
        await tab.my_turn()
        await tab.act(reply=" \u200b\u2060\n")
        await tab.until("accepted")
        await ended(person)
    assert [turn.user["reply"] for turn in await turns_of(person) if turn.user] == [""]


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


async def test_a_call_for_help_by_a_plain_request_takes_no_visit_from_whoever_plays_it(monkeypatch):
    person = await shopper()
    async with Browser(person) as tab:
        await tab.my_turn()
        with monkeypatch.context() as elsewhere:  # the request is answered as by another process
            elsewhere.setattr("play.live._hubs", WeakKeyDictionary())
            elsewhere.setattr("play.live.OWNER", "another process")
            told = await AsyncClient().post(
                f"/p/{person.token}/act/", '{"type": "help", "text": "?"}', content_type="application/json"
            )
        assert told.json() == {"events": []}
        await tab.act()
        await tab.until("accepted")
        await ended(person)
    episode = await person.episodes.order_by("position").afirst()
    event = await Event.objects.aget(kind="help", participant=person)
    assert event.episode_id == episode.pk


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
