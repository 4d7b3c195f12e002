"""Downloads: each table alone, chosen tables, and the study bundle, all sent while rows are being read."""

from collections.abc import AsyncIterator, Callable, Generator, Iterable
from typing import cast

from asgiref.sync import sync_to_async
from django.contrib import messages
from django.core.handlers.asgi import ASGIRequest
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect

from analysis.exporting.bundle import bundle_parts
from analysis.exporting.columns import TABLES, TITLES, codebook
from analysis.exporting.parts import Part, manifest_of, to_zip
from analysis.exporting.rows import finished
from analysis.exporting.study import TRAJECTORIES, codebook_part, export_parts, table_part
from analysis.exporting.writers import FORMS
from analysis.filters import Filters
from analysis.pages.common import download, page_of
from analysis.services.refreshing import results_at_hand
from play.research.access import study_page
from sessions.models import AuditLog, Study
from sessions.services import audit_add
from siturec.trajectory import TrajectoryError

SCORED = ("wide", "long")
"""The tables that hold scores."""
FORM_NAMES = {
    "csv": "CSV",
    "excel": "CSV for Excel",
    "parquet": "Parquet",
    "jsonl": "JSON Lines",
}
SENT, STOPPED = "export", "export stopped"


@study_page("researcher")
def export(request: HttpRequest, study: Study) -> HttpResponse:
    """What can be downloaded, and what each is for."""
    every = [(form, FORM_NAMES[form]) for form in FORMS]
    forms_of = dict.fromkeys(TABLES, every) | {TRAJECTORIES: [("jsonl", FORM_NAMES["jsonl"])]}
    offers = [
        (what, what.replace("_", " ").capitalize(), TITLES[what], forms) for what, forms in forms_of.items()
    ]
    mine = AuditLog.objects.filter(study=study, actor_id=request.user.pk, action__in=(SENT, STOPPED)).first()
    return page_of(
        request,
        study,
        "export",
        "analysis/export.html",
        offers=offers,
        forms=every,
        count=finished(study).count(),
        stopped=mine if mine is not None and mine.action == STOPPED else None,
    )


@study_page("researcher")
def file(request: HttpRequest, study: Study, what: str, form: str) -> HttpResponse:
    """One table in one form, with the codebook and a manifest; the codebook alone as it is."""
    if what == "codebook":
        return download(codebook(), "text/markdown; charset=utf-8", f"{study.slug}-codebook.md")
    if what not in TITLES or form not in FORMS or (what == TRAJECTORIES and form != "jsonl"):
        raise Http404("There is no such export.")
    parts = [table_part(study, what, form), codebook_part()]
    return _send(request, study, f"{what}-{form}", lambda: parts, scored=what in SCORED)


@study_page("researcher")
def tables(request: HttpRequest, study: Study) -> HttpResponse:
    """Every table in the forms that were chosen (``?form=``, any number of times; none: all forms)."""
    forms = request.GET.getlist("form") or list(FORMS)
    if not set(forms) <= set(FORMS):
        raise Http404("There is no such form.")
    chosen = [form for form in FORMS if form in forms]
    return _send(request, study, "tables", lambda: export_parts(study, chosen), scored=True)


@study_page("researcher")
def bundle(request: HttpRequest, study: Study) -> HttpResponse:
    """The study bundle."""
    return _send(request, study, "bundle", lambda: bundle_parts(study), scored=True)


def _send(
    request: HttpRequest, study: Study, subject: str, parts: Callable[[], Iterable[Part]], *, scored: bool
) -> HttpResponse:
    """The parts as one archive; for scores that are not there yet, the page to wait at."""
    if scored and results_at_hand(study=study, filters=Filters()).newer is not None:
        messages.info(
            request,
            "This file holds scores, which are being computed. Come back when the results are there.",
        )
        return redirect("analysis:results", study.slug)
    audit_add(actor=request.user, action=SENT, study=study, subject=subject)  # type: ignore[arg-type]
    pieces = _pieces(request, study, subject, parts)
    # Each kind of server must get its own kind of iterator, or Django collects the whole file in memory.
    response = StreamingHttpResponse(
        _later(pieces) if isinstance(request, ASGIRequest) else pieces, content_type="application/zip"
    )
    response["Content-Disposition"] = f'attachment; filename="{study.slug}-{subject}.zip"'
    # The decorator's type knows whole responses only.
    return cast(HttpResponse, response)


def _pieces(
    request: HttpRequest, study: Study, subject: str, parts: Callable[[], Iterable[Part]]
) -> Generator[bytes, None, None]:
    try:
        yield from to_zip(parts(), manifest_of(study))
    except TrajectoryError as error:
        # The browser only learns that the line broke: why is told on the page it was asked for on.
        fault = {"fault": str(error)}
        audit_add(actor=request.user, action=STOPPED, study=study, subject=subject, details=fault)  # type: ignore[arg-type]
        raise


async def _later(pieces: Generator[bytes, None, None]) -> AsyncIterator[bytes]:
    """The same pieces, each made in the request's own thread: database connections stay where they began."""
    step = sync_to_async(lambda: next(pieces, None))
    try:
        while (piece := await step()) is not None:
            yield piece
    finally:
        await sync_to_async(pieces.close)()
