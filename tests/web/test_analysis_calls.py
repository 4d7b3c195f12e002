"""How calls to models turned out, beside every result."""

import csv
import io
import json

import pytest
from django.core.management import call_command

from agents.call_summary import summary_lines
from tests.web.conduct_samples import HOME, a_call, reported, results_of, some_calls, text_of, two_and_two

pytestmark = pytest.mark.django_db


@pytest.fixture
def study():
    return two_and_two()


@pytest.fixture
def client(admin_client):
    return admin_client


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
    report = text_of(reported(tmp_path))
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
