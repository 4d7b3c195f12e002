"""All of a study's exports, into one folder with a manifest, or one by one."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import orjson
from django.utils import timezone

from analysis.exporting import rows, rows_calls
from analysis.exporting.column import Column
from analysis.exporting.columns import TABLES, codebook
from analysis.exporting.writers import FORMS, Written, write_bytes, write_file, write_trajectories
from analysis.services.scoring import scores_complete
from sessions.models import Study

MANIFEST = "manifest.json"
WHATS = (*TABLES, "trajectories")


def rows_of(study: Study, what: str) -> Iterator[dict[str, Any]]:
    """The rows of one export. Raises: KeyError for a name that is none."""
    of_study = {"events": rows.events, "model_calls": rows_calls.model_calls, "calls": rows_calls.calls}
    if what in of_study:
        return of_study[what](study)
    episodes = rows.finished(study)
    if what in ("wide", "long"):
        scores_complete(episodes=episodes)
    makers = {"wide": rows.wide, "long": rows.long, "turns": rows.turns, "trajectories": rows.trajectories}
    return makers[what](episodes)


def columns_of(what: str) -> Sequence[Column]:
    """The columns of a table; none for trajectories, which are whole records."""
    return TABLES.get(what, ())


def file_name(what: str, form: str) -> str:
    """The name of one export's file."""
    return f"{what}{FORMS[form][0]}"


def export_one(study: Study, what: str, form: str, folder: Path) -> Written:
    """Write one table in one form. Trajectories come as JSON Lines only.

    Raises: KeyError for an unknown table or form.
    """
    writer = write_trajectories if what == "trajectories" else FORMS[form][2]
    if what == "trajectories" and form != "jsonl":
        raise KeyError(form)
    return write_file(folder / file_name(what, form), rows_of(study, what), columns_of(what), writer)


def export_all(study: Study, folder: Path) -> list[Written]:
    """Every table in every form, the trajectories, the codebook, and the manifest over them all."""
    folder.mkdir(parents=True, exist_ok=True)
    written = [export_one(study, what, form, folder) for what in TABLES for form in FORMS]
    written.append(export_one(study, "trajectories", "jsonl", folder))
    written.append(write_bytes(folder / "codebook.md", codebook().encode(), 0))
    write_manifest(study, folder, written)
    return written


def write_manifest(study: Study, folder: Path, written: Sequence[Written], **more: Any) -> Path:
    """Counts and hashes of every file, by which a short or changed file is noticed."""
    body = {
        "schema": "siturec.export/1",
        "study": study.slug,
        "study_version": study.version,
        "made_at": timezone.now().isoformat(timespec="seconds").replace("+00:00", "Z"),
        **more,
        "files": {
            file.name: {"rows": file.rows, "bytes": file.size, "sha256": file.sha256} for file in written
        },
    }
    path = folder / MANIFEST
    path.write_bytes(orjson.dumps(body, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE))
    return path
