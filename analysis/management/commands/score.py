"""``manage.py score FILE``: every metric of every assistant in a file of trajectories."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from analysis.files import facts_in, judges_in, ledger_of_file, read_partition, require_tasks, told_apart
from analysis.management.arguments import add_scoring_options, json_text, plain_errors
from analysis.tables import score_csv, score_latex
from siturec.metrics.scoring import score_table
from siturec.metrics.versions import Apart, all_kept_apart, apart_json
from siturec.trajectory import Trajectory


class Command(BaseCommand):
    """Score a file of trajectories, read in one stream whatever its size."""

    help = "Score a JSON Lines file of trajectories; no database is used."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The file, and what to do with it."""
        parser.add_argument("file", type=Path)
        parser.add_argument("--user-kind", choices=("human", "simulated"), help="only records of these users")
        add_scoring_options(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        """Print the table, or refuse the file by line and key."""
        wanted = {name: options[name] for name in ("condition", "scene", "user_kind") if options[name]}

        def keep(record: Trajectory) -> bool:
            own = {
                "condition": record["condition"],
                "scene": record["scene"],
                "user_kind": record["user"]["kind"],
            }
            return all(own[name] == value for name, value in wanted.items())

        path: Path = options["file"]
        with plain_errors():
            facts_of = facts_in(options["scenes"])
            ledger = ledger_of_file(path, facts_of, keep=keep if wanted else None)
            subset_of = None
            if options["partition"] is not None:
                subset_of = read_partition(options["partition"])
                require_tasks(subset_of, ledger, options["partition"].name)
            if not ledger.cells:
                which = "no episode matches the options" if wanted else "there is no episode in it"
                raise CommandError(f"{path.name}: {which}")
            judges = judges_in(ledger)
            versions: list[Apart] = []
            if not options["mix_versions"]:
                (ledger,), versions = all_kept_apart(ledger)
            table = score_table(ledger, facts_of, subset_of)
        for sentence in told_apart(versions):
            self.stderr.write(self.style.WARNING(sentence))
        table |= {"versions": apart_json(versions), "judges": judges}
        render = {"json": json_text, "csv": score_csv, "latex": score_latex}[options["format"]]
        self.stdout.write(render(table))
