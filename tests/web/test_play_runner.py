"""The turn loop: every step a row before the next, resumed from the record at any of them."""

import asyncio

import pytest
from asgiref.sync import sync_to_async

from catalog.selectors import scene_pack
from play import recorder as recording
from play.loading import episode_setting, knowledge_of
from sessions.errors import LeaseLost
from sessions.models import Episode, Event, Turn
from siturec.protocol.messages import (
    AssistantAction,
    AssistantMessage,
    ExpectedAction,
)
from siturec.protocol.ports import Answer, WorldTimeout
from siturec.protocol.vocabulary import EndReason
from tests.web.plainworld import failing_at
from tests.web.playing import GO_ON, STOP, Says, planned, play, record_of, reply, rows, spoken

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("no_pauses")]


async def test_an_episode_is_played_to_its_end_and_its_record_passes_the_check():
    (episode,) = await sync_to_async(planned)()
    reason = await play(episode)
    record = await record_of(episode)
    assert record["end_reason"] == reason.value
    assert [turn["turn"] for turn in record["turns"]] == list(range(len(record["turns"])))
    assert all(turn["input_digest"] for turn in record["turns"])
    assert record["versions"]["assistant"]


async def test_the_same_seed_gives_the_same_record():
    (one,), (other,) = await sync_to_async(planned)("a"), await sync_to_async(planned)("b")
    await play(one)
    await play(other)
    assert await record_of(one) == await record_of(other)


class Crash(BaseException):
    """The process dies here."""


@pytest.mark.parametrize("step", ["observed", "answered", "replied", "executed", "moderated", "ended"])
async def test_after_a_process_that_died_at_any_step_another_goes_on(step, monkeypatch):
    (whole,), (broken,) = await sync_to_async(planned)("whole"), await sync_to_async(planned)("broken")
    short = {"moderator": Says(GO_ON, GO_ON, STOP)}
    await play(whole, cast=short)
    original = getattr(recording.Recorder, step)
    calls = 0

    async def dying(self, *args, **kwargs):
        """Dies before the second write of this kind, and after the third."""
        nonlocal calls
        calls += 1
        if calls == 2 or (step == "ended" and calls == 1):
            raise Crash
        result = await original(self, *args, **kwargs)
        if calls == 4:
            raise Crash
        return result

    monkeypatch.setattr(recording.Recorder, step, dying)
    deaths, decided = 0, [GO_ON, GO_ON, STOP]
    for _ in range(4):
        done = len([turn for turn in await rows(Turn, broken) if turn.moderator is not None])
        try:
            await play(broken, cast={"moderator": Says(*decided[done:])})
        except Crash:
            deaths += 1
    assert deaths >= 1
    assert await record_of(broken) == await record_of(whole)
    assert not [event for event in await rows(Event, broken) if event.kind == "view_differs"]


async def test_a_world_that_fails_now_and_then_leaves_the_same_record():
    (whole,), (broken,) = await sync_to_async(planned)("whole"), await sync_to_async(planned)("broken")
    await play(whole)
    await play(broken, fail=failing_at(3, 8, 15, error=WorldTimeout))
    assert await record_of(broken) == await record_of(whole)
    failures = [event.payload["failure"] for event in await rows(Event, broken) if event.kind == "failure"]
    assert failures == ["world_timeout"] * 3


async def test_a_world_that_fails_past_all_retries_is_a_typed_failure():
    (episode,) = await sync_to_async(planned)()
    assert await play(episode, fail=failing_at(*range(1, 99))) is EndReason.TECHNICAL_FAILURE
    row = await Episode.objects.aget(pk=episode.pk)
    assert (row.status, row.end_reason, row.failure) == ("ended", "technical_failure", "world_unavailable")


async def test_a_mind_that_gives_no_answer_is_a_typed_failure_and_no_low_score():
    (episode,) = await sync_to_async(planned)()
    assert await play(episode, cast={"assistant": Says(None)}) is EndReason.TECHNICAL_FAILURE
    assert (await Episode.objects.aget(pk=episode.pk)).failure == "assistant_bad_output"


async def test_goals_and_expectations_are_recorded_as_entities():
    (episode,) = await sync_to_async(planned)()

    def lead(given):
        fixture = next(seen for seen in given.observation.visible if seen.kind == "fixture")
        action = AssistantAction(type="Navigate", navigation_goal=fixture.assistant_marker, reason="there")
        expected = ExpectedAction(tool="move_to_fixture", args={"target": fixture.assistant_marker})
        return AssistantMessage(
            utterance="This way, please.", assistant_actions=(action,), expected_user_action=expected
        )

    await play(episode, cast={"assistant": Says(lead), "user": Says(reply()), "moderator": Says(STOP)})
    assistant = (await record_of(episode))["turns"][0]["assistant"]
    assert assistant["action"]["navigation_goal"].startswith("fixture:")
    assert assistant["expected_user_action"]["resolved"]["target"] == assistant["action"]["navigation_goal"]


async def test_a_process_that_lost_its_lease_writes_nothing_more():
    (episode,) = await sync_to_async(planned)()

    async def stolen(given):
        await Episode.objects.filter(pk=episode.pk).aupdate(lease_owner="another")
        return Answer(spoken())

    assistant = Says(spoken())
    assistant.respond = stolen
    await Episode.objects.filter(pk=episode.pk).aupdate(lease_owner="me")
    with pytest.raises(LeaseLost):
        await play(episode, cast={"assistant": assistant}, owner="me")
    turn = (await rows(Turn, episode))[0]
    assert turn.assistant is None


@pytest.mark.parametrize("condition", ["no_ego_view", "no_ego_view_no_caption"])
async def test_an_ablation_takes_from_the_assistant_only(condition):
    (episode,) = await sync_to_async(planned)()
    assistant, user = Says(spoken()), Says(reply())
    moderator = Says(GO_ON, STOP)
    cast = {"assistant": assistant, "user": user, "moderator": moderator}
    await play(episode, cast=cast, condition=condition)
    told = assistant.given[1]
    assert told.frame is None
    assert (told.observation is None) == (condition == "no_ego_view_no_caption")
    assert (told.history[0].visible is None) == (condition == "no_ego_view_no_caption")
    assert user.given[1].frame
    assert user.given[1].history[0].visible
    assert not any(seen.assistant_marker for seen in user.given[1].observation.visible)


async def test_the_user_gets_a_minimap_only_where_the_study_shows_one():
    (episode,) = await sync_to_async(planned)()
    for shown in (False, True):
        user = Says(reply())
        cast = {"assistant": Says(spoken()), "user": user, "moderator": Says(STOP)}
        loaded = await sync_to_async(episode_setting)(episode.pk, owner="", show_user_minimap=shown)
        await play(episode, cast=cast, rules=loaded.setting.rules)
        assert (user.given[0].minimap is not None) is shown
        (episode,) = await sync_to_async(planned)("other")


async def test_episodes_at_once_do_not_disturb_each_other():
    names = ("expert", "bad")
    alone = await sync_to_async(planned)("alone", assistants=names, tasks="2")
    together = await sync_to_async(planned)("together", assistants=names, tasks="2")
    for episode in alone:
        await play(episode)
    await asyncio.gather(*(play(episode) for episode in together))
    for one, other in zip(alone, together, strict=True):
        assert await record_of(one) == await record_of(other)


def test_the_knowledge_of_a_store_is_made_once():
    pack = scene_pack("supermarket")
    assert knowledge_of(pack) is knowledge_of(pack)
