"""Every file that comes from outside: a key given twice is refused with the file's name and the key."""

import pytest
from django.core.management import CommandError, call_command

from agents.selectors import BadOptions, settings_spec
from agents.structured import Unusable, parse_json
from analysis.exporting.bundle import BundleError, stored_results
from catalog.admin.transfer import Cell
from play.research.studies import config_from_yaml
from sessions.errors import StudyError
from sessions.models import Episode
from siturec.trajectory import dump
from tests.core.test_trajectory_record import RECORD
from tests.web.samples_studies import opened

TWICE = "the key is given twice"


def test_a_study_file_names_the_line():
    with pytest.raises(StudyError, match=f"line 3, slug: {TWICE}"):
        config_from_yaml("slug: one\ntitle: A study\nslug: two\n")


@pytest.mark.django_db
def test_a_study_file_and_an_analysis_plan_are_named_by_their_commands(tmp_path):
    path = tmp_path / "market.yaml"
    path.write_text("quota: 5\nquota: 6\n")
    with pytest.raises(CommandError, match=rf"market\.yaml: .*line 2, quota: {TWICE}"):
        call_command("create_study", path)
    with pytest.raises(CommandError, match=rf"market\.yaml: line 2, quota: {TWICE}"):
        call_command("register_plan", opened(assistants=("bad",)).slug, path)


@pytest.mark.django_db
def test_a_trajectory_that_comes_in_is_named_with_its_line_and_nothing_comes_in(tmp_path):
    path = tmp_path / "foreign.jsonl"
    second = dump(RECORD | {"episode_id": "e-2"}).replace(b'"seed":', b'"seed":', 1)
    path.write_bytes(dump(RECORD) + second.replace(b'"turn":0', b'"turn":0,"turn":1', 1))
    with pytest.raises(CommandError, match=rf"foreign\.jsonl: line 2, turns\[0\]\.turn: {TWICE}"):
        call_command("import_trajectories", path)
    assert not Episode.objects.exists()


def test_a_bundle_names_the_file(tmp_path):
    (tmp_path / "results.json").write_text('{"scores": {"SR": 1, "SR": 2}}')
    with pytest.raises(BundleError, match=rf"results\.json: scores\.SR: {TWICE}"):
        stored_results(tmp_path)


def test_a_table_cell_of_json_is_refused():
    with pytest.raises(ValueError, match=f"r: {TWICE}"):
        Cell().clean('{"r": 1, "r": 2}')


def test_a_models_answer_that_says_two_things_is_sent_back():
    with pytest.raises(Unusable, match=f"scores.naturalness: {TWICE}"):
        parse_json('{"scores": {"naturalness": 2, "naturalness": 5}}')


def test_options_of_the_settings_model_are_refused(settings):
    settings.SITUREC_MODEL, settings.SITUREC_MODEL_OPTIONS = "openai/x", '{"vision": true, "vision": false}'
    with pytest.raises(BadOptions, match=f"SITUREC_MODEL_OPTIONS: vision: {TWICE}"):
        settings_spec()
