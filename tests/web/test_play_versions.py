"""An episode is played, resumed and replayed on the version of its scene that it was planned on."""

import json
import shutil
import zipfile

import pytest
from asgiref.sync import sync_to_async
from django.core.management import CommandError, call_command

from catalog.models import Task
from catalog.selectors import scene_pack
from catalog.services import scene_fork, scene_freeze
from play.loading import episode_setting
from play.plan import Wanted, run_store, spec_of
from play.practice import practice_setting
from play.simulating import Playing, Reporter, play_run
from play.steps import goal_of
from sessions.models import Episode
from sessions.selectors.studies import scene_version_of
from siturec.protocol.study import TaskChoice
from tests.web.samples_studies import opened
from tests.web.test_play_runs import worlds

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("no_pauses")]
__all__ = ["worlds"]


@pytest.fixture
def corner(settings, tmp_path):
    """The smallest scene, in a folder that may be changed."""
    folder = tmp_path / "scenes" / "pharmacy_corner"
    shutil.copytree(settings.SCENES_DIR / "pharmacy_corner", folder)
    settings.SCENES_DIR = folder.parent
    return folder


@pytest.mark.usefixtures("worlds")
def test_a_run_is_refused_where_the_version_it_was_planned_on_is_not_here(corner, tmp_path):
    wanted = Wanted(scenes=("pharmacy_corner",), tasks="1", assistants=("bad",))
    run_store("corner", spec_of(wanted))
    info = corner / "scene.json"
    info.write_text(info.read_text().replace('"version": "1"', '"version": "2"'))
    with pytest.raises(CommandError, match=r"another version: .* no version 1 here; there is: 2"):
        call_command("simulate", run="corner")
    assert Episode.objects.get().status == "planned"


@pytest.mark.usefixtures("worlds")
async def test_an_episode_whose_version_goes_while_it_is_played_fails_by_a_name(corner):
    wanted = Wanted(scenes=("pharmacy_corner",), tasks="1", assistants=("bad",))
    run = await sync_to_async(lambda: run_store("corner", spec_of(wanted)))()
    await run.episodes.aupdate(scene_version="0")
    await play_run(run.pk, Playing(max_attempts=1, judge=""), Reporter())
    episode = await run.episodes.aget()
    assert (episode.end_reason, episode.failure) == ("technical_failure", "scene_missing")
    assert episode.failure_detail == "scene pharmacy_corner has no version 0 here; there is: 1"


@pytest.mark.usefixtures("worlds")
def test_a_run_keeps_the_version_it_was_planned_on_and_a_study_its_own(corner, tmp_path):
    first = scene_freeze("pharmacy_corner")
    study = opened(scene="pharmacy_corner", assistants=("bad",), tasks=TaskChoice(sample=1))
    wanted = Wanted(scenes=("pharmacy_corner",), tasks="1", assistants=("bad",), judge="")
    before = run_store("before", spec_of(wanted))
    second = scene_fork(version=first)
    after = run_store("after", spec_of(wanted))
    call_command("simulate", study=study.slug, judge="none", run="of-study")
    assert before.episodes.get().scene_version == first.label
    assert after.episodes.get().scene_version == second.label
    assert Episode.objects.get(run__name="of-study").scene_version == first.label
    assert episode_setting(before.episodes.get().pk).setting.pack.info.version == first.label
    second.refresh_from_db()
    assert second.frozen
    call_command("export", study.slug, out=tmp_path / "study.zip", bundle=True)
    with zipfile.ZipFile(tmp_path / "study.zip") as archive:
        scene = json.loads(archive.read("scenes/pharmacy_corner/scene.json"))
    assert scene["version"] == first.label


@pytest.mark.usefixtures("worlds")
def test_a_folder_that_is_edited_under_its_old_version_changes_no_run_and_is_told_of(corner, capsys):
    command = {"scene": "pharmacy_corner", "assistants": "bad", "tasks": "1", "judge": "none"}
    call_command("simulate", **command, run="first")
    stored = scene_pack("pharmacy_corner")
    tasks = corner / "tasks.json"
    tasks.write_text(tasks.read_text().replace(stored.tasks[0].goal, "Something else."))
    capsys.readouterr()
    call_command("simulate", **command, run="second")
    assert "the folder differs from version 1, which is stored and stays" in capsys.readouterr().err
    assert scene_pack("pharmacy_corner") == stored
    info = corner / "scene.json"
    info.write_text(info.read_text().replace('"version": "1"', '"version": "2"'))
    call_command("simulate", **command, run="third")
    assert "version 1 is played; the folder holds version 2" in capsys.readouterr().err
    assert {episode.scene_version for episode in Episode.objects.all()} == {"1"}


@sync_to_async
def planned_then_edited():
    """An episode on the first version of its scene, and a second version with other goals."""
    first = scene_freeze("pharmacy_corner")
    run = run_store("first", spec_of(Wanted(scenes=("pharmacy_corner",), tasks="1", assistants=("bad",))))
    second = scene_fork(version=first)
    Task.objects.filter(version=second).update(goal="Something else.")
    second.count_up()
    second.save()
    return run.episodes.get()


async def test_what_an_episode_is_played_in_is_of_the_version_it_was_planned_on(corner):
    episode = await planned_then_edited()
    old = (await sync_to_async(episode_setting)(episode.pk)).setting
    goal = await sync_to_async(goal_of)(episode)
    assert goal.text == old.task.goal != "Something else."
    await Episode.objects.filter(pk=episode.pk).aupdate(scene_version="2")
    new = (await sync_to_async(episode_setting)(episode.pk)).setting
    assert (old.pack.info.version, new.pack.info.version) == ("1", "2")
    assert (old.knowledge.scene_version, new.knowledge.scene_version) == ("1", "2")
    assert old.task.id == new.task.id
    assert new.task.goal == "Something else."


def test_a_practice_is_in_the_store_of_the_participants_study(corner):
    first = scene_freeze("pharmacy_corner")
    study = opened(scene="pharmacy_corner", assistants=("bad",), tasks=TaskChoice(sample=1))
    scene_fork(version=first)
    assert scene_pack("pharmacy_corner").info.version == "2"
    assert scene_version_of(study) == "1"
    assert practice_setting("pharmacy_corner", scene_version_of(study)).pack.info.version == "1"
