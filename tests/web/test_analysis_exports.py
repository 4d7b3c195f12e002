"""Exports, bundles and reports: what programs, Excel and a second machine get."""

import csv
import io
import json
import shutil
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from analysis.exporting.column import Column
from analysis.exporting.columns import WIDE
from analysis.exporting.excel import harmless
from analysis.exporting.rows import _public
from analysis.exporting.writers import write_csv, write_excel_csv, write_jsonl
from questionnaire.models import Rating
from sessions.models import Episode, Event
from siturec.trajectory import check_file
from tests.core.episode_maker import episode, person, scores, turn
from tests.web.recorded_study import record_into

SAID = [
    '=HYPERLINK("http://x")',
    "+1",
    "-2+3",
    "@SUM(A1)",
    "\tx",
    "naïve 日本語 Ł",
    'a,b\n"c"',
    "בא לי mug #12",
]


@pytest.fixture
def study(recorded_once, db):
    return recorded_once


def run(*args):
    out, err = io.StringIO(), io.StringIO()
    call_command(*(str(arg) for arg in args), stdout=out, stderr=err)
    return out.getvalue() + err.getvalue()


@pytest.fixture(scope="module")
def exported(recorded_once, tmp_path_factory, django_db_blocker):
    folder = tmp_path_factory.mktemp("export") / "out"
    with django_db_blocker.unblock():
        record = episode(
            [turn(at, reply=text) for at, text in enumerate(SAID)],
            episode_id="words",
            user=person(99),
            questionnaire=scores(3),
        )
        record_into(recorded_once, [record])
        Event.objects.create(
            participant=recorded_once.participants.get(code="P099"),
            kind="joined",
            payload={
                "step": 2,
                "ip": "10.0.0.1",
                "external_id": "prolific-77",
                "deep": [{"user_agent": "x"}],
            },
        )
        run("export", recorded_once.slug, "--out", folder)
    return folder


def rows_of(path, encoding="utf-8"):
    with path.open(encoding=encoding, newline="") as file:
        return list(csv.DictReader(file))


def test_every_table_comes_in_every_form_with_the_same_rows(exported):
    manifest = json.loads((exported / "manifest.json").read_text())
    assert manifest["files"]["wide.csv"]["rows"] == 91
    for what in ("wide", "long", "turns", "events"):
        names = [f"{what}.csv", f"{what}.excel.csv", f"{what}.parquet", f"{what}.jsonl"]
        counts = {manifest["files"][name]["rows"] for name in names}
        assert len(counts) == 1
        assert (
            len(rows_of(exported / names[0])) == pq.read_table(exported / names[2]).num_rows == counts.pop()
        )


def test_the_manifest_notices_a_short_file(exported):
    import hashlib

    for name, listed in json.loads((exported / "manifest.json").read_text())["files"].items():
        body = (exported / name).read_bytes()
        assert (len(body), hashlib.sha256(body).hexdigest()) == (listed["bytes"], listed["sha256"])


def test_machine_csv_keeps_every_word_and_excel_csv_runs_none(exported):
    plain = [row["reply"] for row in rows_of(exported / "turns.csv") if row["episode_id"] == "words"]
    assert plain == SAID
    raw = (exported / "turns.excel.csv").read_bytes()
    assert raw.startswith(b"\xef\xbb\xbf")
    excel = rows_of(exported / "turns.excel.csv", "utf-8-sig")
    shown = [row["reply"] for row in excel if row["episode_id"] == "words"]
    assert [text.removeprefix("'") for text in shown] == SAID
    assert not any(text.startswith(("=", "+", "-", "@", "\t", "\r")) for text in shown)


def test_excel_headers_are_harmless_and_negative_numbers_stay_numbers():
    columns = (Column("=1+1", "text", ""), Column("n", "number", ""), Column("f", "flag", ""))
    plain, excel, lines = io.BytesIO(), io.BytesIO(), io.BytesIO()
    for write, out in ((write_csv, plain), (write_excel_csv, excel), (write_jsonl, lines)):
        assert list(write([{"=1+1": "=2", "n": -4.5, "f": True}], columns, out)) == [1]
    assert plain.getvalue() == b"=1+1,n,f\n=2,-4.5,true\n"
    assert excel.getvalue() == b"\xef\xbb\xbf'=1+1,n,f\r\n'=2,-4.5,true\r\n"
    assert json.loads(lines.getvalue()) == {"=1+1": "=2", "n": -4.5, "f": True}


def test_times_are_iso_8601_in_utc_and_missing_is_empty(exported):
    row = next(row for row in rows_of(exported / "wide.csv") if row["episode_id"] == "words")
    assert row["started_at"] == "2026-11-30T10:00:00.000Z"
    assert row["judge.naturalness"] == ""
    assert row["questionnaire.naturalness"] == "3"
    assert row["RPR|Cart"] == ""


def test_people_are_known_by_code_only(exported, recorded_once):
    everything = b"".join(path.read_bytes() for path in exported.iterdir() if path.suffix != ".parquet")
    assert b"P099" in everything
    assert b"10.0.0.1" not in everything
    assert b"prolific-77" not in everything
    for token in recorded_once.participants.values_list("token", flat=True):
        assert token.encode() not in everything


def test_payloads_lose_what_names_a_person_and_keep_the_rest():
    assert _public({"ip": 1, "zip_code": 2, "user_name": 3, "x": {"email": 4, "y": [5]}}) == {
        "zip_code": 2,
        "x": {"y": [5]},
    }


def test_exported_trajectories_pass_the_records_check(exported):
    assert check_file(exported / "trajectories.jsonl") == 91


def test_the_codebook_explains_every_column(exported):
    words = (exported / "codebook.md").read_text()
    assert all(f"`{column.name.replace('|', chr(92) + '|')}`" in words for column in WIDE)


def test_an_export_never_mixes_with_what_is_there(study, exported):
    with pytest.raises(CommandError, match="not empty; nothing was written"):
        run("export", study.slug, "--out", exported)
    with pytest.raises(CommandError, match=r"there is no study nowhere; studies: .*market"):
        run("export", "nowhere", "--out", exported / "x")


@pytest.fixture(scope="module")
def bundle(recorded_once, tmp_path_factory, django_db_blocker):
    folder = tmp_path_factory.mktemp("bundle") / "market"
    with django_db_blocker.unblock():
        run("export", recorded_once.slug, "--out", f"{folder}.zip", "--bundle")
        assert not folder.exists()
        run("export", recorded_once.slug, "--out", folder, "--bundle")
    return folder


def test_a_second_machine_verifies_the_bundle(bundle):
    said = run("verify", f"{bundle}.zip")
    assert "files: all there" in said
    assert "results: equal, every number" in said


def copy_of(bundle, tmp_path):
    return Path(shutil.copytree(bundle, tmp_path / "copy"))


def test_a_short_or_missing_file_is_named(bundle, tmp_path):
    copy = copy_of(bundle, tmp_path)
    people = copy / "people.jsonl"
    people.write_bytes(people.read_bytes()[:-100])
    (copy / "study.yaml").unlink()
    with pytest.raises(CommandError, match=r"people\.jsonl: \d+ bytes where the manifest says") as refusal:
        run("verify", copy)
    assert "study.yaml: the file is missing" in str(refusal.value)


def test_a_number_that_was_changed_is_named(bundle, tmp_path):
    copy = copy_of(bundle, tmp_path)
    results = json.loads((copy / "results.json").read_text())
    results["agreement"]["metrics"]["SR"]["pearson"] += 0.01
    body = json.dumps(results).encode()
    (copy / "results.json").write_bytes(body)
    manifest = json.loads((copy / "manifest.json").read_text())
    import hashlib

    manifest["files"]["results.json"] |= {"bytes": len(body), "sha256": hashlib.sha256(body).hexdigest()}
    (copy / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(CommandError, match=r"differ in 1 places:\nagreement\.metrics\.SR\.pearson: "):
        run("verify", copy)


def test_what_is_no_bundle_is_said_to_be_none(tmp_path):
    with pytest.raises(CommandError, match="neither a folder nor a whole ZIP archive; was it cut short"):
        run("verify", tmp_path / "nothing.zip")
    with pytest.raises(CommandError, match=r"manifest\.json: the file is missing"):
        run("verify", tmp_path)


def test_a_report_holds_every_table_and_figure(study, tmp_path, monkeypatch):
    from analysis import reporting

    few = {name: figure for name, figure in reporting.FIGURES.items() if name in ("endings", "scatter-sr")}
    monkeypatch.setattr(reporting, "FIGURES", few)
    said = run("report", study.slug, "--out", tmp_path / "report")
    page = (tmp_path / "report" / "report.html").read_text()
    assert "People and simulated users" in page
    assert "figures/endings.svg" in page
    assert (tmp_path / "report" / "figures" / "endings.pdf").read_bytes().startswith(b"%PDF")
    assert (tmp_path / "report" / "tables" / "agreement.tex").read_text().startswith(r"\begin{table}")
    pdf = tmp_path / "report" / "report.pdf"
    assert pdf.read_bytes().startswith(b"%PDF") if pdf.exists() else "no report.pdf: WeasyPrint" in said


def test_a_missing_rating_stays_missing_on_the_way_out(study, tmp_path):
    one = Episode.objects.filter(study=study, user_kind="human").first()
    Rating.objects.filter(episode=one, rater_kind="human", dimension="naturalness").update(score=None)
    run("export", study.slug, "--out", tmp_path / "out")
    row = next(r for r in rows_of(tmp_path / "out" / "wide.csv") if r["episode_id"] == one.public_id)
    assert row["questionnaire.naturalness"] == ""
    lines = (tmp_path / "out" / "trajectories.jsonl").read_text().splitlines()
    record = next(json.loads(line) for line in lines if one.public_id in line)
    assert record["questionnaire"]["naturalness"] is None


@pytest.mark.parametrize("sign", ["=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20"])
def test_a_word_that_a_spreadsheet_would_compute_is_shown_as_text(sign):
    assert harmless(f"{sign}1+1") == f"'{sign}1+1"
    assert harmless(f"  {sign}x") == f"'  {sign}x"
    assert harmless(-4.5) == -4.5


@pytest.mark.parametrize(
    "text",
    ["17.10", "007", "12345678901234567890", "3-4", "1/2", "12e5", "2026-11-30", "May 5", "5. Mai",
     "10:30 PM", "5 %", "$5", "1,234", "TRUE", "wahr"],
)  # fmt: skip
def test_an_id_or_answer_that_a_spreadsheet_would_turn_into_a_number_or_date_stays_as_it_is(text):
    assert harmless(text) == f"'{text}"


@pytest.mark.parametrize(
    "text",
    [
        "2 apples, please",
        "naïve 日本語 Ł",
        "2026-11-30T10:00:00.000Z",
        "true love",
        "e",
        "May I?",
        "",
        "3a4f",
    ],
)
def test_what_a_spreadsheet_leaves_alone_is_left_alone(text):
    assert harmless(text) == text


def test_a_text_longer_than_a_cell_is_cut_and_says_so():
    shown = harmless("=" + "x" * 40_000)
    assert len(shown) == 32_767
    assert shown.startswith("'=xx")
    assert shown.endswith("(cut: a cell cannot hold more)")
    assert harmless("x" * 32_767) == "x" * 32_767
