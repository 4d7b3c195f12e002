"""Downloads: each table in each form, and everything at once.

Files are written to disk first, so that their size and hash are known before the first byte is sent.
"""

import asyncio
import base64
import os
import tempfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import IO, cast

from django.contrib import messages
from django.core.handlers.asgi import ASGIRequest
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect

from analysis.exporting.bundle import bundle_write, zip_folder
from analysis.exporting.columns import TABLES, TITLES, codebook
from analysis.exporting.rows import finished
from analysis.exporting.study import export_one, file_name
from analysis.exporting.writers import FORMS
from analysis.filters import Filters
from analysis.pages.common import download, page_of
from analysis.services.refreshing import results_at_hand
from play.research.access import study_page
from sessions.models import Study
from sessions.services import audit_add
from siturec.trajectory import TrajectoryError

PIECE = 1 << 18
SCORED = ("wide", "long")
"""The tables that hold scores."""
FORM_NAMES = {
    "csv": "CSV",
    "excel": "CSV for Excel",
    "parquet": "Parquet",
    "jsonl": "JSON Lines",
}


@study_page("researcher")
def export(request: HttpRequest, study: Study) -> HttpResponse:
    """What can be downloaded, and what each is for."""
    offers = [(what, TITLES[what], [(form, FORM_NAMES[form]) for form in FORMS]) for what in TABLES]
    offers.append(("trajectories", TITLES["trajectories"], [("jsonl", FORM_NAMES["jsonl"])]))
    return page_of(
        request, study, "export", "analysis/export.html", offers=offers, count=finished(study).count()
    )


@study_page("researcher")
def file(request: HttpRequest, study: Study, what: str, form: str) -> HttpResponse:
    """One table in one form. Its row count and SHA-256 are in the headers."""
    if what == "codebook":
        return download(codebook(), "text/markdown; charset=utf-8", f"{study.slug}-codebook.md")
    if what not in TITLES or form not in FORMS or (what == "trajectories" and form != "jsonl"):
        raise Http404("There is no such export.")
    if what in SCORED and (waiting := _scored_later(request, study)) is not None:
        return waiting
    with tempfile.TemporaryDirectory() as folder:
        try:
            written = export_one(study, what, form, Path(folder))
        except TrajectoryError as error:
            messages.error(request, f"The export stopped at a record that cannot be written: {error}")
            return redirect("analysis:export", study.slug)
        # The open file outlives its name, and goes when the response is closed.
        body = (Path(folder) / written.name).open("rb")
    response = _send(request, body, f"{study.slug}-{file_name(what, form)}", FORMS[form][1])
    response["X-Row-Count"] = str(written.rows)
    digest = base64.b64encode(bytes.fromhex(written.sha256)).decode()
    response["Repr-Digest"] = f"sha-256=:{digest}:"
    _log(request, study, f"{what}.{form}")
    return response


@study_page("researcher")
def bundle(request: HttpRequest, study: Study) -> HttpResponse:
    """The study bundle as one archive."""
    if (waiting := _scored_later(request, study)) is not None:
        return waiting
    with tempfile.TemporaryDirectory() as folder:
        content, archive = Path(folder) / "bundle", Path(folder) / "bundle.zip"
        try:
            bundle_write(study, content)
        except TrajectoryError as error:
            messages.error(request, f"The bundle stopped at a record that cannot be written: {error}")
            return redirect("analysis:export", study.slug)
        zip_folder(content, archive)
        body = archive.open("rb")
    _log(request, study, "bundle")
    return _send(request, body, f"{study.slug}-bundle.zip", "application/zip")


def _scored_later(request: HttpRequest, study: Study) -> HttpResponse | None:
    """The page to wait at while a large study is being scored; None when its scores are there."""
    newer = results_at_hand(study=study, filters=Filters()).newer
    if newer is None:
        return None
    messages.info(
        request, "This file holds scores, which are being computed. Come back when the results are there."
    )
    return redirect("analysis:results", study.slug)


def _send(request: HttpRequest, body: IO[bytes], name: str, content_type: str) -> HttpResponse:
    size = body.seek(0, os.SEEK_END)
    body.seek(0)
    # Each kind of server must get its own kind of iterator, or Django collects the whole file in memory.
    pieces = _later(body) if isinstance(request, ASGIRequest) else _now(body)
    response = StreamingHttpResponse(pieces, content_type=content_type)
    response["Content-Length"] = str(size)
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    # The decorator's type knows whole responses only.
    return cast(HttpResponse, response)


def _now(body: IO[bytes]) -> Iterator[bytes]:
    with body:
        while piece := body.read(PIECE):
            yield piece


async def _later(body: IO[bytes]) -> AsyncIterator[bytes]:
    with body:
        while piece := await asyncio.to_thread(body.read, PIECE):
            yield piece


def _log(request: HttpRequest, study: Study, subject: str) -> None:
    actor = request.user if request.user.is_authenticated else None
    audit_add(actor=actor, action="export", study=study, subject=subject)
