"""Write stored episodes as trajectory records (JSON Lines)."""

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from play.exporting import export_file, export_stream, latest
from sessions.selectors.record import ended_episodes
from siturec.trajectory import TrajectoryError


class Command(BaseCommand):
    """``manage.py export_trajectories FILE|- [--study S] [--run R] [--kind human|simulated]``"""

    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", help="where to; - writes to standard output")
        parser.add_argument("--study", default="", help="episodes of this study")
        parser.add_argument("--run", default="", help="episodes of this run")
        parser.add_argument("--kind", choices=["human", "simulated"], help="only these users' episodes")
        parser.add_argument(
            "--with-rehearsals", action="store_true", help="bots, tests and people who do not count too"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        episodes = latest(
            ended_episodes(
                study=options["study"],
                run=options["run"],
                kind=options["kind"] or "",
                rehearsals=options["with_rehearsals"],
            )
        )
        try:
            if options["file"] == "-":
                export_stream(sys.stdout.buffer, episodes)
                return
            count = export_file(Path(options["file"]), episodes)
        except (OSError, TrajectoryError) as error:
            raise CommandError(f"{options['file']}: {error}") from error
        self.stdout.write(f"{options['file']}: {count} episodes")
