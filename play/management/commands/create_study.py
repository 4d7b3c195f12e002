"""Make a study from a file (YAML), or write a study's file, which makes the same study again."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from play.research.faults import check_design
from play.research.models import check_models
from play.research.studies import config_from_yaml
from sessions.errors import StudyError
from sessions.models import Study
from sessions.selectors.studies import study_by_slug, study_config_yaml
from sessions.services.studies import study_create, study_open, study_update


class Command(BaseCommand):
    """``manage.py create_study FILE.yaml [--open] | --export SLUG FILE.yaml``"""

    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--open", action="store_true", help="open it at once: the design is frozen")
        parser.add_argument("--update", action="store_true", help="change the draft of the same slug")
        parser.add_argument("--export", metavar="SLUG", help="write this study to the file instead")

    def handle(self, *args: Any, **options: Any) -> None:
        path: Path = options["file"]
        try:
            if options["export"]:
                self._export(options["export"], path)
            else:
                self._create(path, update=options["update"], then_open=options["open"])
        except (OSError, StudyError) as error:
            raise CommandError(f"{path}: {error}") from error

    def _export(self, slug: str, path: Path) -> None:
        study = study_by_slug(slug)
        if study is None:
            raise StudyError(f"there is no study '{slug}'")
        path.write_text(study_config_yaml(study), encoding="utf-8")
        self.stdout.write(f"{path}: study {slug}, version {study.version}")

    def _create(self, path: Path, *, update: bool, then_open: bool) -> None:
        config = config_from_yaml(path.read_text(encoding="utf-8"))
        check_design(config)
        known = study_by_slug(config.slug) if update else None
        study: Study = study_update(study=known, config=config) if known else study_create(config=config)
        if then_open:
            check_models(study.design)
            study = study_open(study=study)
        self.stdout.write(f"Study {study.slug} is {study.status}: take part at /s/{study.slug}/")
