"""``score`` and ``agreement`` on files: what they print, and how they refuse."""

import json
from io import StringIO

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from siturec.trajectory import write_file
from tests.core.episode_maker import episode, human_cohort, person, scores, simulated_cohort


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("records")
    write_file(folder / "h.jsonl", human_cohort())
    write_file(folder / "s.jsonl", simulated_cohort(profiles=4))
    return folder


def run(*args, **options):
    out = StringIO()
    call_command(*(str(arg) for arg in args), stdout=out, **options)
    return out.getvalue()


def agreement(human, simulated, *args):
    return run("agreement", "--human", human, "--simulated", simulated, *args)


def test_score_prints_every_metric_of_every_assistant(files):
    table = json.loads(run("score", files / "s.jsonl", "--format", "json"))
    assert sorted(table["assistants"]) == ["bad", "capable", "expert", "hasty", "plain"]
    expert = table["assistants"]["expert"]
    assert expert["n"] == 16
    for metric in (
        "SR",
        "Turn",
        "AFR",
        "LNSR",
        "R@5",
        "NDCG@10",
        "RPR",
        "RPR|Cart",
        "R-MRR@10",
        "informativeness",
    ):
        assert isinstance(expert[metric], float)
    assert list(expert["CGV"]) == ["n", "CGV(0)", "1", "2", "3", "4", "5", "End"]
    assert len(expert["SR(t)"]) == 20
    assert len(expert["subsets"]["SR"]["means"]) == 4


def test_score_as_latex_keeps_the_identity_of_the_reference_purchase_rates(files):
    table = json.loads(run("score", files / "s.jsonl"))["assistants"]["expert"]
    text = run("score", files / "s.jsonl", "--format", "latex")
    row = next(line for line in text.splitlines() if line.startswith("expert"))
    cells = row.removesuffix(r" \\").split(" & ")
    subsets = table["subsets"]["SR"]
    assert cells[2] == f"${subsets['mean']:.1f}_{{{subsets['sd']:.1f}}}$"
    assert cells[8:10] == [f"${table['RPR']:.1f}$", f"${table['RPR|Cart']:.1f}$"]
    assert table["RPR|Cart"] == pytest.approx(100 * table["RPR"] / table["SR"])


def test_agreement_prints_coefficients_with_what_they_rest_on(files):
    report = json.loads(agreement(files / "h.jsonl", files / "s.jsonl"))
    found = report["metrics"]["SR"]
    assert found["n"] == 5
    assert found["undefined"] is None
    assert 0.5 < found["pearson"] <= 1
    assert found["p"]["method"] == "exact"
    assert report["human"]["participants"] == 5
    assert report["human"]["episodes"]["expert"] == 10
    assert set(report["questionnaire_vs_judge"]["metrics"]) >= {"informativeness", "overall_satisfaction"}


def test_planted_assistants_are_looked_for_on_both_sides(files):
    options = ("--bad", "bad", "--twin", "plain=expert")
    controls = json.loads(agreement(files / "h.jsonl", files / "s.jsonl", *options))["controls"]
    last = {(row["side"], row["metric"]): row["last"] for row in controls["bad"]}
    assert last[("human", "overall_satisfaction")] is last[("simulated", "overall_satisfaction")] is True
    alike = {(row["side"], row["metric"]): row["alike"] for row in controls["twins"]}
    assert alike[("simulated", "overall_satisfaction")] is False
    for wrong, words in (
        ("plain", "expected COPY=ORIGINAL"),
        ("plain=best", "no assistant best in the files"),
    ):
        with pytest.raises(CommandError, match=words):
            agreement(files / "h.jsonl", files / "s.jsonl", "--twin", wrong)


def test_agreement_as_csv_has_one_row_per_metric(files):
    lines = run(
        "agreement", "--human", files / "h.jsonl", "--simulated", files / "s.jsonl", "--format", "csv"
    )
    assert lines.splitlines()[0].startswith("metric,n,pearson,pearson_p")
    assert any(line.startswith("overall_satisfaction,5,") for line in lines.splitlines())


def test_agreement_as_latex_escapes_what_latex_would_act_on(files):
    table = run(
        "agreement", "--human", files / "h.jsonl", "--simulated", files / "s.jsonl", "--format", "latex"
    )
    assert r"RPR\textbar{}Cart" in table
    assert r"Catalog\%" in table
    assert table.count(r"\begin{tabular}") == table.count(r"\end{tabular}") == 1


def test_files_that_are_no_plain_pair_are_compared_with_a_warning(files, tmp_path):
    assert json.loads(agreement(files / "h.jsonl", files / "s.jsonl"))["warnings"] == []
    other = {**episode()["user"], "policy": "other"}
    rows = [
        *simulated_cohort(profiles=4),
        episode(episode_id="x", user=other),
        episode(episode_id="y", scene="home_furnishings"),
    ]
    write_file(tmp_path / "s.jsonl", rows)
    report = json.loads(agreement(tmp_path / "s.jsonl", tmp_path / "s.jsonl"))
    assert report["warnings"] == [
        "--human: 82 of 82 episodes are not of people",
        "several scenes are taken together; --scene takes one",
        "several simulated users are taken together: agenda, other",
    ]
    report = json.loads(agreement(files / "h.jsonl", tmp_path / "s.jsonl"))
    assert (
        "people were in supermarket, simulated users in home_furnishings, supermarket" in report["warnings"]
    )


def test_two_assistants_are_too_few_and_said_to_be(tmp_path):
    for name, user in (("h", person(1)), ("s", episode()["user"])):
        rows = [
            episode(episode_id=f"{name}{slug}", assistant=slug, user=user, judge=scores(3 + at))
            for at, slug in enumerate(("a", "b"))
        ]
        write_file(tmp_path / f"{name}.jsonl", rows)
    report = json.loads(agreement(tmp_path / "h.jsonl", tmp_path / "s.jsonl"))
    found = report["metrics"]["judge.overall_satisfaction"]
    assert (found["n"], found["pearson"], found["undefined"]) == (2, None, "too_few_systems")
    assert report["metrics"]["overall_satisfaction"]["undefined"] == "missing_side"


def test_equal_human_means_are_undefined_not_noise(tmp_path):
    humans = [
        episode(episode_id=f"h{slug}", assistant=slug, user=person(1), questionnaire=scores(3))
        for slug in "abcde"
    ]
    models = [
        episode(episode_id=f"s{slug}", assistant=slug, judge=scores(1 + at))
        for at, slug in enumerate("abcde")
    ]
    write_file(tmp_path / "h.jsonl", humans)
    write_file(tmp_path / "s.jsonl", models)
    report = json.loads(agreement(tmp_path / "h.jsonl", tmp_path / "s.jsonl"))
    assert report["metrics"]["naturalness"]["undefined"] == "constant_human"
    assert report["metrics"]["naturalness"]["pearson"] is None


def test_a_faulty_file_is_refused_with_line_and_key(tmp_path):
    path = tmp_path / "bad.jsonl"
    lines = [json.dumps(episode()), json.dumps({**episode(episode_id="e-2"), "judge": scores(9)})]
    path.write_text("\n".join(lines))
    with pytest.raises(
        CommandError, match=r"bad\.jsonl: line 2, judge\.informativeness: .*than or equal to 5"
    ):
        run("score", path)
    with pytest.raises(CommandError, match=r"bad\.jsonl: line 2"):
        agreement(path, path)


def test_a_missing_or_empty_file_is_named(tmp_path):
    with pytest.raises(CommandError, match=r"none\.jsonl: No such file"):
        run("score", tmp_path / "none.jsonl")
    (tmp_path / "empty.jsonl").write_text("")
    with pytest.raises(CommandError, match=r"empty\.jsonl: there is no episode in it"):
        run("score", tmp_path / "empty.jsonl")


def test_a_folder_of_scenes_that_is_not_there_is_refused(files, tmp_path):
    with pytest.raises(CommandError, match=r"--scenes: there is no folder .*nowhere"):
        run("score", files / "s.jsonl", "--scenes", tmp_path / "nowhere")
    table = json.loads(run("score", files / "s.jsonl", "--scenes", tmp_path))
    assert table["assistants"]["expert"]["reasons"] == {"Catalog%": "the scene's pack is not at hand"}


def test_a_stored_partition_is_used_and_checked(files, tmp_path):
    own = {f"{profile}.{task}": task - 1 for profile in range(1, 5) for task in range(1, 5)}
    stored = tmp_path / "partition.json"
    stored.write_text(json.dumps({"subsets": own}))
    given = json.loads(run("score", files / "s.jsonl", "--partition", stored))
    usual = json.loads(run("score", files / "s.jsonl"))
    assert given["assistants"]["expert"]["subsets"]["SR"] != usual["assistants"]["expert"]["subsets"]["SR"]
    stored.write_text(json.dumps({"subsets": {**own, "1.1": 4}}))
    with pytest.raises(CommandError, match=r"task 1\.1: subset 4 is none of 0, 1, 2, 3"):
        run("score", files / "s.jsonl", "--partition", stored)
    del own["2.3"]
    stored.write_text(json.dumps(own))
    with pytest.raises(CommandError, match=r"task 2\.3 is in the records but in no subset"):
        run(
            "agreement", "--human", files / "h.jsonl", "--simulated", files / "s.jsonl", "--partition", stored
        )


def test_ablation_records_stay_out_of_the_agreement_and_are_counted(files, tmp_path):
    rows = [*simulated_cohort(profiles=4), episode(episode_id="x", condition="no_ego_view")]
    write_file(tmp_path / "s.jsonl", rows)
    report = json.loads(agreement(files / "h.jsonl", tmp_path / "s.jsonl"))
    assert report["left_out"] == {"s.jsonl: condition no_ego_view": 1}


@pytest.fixture
def two_prompts(tmp_path):
    """People met the first prompt of one assistant; simulated users met it half the time, the second else."""
    first, second = {"judge": "rules rules@1:aa", "assistant": "m p@1:a"}, {"assistant": "m p@2:b"}
    people = [dict(record, versions=first) for record in human_cohort()]
    simulated = [
        dict(record, versions=second if number % 4 == 3 and record["assistant"] == "expert" else first)
        for number, record in enumerate(simulated_cohort(profiles=4))
    ]
    write_file(tmp_path / "h.jsonl", people)
    write_file(tmp_path / "s.jsonl", simulated)
    return tmp_path


def test_files_of_two_prompt_versions_are_never_mixed_unasked(two_prompts):
    table = json.loads(run("score", two_prompts / "s.jsonl"))
    whole = json.loads(run("score", two_prompts / "s.jsonl", "--mix-versions"))
    assert {"expert", "expert, version 2"} <= set(table["assistants"])
    assert "expert, version 2" not in whole["assistants"]
    parts = [table["assistants"][name]["n"] for name in ("expert", "expert, version 2")]
    assert sum(parts) == whole["assistants"]["expert"]["n"]
    assert min(parts) > 0
    assert {row["version"] for row in table["versions"]} == {"m p@1:a", "m p@2:b"}
    report = json.loads(agreement(two_prompts / "h.jsonl", two_prompts / "s.jsonl"))
    assert any("expert, version 2" in warning for warning in report["warnings"])
    mixed = json.loads(agreement(two_prompts / "h.jsonl", two_prompts / "s.jsonl", "--mix-versions"))
    assert mixed["versions"] == []
    assert report["metrics"] != mixed["metrics"]


def test_a_rule_based_judge_is_named_as_one_wherever_a_file_s_scores_are(two_prompts):
    kind = {"rules": "rule-based, no language model"}
    assert json.loads(run("score", two_prompts / "s.jsonl"))["judges"] == kind
    assert json.loads(agreement(two_prompts / "h.jsonl", two_prompts / "s.jsonl"))["judges"] == kind
