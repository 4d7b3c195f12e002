"""What stands beside every result: calls to models, reply times, versions kept apart, and who judged."""

import csv
import io
import json
import re
from datetime import UTC, datetime

import pytest
from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.test import Client

from agents.call_summary import summary_lines
from agents.calls import CallRecord
from agents.services import call_record
from analysis.filters import Filters
from analysis.services.results import study_results
from play.judging import judge_episode
from questionnaire.services import judgement_save
from sessions.models import Episode
from sessions.selectors.conduct import study_conduct, told_apart
from siturec.protocol.vocabulary import DIMENSIONS
from tests.core.episode_maker import episode, person, turn
from tests.web.recorded_study import make_study, record_into

pytestmark = pytest.mark.django_db
HOME = "/research/studies/market"
OLD, NEW = "openai/m#1 assistant@1:a", "openai/m#1 assistant@2:b"


@pytest.fixture
def study():
    """Two people and two simulated shoppers with each of two assistants."""
    made = make_study(min_reply_ms=1000)
    records = [
        episode(
            [turn(), turn(1)],
            episode_id=f"{kind}-{slug}-{number}",
            assistant=slug,
            **({"user": person(number)} if kind == "human" else {}),
        )
        for kind in ("human", "simulated")
        for slug in ("expert", "plain")
        for number in (1, 2)
    ]
    record_into(made, records)
    return made


@pytest.fixture
def client():
    boss = get_user_model().objects.create_superuser("boss", password="x")
    made = Client()
    made.force_login(boss)
    return made


def a_call(public_id, **more):
    fields = {
        "model_slug": "m",
        "model": "openai/m",
        "role": "assistant",
        "prompt_version": "assistant@1:abc",
        "messages": [{"role": "user", "content": "My secret wish is fish."}],
        "started_at": datetime(2026, 11, 1, tzinfo=UTC),
        "reply": "Secret fish.",
        "episode": public_id,
        "duration_s": 2.0,
    }
    call_record(call=CallRecord(**{**fields, **more}))


def results_of(study, **filters):
    return study_results(study=study, filters=Filters(**filters))


def text_of(html):
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", html))


def some_calls():
    a_call("human-expert-1", tokens_in=100, tokens_out=20, cost_usd=0.25)
    a_call("human-expert-1", outcome="repaired", asked_again=False, duration_s=4.0)
    a_call("simulated-expert-1", outcome="failed", failure="timeout", duration_s=60.0)
    a_call("human-expert-2", outcome="missing", prompt_version="assistant@2:def")
    a_call("somebody-elses", outcome="failed", failure="refused")


def test_calls_are_summed_per_model_role_and_prompt_version_over_this_studys_episodes_only(study):
    some_calls()
    first, second = results_of(study)["model_calls"]
    assert (first["calls"], first["answered"], first["repaired"], first["failed"]) == (3, 1, 1, 1)
    assert (first["failed_timeout"], first["failed_refused"], first["median_s"]) == (1, 0, 4.0)
    assert (first["tokens_in"], first["cost_usd"], first["unpriced"]) == (100, 0.25, 2)
    assert (second["prompt_version"], second["missing"], second["cost_usd"]) == ("assistant@2:def", 1, None)


def test_a_terminal_is_told_the_same_in_one_line_a_row(study):
    some_calls()
    first, second = summary_lines(results_of(study)["model_calls"])
    assert first == (
        "m as assistant (assistant@1:abc): 3 answers, 33 % answered, 33 % repaired, 33 % failed (1 timeout); "
        "median 4.0 s, $0.2500"
    )
    assert second.endswith("1 answers, 100 % missing; median 2.0 s, cost unknown")


def test_a_reply_that_was_asked_about_again_is_a_call_but_no_answer(study):
    a_call("human-expert-1", outcome="missing", asked_again=True)
    a_call("human-expert-1", outcome="repaired")
    (row,) = results_of(study)["model_calls"]
    assert (row["calls"], row["answers"], row["missing"], row["repaired"]) == (2, 1, 0, 1)


def test_an_answer_by_the_fallback_has_a_row_of_its_own(study):
    a_call("human-expert-1")
    a_call("human-expert-1", model="openai/other")
    assert [row["answered_by"] for row in results_of(study)["model_calls"]] == ["openai/m", "openai/other"]


def test_the_results_page_and_the_report_show_how_calls_turned_out(study, client, tmp_path):
    some_calls()
    page = text_of(client.get(f"{HOME}/results/").content.decode())
    call_command("report", "market", "--out", str(tmp_path), stdout=io.StringIO(), stderr=io.StringIO())
    report = text_of((tmp_path / "report.html").read_text())
    for shown in (page, report):
        table = shown.partition("Model calls")[2]
        assert "1 (33 %)" in table
        assert "1 timeout" in table
        assert "assistant@2:def" in table
    rows = list(csv.DictReader((tmp_path / "tables" / "model-calls.csv").open()))
    assert [row["Calls"] for row in rows] == ["3", "1"]


def test_exports_hold_the_calls_without_a_word_of_them_and_the_codebook_explains_them(study, tmp_path):
    some_calls()
    call_command("export", "market", "--out", str(tmp_path / "out"), stdout=io.StringIO())
    folder = tmp_path / "out"
    calls = [json.loads(line) for line in (folder / "calls.jsonl").read_text().splitlines()]
    assert {call["episode"] for call in calls} == {"human-expert-1", "human-expert-2", "simulated-expert-1"}
    assert all(len(call["prompt_sha256"]) == 64 for call in calls)
    assert b"ecret" not in b"".join(path.read_bytes() for path in folder.iterdir())
    assert [row["calls"] for row in csv.DictReader((folder / "model_calls.csv").open())] == ["3", "1"]
    for name in ("failed_rate_limit", "median_s", "reply_sha256"):
        assert f"`{name}`" in (folder / "codebook.md").read_text()


def test_the_bundle_holds_them_too_and_still_verifies(study, tmp_path):
    some_calls()
    out = io.StringIO()
    call_command("export", "market", "--out", str(tmp_path / "b"), "--bundle", stdout=io.StringIO())
    assert (tmp_path / "b" / "model_calls.csv").read_text().count("\n") == 3
    call_command("verify", str(tmp_path / "b"), stdout=out)
    assert "equal" in out.getvalue()


def test_two_versions_of_an_assistant_are_rows_of_their_own_and_together_only_when_asked(study, client):
    mine = Episode.objects.filter(assistant="expert")
    mine.filter(public_id__endswith="-1").update(versions={"assistant": OLD})
    mine.filter(public_id__endswith="-2").update(versions={"assistant": NEW})
    Episode.objects.filter(public_id="simulated-expert-1").update(versions={"assistant": NEW})
    apart, together = results_of(study), results_of(study, versions="together")
    assert {slug: row["n"] for slug, row in apart["people"]["assistants"].items()} == {
        "expert": 1,
        "expert, version 2": 1,
        "plain": 2,
    }
    assert {slug: row["n"] for slug, row in together["people"]["assistants"].items()} == {
        "expert": 2,
        "plain": 2,
    }
    page = client.get(f"{HOME}/results/").content.decode()
    assert "Versions kept apart" in page
    assert OLD in page
    assert "Count all versions together" in page
    assert (
        "counted together, as asked for" in client.get(f"{HOME}/results/?versions=together").content.decode()
    )


def test_a_number_of_one_version_leads_to_its_own_episodes(study, client):
    for number, version in ((1, OLD), (2, NEW)):
        Episode.objects.filter(public_id=f"human-expert-{number}").update(versions={"assistant": version})
    Episode.objects.filter(public_id="simulated-expert-1").update(versions={"assistant": NEW})
    behind = {
        label: set(
            re.findall(
                r"(?:human|simulated)-\w+-\d",
                client.get(
                    f"{HOME}/results/episodes/", {"assistant": label, "users": "people"}
                ).content.decode(),
            )
        )
        for label in ("expert", "expert, version 2")
    }
    assert behind == {"expert": {"human-expert-2"}, "expert, version 2": {"human-expert-1"}}


def test_a_bundle_of_several_versions_verifies(study, tmp_path):
    for number, version in ((1, OLD), (2, NEW)):
        Episode.objects.filter(public_id__endswith=f"-{number}").update(versions={"assistant": version})
    out = io.StringIO()
    call_command("export", "market", "--out", str(tmp_path / "b"), "--bundle", stdout=io.StringIO())
    call_command("verify", str(tmp_path / "b"), stdout=out)
    assert "equal" in out.getvalue()


def test_scores_of_the_rule_based_judge_are_marked_wherever_they_stand(study, client, tmp_path):
    for row in Episode.objects.all():
        judgement_save(episode=row, judge="rules", scores=dict.fromkeys(DIMENSIONS, 3))
    mark = "rules (rule-based, no language model)"
    for page in ("results", "agreement"):
        assert mark in client.get(f"{HOME}/{page}/").content.decode()
    table = client.get(f"{HOME}/results/").content.decode()
    assert mark in table.partition("Dialogue quality, simulated users")[2].partition("</figure>")[0]
    call_command("report", "market", "--out", str(tmp_path / "r"), stdout=io.StringIO(), stderr=io.StringIO())
    assert mark in (tmp_path / "r" / "report.html").read_text()
    call_command("export", "market", "--out", str(tmp_path / "e"), stdout=io.StringIO())
    assert {row["judge"] for row in csv.DictReader((tmp_path / "e" / "wide.csv").open())} == {mark}
    replay = client.get("/research/episodes/human-expert-1/").content.decode()
    assert "rule-based, no language model" in replay


def test_of_two_judges_the_last_counts_alone_and_their_episodes_are_kept_apart(study):
    one, other = Episode.objects.filter(public_id__startswith="simulated-expert").order_by("pk")
    full = dict.fromkeys(DIMENSIONS, 5)
    judgement_save(episode=one, judge="rules", scores=full, version="rules scripted@1")
    judgement_save(episode=other, judge="rules", scores=full, version="rules scripted@1")
    judgement_save(
        episode=other, judge="m", scores=full | {"naturalness": None}, version="m openai/m#1 judge@1:a"
    )
    found = results_of(study)
    rows = found["simulated"]["assistants"]
    values = sorted((row["n"], row["naturalness"] or 0) for slug, row in rows.items() if "expert" in slug)
    assert values == [(1, 0), (1, 5.0)]
    assert {row["judge"]: row["kind"] for row in found["judges"]} == {
        "m": "language model",
        "rules": "rule-based, no language model",
    }


@pytest.mark.django_db(transaction=True)
async def test_every_score_of_a_judgement_leads_to_the_words_and_turns_it_was_read_from():
    from asgiref.sync import sync_to_async

    from analysis.replay.document import replay_document
    from catalog.services import scene_freeze
    from tests.web.samples_studies import opened, rate_all, shopping

    def played():
        scene_freeze("supermarket")
        person_ = shopping(opened(assistants=("expert",)))
        rate_all(person_)
        found = person_.episodes.first()
        for number in range(2):
            made = turn(number, utterance=f"The cooler is ahead of you, number {number}.")
            found.turns.create(
                index=number,
                observation={"pose": made["observation"], "visible": []},
                assistant=made["assistant"],
                user=made["user"] | {"tool_call": {"tool": "idle", "args": {}, "resolved": None}},
                moderator=made["moderator"],
            )
        return found.pk

    episode_id = await sync_to_async(played)()
    assert await judge_episode(episode_id, judge="rules")
    row = await Episode.objects.aget(pk=episode_id)
    (given,) = (await sync_to_async(replay_document)(row))["judgements"]
    scored = [name for name, score in given["scores"].items() if score is not None]
    assert scored
    assert all(given["evidence"][name].startswith("rule-based: ") for name in scored)
    assert any("T0" in given["evidence"][name] for name in scored)
    assert row.versions["judge"].startswith("rules ")


def timed(study, **seconds):
    """Give every turn of these assistants with people its time."""
    for slug, taken in seconds.items():
        rows = [t for e in study.episodes.filter(assistant=slug, user_kind="human") for t in e.turns.all()]
        for at, row in enumerate(rows):
            row.timings = {"assistant": taken[at % len(taken)]}
            row.save()


def test_an_assistant_slower_than_the_shortest_reply_time_is_named_on_results_and_in_the_report(
    study, client, tmp_path
):
    record_into(study, [episode([turn(), turn(1)], episode_id=f"more-{slug}", assistant=slug, user=person(3))
                        for slug in ("expert", "plain")])  # fmt: skip
    timed(study, expert=[0.02, 0.05], plain=[0.9, 4.0])
    said = "Assistants can be told apart by how long they take."
    rows = {row["assistant"]: row for row in results_of(study)["conduct"]["people"]["rows"]}
    assert (rows["plain"]["late_share"], rows["expert"]["late_share"]) == (0.5, 0.0)
    page = text_of(client.get(f"{HOME}/results/").content.decode())
    assert f"{said} Replies later than the shortest reply time of 1 s: plain 50 %. plain gives" in page
    call_command("report", "market", "--out", str(tmp_path), stdout=io.StringIO(), stderr=io.StringIO())
    assert said in (tmp_path / "report.html").read_text()


def test_replies_hidden_by_the_shortest_reply_time_tell_nobody_apart(study):
    timed(study, expert=[0.02], plain=[0.9])
    assert study_conduct(study, study.episodes.filter(user_kind="human"))["told_apart"] == ""


@pytest.mark.parametrize(
    ("one", "other", "apart"),
    [((1.2, 1.4), (1.2, 1.6), False), ((3.0, 5.0), (3.1, 5.2), False), ((0.1, 0.2), (1.0, 2.0), True)],
)
def test_only_times_that_can_be_noticed_tell_letters_apart(one, other, apart):
    rows = [
        {"assistant": name, "timed": 9, "median_s": median, "p95_s": p95, "late": 5, "late_share": 0.5}
        for name, (median, p95) in (("a", one), ("b", other))
    ]
    assert bool(told_apart(rows, mask_s=1.0)) is apart
