"""Take in episodes played elsewhere: a file of trajectory records, all or nothing."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from play.exporting import import_file
from siturec.trajectory import TrajectoryError


class Command(BaseCommand):
    """``manage.py import_trajectories FILE``"""

    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            new, known = import_file(options["file"])
        except (OSError, TrajectoryError, ValueError) as error:
            raise CommandError(f"Nothing was imported. {error}") from error
        self.stdout.write(f"{new} episodes imported, {known} were here already")
