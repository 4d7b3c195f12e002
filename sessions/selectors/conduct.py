"""How assistants behaved beside what they achieved: how long they took, and what had to be kept from view."""

from statistics import median
from typing import Any

from django.db.models import QuerySet

from sessions.models import Episode, Study, Turn

NOTICEABLE_S = 0.5
"""Two letters whose usual or slowest replies are further apart than this can be told apart by waiting."""
FEWEST = 5
"""Fewer replies than this say nothing about how long an assistant takes."""


def conduct_of(episodes: QuerySet[Episode], *, mask_s: float) -> list[dict[str, Any]]:
    """Per assistant: turns, seconds its replies took, the share that took longer than the mask, and leaks.

    ``mask_s`` is the study's shortest reply time: a reply that is ready sooner is held back until then, so
    only a later one shows how fast an assistant is. ``masked`` and ``named`` count utterances that would have
    told who speaks, ``markers`` those that said a marker even after being sent back.
    """
    found: dict[str, dict[str, Any]] = {}
    seconds: dict[str, list[float]] = {}
    turns = Turn.objects.filter(episode__in=episodes).exclude(assistant=None).order_by()
    for slug, timings, notes in turns.values_list("episode__assistant", "timings", "notes").iterator(2000):
        row = found.setdefault(slug, {"turns": 0, "sent_back": 0, "masked": 0, "named": 0, "markers": 0})
        row["turns"] += 1
        row["sent_back"] += "sent_back" in notes
        row["masked"] += "masked" in notes
        row["named"] += "named" in notes
        row["markers"] += "markers" in str(notes.get("violation", ""))
        taken = timings.get("assistant")
        if isinstance(taken, int | float):
            seconds.setdefault(slug, []).append(float(taken))
    return [
        {"assistant": slug, **found[slug], **_times(seconds.get(slug, []), mask_s)} for slug in sorted(found)
    ]


def _times(taken: list[float], mask_s: float) -> dict[str, Any]:
    if not taken:
        return {"timed": 0, "median_s": None, "p95_s": None, "late": 0, "late_share": None}
    ordered = sorted(taken)
    late = sum(second > mask_s for second in taken)
    return {
        "timed": len(taken),
        "median_s": median(taken),
        "p95_s": ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))],
        "late": late,
        "late_share": late / len(taken),
    }


def told_apart(rows: list[dict[str, Any]], *, mask_s: float) -> str:
    """One sentence where assistants could be told apart by how long they take, else nothing.

    What counts is what a person sees: no reply sooner than the mask.
    """
    timed = [row for row in rows if row["timed"] >= FEWEST]
    if len(timed) < 2:
        return ""
    shown = [(max(row["median_s"], mask_s), max(row["p95_s"], mask_s)) for row in timed]
    spreads = [max(column) - min(column) for column in zip(*shown, strict=True)]
    if max(spreads) <= NOTICEABLE_S:
        return ""
    slowest = max(timed, key=lambda row: row["p95_s"])
    shares = ", ".join(f"{row['assistant']} {100 * row['late_share']:.0f} %" for row in timed if row["late"])
    return (
        "Assistants can be told apart by how long they take. Replies later than the shortest reply time of "
        f"{mask_s:g} s: {shares}. {slowest['assistant']} gives 19 of 20 replies within "
        f"{slowest['p95_s']:.1f} s; a shortest reply time as long hides who answers."
    )


def study_conduct(study: Study, episodes: QuerySet[Episode]) -> dict[str, Any]:
    """What assistants did in these episodes of a study, and the sentence on their times, if one is due."""
    mask_s = study.design.min_reply_ms / 1000
    rows = conduct_of(episodes, mask_s=mask_s)
    return {"mask_s": mask_s, "rows": rows, "told_apart": told_apart(rows, mask_s=mask_s)}
