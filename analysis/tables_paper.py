"""The paper's tables in shape, from a study's results."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import urlencode

from analysis.selectors.raters import judges_sentence
from analysis.tables import PLAIN_METRICS, QUALITY_METRICS, TASK_METRICS, over_subsets
from analysis.tables_conduct import conduct_tables
from analysis.tabling import Cell, Table, interval, number, word, yes_no
from siturec.agreement.render import UNDEFINED_WORDS, metric_name
from siturec.metrics.registry import INDEX, QUANTITIES
from siturec.protocol.vocabulary import DIMENSIONS

Results = Mapping[str, Any]
RHO, TAU = "\N{GREEK SMALL LETTER RHO}", "\N{GREEK SMALL LETTER TAU}"
JUDGED = ("dialogue-simulated", "agreement-short", "agreement", "judge", "controls", "ablation")
"""Tables in which scores of a judge stand."""
USERS = {"people": "people", "simulated": "simulated users"}
CONDITION_NAMES = {
    "full": "Full context",
    "no_ego_view": "Without first-person view",
    "no_ego_view_no_caption": "Without view and caption",
}


def digits_of(metric: str) -> int:
    """One decimal as in the paper; two for the five-point scales of a small study."""
    return 2 if QUANTITIES[INDEX[metric]].unit == "points" else 1


def score_cells(scores: Mapping[str, Any], metrics: tuple[str, ...], **where: str) -> list[Cell]:
    """An assistant's metrics: subset mean and SD where the subsets are whole, else the plain mean.

    The two reference purchase rates are always plain, as in the paper.
    """
    cells = []
    for metric in metrics:
        mean, spread = over_subsets(scores, metric) or (scores[metric], None)
        query = urlencode({**where, "metric": metric})
        why = scores.get("reasons", {}).get(metric, "")
        cells.append(number(mean, digits_of(metric), spread=spread, query=query, why=why))
    return cells


def score_table_of(results: Results, users: str, metrics: tuple[str, ...], name: str, title: str) -> Table:
    """One group's assistants by metrics."""
    table = results[users]["assistants"]
    # Where conditions are told apart, a row is about the study's own.
    apart = {"condition": results["condition"]} if results[users]["by"].get("condition") else {}
    where = {"users": users, **apart}
    rows = [
        (
            word(slug),
            Cell(scores["n"], str(scores["n"]), query=urlencode({"assistant": slug, **where})),
            *score_cells(scores, metrics, assistant=slug, **where),
        )
        for slug, scores in table.items()
    ]
    spread = any(cell.spread is not None for row in rows for cell in row)
    note = "Mean of the four profile-stratified subset means, with their sample SD." if spread else ""
    if not spread and rows:
        note = "Plain means over all episodes."
    elif spread and not PLAIN_METRICS.isdisjoint(metrics):
        note += " RPR and RPR|Cart over all episodes."
    if apart:
        note += f" {CONDITION_NAMES.get(results['condition'], results['condition'])} only."
    columns = ("Assistant", "Episodes", *(metric_name(metric) for metric in metrics))
    return Table(f"{name}-{users}", f"{title}, {USERS[users]}", columns, tuple(rows), note)


def ablation_table(results: Results) -> Table | None:
    """Tables 5 and 9: conditions by metrics, where simulated episodes of several conditions exist."""
    by = results["simulated"]["by"].get("condition")
    if not by:
        return None
    metrics = ("SR", "AFR", "LNSR", "R@5", "NDCG@10", "RPR", "RPR|Cart", *DIMENSIONS)
    rows = []
    for slug in results["simulated"]["assistants"]:
        for condition, rows_of in by.items():
            if slug in rows_of:
                where = {"assistant": slug, "users": "simulated", "condition": condition}
                scores = rows_of[slug]
                rows.append(
                    (
                        word(slug),
                        word(CONDITION_NAMES.get(condition, condition)),
                        number(scores["n"], 0),
                        *score_cells(scores, metrics, **where),
                    )
                )
    columns = ("Assistant", "Condition", "Episodes", *(metric_name(metric) for metric in metrics))
    return Table(
        "ablation",
        "What assistants lose without the view",
        columns,
        tuple(rows),
        words=frozenset({"Condition"}),
    )


def agreement_table(data: Mapping[str, Any], name: str, title: str) -> Table:
    """Table 4 and more: per metric the coefficients with exact p, interval, and what they rest on."""
    columns = (
        "Metric", "n", "r", "p of r", "95 % of r", RHO, f"p of {RHO}", f"p of {RHO}, Holm", f"95 % of {RHO}",
        f"{TAU} b", "Pairs alike", "Soft pairs", "Bias", "CCC", "r, one left out", "Rests on", "Ceiling",
    )  # fmt: skip
    rows = tuple(_agreement_row(metric, found) for metric, found in data["metrics"].items())
    note = (
        "n: assistants. p: share of all their pairings that are at least as extreme (two-sided). Intervals: "
        "participants resampled as clusters, assistants fixed. Bias: the second side minus the first. "
        "Ceiling: the highest r that the reliability of both sides allows. Holm: over the seven ratings."
    )
    return Table(name, title, columns, rows, note, words=frozenset({"Rests on"}))


def agreement_short_table(data: Mapping[str, Any]) -> Table:
    """The paper's Table 4 as it stands: r and rho with n, or in words why there is none."""
    rows = []
    for metric in (*TASK_METRICS, *DIMENSIONS):
        found = data["metrics"][metric]
        why = UNDEFINED_WORDS.get(found["undefined"] or "", "")
        left_out = ", ".join(found["dropped"]) if found["n"] and found["dropped"] else ""
        rows.append(
            (
                word(metric_name(metric)),
                number(found["n"], 0),
                number(found["pearson"], 2, why=why),
                number(found["spearman"], 2, why=why),
                number((found["p"] or {}).get("spearman"), 3, why=why or "fewer than 5 assistants"),
                word(why or (f"without {left_out}" if left_out else "")),
            )
        )
    columns = ("Metric", "n", "Pearson r", f"Spearman {RHO}", f"p of {RHO}, exact", "Note")
    title = "Do simulated users tell assistants apart as people do?"
    note = "n: assistants with both values. More on the Agreement page: intervals, level, outliers, ceilings."
    return Table("agreement-short", title, columns, tuple(rows), note, words=frozenset({"Note"}))


def _agreement_row(metric: str, found: Mapping[str, Any]) -> tuple[Cell, ...]:
    p = found["p"] or {}
    left_out = (found["leave_one_out"] or {}).get("pearson", {}).get("range") or [None, None]
    why = UNDEFINED_WORDS.get(found["undefined"] or "", "")
    ends = {name: found["intervals"].get(name, {}) for name in ("pearson", "spearman")}
    too_few = "" if p or why else "fewer than 5 assistants: a description, no test"
    return (
        word(metric_name(metric)),
        number(found["n"], 0),
        number(found["pearson"], 2, why=why),
        number(p.get("pearson"), 3, why=why or too_few),
        interval(ends["pearson"].get("low"), ends["pearson"].get("high")),
        number(found["spearman"], 2, why=why),
        number(p.get("spearman"), 3, why=why or too_few),
        number(found["holm"].get("spearman"), 3, why=why or too_few or "not one of the seven ratings"),
        interval(ends["spearman"].get("low"), ends["spearman"].get("high")),
        number(found["kendall"], 2, why=why),
        number(found["pairwise_accuracy"], 2),
        number(found["soft_pairwise_accuracy"], 2),
        number(found["bias"], 2),
        number(found["ccc"], 2),
        interval(*left_out),
        word(found["rests_on"] or ""),
        number(found["ceiling"], 2),
    )


def controls_table(results: Results) -> Table | None:
    """Were the plainly bad assistant and the two copies recognised?"""
    found = results["agreement"]["controls"]
    rows = [
        (
            word(f"{row['system']} comes last"),
            word(metric_name(row["metric"])),
            word(row["side"]),
            yes_no(row["last"]),
            number(row["mean"], 2),
            number(row["worst_other"], 2),
            number(None),
        )
        for row in found["bad"]
    ]
    rows += [
        (
            word(f"{row['systems'][0]} and {row['systems'][1]} come out alike"),
            word(metric_name(row["metric"])),
            word(row["side"]),
            yes_no(row["alike"]),
            number(row["difference"], 2),
            number(None),
            number(row["p"], 3),
        )
        for row in found["twins"]
    ]
    if not rows:
        return None
    columns = ("Control", "Metric", "Evaluator", "Recognised", "Mean or difference", "Worst other", "p")
    return Table(
        "controls",
        "Planted controls",
        columns,
        tuple(rows),
        words=frozenset({"Metric", "Evaluator", "Recognised"}),
    )


def realism_tables(results: Results) -> list[Table]:
    """How simulated users shop, beside people."""
    panel = results["agreement"]["realism"]
    measures = tuple(
        (
            word(row["measure"].replace("_", " ")),
            word(row["unit"]),
            number(row["human"], 1),
            number(row["simulated"], 1),
            number(row["difference"], 1),
        )
        for row in panel["measures"]
    )
    mixes = tuple(
        (word(row["mix"]), number(row["distance"], 1, why="one side has none")) for row in panel["mixes"]
    )
    note = "Share of events that would have to be of another kind for both to be the same, 0 to 100 %."
    return [
        Table(
            "behaviour",
            "Behaviour of simulated users beside people",
            ("Measure", "Unit", "People", "Simulated users", "Difference"),
            measures,
            "Over the assistants that both met.",
            words=frozenset({"Unit"}),
        ),
        Table("mixes", "How far apart the mixes are", ("Mix", "Distance, %"), mixes, note),
    ]


def reliability_table(results: Results) -> Table:
    """How far participants agree with one another."""
    found = results["agreement"]["reliability"]
    rows = tuple(
        (
            word(metric_name(name)),
            number(found["krippendorff_ordinal"][name], 2, why="no unit with two different ratings"),
            number((found["icc"][name] or {}).get("two_1"), 2),
            number((found["icc"][name] or {}).get("two_k"), 2),
        )
        for name in DIMENSIONS
    )
    alpha = found["cronbach"]
    note = (
        f"{found['units_rated_twice']} pairs of task and assistant rated by at least two participants; "
        f"{found['complete_questionnaires']} questionnaires answered in full; Cronbach's alpha of the seven "
        f"items: {'not defined' if alpha is None else f'{alpha:.2f}'}."
    )
    columns = ("Dimension", "Krippendorff's alpha", "ICC(2,1)", "ICC(2,k)")
    return Table("reliability", "Agreement among participants", columns, rows, note)


def all_tables(results: Results) -> dict[str, Table]:
    """Every table of the results by name, in the order of the report; those without rows left out."""
    agreement = results["agreement"]
    shapes = (
        (TASK_METRICS, "task", "Task performance"),
        (DIMENSIONS, "dialogue", "Dialogue quality"),
        (QUALITY_METRICS, "purchase", "Purchase quality"),
    )
    found: list[Table | None] = [
        score_table_of(results, users, metrics, name, title)
        for users in USERS
        for metrics, name, title in shapes
    ]
    found += [
        ablation_table(results),
        agreement_short_table(agreement),
        agreement_table(agreement, "agreement", "People and simulated users"),
        agreement_table(
            agreement["questionnaire_vs_judge"], "judge", "Questionnaire and judge on the same episodes"
        ),
        controls_table(results),
        reliability_table(results),
        *realism_tables(results),
        *conduct_tables(results),
    ]
    said = judges_sentence(results["judges"])
    return {table.name: _judged(table, said) for table in found if table is not None and table.rows}


def _judged(table: Table, said: str) -> Table:
    """A table that holds a judge's scores names the judge, and says when it is a rule-based one."""
    return replace(table, judges=said) if table.name in JUDGED else table
