"""Episodes played by scripted minds in a plain world, and what is kept of them."""

from dataclasses import replace

from asgiref.sync import sync_to_async

from agents.registry import make_assistant, make_moderator, make_user
from play.judging import rated_record
from play.loading import episode_setting
from play.plan import Wanted, run_store, spec_of
from play.runner import play_episode
from play.setting import Cast
from sessions.models import Episode
from siturec.protocol.messages import (
    AssistantAction,
    AssistantMessage,
    ModeratorDecision,
    ToolCall,
    UserMessage,
)
from siturec.protocol.ports import Answer
from siturec.trajectory import check_record
from tests.web.plainworld import plain_source


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


async def play(episode, *, fail=lambda operation: None, cast=None, watcher=None, **changes):
    loaded = await sync_to_async(episode_setting)(episode.pk, owner="")
    setting = replace(loaded.setting, **changes)
    scripted = Cast(
        assistant=make_assistant(episode.assistant, seed=setting.seed),
        user=make_user("agenda", seed=setting.seed),
        moderator=make_moderator("rules", seed=setting.seed),
    )
    worlds = plain_source(setting.pack, setting.knowledge, fail)
    cast = replace(scripted, **(cast or {}))
    return await play_episode(setting=setting, cast=cast, worlds=worlds, watcher=watcher)


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
