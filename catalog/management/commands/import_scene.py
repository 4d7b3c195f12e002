"""``manage.py import_scene FOLDER [--dry-run]``: bring a scene pack into the catalog, all or nothing."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from catalog.differences import summary
from catalog.selectors import UnknownScene, scene_folder
from catalog.services import scene_import
from siturec.scene.load import SceneError


class Command(BaseCommand):
    """Import a scene pack."""

    help = "Import a scene pack's folder. Any fault changes nothing, and all faults are listed."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("folder", help="a folder, or the slug of one under the scenes' folder")
        parser.add_argument("--dry-run", action="store_true", help="show what would change, store nothing")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            folder: Path = scene_folder(options["folder"])
            report = scene_import(folder=folder, dry_run=options["dry_run"])
        except UnknownScene as error:
            raise CommandError(str(error)) from error
        except SceneError as error:
            faults = "\n".join(error.faults)
            raise CommandError(f"{len(error.faults)} faults, nothing was imported:\n{faults}") from error
        self.stdout.write(f"{report.slug} version {report.label}: {report.outcome}")
        for line in summary(report.changes):
            self.stdout.write(f"  {line}")
        if options["dry_run"]:
            for change in report.changes:
                if change.kind == "changed":
                    self.stdout.write(f"  {change}")
