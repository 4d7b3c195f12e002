"""What the pages share: the filters in the address, the results behind them, and downloads."""

from dataclasses import asdict, dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from analysis.figures.pictures import RUNTIME_VERSION
from analysis.filters import FilterError, Filters
from analysis.selectors.raters import judges_sentence
from play.research.access import study_context
from sessions.models import Study

LABELS = {"scene": "Scene", "condition": "Condition", "simulator": "Simulated user"}


@dataclass(frozen=True)
class Choice:
    """One filter as a select: its name, label, value, and what it can be."""

    name: str
    label: str
    value: str
    options: list[str]


def page_of(request: HttpRequest, study: Study, tab: str, template: str, **more: Any) -> HttpResponse:
    """Render a page of the results, with their filters."""
    context = study_context(request, study, tab, **more)
    return render(request, template, context)


def filters_of(request: HttpRequest) -> tuple[Filters, str]:
    """The filters in the address; on a senseless one no filter at all, and what was wrong."""
    try:
        return Filters.of(request.GET), ""
    except FilterError as error:
        return Filters(), str(error)


def results_context(results: dict[str, Any], filters: Filters, fault: str) -> dict[str, Any]:
    """Results with what the filter form above them needs."""
    values = asdict(filters)
    choices = [
        Choice(name, label, values[name], results["options"][name])
        for name, label in LABELS.items()
        if len(results["options"][name]) > 1 or values[name]
    ]
    return {
        "results": results,
        "filters": filters,
        "query": filters.query,
        "choices": choices,
        "filter_fault": fault,
        "judges": judges_sentence(results["judges"]),
        "told_apart": results["conduct"]["people"]["told_apart"],
        "apart": apart_counts(results),
        "people_n": sum(row["n"] for row in results["people"]["assistants"].values()),
        "simulated_n": sum(row["n"] for row in results["simulated"]["assistants"].values()),
        "participants": results["agreement"]["human"]["participants"],
        "excluded_n": excluded_counts(results),
        "runtime": RUNTIME_VERSION,
        "missing": {name.replace("_", " "): n for name, n in results["missing"].items() if n},
    }


def apart_counts(results: dict[str, Any]) -> list[str]:
    """Versions kept apart, as the tables name them; the plain names, which stand for themselves, left out."""
    return [row["label"] for row in results["versions"] if row["label"] != row["assistant"]]


def excluded_counts(results: dict[str, Any]) -> dict[str, int]:
    """Episodes kept out of every metric, by reason, over both kinds of users."""
    counts: dict[str, int] = {}
    for users in ("people", "simulated"):
        for row in results[users]["assistants"].values():
            for reason, n in row["excluded"].items():
                counts[reason.replace("_", " ")] = counts.get(reason.replace("_", " "), 0) + n
    return counts


def download(body: bytes | str, content_type: str, name: str, *, inline: bool = False) -> HttpResponse:
    """A response that saves under ``name`` (which holds only safe characters)."""
    response = HttpResponse(body, content_type=content_type)
    response["Content-Disposition"] = f'{"inline" if inline else "attachment"}; filename="{name}"'
    return response
