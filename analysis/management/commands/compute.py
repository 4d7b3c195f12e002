"""``manage.py compute STUDY``: work a study's results out beforehand, so that its pages open at once."""

import os
from argparse import ArgumentParser
from typing import Any
from urllib.parse import parse_qs

from django.core.management.base import BaseCommand, CommandError

from analysis.filters import FilterError, Filters
from analysis.management.arguments import study_named
from analysis.models import Computing
from analysis.services.refreshing import results_compute

LESS_URGENT = 10


class Command(BaseCommand):
    """Score and compute, with progress."""

    help = "Work a study's results out beforehand: its Results and Agreement pages then open at once."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Which study, and which of its episodes."""
        parser.add_argument("study", help="the study's slug")
        parser.add_argument(
            "--filters", default="", help="as in a results page's address: scene=...&since=2026-11-30"
        )
        parser.add_argument(
            "--behind", action="store_true", help="give way to everything else that this machine does"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Compute, with a line for every batch of episodes."""
        study = study_named(options["study"])
        try:
            filters = Filters.of({name: values[-1] for name, values in parse_qs(options["filters"]).items()})
        except FilterError as error:
            raise CommandError(f"--filters: {error}") from None
        if options["behind"]:
            os.nice(LESS_URGENT)
        results_compute(study=study, filters=filters, tell=self._tell)
        self.stdout.write(f"the results of {study.slug} are kept")

    def _tell(self, row: Computing) -> None:
        self.stdout.write(f"{row.done} of {row.total} episodes scored")
