"""Score tables as text: CSV rows and LaTeX, from what ``score_table`` gives."""

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from siturec.agreement.render import latex_number, latex_text, metric_name
from siturec.metrics.registry import HEADLINE

TASK_METRICS = ("SR", "Turn", "AFR", "LNSR", "R@5", "NDCG@10")
PLAIN_METRICS = frozenset({"RPR", "RPR|Cart"})
"""Proportions of the whole cohort, without SD, in the paper's Tables 8 and 9: so RPR|Cart stays RPR / SR."""
QUALITY_METRICS = ("RPR", "RPR|Cart", "R-MRR@10", "Catalog%")


def csv_text(columns: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> str:
    """Rows as CSV; a missing value is an empty cell."""
    out = io.StringIO()
    writer = csv.DictWriter(out, fieldnames=list(columns), extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def score_rows(table: Mapping[str, Any]) -> list[dict[str, Any]]:
    """One flat row per assistant: n, every headline metric, and its subset mean and SD."""
    rows: list[dict[str, Any]] = []
    for slug, scores in table["assistants"].items():
        row: dict[str, Any] = {"assistant": slug, "n": scores["n"]}
        for metric in HEADLINE:
            row[metric] = scores[metric]
            if scores["subsets"] is not None:
                row[f"{metric} subset mean"] = scores["subsets"][metric]["mean"]
                row[f"{metric} subset sd"] = scores["subsets"][metric]["sd"]
        rows.append(row)
    return rows


def over_subsets(scores: Mapping[str, Any], metric: str) -> tuple[float, float] | None:
    """Mean and SD of the four subset means, or None where a table shows the cohort's own value."""
    if scores["subsets"] is None or metric in PLAIN_METRICS:
        return None
    found = scores["subsets"][metric]
    return None if found["mean"] is None else (found["mean"], found["sd"])


def score_csv(table: Mapping[str, Any]) -> str:
    """The table as CSV."""
    rows = score_rows(table)
    columns = list(dict.fromkeys(name for row in rows for name in row))
    return csv_text(columns, rows)


def score_latex(
    table: Mapping[str, Any], metrics: Sequence[str] = (*TASK_METRICS, *QUALITY_METRICS), caption: str = ""
) -> str:
    """A booktabs table in the shape of the paper's Tables 3 and 8: means, the subsets' SD as subscript."""
    lines = [r"\begin{table}", r"\centering"]
    if caption:
        lines.append(rf"\caption{{{latex_text(caption)}}}")
    lines += [rf"\begin{{tabular}}{{lr{'r' * len(metrics)}}}", r"\toprule"]
    names = (latex_text(metric_name(metric)) for metric in metrics)
    lines += [" & ".join(["Assistant", "$n$", *names]) + r" \\", r"\midrule"]
    for slug, scores in table["assistants"].items():
        cells = [latex_text(slug), str(scores["n"]), *(_latex_cell(scores, metric) for metric in metrics)]
        lines.append(" & ".join(cells) + r" \\")
    lines += [r"\bottomrule", r"\end{tabular}", r"\end{table}", ""]
    return "\n".join(lines)


def _latex_cell(scores: Mapping[str, Any], metric: str) -> str:
    found = over_subsets(scores, metric)
    if found is None:
        return latex_number(scores[metric], 1)
    return f"${found[0]:.1f}_{{{found[1]:.1f}}}$"
