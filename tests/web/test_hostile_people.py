"""Participants who try things: what they send, after they have gone, all at once, and from everywhere."""

import asyncio
import json
import threading
import time

import pytest
from channels.db import database_sync_to_async
from django.db import connections
from django.test import Client

from play import recorder
from play.erasure import participant_erase
from play.views_arrival import external_values
from questionnaire.models import Rating
from questionnaire.services import answers_save
from sessions.models import Episode, Event, Frame, Participant, Turn
from sessions.services import participant_exclude
from siturec.protocol.study import AttentionCheck, TaskChoice
from siturec.protocol.vocabulary import DIMENSIONS
from tests.web.plainworld import PlainWorld
from tests.web.samples_studies import opened, shopping
from tests.web.tabs import Browser, ended, shopper

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("plain_store")]


@database_sync_to_async
def over(person, how):
    if how == "excluded":
        participant_exclude(participant=person, reason="a test")
    else:
        participant_erase(participant=person)


@pytest.mark.parametrize(
    "junk",
    [
        '{"type": "act", "client_id": "client-9", "frame": 0, "tool": "turn", "args": {"angle": NaN}}',
        '{"type": "draft", "text": "x", "args": {"angle": Infinity}}',
        '{"type": "help", "text": 5}',
    ],
)
async def test_junk_neither_closes_the_line_nor_costs_the_turn(junk):
    person = await shopper()
    async with Browser(person) as tab:
        await tab.my_turn()
        await tab.client.send_to(text_data=junk)
        assert (await tab.until("refused"))["code"] == "invalid"
        await tab.client.send_to(bytes_data=b"\x00\xff" * 50)
        assert (await tab.until("refused"))["code"] == "invalid"
        await tab.act()
        await tab.until("accepted", client_id="client-1")
        await ended(person)


async def test_a_flood_ends_the_line_and_leaves_the_visit_as_it_was():
    person = await shopper()
    async with Browser(person) as tab:
        await tab.my_turn()
        began = time.monotonic()
        for _ in range(2000):
            await tab.send(type="help", text="help")
        while (output := await tab.client.receive_output(timeout=20))["type"] != "websocket.close":
            pass
        assert output["code"] == 4429
    # The burst and the steady rate of ``play.incoming.Pace``, however slow this machine is today.
    most = 150 + 15 * (time.monotonic() - began)
    assert 100 < await database_sync_to_async(Event.objects.filter(kind="help").count)() <= most
    async with Browser(person) as tab:
        snapshot = await tab.until("snapshot")
        assert (snapshot["phase"], snapshot["turn"]) == ("user", 0)
        await ended(person)


@pytest.mark.parametrize("how", ["excluded", "erased"])
async def test_a_visit_stops_when_participation_ends(how):
    person = await shopper()
    async with Browser(person) as tab:
        await tab.my_turn()
        await over(person, how)
        for message in ({"type": "draft", "text": "still here"}, {"type": "help", "text": "still here"}):
            await tab.send(**message)
        assert (await tab.until("refused"))["code"] == "sign_in"
        await tab.act()
        assert (await tab.until("refused", client_id="client-1"))["code"] == "sign_in"
        await ended(person)
    assert not await database_sync_to_async(Event.objects.filter(kind="help").exists)()


@database_sync_to_async
def kept():
    return Turn.objects.count(), Frame.objects.count()


def pictures():
    return {path for path in Frame(digest="0" * 64).path.parents[1].rglob("*") if path.is_file()}


@pytest.fixture
def held(monkeypatch):
    """Nobody's action comes to its end before this is set."""
    gate, original = asyncio.Event(), PlainWorld.execute

    async def execute(self, action, *, moving=None):
        await gate.wait()
        return await original(self, action, moving=moving)

    monkeypatch.setattr(PlainWorld, "execute", execute)
    return gate


@pytest.mark.parametrize("how", ["excluded", "erased"])
async def test_a_turn_under_way_leaves_nothing_after_participation_ended(how, held):
    before_all = pictures()
    person = await shopper()
    async with Browser(person) as tab:
        await tab.my_turn()
        await tab.act()
        await tab.until("accepted", client_id="client-1")
        await over(person, how)
        before = await kept()
        held.set()
        assert (await tab.until("refused"))["code"] == "sign_in"
        await ended(person)
    after = await kept()
    assert after == before
    if how == "erased":
        assert after == (0, 0)
        assert pictures() == before_all


async def test_pictures_that_are_being_kept_do_not_outlive_an_erasure(monkeypatch):
    """The erasure comes between the question for the lease and the writing of the pictures."""
    before_all, original, erased = pictures(), recorder.frames_store, threading.Event()
    person = await shopper()

    def erase():
        participant_erase(participant=Participant.objects.get(pk=person.pk))
        connections.close_all()
        erased.set()

    def store(*, pictures):
        threading.Thread(target=erase).start()
        erased.wait(0.5)  # as far as it gets meanwhile
        return original(pictures=pictures)

    async with Browser(person) as tab:
        await tab.my_turn()
        monkeypatch.setattr(recorder, "frames_store", store)
        await tab.act()
        await tab.until("accepted", client_id="client-1")
        assert await asyncio.to_thread(erased.wait, 20)
        await ended(person)
    assert await kept() == (0, 0)
    assert pictures() == before_all


def sheet(value="4"):
    return dict.fromkeys(DIMENSIONS, value)


def rated(study):
    person = shopping(study)
    first = person.episodes.order_by("position").first()
    Episode.objects.filter(pk=first.pk).update(status="ended", end_reason="turn_limit")
    return person, first


def test_a_crash_right_after_the_answers_lets_no_failed_check_pass(monkeypatch):
    check = AttentionCheck(after_episode=1, text="Choose 2 here.", expected=2)
    study = opened(tasks=TaskChoice(sample=2), quota=3, attention_checks=(check,))
    person, first = rated(study)

    def crash(**_):
        raise SystemError("the power went")

    path = f"/p/{person.token}/questionnaire/1/"
    browser = Client(raise_request_exception=False)
    with monkeypatch.context() as patch:
        patch.setattr("play.views_questions.participant_screen_out", crash)
        assert browser.post(path, sheet() | {"check-1": "5"}).status_code == 500
    assert not Rating.objects.filter(episode=first).exists()
    browser.post(path, sheet() | {"check-1": "5"})
    person.refresh_from_db()
    assert person.state == Participant.State.SCREENED_OUT


@pytest.mark.parametrize("wrong", ["0", "6", "3.5", "true", "", "-1", "\uff14", "1e0", "nan", "5" * 5000])
def test_only_whole_points_of_the_scale_are_scores(wrong):
    person, first = rated(opened(tasks=TaskChoice(sample=2), quota=3))
    page = Client().post(f"/p/{person.token}/questionnaire/1/", sheet() | {"naturalness": wrong})
    assert page.status_code == 200
    assert not Rating.objects.filter(episode=first).exists()


def test_written_answers_lose_what_no_database_or_spreadsheet_can_hold():
    _, first = rated(opened(tasks=TaskChoice(sample=2), quota=3))
    given = dict.fromkeys(DIMENSIONS, "\x004\x01")
    saved = answers_save(episode=first, given=given, client_id="\0abc")
    assert saved.sheet.client_id == "abc"
    assert set(Rating.objects.filter(episode=first).values_list("score", flat=True)) == {4}
    assert external_values({"PROLIFIC_PID": "a\0b\x07", "STUDY_ID": "\0"}) == {"PROLIFIC_PID": "ab"}


@pytest.mark.parametrize(
    "path", ["/p/%00/", "/s/%00/", "/p/x/?a=%00", "/research/?next=%00", "/p/x%00/frame/1/0/"]
)
def test_an_address_with_a_nul_leads_nowhere(client, path):
    assert client.get(path).status_code == 404


def test_messages_of_the_plain_line_are_read_alike(client):
    person = shopping(opened(tasks=TaskChoice(sample=2), quota=3))
    body = json.dumps(
        {"type": "act", "client_id": "client-1", "frame": 0, "tool": "turn", "args": {"angle": float("nan")}}
    )
    answer = client.post(f"/p/{person.token}/act/", body, content_type="application/json")
    assert answer.status_code == 400
    assert answer.json()["events"][0]["code"] == "invalid"
