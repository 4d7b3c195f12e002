"""What an interrupted episode's record tells of the things that were taken."""

import pytest
from asgiref.sync import sync_to_async

from play.loading import episode_setting
from play.recorder import Recorder
from sessions.models import Turn
from siturec.protocol.messages import Pose
from tests.web.playing import Says, planned, play, reply

pytestmark = pytest.mark.django_db(transaction=True)

VISIT = (
    lambda given: reply("I go there.", "move_to_fixture", target=handle(given, "fixture"), approach="front"),
    lambda given: reply("I take this.", "pick_up_item", product=handle(given)),
    reply("I step back.", "move_backward", distance="short"),
    reply("No.", "drop_item"),
    lambda given: reply("Rather this.", "pick_up_item", product=handle(given)),
    reply("I step back.", "move_backward", distance="short"),
    reply("I buy it.", "add_to_cart"),
)


def handle(given, kind="product"):
    """The marker of something the shopper can get at."""
    return next(s.user_marker for s in given.observation.visible if s.kind == kind and usable(s))


def usable(seen):
    return seen.user_marker and (seen.reachable if seen.kind == "product" else "front" in seen.approaches)


@sync_to_async
def kept(episode):
    turns = list(Turn.objects.filter(episode=episode).order_by("index"))
    before = [Pose.model_validate(turn.observation["pose"]) for turn in turns]
    return turns, before


async def test_the_record_tells_where_everything_taken_was_taken_from():
    (episode,) = await sync_to_async(planned)()
    await play(episode, cast={"user": Says(*VISIT)})
    turns, before = await kept(episode)
    done = [(turn.user["tool_call"]["tool"], turn.user["outcome"]["ok"]) for turn in turns]
    assert done[1] == done[4] == ("pick_up_item", True)
    assert before[4] != before[1]
    loaded = await sync_to_async(episode_setting)(episode.pk, owner="")
    progress = await Recorder(loaded.setting).load()
    assert progress.picked_at == (before[4],)
