"""The numbers behind each figure, as flat rows: what the figure draws and what the table beside it lists."""

from collections.abc import Mapping
from math import cos, pi, sin
from typing import Any

from siturec.agreement.render import metric_name
from siturec.protocol.vocabulary import DIMENSIONS

Rows = list[dict[str, Any]]
Results = Mapping[str, Any]
GROUPS = (("people", "people"), ("simulated", "simulated users"))


def _rows(results: Results) -> list[tuple[str, str, Mapping[str, Any]]]:
    found = []
    for key, name in GROUPS:
        for slug, scores in results[key]["assistants"].items():
            if scores["n"]:
                found.append((name, slug, scores))
    return found


def slugs(results: Results) -> list[str]:
    """All assistants in either group, sorted."""
    return sorted({slug for _, slug, _ in _rows(results)})


def scatter(results: Results, metric: str) -> Rows:
    """Mean with people against mean with simulated users, per assistant, with leave-one-out r."""
    found = results["agreement"]["metrics"][metric]
    left_out = ((found["leave_one_out"] or {}).get("pearson") or {}).get("without", {})
    human, simulated = found["means"]["human"], found["means"]["simulated"]
    return [
        {
            "assistant": slug,
            "people": human[slug],
            "simulated users": simulated[slug],
            "r without it": left_out.get(slug),
            "outlier": slug in found["outliers"],
        }
        for slug in human
        if human[slug] is not None and simulated[slug] is not None
    ]


def success_curve(results: Results) -> Rows:
    """SR(t) for t = 1 to 20, per group and assistant."""
    return [
        {"users": name, "assistant": slug, "turn": int(turn), "SR": value}
        for name, slug, scores in _rows(results)
        for turn, value in scores["SR(t)"].items()
        if value is not None
    ]


def ratings(results: Results) -> Rows:
    """The seven dimensions, per group and assistant."""
    return [
        {"users": name, "assistant": slug, "dimension": metric_name(dimension), "mean": scores[dimension]}
        for name, slug, scores in _rows(results)
        for dimension in DIMENSIONS
        if scores[dimension] is not None
    ]


def radar(results: Results) -> Rows:
    """``ratings`` with places on a circle: radius 0 at a score of 1, 1 at 5."""
    names = [metric_name(dimension) for dimension in DIMENSIONS]
    rows = ratings(results)
    for row in rows:
        angle = 2 * pi * names.index(row["dimension"]) / len(names)
        radius = (row["mean"] - 1) / 4
        row |= {"x": radius * sin(angle), "y": radius * cos(angle), "order": names.index(row["dimension"])}
    closing = [{**row, "order": len(names)} for row in rows if row["order"] == 0]
    return rows + closing


def questionnaire_and_judge(results: Results) -> Rows:
    """Both raters' means on the same episodes with people."""
    metrics = results["agreement"]["questionnaire_vs_judge"]["metrics"]
    return [
        {"dimension": metric_name(dimension), "assistant": slug, "rater": rater, "mean": value}
        for dimension, found in metrics.items()
        for rater in ("questionnaire", "judge")
        for slug, value in found["means"][rater].items()
        if value is not None
    ]


def goal_visibility(results: Results) -> Rows:
    """Gain of CGV(h) over CGV(0), in percentage points."""
    return [
        {"users": name, "assistant": slug, "horizon": horizon, "gain": scores["CGV"][horizon]}
        for name, slug, scores in _rows(results)
        for horizon in ("1", "2", "3", "4", "5", "End")
        if scores["CGV"].get(horizon) is not None
    ]


def shares(results: Results, group: str) -> Rows:
    """A distribution (``acts``, ``user_tools``, ``end_reasons``) per assistant; unused kinds left out."""
    rows = [
        {"users": name, "assistant": slug, "kind": kind, "share": value}
        for name, slug, scores in _rows(results)
        for kind, value in scores[group].items()
        if value is not None
    ]
    used = {row["kind"] for row in rows if row["share"] > 0}
    return [row for row in rows if row["kind"] in used]


def suggestions(results: Results) -> Rows:
    """Actions suggested within Navigate: their share, and how often the user did the same."""
    rows = []
    for name, slug, scores in _rows(results):
        for tool, share in scores["suggested_in_navigate"].items():
            if share:
                same = scores["same_action_in_navigate"][tool]
                rows.append(
                    {"users": name, "assistant": slug, "action": tool, "share": share, "same action": same}
                )
    return rows
