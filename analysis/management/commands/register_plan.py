"""``manage.py register_plan STUDY FILE``: keep an analysis plan before there is data."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from pydantic import ValidationError

from analysis.management.arguments import plain_errors, study_named
from analysis.services.plans import plan_register
from siturec.metrics.plan import Plan
from siturec.strict_yaml import BadYAML, read_yaml


class Command(BaseCommand):
    """Register an analysis plan from a YAML or JSON file."""

    help = "Register a study's analysis plan: metrics, coefficient, alpha, thresholds, exclusions, notes."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Which study, and the plan."""
        parser.add_argument("study", help="the study's slug")
        parser.add_argument("file", type=Path)

    def handle(self, *args: Any, **options: Any) -> None:
        """Keep the plan, or say what is wrong with it."""
        study, path = study_named(options["study"]), options["file"]
        with plain_errors():
            text = path.read_text()
        try:
            plan = Plan.model_validate(read_yaml(text))
        except BadYAML as error:
            raise CommandError(f"{path.name}: {error}") from None
        except ValidationError as error:
            faults = [f"{'.'.join(map(str, f['loc'])) or 'file'}: {f['msg']}" for f in error.errors()]
            raise CommandError(f"{path.name}: " + "\n".join(faults)) from None
        row = plan_register(study=study, plan=plan, actor=None)
        self.stdout.write(f"plan {row.number} of {study.slug}: SHA-256 {row.digest}")
        if row.episodes_before:
            self.stdout.write(f"note: {row.episodes_before} episodes with people had ended already")
