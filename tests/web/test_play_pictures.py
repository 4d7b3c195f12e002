"""Pictures: a record replays to the very same ones, and where nobody looks none is painted."""

import hashlib

import pytest
from asgiref.sync import sync_to_async
from django.core.management import CommandError, call_command

from play.judging import rated_record
from play.loading import episode_setting
from play.plan import PlanError, Wanted, run_store, spec_of
from play.progress import resolved_action, stored_observation
from play.simulating import Playing, Reporter, play_run
from play.worlds import world_source
from sessions.models import Episode, Frame
from siturec.protocol.study import Limits
from siturec.trajectory import check_record

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.store,
    pytest.mark.usefixtures("no_pauses"),
]
SCENE, TURNS = "pharmacy_corner", 4


@sync_to_async
def planned(name, **more):
    wanted = Wanted(
        scenes=(SCENE,),
        tasks="1",
        assistants=("expert",),
        judge="",
        limits=Limits(turns=TURNS),
        **more,
    )
    return run_store(name, spec_of(wanted))


@sync_to_async
def record_of(run):
    return check_record(rated_record(Episode.objects.select_related("participant").get(run=run)))


def sha(picture):
    return hashlib.sha256(picture).hexdigest()


async def test_a_finished_episode_replays_from_its_record_to_the_same_frames():
    run = await planned("whole")
    await play_run(run.pk, Playing(), Reporter())
    record = await record_of(run)
    episode = await Episode.objects.aget(run=run)
    loaded = await sync_to_async(episode_setting)(episode.pk)
    async with world_source(SCENE, loaded.setting)() as world:
        await world.reset(pose=loaded.setting.start)
        for turn in record["turns"]:
            view = await world.observe(number=turn["turn"])
            assert turn["frames"] == {"user": sha(view.user_frame), "assistant": sha(view.assistant_frame)}
            call = turn["user"]["tool_call"]
            outcome = await world.execute(resolved_action(call["tool"], call["resolved"]))
            assert outcome.model_dump(mode="json") == turn["user"]["outcome"]
    assert len({turn["frames"]["user"] for turn in record["turns"]}) > 1


async def test_without_pictures_the_turns_are_the_same_and_the_record_says_so():
    seen, blind = await planned("seen"), await planned("blind", pictures=False)
    await play_run(seen.pk, Playing(keep_frames=False), Reporter())
    await play_run(blind.pk, Playing(), Reporter())
    with_pictures, without = await record_of(seen), await record_of(blind)
    assert without["pictures"] is False
    assert "pictures" not in with_pictures
    assert await Frame.objects.acount() == 0
    assert all("frames" not in turn for turn in without["turns"])
    own = {"frames", "input_digest"}
    bare = [
        [{key: turn[key] for key in turn if key not in own} for turn in record["turns"]]
        for record in (with_pictures, without)
    ]
    assert bare[0] == bare[1]
    assert with_pictures["turns"][0]["input_digest"] != without["turns"][0]["input_digest"]


async def test_the_observation_without_pictures_is_that_of_the_painted_frame():
    run = await planned("one")
    loaded = await sync_to_async(episode_setting)((await Episode.objects.aget(run=run)).pk)
    async with world_source(SCENE, loaded.setting)() as world:
        await world.reset(pose=loaded.setting.start)
        painted = await world.observe(number=0)
        plain = await world.observe(number=0, pictures=False)
    assert plain.user_frame == plain.assistant_frame == b""
    assert plain.minimap_assistant is None
    assert stored_observation(plain.observation) == stored_observation(painted.observation)


def test_a_model_that_looks_is_refused_where_there_are_no_pictures(settings, tmp_path):
    settings.SITUREC_MODEL = "openai/looks"
    with pytest.raises(PlanError, match="assistant model looks at them"):
        spec_of(Wanted(scenes=(SCENE,), tasks="1", assistants=("expert", "model"), pictures=False))
    with pytest.raises(CommandError, match="judge model\\+frames looks at them"):
        call_command(
            "simulate",
            scene=SCENE,
            assistants="bad",
            tasks="1",
            judge="model+frames",
            no_pictures=True,
        )
