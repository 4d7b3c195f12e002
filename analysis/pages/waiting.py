"""While results are being worked out: a page that says how far it is, and what that page asks."""

from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render

from analysis.filters import Filters
from analysis.models import Computing
from analysis.pages.common import filters_of
from analysis.services.results import results_key
from play.research.access import study_context, study_page
from sessions.models import Study

WAIT_S = 3


def progress_of(row: Computing | None) -> dict[str, Any] | None:
    """How far it is, in numbers and in one sentence; None where there is nothing to wait for."""
    if row is None:
        return None
    if row.fault:
        words = f"Computing failed: {row.fault}. It is tried again when this page is opened after a minute."
    elif row.done < row.total:
        words = f"{row.done:,} of {row.total:,} episodes scored."
    else:
        words = "All episodes are scored; tables, intervals and comparisons are being computed."
    return {"ready": False, "done": row.done, "total": row.total, "fault": row.fault, "words": words}


@study_page("monitor")
def progress(request: HttpRequest, study: Study) -> HttpResponse:
    """How far the results for the address's filters are; asking starts nothing."""
    filters, _ = filters_of(request)
    row = Computing.objects.filter(study=study, key=results_key(filters)).first()
    ready = {"ready": True, "done": 0, "total": 0, "fault": "", "words": "The results are ready."}
    return JsonResponse(progress_of(row) or ready)


def waiting_page(
    request: HttpRequest, study: Study, tab: str, row: Computing | None, filters: Filters
) -> HttpResponse:
    """What stands in for results that are not there yet. It asks how far they are, and opens them."""
    context = study_context(request, study, tab, newer=progress_of(row), query=filters.query)
    response = render(request, "analysis/waiting.html", context, status=202)
    response["Retry-After"] = str(WAIT_S)
    return response


def not_yet() -> HttpResponse:
    """The answer to a download of numbers that are not there yet."""
    response = HttpResponse(
        "These numbers are being computed. Try again in a moment.",
        status=503,
        content_type="text/plain; charset=utf-8",
    )
    response["Retry-After"] = str(WAIT_S)
    return response
