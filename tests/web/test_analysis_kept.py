"""Kept results and figures: few enough to stay for ever, and never one that is still shown."""

import pytest

from analysis.models import Computed
from analysis.services import computing
from analysis.services.computing import computed_body
from tests.web.recorded_study import make_study

pytestmark = pytest.mark.django_db


@pytest.fixture
def study():
    return make_study()


def keep(study, key, version):
    computed_body(study=study, key=key, version=version, make=lambda: (key.encode(), "text/plain"))


def kept(study):
    return set(study.computed.values_list("key", "data_version"))


def test_figures_go_with_the_data_they_were_drawn_from_and_older_results_stay(study):
    for key in ("results?", "results?scene=a", "figure:a.svg?", "figure:a.svg?scene=a"):
        keep(study, key, "monday")
    keep(study, "results?", "tuesday")
    assert ("figure:a.svg?", "monday") in kept(study)
    keep(study, "results?scene=a", "tuesday")
    assert kept(study) == {("results?", "tuesday"), ("results?scene=a", "tuesday")}


def test_of_many_filters_only_the_newest_are_kept_and_always_the_results_of_everything(study, monkeypatch):
    monkeypatch.setattr(computing, "KEPT", 5)
    other = make_study("other")
    keep(other, "results?", "monday")
    keep(study, "results?", "monday")
    for day in range(20):
        keep(study, f"results?since={day}", "monday")
    assert {key for key, _ in kept(study)} == {"results?", *(f"results?since={day}" for day in range(15, 20))}
    assert kept(other) == {("results?", "monday")}


def test_what_was_dropped_is_computed_again_when_it_is_asked_for(study, monkeypatch):
    monkeypatch.setattr(computing, "KEPT", 1)
    keep(study, "results?scene=a", "monday")
    keep(study, "results?scene=b", "monday")
    assert not Computed.objects.filter(key="results?scene=a").exists()
    body, _ = computed_body(
        study=study, key="results?scene=a", version="monday", make=lambda: (b"again", "text/plain")
    )
    assert body == b"again"
