"""A study's tables as files to be written: all of them, or those that were chosen."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from analysis.exporting import rows, rows_calls
from analysis.exporting.column import Column
from analysis.exporting.columns import TABLES, codebook
from analysis.exporting.parts import Part
from analysis.exporting.writers import FORMS, Sink, Writer, write_trajectories
from analysis.services.scoring import scores_complete
from sessions.models import Study

TRAJECTORIES = "trajectories"
"""Whole records, which are no table: they come as JSON Lines only."""


def rows_of(study: Study, what: str) -> Iterator[dict[str, Any]]:
    """The rows of one export. Raises: KeyError for a name that is none."""
    of_study = {"events": rows.events, "model_calls": rows_calls.model_calls, "calls": rows_calls.calls}
    if what in of_study:
        return of_study[what](study)
    episodes = rows.finished(study)
    if what in ("wide", "long"):
        scores_complete(episodes=episodes)
    makers = {"wide": rows.wide, "long": rows.long, "turns": rows.turns, TRAJECTORIES: rows.trajectories}
    return makers[what](episodes)


def table_part(study: Study, what: str, form: str) -> Part:
    """One table in one form; its rows are read while it is written.

    Raises: KeyError for an unknown table or form, and for trajectories that are not to be JSON Lines.
    """
    whole = what == TRAJECTORIES
    suffix, writer = {"jsonl": (".jsonl", write_trajectories)}[form] if whole else FORMS[form]
    columns = () if whole else TABLES[what]
    return Part(f"{what}{suffix}", partial(_write, study, what, columns, writer))


def _write(study: Study, what: str, columns: Sequence[Column], writer: Writer, out: Sink) -> Iterator[int]:
    yield from writer(rows_of(study, what), columns, out)


def export_parts(study: Study, forms: Sequence[str] = tuple(FORMS)) -> list[Part]:
    """Every table in these forms, the trajectories and the codebook. Raises: KeyError for an unknown form."""
    tables = [table_part(study, what, form) for what in TABLES for form in forms]
    return [*tables, table_part(study, TRAJECTORIES, "jsonl"), codebook_part()]


def codebook_part() -> Part:
    """What every column means."""
    return Part.of("codebook.md", codebook().encode())
