"""A study's report: one HTML page with all tables and figures, and a PDF of it where possible."""

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.template.loader import render_to_string

from analysis.exporting.bundle import software
from analysis.figures.pictures import FIGURES, FILES, SCATTER_OF
from analysis.filters import Filters
from analysis.selectors.plans import plan_check, plan_headline, plans_of
from analysis.selectors.raters import judges_sentence
from analysis.services.figures import figure_body
from analysis.services.results import study_results
from analysis.tables_paper import all_tables
from analysis.tabling import as_csv, as_latex
from sessions.models import Study

HEADLINE_SCATTERS = ("SR", "overall_satisfaction")


@dataclass(frozen=True)
class Report:
    """What was written; ``no_pdf`` says why there is no PDF, and is empty where there is one."""

    folder: Path
    figures: int
    tables: int
    no_pdf: str


def report_write(study: Study, folder: Path, *, pdf: bool = True) -> Report:
    """Write ``report.html``, ``figures/``, ``tables/`` and, if wanted, ``report.pdf`` into a folder."""
    results = study_results(study=study, filters=Filters())
    for part in ("figures", "tables"):
        (folder / part).mkdir(parents=True, exist_ok=True)
    tables = all_tables(results)
    for table in tables.values():
        (folder / "tables" / f"{table.name}.csv").write_text(as_csv(table))
        (folder / "tables" / f"{table.name}.tex").write_text(as_latex(table))
    figures = _figures(study, results, folder)
    context = {
        "study": study,
        "results": results,
        # The short one repeats rows of the full one.
        "tables": [table for table in tables.values() if table.name != "agreement-short"],
        "figures": figures,
        "sentence": results["agreement"]["sentences"]["overall_satisfaction"],
        "plans": plans_of(study),
        "plan_lines": (lines := plan_check(study, results, Filters())),
        "plan_headline": plan_headline(lines),
        "software": software(),
        "judges": judges_sentence(results["judges"]),
        "told_apart": results["conduct"]["people"]["told_apart"],
        "apart": [row["label"] for row in results["versions"] if row["label"] != row["assistant"]],
        "people_n": sum(row["n"] for row in results["people"]["assistants"].values()),
        "simulated_n": sum(row["n"] for row in results["simulated"]["assistants"].values()),
    }
    html = render_to_string("analysis/report.html", context)
    (folder / "report.html").write_text(html)
    no_pdf = _pdf(html, folder) if pdf else "not asked for"
    return Report(folder, len(figures), len(tables), no_pdf)


def _figures(study: Study, results: Mapping[str, Any], folder: Path) -> list[dict[str, str]]:
    """Write every figure that has anything to draw; the page shows the scatters of two metrics only."""
    shown = {SCATTER_OF[metric] for metric in HEADLINE_SCATTERS}
    drawn: list[dict[str, str]] = []
    for figure in FIGURES.values():
        if not figure.rows(results):
            continue
        aside = figure.name.startswith("scatter-") and figure.name not in shown
        for form in ("svg",) if aside else FILES:
            body, _ = figure_body(study=study, figure=figure, form=form, filters=Filters(), results=results)
            (folder / "figures" / f"{figure.name}.{form}").write_bytes(body)
        if not aside:
            drawn.append(
                {
                    "name": figure.name,
                    "shows": figure.shows,
                    "path": f"figures/{figure.name}.svg",
                    "judges": judges_sentence(results["judges"]) if figure.judged else "",
                }
            )
    return drawn


def _pdf(html: str, folder: Path) -> str:
    """Write the PDF; return why it could not be, or nothing."""
    # WeasyPrint tells of every page it lays out.
    for name in ("weasyprint", "weasyprint.progress"):
        logging.getLogger(name).setLevel(logging.ERROR)
    try:
        # Importing it loads system libraries (Pango) that a machine may lack.
        import weasyprint
    except OSError as error:
        return (
            f"WeasyPrint cannot load a system library it needs ({error}). On Debian: "
            "apt-get install libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz-subset0"
        )
    weasyprint.HTML(string=html, base_url=str(folder)).write_pdf(folder / "report.pdf")
    return ""
