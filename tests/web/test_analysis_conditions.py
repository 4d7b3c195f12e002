"""Ablations beside the study's own condition: shown apart, and never mixed into its tables."""

import re

import pytest

from analysis.filters import Filters
from analysis.services.results import study_results
from tests.core.episode_maker import simulated_cohort
from tests.web.recorded_study import record_into, recorded_study
from tests.web.test_analysis_pages import signed_in, text_of

pytestmark = pytest.mark.django_db


def test_episodes_of_an_ablation_are_not_mixed_into_the_papers_tables():
    study = recorded_study(profiles=1, participants=2)
    before = study_results(study=study, filters=Filters())["simulated"]["assistants"]
    blind = ({**record, "condition": "no_ego_view"} for record in simulated_cohort(seed=9, profiles=1))
    record_into(study, blind, prefix="blind-")
    found = study_results(study=study, filters=Filters())["simulated"]
    assert found["assistants"] == before
    assert found["by"]["condition"]["no_ego_view"]["expert"]["n"] == 4
    client = signed_in(study)
    page = client.get("/research/studies/market/results/")
    assert "Full context only." in text_of(page)
    link = re.search(r'href="([^"]+assistant=expert&amp;users=simulated[^"]*)"', page.content.decode()).group(
        1
    )
    behind = client.get(link.replace("&amp;", "&")).content.decode()
    assert behind.count("/research/episodes/market-s-") == 4
    assert "blind-" not in behind
