"""``manage.py agreement --human H --simulated S``: do simulated users tell assistants apart as people do?"""

from argparse import ArgumentParser
from collections import Counter
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from analysis.files import (
    cautions,
    facts_in,
    judges_in,
    ledger_of_file,
    read_partition,
    require_tasks,
    told_apart,
)
from analysis.management.arguments import add_scoring_options, json_text, plain_errors
from analysis.results import agreement_json, both_reports, rivals_json
from analysis.tables import csv_text
from siturec.agreement.render import CSV_COLUMNS, as_latex, as_rows
from siturec.agreement.report import WANTED_WIDTH
from siturec.agreement.simulators import compare_simulators
from siturec.metrics.ledger import Ledger
from siturec.metrics.scoring import FactsOf, bank_partition
from siturec.metrics.versions import Apart, all_kept_apart, apart_json
from siturec.trajectory import Trajectory


class Command(BaseCommand):
    """Compare assistants' means with people and with simulated users."""

    help = "Agreement of two JSON Lines files of trajectories, metric by metric; no database is used."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Two files, and how to compare them."""
        parser.add_argument("--human", type=Path, required=True)
        parser.add_argument("--simulated", type=Path, required=True)
        parser.add_argument(
            "--second", type=Path, help="another simulated user's file: which of the two agrees better?"
        )
        parser.add_argument(
            "--width",
            type=float,
            default=WANTED_WIDTH,
            help="width of r's interval for which missing participants are reckoned",
        )
        parser.add_argument(
            "--bad", action="append", default=[], metavar="SLUG", help="an assistant planted as plainly bad"
        )
        parser.add_argument(
            "--twin",
            action="append",
            default=[],
            metavar="COPY=ORIGINAL",
            help="an assistant planted as a copy of another",
        )
        add_scoring_options(parser)
        parser.set_defaults(condition="full")

    def handle(self, *args: Any, **options: Any) -> None:
        """Print the report, or refuse a file by line and key."""
        if not options["width"] > 0:
            raise CommandError("--width must be a positive number")
        left_out: Counter[str] = Counter()
        with plain_errors():
            facts_of = facts_in(options["scenes"])
            human = _ledger(options["human"], facts_of, options, left_out)
            simulated = _ledger(options["simulated"], facts_of, options, left_out)
            second = _ledger(options["second"], facts_of, options, left_out) if options["second"] else None
            subset_of = _subsets(simulated, facts_of, options["partition"])
        sides = [human, simulated, *([second] if second is not None else [])]
        versions: list[Apart] = []
        judges = judges_in(*sides)
        warnings = cautions(human, simulated)
        if not options["mix_versions"]:
            sides, versions = all_kept_apart(*sides)
            warnings += told_apart(versions)
        human, simulated = sides[:2]
        bad, twins = _planted(options, human, simulated)
        for warning in warnings:
            self.stderr.write(self.style.WARNING(warning))
        reports = both_reports(human, simulated, subset_of, wanted_width=options["width"])
        if options["format"] == "csv":
            self.stdout.write(csv_text(CSV_COLUMNS, as_rows(reports.simulated)))
        elif options["format"] == "latex":
            self.stdout.write(as_latex(reports.simulated))
        else:
            report = agreement_json(reports, human, simulated, bad=bad, twins=twins)
            if second is not None:
                report["second"] = rivals_json(compare_simulators(human, simulated, sides[2]))
            more = {"left_out": dict(left_out), "warnings": warnings, "judges": judges}
            self.stdout.write(json_text({**report, **more, "versions": apart_json(versions)}))


def _ledger(path: Path, facts_of: FactsOf, options: dict[str, Any], left_out: Counter[str]) -> Ledger:
    scene, condition = options["scene"], options["condition"]

    def keep(record: Trajectory) -> bool:
        if scene and record["scene"] != scene:
            left_out[f"{path.name}: scene {record['scene']}"] += 1
            return False
        if record["condition"] != condition:
            left_out[f"{path.name}: condition {record['condition']}"] += 1
            return False
        return True

    ledger = ledger_of_file(path, facts_of, keep=keep)
    if not ledger.cells:
        raise CommandError(f"{path.name}: no episode of condition {condition} in it")
    return ledger


def _planted(
    options: dict[str, Any], human: Ledger, simulated: Ledger
) -> tuple[tuple[str, ...], dict[str, str]]:
    """The planted assistants. Raises: CommandError for one that neither file knows."""
    bad: list[str] = options["bad"]
    twins: dict[str, str] = {}
    for pair in options["twin"]:
        copy, _, original = pair.partition("=")
        if not copy or not original or copy == original:
            raise CommandError(f"--twin: expected COPY=ORIGINAL, not {pair}")
        twins[copy] = original
    known = {*human.distinct("assistant"), *simulated.distinct("assistant")}
    for slug in (*bad, *twins, *twins.values()):
        if slug not in known:
            raise CommandError(f"no assistant {slug} in the files; there are: {', '.join(sorted(known))}")
    return tuple(bad), twins


def _subsets(simulated: Ledger, facts_of: FactsOf, stored: Path | None) -> dict[str, int] | None:
    if stored is None:
        return bank_partition(simulated, facts_of)
    subset_of = read_partition(stored)
    require_tasks(subset_of, simulated, stored.name)
    return subset_of
