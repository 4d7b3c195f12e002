"""The turn loop: every step a row before the next, resumed from the record at any of them."""

import asyncio
from dataclasses import replace

import pytest
from asgiref.sync import sync_to_async

from agents.registry import make_assistant, make_moderator, make_user
from catalog.selectors import scene_pack
from play import recorder as recording
from play.judging import rated_record
from play.loading import episode_setting, knowledge_of
from play.plan import Wanted, run_store, spec_of
from play.runner import play_episode
from play.setting import Cast
from sessions.errors import LeaseLost
from sessions.models import Episode, Event, Turn
from siturec.protocol.messages import (
    AssistantAction,
    AssistantMessage,
    ExpectedAction,
    ModeratorDecision,
    ToolCall,
    UserMessage,
)
from siturec.protocol.ports import Answer, WorldTimeout
from siturec.protocol.vocabulary import EndReason
from siturec.trajectory import check_record
from tests.web.plainworld import failing_at, plain_source
from tests.web.samples_studies import opened

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def no_pauses(monkeypatch):
    monkeypatch.setattr("play.runner.PAUSE_S", 0.0)


def planned(name="run", *, assistants=("expert",), tasks="1", seed=3):
    wanted = Wanted(scenes=("supermarket",), tasks=tasks, assistants=assistants, seeds=(seed,))
    return list(run_store(name, spec_of(wanted)).episodes.order_by("position"))


class Says:
    """A mind of our own port that answers from a list, the last one again and again."""

    def __init__(self, *values, slug="says"):
        self.slug, self.values, self.given = slug, list(values), []

    async def respond(self, given):
        self.given.append(given)
        value = self.values[min(len(self.given), len(self.values)) - 1]
        if callable(value):
            value = value(given)
        if value is None:
            return Answer(None, outcome="missing", failure="bad_output", raw="mumble")
        return Answer(value, policy_version="1")

    decide = respond


def spoken(text="Hello there.", act="Greet", **more):
    return AssistantMessage(utterance=text, assistant_actions=(AssistantAction(type=act),), **more)


def reply(text="Fine.", tool="idle", **args):
    return UserMessage(reply=text, tool_call=ToolCall(tool=tool, args=args))


STOP = ModeratorDecision(stop=True, raw="yes")
GO_ON = ModeratorDecision(stop=False, raw="no")


async def play(episode, *, fail=lambda operation: None, cast=None, **changes):
    loaded = await sync_to_async(episode_setting)(episode.pk, owner="")
    setting = replace(loaded.setting, **changes)
    scripted = Cast(
        assistant=make_assistant(episode.assistant, seed=setting.seed),
        user=make_user("agenda", seed=setting.seed),
        moderator=make_moderator("rules", seed=setting.seed),
    )
    worlds = plain_source(setting.pack, setting.knowledge, fail)
    return await play_episode(setting=setting, cast=replace(scripted, **(cast or {})), worlds=worlds)


@sync_to_async
def record_of(episode, *, bare=True):
    row = Episode.objects.select_related("participant").get(pk=episode.pk)
    record = check_record(rated_record(row))
    if bare:
        record = {
            key: value for key, value in record.items() if key not in ("episode_id", "started_at", "ended_at")
        }
    return record


@sync_to_async
def rows(model, episode):
    return list(model.objects.filter(episode=episode).order_by("pk"))


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


async def test_an_assistant_that_says_a_marker_is_asked_once_more_and_then_recorded():
    (episode,) = await sync_to_async(planned)()
    leak = lambda given: spoken(f"Go to the shelf {given.observation.visible[0].assistant_marker} (1).")  # noqa: E731
    assistant = Says(leak)
    await play(episode, cast={"assistant": assistant, "user": Says(reply()), "moderator": Says(STOP)})
    turn = (await rows(Turn, episode))[0]
    assert len(assistant.given) == 2
    assert "Do not say markers" in assistant.given[1].correction
    assert "Do not say markers" in turn.notes["violation"]
    assert turn.input_digest == assistant.given[0].digest()


async def test_a_second_answer_without_markers_is_taken_and_the_first_kept_aside():
    (episode,) = await sync_to_async(planned)()
    assistant = Says(spoken("Go to shelf (1)."), spoken("Go to the cereals."))
    await play(episode, cast={"assistant": assistant, "user": Says(reply()), "moderator": Says(STOP)})
    turn = (await rows(Turn, episode))[0]
    assert turn.assistant["utterance"] == "Go to the cereals."
    assert turn.notes["sent_back"]["utterance"] == "Go to shelf (1)."
    assert "violation" not in turn.notes


async def test_an_assistant_that_insists_on_its_name_is_shown_without_it():
    (episode,) = await sync_to_async(planned)()
    user = Says(reply())
    cast = {"assistant": Says(spoken("I am GPT-5 by OpenAI.")), "user": user, "moderator": Says(STOP)}
    await play(episode, cast=cast)
    assert "gpt" not in user.given[0].utterance.lower()
    assert "openai" not in user.given[0].utterance.lower()
    turn = (await rows(Turn, episode))[0]
    assert turn.notes["masked"]["utterance"] == "I am GPT-5 by OpenAI."


@pytest.mark.parametrize("policy", ["mask", "flag"])
async def test_the_studys_policy_says_what_becomes_of_a_models_own_label(policy):
    def planned_in_a_study():
        study = opened("policy", assistants=("expert",), identity_policy=policy)
        wanted = Wanted(scenes=("supermarket",), tasks="1", assistants=("expert",))
        return run_store("policy", spec_of(wanted), study=study).episodes.get()

    episode = await sync_to_async(planned_in_a_study)()
    assistant, user = Says(spoken("Shop Helper Nine is here.")), Says(reply())
    assistant.own_words, assistant.identity_policy = ("shop helper nine",), "mask"
    await play(episode, cast={"assistant": assistant, "user": user, "moderator": Says(STOP)})
    turn = (await rows(Turn, episode))[0]
    if policy == "flag":
        assert user.given[0].utterance == "Shop Helper Nine is here."
        assert turn.notes["named"] == {"names": ["Shop Helper Nine"]}
        assert "sent_back" not in turn.notes
    else:
        assert user.given[0].utterance == "this assistant is here."
        assert turn.notes["masked"]["names"] == ["Shop Helper Nine"]
        assert "sent_back" in turn.notes


async def test_without_a_study_the_models_own_policy_holds():
    (episode,) = await sync_to_async(planned)()
    assistant, user = Says(spoken("Shop Helper Nine is here.")), Says(reply())
    assistant.own_words, assistant.identity_policy = ("shop helper nine",), "flag"
    await play(episode, cast={"assistant": assistant, "user": user, "moderator": Says(STOP)})
    assert user.given[0].utterance == "Shop Helper Nine is here."


async def test_a_model_that_is_refused_twice_idles_with_the_refusal_in_the_record():
    (episode,) = await sync_to_async(planned)()
    user = Says(reply(tool="add_to_cart"))
    await play(episode, cast={"assistant": Says(spoken()), "user": user, "moderator": Says(STOP)})
    turn = (await record_of(episode))["turns"][0]
    assert len(user.given) == 2
    assert "Pick up a product" in user.given[1].refusal
    assert turn["user"]["tool_call"]["tool"] == "idle"
    assert turn["user"]["refused"]["tool"] == "add_to_cart"


async def test_a_model_without_words_is_nudged_once_and_then_fails():
    (episode,) = await sync_to_async(planned)()
    user = Says(reply(""))
    assert (
        await play(episode, cast={"assistant": Says(spoken()), "user": user}) is EndReason.TECHNICAL_FAILURE
    )
    assert len(user.given) == 2
    assert (await Episode.objects.aget(pk=episode.pk)).failure == "user_empty_reply"


async def test_a_person_is_refused_as_often_as_it_takes_at_no_cost():
    (episode,) = await sync_to_async(planned)()
    wrong = reply("", tool="add_to_cart")
    user = Says(wrong, wrong, wrong, reply("", tool="turn", direction="left", angle=30))
    cast = {"assistant": Says(spoken()), "user": user, "moderator": Says(STOP)}
    assert await play(episode, cast=cast, user_kind="human") is EndReason.MODERATOR_STOP
    turn = (await rows(Turn, episode))[0]
    assert turn.user["tool_call"]["tool"] == "turn"
    assert turn.user["reply"] == ""


async def test_a_moderator_that_cannot_be_read_is_asked_once_more_and_then_counts_as_no():
    (episode,) = await sync_to_async(planned)()
    moderator = Says(None, None, STOP)
    cast = {"assistant": Says(spoken()), "user": Says(reply()), "moderator": moderator}
    assert await play(episode, cast=cast) is EndReason.MODERATOR_STOP
    turns = (await record_of(episode))["turns"]
    assert len(turns) == 2
    assert turns[0]["moderator"]["missing"] is True
    assert turns[0]["moderator"]["stop"] is None


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
