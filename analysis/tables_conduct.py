"""The tables beside the paper's: calls to models, how assistants behaved, versions kept apart, and judges."""

from collections.abc import Mapping
from typing import Any

from agents.call_summary import FAILURES
from analysis.tabling import Cell, Table, number, word

Results = Mapping[str, Any]
OUTCOMES = ("answered", "repaired", "missing", "failed")


def conduct_tables(results: Results) -> list[Table]:
    """All of them, those without rows too."""
    return [
        model_calls_table(results),
        conduct_table(results["conduct"]["people"], "people", "with people"),
        conduct_table(results["conduct"]["simulated"], "simulated", "with simulated users"),
        versions_table(results),
        judges_table(results),
    ]


def model_calls_table(results: Results) -> Table:
    """What became of every answer asked of a language model in the episodes shown."""
    rows = tuple(_calls_row(row) for row in results["model_calls"])
    columns = (
        "Model", "Role", "Calls", "Answers", *(outcome.capitalize() for outcome in OUTCOMES),
        "Failures by kind", "Median s", "Tokens in", "Tokens out", "Cost, US$", "Answered by", "Prompt",
    )  # fmt: skip
    note = (
        "Answers by outcome, in percent of the model's answers in this role. Repaired: dug out of other "
        "text, or asked for once more; missing: unreadable twice, kept raw, never scored. A reply that was "
        "asked about again is a call, but no answer. Answered by: the model itself, or its fallback."
    )
    words = frozenset({"Role", "Failures by kind", "Answered by", "Prompt"})
    return Table("model-calls", "Model calls", columns, rows, note, words=words)


def _calls_row(row: Mapping[str, Any]) -> tuple[Cell, ...]:
    kinds = [(kind.replace("_", " "), row[f"failed_{kind}"]) for kind in FAILURES]
    shares = (
        Cell(
            row[outcome],
            f"{row[outcome]} ({100 * row[outcome] / row['answers']:.0f} %)" if row["answers"] else "0",
        )
        for outcome in OUTCOMES
    )
    unpriced = "not all calls have a price" if row["unpriced"] else ""
    cost = number(row["cost_usd"], 4, why="no price is known")
    return (
        word(row["model"]),
        word(row["role"].replace("_", " ")),
        number(row["calls"], 0),
        number(row["answers"], 0),
        *shares,
        word(", ".join(f"{count} {kind}" for kind, count in kinds if count)),
        number(row["median_s"], 1),
        number(row["tokens_in"], 0, why="the provider does not tell"),
        number(row["tokens_out"], 0, why="the provider does not tell"),
        Cell(cost.value, f"{cost.text}, {row['unpriced']} unpriced", why=unpriced)
        if unpriced and cost.value is not None
        else cost,
        word(row["answered_by"]),
        word(row["prompt_version"]),
    )


def conduct_table(found: Mapping[str, Any], users: str, title: str) -> Table:
    """How long assistants took, and what they said that had to be kept from users."""
    rows = tuple(
        (
            word(row["assistant"]),
            number(row["turns"], 0),
            number(row["median_s"], 2, why="no reply was timed"),
            number(row["p95_s"], 2, why="no reply was timed"),
            number(
                None if row["late_share"] is None else 100 * row["late_share"], 0, why="no reply was timed"
            ),
            number(row["sent_back"], 0),
            number(row["masked"], 0),
            number(row["named"], 0),
            number(row["markers"], 0),
        )
        for row in found["rows"]
    )
    columns = (
        "Assistant", "Replies", "Median s", "95 % within, s", "Later than shown, %", "Sent back",
        "Names masked", "Names flagged", "Markers said",
    )  # fmt: skip
    note = (
        f"A reply that is ready sooner than {found['mask_s']:g} s, the shortest reply time, is shown to "
        "people then; only later ones show how fast an assistant is. "
    )
    sentence = found["told_apart"] or "Nobody can be told apart by that."
    return Table(
        f"conduct-{users}",
        f"Reply times and slips, {title}",
        columns,
        rows,
        note + sentence if users == "people" else "Simulated users do not see how long a reply takes.",
    )


def versions_table(results: Results) -> Table:
    """What is kept apart because a prompt, its settings, or a scripted mind's rules changed."""
    rows = tuple(
        (
            word(row["label"]),
            word(row["assistant"]),
            word(row["role"]),
            word(row["version"]),
            number(row["people"], 0),
            number(row["simulated"], 0),
        )
        for row in results["versions"]
    )
    columns = ("In the tables", "Assistant", "Differs by", "Version", "With people", "Simulated")
    note = (
        "Versions are never mixed unasked: each is a row of its own in every table. The one with the most "
        "episodes keeps the plain name."
    )
    words = frozenset({"Assistant", "Differs by", "Version"})
    return Table("versions", "Versions kept apart", columns, rows, note, words=words)


def judges_table(results: Results) -> Table:
    """Whose scores stand in the judge's columns."""
    rows = tuple(
        (word(row["judge"]), word(row["kind"]), number(row["people"], 0), number(row["simulated"], 0))
        for row in results["judges"]
    )
    columns = ("Judge", "What it is", "Episodes with people", "Simulated episodes")
    note = "Of several judges of an episode the last one counts. A rule-based judge counts words and events."
    return Table("judges", "Judges", columns, rows, note, words=frozenset({"What it is"}))
