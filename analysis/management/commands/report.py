"""``manage.py report STUDY --out FOLDER``: HTML and PDF with all tables and figures."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from analysis.management.arguments import plain_errors, study_named
from analysis.reporting import report_write


class Command(BaseCommand):
    """Write a study's report."""

    help = (
        "Write a study's report: HTML, PDF, every table as CSV and LaTeX, every figure as SVG, PNG and PDF."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Which study, and where to."""
        parser.add_argument("study", help="the study's slug")
        parser.add_argument("--out", type=Path, required=True)
        parser.add_argument("--no-pdf", action="store_true", help="leave out report.pdf, which takes longest")

    def handle(self, *args: Any, **options: Any) -> None:
        """Write, and say plainly what is missing."""
        study = study_named(options["study"])
        with plain_errors():
            report = report_write(study, options["out"], pdf=not options["no_pdf"])
        page = report.folder / "report.html"
        self.stdout.write(f"{page}: {report.tables} tables, {report.figures} figures")
        if options["no_pdf"]:
            return
        if report.no_pdf:
            self.stderr.write(f"no report.pdf: {report.no_pdf}")
        else:
            self.stdout.write(f"{report.folder / 'report.pdf'}")
