"""How the calls of some episodes turned out, as reports and exports show it."""

from collections.abc import Iterable, Iterator
from statistics import median
from typing import Any

from agents.models import ModelCall
from agents.selectors import call_redacted

FAILURES = ("rate_limit", "timeout", "refused", "too_long", "bad_output", "provider_error", "budget")
_COLUMNS = (
    "model_slug", "role", "prompt_version", "model", "outcome", "failure", "asked_again", "duration_s",
    "cost_usd", "tokens_in", "tokens_out",
)  # fmt: skip
_CHUNK = 400
Row = dict[str, Any]


def call_summary(episodes: Iterable[str]) -> list[Row]:
    """Per model, role, prompt version and answering model: outcomes, money, tokens, and the median seconds.

    ``episodes`` are public ids. ``calls`` counts every call, ``answers`` leaves out unusable replies
    that were asked about again. What no call told (tokens, cost) is None; ``unpriced`` counts calls without a
    price.
    """
    found: dict[tuple[str, ...], Row] = {}
    seconds: dict[tuple[str, ...], list[float]] = {}
    for call in _calls(episodes, _COLUMNS):
        key = tuple(call[name] for name in _COLUMNS[:4])
        row = found.setdefault(key, _empty(key))
        _count(row, call)
        seconds.setdefault(key, []).append(call["duration_s"])
    for key, row in found.items():
        row["median_s"] = median(seconds[key])
    return [found[key] for key in sorted(found)]


def summary_lines(rows: Iterable[Row]) -> list[str]:
    """The summary for a terminal, one line a row: outcomes in percent, failures by kind, time and money."""
    return [_line(row) for row in rows]


def _line(row: Row) -> str:
    shares = [
        f"{100 * row[kind] / row['answers']:.0f} % {kind}" for kind in ModelCall.Outcome.values if row[kind]
    ]
    kinds = [f"{row[f'failed_{kind}']} {kind}" for kind in FAILURES if row[f"failed_{kind}"]]
    why = f" ({', '.join(kinds)})" if kinds else ""
    cost = "cost unknown" if row["cost_usd"] is None else f"${row['cost_usd']:.4f}"
    return (
        f"{row['model']} as {row['role']} ({row['prompt_version']}): {row['answers']} answers, "
        f"{', '.join(shares) or 'none read'}{why}; "
        f"median {row['median_s']:.1f} s, {cost}"
    )


def calls_of(episodes: Iterable[str]) -> Iterator[Row]:
    """Every call of these episodes without its words, in order within a chunk of episodes."""
    for part in _chunks(episodes):
        rows = ModelCall.objects.filter(episode__in=part).order_by("started_at", "id")
        yield from map(call_redacted, rows.iterator(chunk_size=200))


def _calls(episodes: Iterable[str], columns: tuple[str, ...]) -> Iterator[Row]:
    for part in _chunks(episodes):
        yield from ModelCall.objects.filter(episode__in=part).order_by().values(*columns).iterator(2000)


def _chunks(episodes: Iterable[str]) -> Iterator[list[str]]:
    """Ids in parts that any database takes as parameters; a log may hold far more calls than a study has."""
    ids = list(episodes)
    for start in range(0, len(ids), _CHUNK):
        yield ids[start : start + _CHUNK]


def _empty(key: tuple[str, ...]) -> Row:
    row: Row = dict(zip(("model", "role", "prompt_version", "answered_by"), key, strict=True))
    row |= dict.fromkeys(("calls", "answers", *ModelCall.Outcome.values), 0)
    row |= dict.fromkeys((f"failed_{kind}" for kind in FAILURES), 0)
    return row | {"cost_usd": None, "unpriced": 0, "tokens_in": None, "tokens_out": None}


def _count(row: Row, call: Row) -> None:
    row["calls"] += 1
    if not call["asked_again"]:
        row["answers"] += 1
        row[call["outcome"]] += 1
        if call["failure"]:
            row[f"failed_{call['failure']}"] = row.get(f"failed_{call['failure']}", 0) + 1
    row["unpriced"] += call["cost_usd"] is None
    for name in ("cost_usd", "tokens_in", "tokens_out"):
        if call[name] is not None:
            row[name] = (row[name] or 0) + call[name]
