"""A study's results: what its pages, report, exports and API show, computed once per state of the data."""

from collections.abc import Mapping
from typing import Any

from django.utils import timezone

from agents.call_summary import call_summary
from analysis.filters import Filters
from analysis.models import EpisodeScore
from analysis.results import agreement_json, both_reports
from analysis.selectors.ledgers import ledger_of
from analysis.selectors.raters import judges_of
from analysis.selectors.versions import RESULTS_VERSION, data_version
from analysis.services.computing import RESULTS, computed_json
from analysis.services.scoring import UNREADABLE, facts_for, scores_complete
from questionnaire.models import Rating
from sessions.models import Study
from sessions.selectors.conduct import study_conduct
from siturec.metrics.facts import SceneFacts
from siturec.metrics.ledger import Ledger
from siturec.metrics.registry import SCORING_VERSION
from siturec.metrics.scoring import bank_partition, score_table
from siturec.metrics.versions import Apart, apart_json, kept_apart
from siturec.protocol.study import StudyConfig


def results_key(filters: Filters) -> str:
    """The name under which the results for these filters are kept."""
    return f"{RESULTS}{filters.query}"


def study_results(*, study: Study, filters: Filters) -> dict[str, Any]:
    """The results for these filters; computed when the data has changed since they were last asked for."""
    version = data_version(study)
    return computed_json(
        study=study,
        key=results_key(filters),
        version=version,
        make=lambda: compute_results(study=study, filters=filters, version=version),
    )


def compute_results(*, study: Study, filters: Filters, version: str) -> dict[str, Any]:
    """Score what has no score yet, and compute every table and comparison."""
    people, models = filters.human(study), filters.simulated(study)
    scores_complete(episodes=people)
    scores_complete(episodes=models)
    human, simulated = ledger_of(people), ledger_of(models)
    apart: list[Apart] = []
    if not filters.versions:
        human, simulated, apart = kept_apart(human, simulated)
    design = study.design
    subset_of = bank_partition(simulated, lambda slug: facts_for(slug, "")) if simulated.cells else None
    # Ablations are shown apart; only like conditions are compared.
    condition = filters.condition or design.condition
    alike = [ledger.where(lambda key: key.condition == condition) for ledger in (human, simulated)]
    reports = both_reports(alike[0], alike[1], subset_of)
    bad, twins = planted(design)
    return {
        "shape": RESULTS_VERSION,
        "study": study.slug,
        "title": study.title,
        "data_version": version,
        "scoring_version": SCORING_VERSION,
        "computed_at": timezone.now().isoformat(timespec="seconds"),
        "filters": filters.query,
        "condition": condition,
        "design": {"scene": design.scene, "assistants": list(design.assistant_slugs)},
        "people": score_table(human, _facts_of, None, shown=alike[0]),
        "simulated": score_table(simulated, _facts_of, subset_of, shown=alike[1]),
        "has_partition": subset_of is not None,
        "versions": apart_json(apart),
        "judges": judges_of(people, models),
        "conduct": {
            "people": study_conduct(study, people),
            "simulated": study_conduct(study, models),
        },
        "model_calls": call_summary(filters.public_ids(study)),
        "agreement": agreement_json(reports, *alike, bad=bad, twins=twins),
        "options": _options(study, human, simulated),
        "missing": _missing(study),
    }


def planted(design: StudyConfig) -> tuple[tuple[str, ...], Mapping[str, str]]:
    """The planted controls: plainly bad assistants, and copies by what they copy."""
    bad = tuple(choice.slug for choice in design.assistants if choice.control == "floor")
    twins = {choice.slug: choice.twin_of for choice in design.assistants if choice.control == "twin"}
    return bad, twins


def _facts_of(slug: str) -> SceneFacts:
    return facts_for(slug, "")


def _options(study: Study, human: Ledger, simulated: Ledger) -> dict[str, list[str]]:
    """What the filters can be set to."""
    everything = study.episodes.filter(status="ended")
    names = {"scene": "scene", "condition": "condition", "simulator": "user_policy"}
    return {
        name: sorted({value for value in everything.values_list(column, flat=True).distinct() if value})
        for name, column in names.items()
    }


def _missing(study: Study) -> dict[str, int]:
    """What could not be used, so that nobody takes silence for completeness."""
    ended = study.episodes.filter(status="ended")
    return {
        "unreadable_records": EpisodeScore.objects.filter(
            episode__study=study, version=SCORING_VERSION, unknown=[UNREADABLE]
        ).count(),
        "judge_answers_missing": Rating.objects.filter(
            episode__study=study, rater_kind=Rating.RaterKind.JUDGE, score=None
        ).count(),
        "questionnaire_items_left_out": Rating.objects.filter(
            episode__study=study, rater_kind=Rating.RaterKind.HUMAN, score=None
        ).count(),
        "not_judged": ended.filter(judged_at=None).count(),
        "not_rated": ended.filter(user_kind="human", rated_at=None).count(),
    }
