"""Runs: the plan first, then played, stopped, resumed, rolled again, exported and imported."""

import asyncio
import contextlib
import json
import socket
import subprocess
import sys
from datetime import timedelta

import pytest
from asgiref.sync import sync_to_async
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from play import simulating
from play.management.commands import simulate as simulate_command
from play.plan import Wanted, run_store, spec_of
from play.simulating import Playing, Reporter, play_run
from sessions.errors import StudyError
from sessions.models import Episode, Run, Turn
from sessions.selectors import run_progress
from sessions.services.claims import leases_free_dead, run_claim_next
from siturec.protocol.ports import WorldUnavailable
from siturec.protocol.study import TaskChoice
from siturec.trajectory import check_file, read_file
from tests.web.plainworld import plain_source
from tests.web.samples_studies import opened

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("no_pauses")]
OWN = ("episode_id", "started_at", "ended_at")


@pytest.fixture(autouse=True)
def worlds(monkeypatch):
    """Plain worlds, which fail for the episodes named in the returned set."""
    failing: set[str] = set()

    def source(scene, setting):
        @contextlib.asynccontextmanager
        async def lease():
            attempt = await Episode.objects.values_list("attempt", flat=True).aget(pk=setting.episode_id)
            if f"{setting.task.id}/{attempt}" in failing:
                raise WorldUnavailable("no store today")
            async with plain_source(setting.pack, setting.knowledge)() as world:
                yield world

        return lease

    monkeypatch.setattr(simulating, "world_source", source)
    monkeypatch.setattr(simulate_command, "stores_start", list)
    return failing


def plan(name, *, tasks="2", assistants=("expert", "bad"), **more):
    wanted = Wanted(scenes=("supermarket",), tasks=tasks, assistants=assistants, seeds=(5,), **more)
    return run_store(name, spec_of(wanted))


def bare(path):
    return [{key: record[key] for key in record if key not in OWN} for record in read_file(path)]


def simulate(tmp_path, name="out.jsonl", **options):
    path = tmp_path / name
    given = {"scene": "supermarket", "assistants": "expert,bad", "tasks": "2", "seed": "5", "jobs": 2}
    call_command("simulate", out=path, **(given | options))
    return path


def test_a_run_leaves_a_checked_file_that_a_second_run_of_the_seed_repeats(tmp_path):
    first = simulate(tmp_path, tasks="1")
    assert check_file(first) == 2
    second = simulate(tmp_path, "again.jsonl", tasks="1", jobs=1)
    assert bare(first) == bare(second)
    other = simulate(tmp_path, "other.jsonl", assistants="bad", tasks="1", seed="6")
    assert bare(first)[1] != bare(other)[0]
    assert all(record["judge"] is not None for record in read_file(first))


async def test_a_run_that_is_stopped_goes_on_without_losing_or_repeating_an_episode():
    bad = {"assistants": ("bad", "hasty")}
    whole, broken = await sync_to_async(plan)("whole", **bad), await sync_to_async(plan)("broken", **bad)
    await play_run(whole.pk, Playing(judge=""), Reporter())
    for _ in range(3):
        task = asyncio.create_task(play_run(broken.pk, Playing(jobs=2, judge=""), Reporter()))
        await asyncio.sleep(0.2)
        task.cancel()
        await asyncio.wait([task])
    await play_run(broken.pk, Playing(jobs=2, judge=""), Reporter())

    @sync_to_async
    def played(run):
        episodes = run.episodes.order_by("position")
        return [
            (row.end_reason, row.final_cart, list(row.turns.values_list("index", "user", "input_digest")))
            for row in episodes
        ]

    assert await played(broken) == await played(whole)
    progress = await sync_to_async(run_progress)(broken, max_attempts=2)
    assert (progress.total, progress.done, progress.left, progress.rerolled) == (4, 4, 0, 0)


def test_a_failed_item_is_rolled_again_and_the_report_says_so(tmp_path, worlds, capsys):
    worlds.add("1.1/1")
    path = simulate(tmp_path, assistants="bad", run="rolled")
    run = Run.objects.get(name="rolled")
    progress = run_progress(run, max_attempts=2)
    assert (progress.done, progress.failed, progress.rerolled) == (2, 0, 1)
    assert progress.failures == {"world_unavailable": 1}
    assert "1 re-rolled (1 world_unavailable)" in capsys.readouterr().err
    assert [record["end_reason"] == "technical_failure" for record in read_file(path)] == [False, False]


def test_an_item_that_keeps_failing_stays_in_the_data_as_a_technical_failure(tmp_path, worlds):
    worlds.update({"1.1/1", "1.1/2"})
    path = simulate(tmp_path, assistants="bad", run="failing")
    records = list(read_file(path))
    assert [record["end_reason"] for record in records].count("technical_failure") == 1
    assert run_progress(Run.objects.get(), max_attempts=2).failed == 1


def test_resuming_by_name_needs_no_options_and_another_plan_under_it_is_refused(tmp_path):
    plan("named", tasks="1", assistants=("bad",))
    call_command("simulate", run="named", out=tmp_path / "named.jsonl")
    assert check_file(tmp_path / "named.jsonl") == 1
    with pytest.raises(CommandError, match="exists with another plan"):
        simulate(tmp_path, run="named")


def test_the_same_command_goes_on_with_its_unfinished_run_unless_told_to_begin_anew(tmp_path):
    plan("half", tasks="1", assistants=("bad",))
    same = {"assistants": "bad", "tasks": "1"}
    assert check_file(simulate(tmp_path, **same)) == 1
    assert [run.status for run in Run.objects.all()] == ["done"]
    plan("other-half", tasks="1", assistants=("bad",))
    simulate(tmp_path, **same, new=True)
    assert set(Run.objects.values_list("name", "status")) >= {("half", "done"), ("other-half", "planned")}
    assert Run.objects.count() == 3


async def test_what_a_killed_process_left_unjudged_or_unrolled_is_made_good(worlds):
    worlds.add("1.1/1")
    run = await sync_to_async(plan)("left", assistants=("bad",))
    await play_run(run.pk, Playing(max_attempts=1), Reporter())
    long_ago = timezone.now() - timedelta(minutes=5)
    await run.episodes.aupdate(ended_at=long_ago)
    progress = await sync_to_async(run_progress)(run, max_attempts=2)
    assert (progress.done, progress.left, progress.rerolled) == (1, 1, 0)
    await play_run(run.pk, Playing(judge="rules"), Reporter())
    ended = run.episodes.exclude(end_reason="technical_failure")
    assert await ended.acount() == 2
    assert not await ended.filter(judged_at=None).aexists()
    assert await run.episodes.filter(attempt=2).acount() == 1


def test_the_next_episode_is_found_without_looking_at_all_that_have_ended():
    run = plan("long", tasks="2")
    run.episodes.update(status="ended", end_reason="turn_limit")
    last = run.episodes.order_by("position").last()
    Episode.objects.filter(pk=last.pk).update(status="planned", end_reason="")
    with CaptureQueriesContext(connection) as asked:
        assert run_claim_next(run_id=run.pk, owner="me") == last.pk
    finding = [query["sql"] for query in asked if query["sql"].startswith("SELECT")]
    with connection.cursor() as cursor:
        plans = [cursor.execute(f"EXPLAIN QUERY PLAN {sql}").fetchall() for sql in finding]
    told = " ".join(str(row) for found in plans for row in found)
    assert "run_id=? AND status=?" in told
    assert "TEMP B-TREE" not in told


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"assistants": "expert,nobody"}, "assistants: not known: nobody; there are: expert"),
        ({"scene": "moon"}, "scene: not known: moon; there are: .*supermarket"),
        ({"tasks": "99.9"}, "tasks: not in this scene: 99.9"),
        ({"tasks": "1000"}, "1000 are wanted but the scene has 100"),
        ({"user": "nobody"}, "user: not known: nobody"),
        ({"condition": "dark"}, "condition: not known: dark"),
        ({"judge": "nobody"}, "judge: not known"),
        ({"seed": "x"}, "seed: whole numbers"),
        ({"jobs": 0}, "at least 1"),
    ],
)
def test_what_cannot_be_planned_is_said_and_nothing_is_stored(tmp_path, options, words):
    with pytest.raises(CommandError, match=words):
        simulate(tmp_path, **options)
    assert not Episode.objects.exists()


def test_a_run_of_a_study_has_its_tasks_assistants_and_name(tmp_path):
    study = opened(assistants=("bad",), tasks=TaskChoice(sample=2))
    call_command("simulate", study=study.slug, judge="none", out=tmp_path / "study.jsonl")
    assert check_file(tmp_path / "study.jsonl") == 2
    assert set(Episode.objects.values_list("study__slug", "user_kind")) == {(study.slug, "simulated")}


def test_two_claims_at_once_get_different_episodes_and_a_dead_process_keeps_none():
    run = plan("claims")
    first, second = (run_claim_next(run_id=run.pk, owner=owner) for owner in ("a", "b"))
    assert first != second
    gone = subprocess.run(
        [sys.executable, "-c", "import os; print(os.getpid())"], capture_output=True, text=True
    )
    Episode.objects.filter(pk=first).update(
        lease_owner=f"{socket.gethostname()[:40]}:{gone.stdout.strip()}:x"
    )
    assert leases_free_dead(run_id=run.pk) == 1
    assert run_claim_next(run_id=run.pk, owner="c") == first


def test_what_is_exported_comes_back_the_same_and_twice_changes_nothing(tmp_path):
    path = simulate(tmp_path, assistants="bad")
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    for number, line in enumerate(lines):
        line |= {"episode_id": f"from-elsewhere-{number}", "lab": {"name": "Łódź"}}
        line["turns"][0]["mood"] = "good"
        line["user"] = {"kind": "human", "policy": None, "participant": "P003"}
        line["questionnaire"] = {**line["judge"], "naturalness": None}
    foreign = tmp_path / "foreign.jsonl"
    foreign.write_text("".join(json.dumps(line) + "\n" for line in lines))
    for _ in range(2):
        call_command("import_trajectories", foreign)
    back = tmp_path / "back.jsonl"
    call_command("export_trajectories", back, kind="human")
    assert [json.loads(line) for line in back.read_text().splitlines()] == lines
    lines[0]["turns"][0]["user"]["reply"] = "Something else."
    foreign.write_text(json.dumps(lines[0]) + "\n")
    with pytest.raises(CommandError, match="here already with other content"):
        call_command("import_trajectories", foreign)


def test_a_file_with_one_faulty_line_brings_in_nothing(tmp_path):
    path = simulate(tmp_path, assistants="bad", tasks="1")
    line = json.loads(path.read_text())
    Episode.objects.all().delete()
    del line["end_reason"]
    path.write_text(path.read_text() + json.dumps(line) + "\n")
    with pytest.raises(CommandError, match="line 2, end_reason: required key is missing"):
        call_command("import_trajectories", path)
    assert not Episode.objects.exists()
    assert not Turn.objects.exists()


def test_stored_episodes_are_judged_by_name_once(tmp_path, capsys):
    simulate(tmp_path, assistants="bad", tasks="1", judge="none", run="unjudged")
    call_command("judge", run="unjudged")
    assert "1 episodes scored by rules, 0 answers missing" in capsys.readouterr().out
    call_command("judge", run="unjudged")
    assert "0 episodes scored" in capsys.readouterr().out


def test_episodes_of_a_scene_that_is_not_here_are_left_out_of_judging_by_name(tmp_path, capsys):
    path = simulate(tmp_path, assistants="bad", tasks="1", judge="none")
    line = json.loads(path.read_text())
    foreign = tmp_path / "foreign.jsonl"
    strange = [
        line | {"episode_id": "e-moon", "scene": "moon"},
        line | {"episode_id": "e-task", "task_id": "99.9"},
    ]
    foreign.write_text("".join(json.dumps(each) + "\n" for each in strange))
    call_command("import_trajectories", foreign)
    call_command("judge", all=True)
    told = capsys.readouterr()
    assert "1 episodes scored by rules" in told.out
    assert "left out: there is no scene moon" in told.err
    assert "left out: e-task: scene supermarket 1 has no task 99.9" in told.err


def test_a_name_cannot_stand_for_two_plans():
    plan("one")
    with pytest.raises(StudyError, match="another plan"):
        plan("one", tasks="1")
