"""The researcher's pages of results: what they show, to whom, and that every number leads to its episodes."""

import json
import re
from io import StringIO

import pytest
from django.contrib.auth import get_user_model
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import transaction
from django.test import Client

from analysis.figures.pictures import FIGURES
from analysis.filters import Filters
from analysis.models import AnalysisPlan, Computed, EpisodeScore
from analysis.services.plans import plan_register
from analysis.services.results import study_results
from questionnaire.models import Rating
from sessions.models import Episode, StudyMember
from siturec.metrics.plan import Plan
from tests.web.recorded_study import make_study, recorded_study

pytestmark = pytest.mark.django_db
HOME = "/research/studies/market"


@pytest.fixture(scope="module")
def once(django_db_setup, django_db_blocker):
    """A study scored and computed once; every test's own changes are rolled back after it."""
    with django_db_blocker.unblock(), transaction.atomic():
        made = recorded_study()
        study_results(study=made, filters=Filters())
        yield made
        transaction.set_rollback(True)


@pytest.fixture
def study(once, db):
    return once


def signed_in(study, role="researcher"):
    user = get_user_model().objects.create_user(f"{role}-of-{study.slug}", password="x")
    if role:
        StudyMember.objects.create(study=study, user=user, role=role)
    client = Client()
    client.force_login(user)
    return client


def text_of(response):
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", response.content.decode()))


def test_results_show_the_papers_tables_for_people_and_simulated_users(study):
    page = signed_in(study).get(f"{HOME}/results/")
    assert page.status_code == 200
    text = text_of(page)
    for title in (
        "Task performance, people",
        "Task performance, simulated users",
        "Dialogue quality, people",
    ):
        assert title in text
    assert "50 episodes with 5 participants, 40 simulated episodes" in text


def test_results_say_how_far_simulated_users_agree_or_why_that_is_undefined(study):
    text = text_of(signed_in(study).get(f"{HOME}/results/"))
    assert "Do simulated users tell assistants apart as people do?" in text
    study.episodes.filter(user_kind="human").exclude(assistant__in=["expert", "bad"]).delete()
    text = text_of(signed_in(study, "monitor").get(f"{HOME}/results/"))
    assert "fewer than 3 assistants have both values" in text


def test_agreement_opens_with_a_sentence_in_plain_words(study):
    text = text_of(signed_in(study).get(f"{HOME}/agreement/"))
    assert "Overall satisfaction: simulated users rank the 5 assistants" in text
    assert "exact p =" in text


def test_the_planted_bad_assistant_is_reported(study):
    assert "bad comes last" in text_of(signed_in(study).get(f"{HOME}/agreement/"))


def test_every_number_leads_to_the_episodes_behind_it_and_they_to_their_replay(study):
    client = signed_in(study)
    page = client.get(f"{HOME}/results/").content.decode()
    link = re.search(r'href="([^"]+assistant=expert&amp;users=people&amp;metric=SR[^"]*)"', page).group(1)
    behind = client.get(link.replace("&amp;", "&"))
    assert behind.content.decode().count("/research/episodes/market-h-") == 10


def test_a_stranger_does_not_learn_that_the_study_exists(study):
    stranger = signed_in(make_study("another"))
    for place in ("results/", "agreement/", "export/", "results/episodes/", "figures/endings.svg"):
        assert stranger.get(f"{HOME}/{place}").status_code == 404


def test_a_monitor_sees_results_but_exports_nothing(study):
    client = signed_in(study, "monitor")
    assert client.get(f"{HOME}/results/").status_code == 200
    assert client.get(f"{HOME}/export/").status_code == 403
    assert client.get(f"{HOME}/export/wide/csv/").status_code == 403


def test_an_empty_study_says_what_will_be_here(db):
    client = signed_in(make_study("empty"))
    assert "Nothing to show yet" in text_of(client.get("/research/studies/empty/results/"))
    assert "Not yet comparable" in text_of(client.get("/research/studies/empty/agreement/"))


def test_results_are_kept_until_the_data_changes(study):
    client = signed_in(study)
    client.get(f"{HOME}/results/")
    first = Computed.objects.get(key="results?")
    client.get(f"{HOME}/results/")
    assert Computed.objects.get(key="results?").computed_at == first.computed_at
    Rating.objects.filter(episode__assistant="expert", dimension="naturalness").update(score=1)
    client.get(f"{HOME}/results/")
    assert Computed.objects.get(key="results?").data_version != first.data_version


def test_filters_choose_episodes_and_stay_in_the_address(study):
    client = signed_in(study)
    text = text_of(client.get(f"{HOME}/results/?since=2027-01-01"))
    assert "0 episodes with 0 participants" in text
    assert "is not a day" in text_of(client.get(f"{HOME}/results/?since=tomorrow"))


def test_excluded_people_stay_out_unless_asked_for(study):
    study.participants.filter(code="P001").update(state="excluded")
    client = signed_in(study)
    assert "40 episodes with 4 participants" in text_of(client.get(f"{HOME}/results/"))
    assert "50 episodes with 5 participants" in text_of(client.get(f"{HOME}/results/?excluded=1"))


def test_bots_never_count(study):
    study.participants.filter(code="P001").update(kind="bot")
    assert "40 episodes with 4 participants" in text_of(signed_in(study).get(f"{HOME}/results/"))


def test_a_figure_comes_as_svg_png_and_pdf(study):
    client = signed_in(study)
    for form, start in (("svg", b"<svg"), ("png", b"\x89PNG"), ("pdf", b"%PDF")):
        found = client.get(f"{HOME}/figures/scatter-sr.{form}")
        assert found.status_code == 200
        assert found.content.startswith(start)
    assert client.get(f"{HOME}/figures/no-such.svg").status_code == 404


def test_every_figure_is_a_valid_specification(study):
    import altair

    results = json.loads(bytes(Computed.objects.get(key="results?").body))
    for name, figure in FIGURES.items():
        assert figure.rows(results)
        if name in ("scatter-sr", "dialogue-quality", "suggested-actions", "endings"):
            altair.Chart.from_dict(figure.drawn(results))


def test_a_table_comes_as_csv_and_latex(study):
    client = signed_in(study)
    assert client.get(f"{HOME}/tables/task-people.csv").content.startswith(b"Assistant,Episodes,SR,Turn")
    latex = client.get(f"{HOME}/tables/purchase-simulated.tex").content.decode()
    assert r"RPR\textbar{}Cart" in latex


def test_no_page_needs_an_inline_script_or_style(study):
    client = signed_in(study)
    for place in ("results/", "agreement/", "export/", "results/episodes/"):
        page = client.get(f"{HOME}/{place}").content.decode()
        assert not re.search(r"<script(?![^>]*\bsrc=)", page)
        assert " style=" not in page
        assert "<style" not in page


def test_a_plan_is_kept_with_its_hash_and_held_against_the_results(study):
    client = signed_in(study)
    plan = {
        "metrics": ["SR", "naturalness"],
        "coefficient": "spearman",
        "alpha": "0.05",
        "minimum_people": "9",
        "minimum_assistants": "5",
        "condition": "full",
        "exclude_failed_checks": "on",
        "at_least": "0.7",
    }
    client.post(f"{HOME}/agreement/plan/", plan)
    row = AnalysisPlan.objects.get()
    assert (row.number, row.episodes_before, len(row.digest)) == (1, 50, 64)
    text = text_of(client.get(f"{HOME}/agreement/"))
    assert row.digest in text
    assert "read from 9 people and 5 assistants on 5 people, 5 assistants deviation" in text
    assert "Deviations from the plan: 2. Planned was: registered before any episode with people" in text
    assert re.search(r"Naturalness: spearman at least 0.70 [\d.]+ (not )?reached", text)
    client.post(f"{HOME}/agreement/plan/", plan)
    assert AnalysisPlan.objects.count() == 1
    client.post(f"{HOME}/agreement/plan/", {**plan, "metrics": ["charm"]})
    assert "no metric &#x27;charm&#x27;" in client.get(f"{HOME}/agreement/").content.decode()
    assert AnalysisPlan.objects.count() == 1


def test_scores_of_older_rules_stay_beside_the_new_ones(study):
    episode = Episode.objects.filter(study=study).first()
    EpisodeScore.objects.create(episode=episode, version="0", counted=True, sums={"SR": [1.0, 1.0]})
    signed_in(study).get(f"{HOME}/results/")
    assert set(episode.scores.values_list("version", flat=True)) == {"0", "1"}


def test_one_unreadable_record_is_counted_and_hides_no_other(study):
    broken = Episode.objects.filter(study=study, user_kind="simulated").first()
    broken.turns.update(assistant={"utterance": 3})
    broken.scores.all().delete()
    Computed.objects.all().delete()
    text = text_of(signed_in(study).get(f"{HOME}/results/"))
    assert "1 unreadable records" in text
    assert "39 simulated episodes" in text


def test_a_table_sorts_by_the_address_and_missing_values_come_last(study):
    page = signed_in(study).get(f"{HOME}/results/?sort=-task-people:2").content.decode()
    table = page[page.index('id="task-people"') : page.index('id="task-simulated"')]
    assert re.findall(r'<th scope="row" dir="auto">(\w+)', table)[:2] == ["expert", "capable"]
    assert 'aria-sort="descending"' in table


def run(*args):
    out = StringIO()
    call_command(*args, stdout=out)
    return out.getvalue()


def test_rescoring_is_one_command_and_keeps_the_old_scores(study):
    episode = Episode.objects.filter(study=study).first()
    EpisodeScore.objects.filter(episode=episode).update(version="0")
    said = run("rescore", study.slug)
    assert "1 episodes scored by rules 1" in said
    assert "rules 0: 1 scores kept" in said
    assert "rules 1: 90 scores kept" in said


def test_a_plan_can_be_uploaded_and_its_faults_are_said(study):
    client = signed_in(study)

    def send(text):
        client.post(f"{HOME}/agreement/plan/", {"file": SimpleUploadedFile("plan.yaml", text)})
        return text_of(client.get(f"{HOME}/agreement/"))

    assert "plan.yaml: neither YAML nor JSON" in send(b"metrics: [SR")
    assert "plan.yaml: this is no text" in send(b"\xff\xfe")
    assert "a plan has at most 100 kB" in send(b"#" * 100_001)
    assert not AnalysisPlan.objects.exists()
    assert "Only the headline." in send(b"metrics: [SR]\nnotes: Only the headline.\n")
    assert AnalysisPlan.objects.get().document["metrics"] == ["SR"]


def test_a_plan_that_was_kept_is_reported_as_planned(study):
    human = study.episodes.filter(user_kind="human")
    human.update(status="running")
    plan_register(study=study, plan=Plan(metrics=("SR",)), actor=None)
    human.update(status="ended")
    text = text_of(signed_in(study).get(f"{HOME}/agreement/"))
    assert "UTC; SHA-256" in text
    assert " As planned. " in text
    assert "Deviations" not in text


def test_a_plan_can_come_from_a_file(study, tmp_path):
    file = tmp_path / "plan.yaml"
    file.write_text("metrics: [SR]\nthresholds: [{metric: SR, at_least: 0.7}]\n")
    assert "plan 1 of market: SHA-256" in run("register_plan", "market", str(file))
    file.write_text("metrics: [SR]\nalpha: 2\n")
    with pytest.raises(CommandError, match=r"plan\.yaml: alpha: Input should be less than 1"):
        run("register_plan", "market", str(file))
