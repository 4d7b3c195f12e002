"""One table, shown the same on a page, in a report, as CSV and as LaTeX."""

import csv
import io
from dataclasses import dataclass, field, replace
from typing import Any, Literal, NamedTuple

from siturec.agreement.render import latex_number, latex_text

DASH = "\N{EN DASH}"
MINUS = "\N{MINUS SIGN}"
PLUS_MINUS = "\N{PLUS-MINUS SIGN}"


@dataclass(frozen=True)
class Cell:
    """One value: raw for machines, ``text`` for people. ``spread`` is shown behind it; ``query`` opens it."""

    value: Any = None
    text: str = ""
    spread: float | None = None
    query: str = ""
    why: str = ""


class Heading(NamedTuple):
    """A column's head: ``token`` is what an address holds to sort by it, the other way when it is sorted."""

    name: str
    numeric: bool
    state: Literal["none", "ascending", "descending"]
    token: str


@dataclass(frozen=True)
class Table:
    """A named table. ``columns`` of numbers are right-aligned; the first column heads its row."""

    name: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: str = ""
    words: frozenset[str] = field(default=frozenset())
    sorted_by: tuple[int, bool] | None = None
    judges: str = ""
    """Whose scores are in it, in a sentence; empty where no judge's are."""

    @property
    def notes(self) -> str:
        """What is said below the table, on a page and in print."""
        return f"{self.note} {self.judges}".strip()

    @property
    def headings(self) -> list["Heading"]:
        """Each column's name, whether it holds numbers, and how it is sorted."""
        return [
            Heading(
                name=name,
                numeric=at > 0 and name not in self.words,
                state=self._state(at),
                token=f"{'' if self.sorted_by == (at, True) else '-'}{self.name}:{at}",
            )
            for at, name in enumerate(self.columns)
        ]

    def _state(self, column: int) -> Literal["none", "ascending", "descending"]:
        if self.sorted_by is None or self.sorted_by[0] != column:
            return "none"
        return "descending" if self.sorted_by[1] else "ascending"

    def sorted_as(self, wanted: str) -> "Table":
        """The table sorted as an address says (``name:column``, a leading minus: descending), if it means it.

        Missing values come last either way.
        """
        name, _, at = wanted.removeprefix("-").partition(":")
        if name != self.name or not at.isdigit() or int(at) >= len(self.columns):
            return self
        column, down = int(at), wanted.startswith("-")
        known = [row for row in self.rows if row[column].value is not None]
        missing = tuple(row for row in self.rows if row[column].value is None)
        known.sort(key=lambda row: _sortable(row[column].value), reverse=down)
        return replace(self, rows=(*known, *missing), sorted_by=(column, down))

    @property
    def lines(self) -> list[list[tuple[Cell, bool, bool]]]:
        """Rows as (cell, is a number, heads its row)."""
        numeric = [heading.numeric for heading in self.headings]
        return [[(cell, numeric[at], at == 0) for at, cell in enumerate(row)] for row in self.rows]


def _sortable(value: Any) -> tuple[int, float, str]:
    if isinstance(value, list):
        value = value[0]
    return (0, float(value), "") if isinstance(value, int | float) else (1, 0.0, str(value).casefold())


def number(
    value: float | None, digits: int = 1, *, spread: float | None = None, query: str = "", why: str = ""
) -> Cell:
    """A number as people read it, or a dash with the reason for there being none."""
    if value is None:
        return Cell(None, DASH, query=query, why=why)
    text = f"{value:.{digits}f}".replace("-", MINUS)
    if spread is not None:
        text += f" {PLUS_MINUS} {spread:.{digits}f}"
    return Cell(value, text, spread, query)


def interval(low: float | None, high: float | None, digits: int = 2) -> Cell:
    """A range in brackets, or a dash."""
    if low is None or high is None:
        return Cell(None, DASH)
    return Cell([low, high], f"[{low:.{digits}f}, {high:.{digits}f}]".replace("-", MINUS))


def word(text: str, *, query: str = "") -> Cell:
    """Text."""
    return Cell(text, text, query=query)


def yes_no(value: bool | None) -> Cell:
    """Yes, no, or a dash for not known."""
    return Cell(value, DASH if value is None else ("yes" if value else "no"))


def as_csv(table: Table) -> str:
    """The table's raw values; a spread has a column of its own, a missing value an empty cell.

    Where a judge's scores are in it, a last column names the judge in every row.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    spread = [any(row[at].spread is not None for row in table.rows) for at in range(len(table.columns))]
    head: list[str] = []
    for name, wide in zip(table.columns, spread, strict=True):
        head += [name, f"{name} SD"] if wide else [name]
    judged = ["Judge"] if table.judges else []
    writer.writerow(head + judged)
    for row in table.rows:
        line: list[Any] = []
        for cell, wide in zip(row, spread, strict=True):
            value = " ".join(str(part) for part in cell.value) if isinstance(cell.value, list) else cell.value
            line += [value, cell.spread] if wide else [value]
        writer.writerow(line + [table.judges for _ in judged])
    return out.getvalue()


def as_latex(table: Table) -> str:
    """A booktabs table with its notes below; every text is made literal, a spread is a subscript."""
    aligned = "".join("r" if heading.numeric else "l" for heading in table.headings)
    lines = [
        r"\begin{table}",
        r"\centering",
        rf"\caption{{{latex_text(table.title)}}}",
        rf"\begin{{tabular}}{{{aligned}}}",
        r"\toprule",
        " & ".join(latex_text(name) for name in table.columns) + r" \\",
        r"\midrule",
    ]
    lines += [" & ".join(_latex_cell(cell) for cell in row) + r" \\" for row in table.rows]
    lines += [r"\bottomrule", r"\end{tabular}"]
    if table.notes:
        lines += ["", r"\smallskip", rf"\parbox{{\linewidth}}{{\footnotesize {latex_text(table.notes)}}}"]
    lines += [r"\end{table}", ""]
    return "\n".join(lines)


def _latex_cell(cell: Cell) -> str:
    if cell.value is None:
        return "--"
    if isinstance(cell.value, list):
        return "$" + cell.text.replace(MINUS, "-") + "$"
    if isinstance(cell.value, bool) or not isinstance(cell.value, int | float):
        return latex_text(cell.text)
    if isinstance(cell.value, int):
        return str(cell.value)
    shown = cell.text.partition(f" {PLUS_MINUS} ")[0]
    digits = len(shown.partition(".")[2])
    if cell.spread is not None:
        return f"${cell.value:.{digits}f}_{{{cell.spread:.{digits}f}}}$"
    return latex_number(cell.value, digits)
