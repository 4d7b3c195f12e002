"""Results and agreement: tables first, a figure beside its numbers, every number a way to its episodes."""

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.cache import cache_control

from analysis.figures import pictures
from analysis.figures.pictures import CONTENT_TYPES, FIGURES, SCATTER_OF, Figure
from analysis.pages.common import download, filters_of, page_of, results_context
from analysis.pages.waiting import not_yet, progress_of, waiting_page
from analysis.selectors.plans import plan_check, plan_headline, plans_of
from analysis.services.figures import figure_body
from analysis.services.refreshing import results_at_hand
from analysis.tables_paper import all_tables
from analysis.tabling import Table, as_csv, as_latex
from play.research.access import study_page
from sessions.models import Study
from siturec.agreement.build import COMPARED
from siturec.agreement.render import metric_name

RESULT_TABLES = (
    *(f"{name}-{users}" for name in ("task", "dialogue", "purchase") for users in ("people", "simulated")),
    "agreement-short",
    "ablation",
    "versions",
    "judges",
    "conduct-people",
    "conduct-simulated",
    "model-calls",
)
RESULT_FIGURES = (
    "success-by-turn",
    "dialogue-quality",
    "goal-visibility",
    "assistant-acts",
    "suggested-actions",
    "user-actions",
    "endings",
)
AGREEMENT_TABLES = ("controls", "judge", "reliability", "behaviour", "mixes")
FIRST_METRIC = "overall_satisfaction"


def _figures(names: tuple[str, ...], results: dict[str, Any]) -> list[tuple[Figure, list[dict[str, Any]]]]:
    """Figures that have anything to draw, with their rows."""
    found = ((FIGURES[name], FIGURES[name].rows(results)) for name in names)
    return [(figure, [_shown(row) for row in rows]) for figure, rows in found if rows]


def _tables(request: HttpRequest, results: dict[str, Any]) -> dict[str, Table]:
    """All tables, the one that the address names sorted as it says."""
    wanted = request.GET.get("sort", "")
    return {name: table.sorted_as(wanted) for name, table in all_tables(results).items()}


def _shown(row: dict[str, Any]) -> dict[str, Any]:
    hidden = ("x", "y", "order", "label at", "outlier")
    return {
        name: f"{value:.1f}" if isinstance(value, float) else value
        for name, value in row.items()
        if name not in hidden
    }


@study_page("monitor")
def results(request: HttpRequest, study: Study) -> HttpResponse:
    """The tables and figures of the paper, from the data at hand."""
    filters, fault = filters_of(request)
    hand = results_at_hand(study=study, filters=filters)
    if hand.results is None:
        return waiting_page(request, study, "results", hand.newer, filters)
    context = results_context(hand.results, filters, fault)
    tables = _tables(request, context["results"])
    return page_of(
        request,
        study,
        "results",
        "analysis/results.html",
        **context,
        newer=progress_of(hand.newer),
        tables=[tables[name] for name in RESULT_TABLES if name in tables],
        figures=_figures(RESULT_FIGURES, context["results"]),
        empty=not (context["people_n"] or context["simulated_n"]),
    )


@study_page("monitor")
def agreement(request: HttpRequest, study: Study) -> HttpResponse:
    """Whether simulated users tell assistants apart as people do: a sentence, the table, the scatter."""
    filters, fault = filters_of(request)
    metric = request.GET.get("metric", FIRST_METRIC)
    if metric not in COMPARED:
        raise Http404("There is no such metric.")
    hand = results_at_hand(study=study, filters=filters)
    if hand.results is None:
        return waiting_page(request, study, "agreement", hand.newer, filters)
    context = results_context(hand.results, filters, fault)
    found = hand.results["agreement"]
    tables = _tables(request, context["results"])
    return page_of(
        request,
        study,
        "agreement",
        "analysis/agreement.html",
        **context,
        newer=progress_of(hand.newer),
        sentence=found["sentences"][metric],
        metric=metric,
        metric_title=metric_name(metric),
        metrics=[(key, metric_name(key)) for key in COMPARED],
        table=tables["agreement"],
        scatter=_figures((SCATTER_OF[metric],), context["results"]),
        tables=[tables[name] for name in AGREEMENT_TABLES if name in tables],
        judge_figure=_figures(("questionnaire-and-judge",), context["results"]),
        absent=found["absent"],
        more=found["metrics"][metric]["more_participants"],
        plans=plans_of(study),
        plan_lines=(lines := plan_check(study, context["results"], context["filters"])),
        plan_headline=plan_headline(lines),
        empty=not (context["people_n"] and context["simulated_n"]),
    )


@study_page("monitor")
def figure(request: HttpRequest, study: Study, name: str, form: str) -> HttpResponse:
    """One figure as SVG, PNG or PDF, kept until the data changes."""
    known = FIGURES.get(name)
    if known is None or form not in CONTENT_TYPES:
        raise Http404("There is no such figure.")
    filters, fault = filters_of(request)
    if fault:
        raise Http404(fault)
    found = results_at_hand(study=study, filters=filters).results
    if found is None:
        return not_yet()
    body, content_type = figure_body(study=study, figure=known, form=form, filters=filters, results=found)
    return download(body, content_type, f"{study.slug}-{name}.{form}", inline=form in ("svg", "json"))


@login_required
@cache_control(private=True, max_age=31_536_000, immutable=True)
def chart_runtime(request: HttpRequest) -> HttpResponse:
    """The script that makes figures answer the pointer; its address changes with its version."""
    return HttpResponse(pictures.chart_runtime(), content_type="text/javascript; charset=utf-8")


@study_page("monitor")
def table(request: HttpRequest, study: Study, name: str, form: str) -> HttpResponse:
    """One table as CSV or LaTeX."""
    filters, fault = filters_of(request)
    if fault:
        raise Http404(fault)
    results = results_at_hand(study=study, filters=filters).results
    if results is None:
        return not_yet()
    found = all_tables(results).get(name)
    if found is None:
        raise Http404("There is no such table, or nothing to put in it yet.")
    if form == "csv":
        return download(as_csv(found), "text/csv; charset=utf-8", f"{study.slug}-{name}.csv")
    return download(as_latex(found), "application/x-tex; charset=utf-8", f"{study.slug}-{name}.tex")
