"""``manage.py export_scene SCENE FOLDER``: write a scene of the catalog as a pack's folder."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from catalog.selectors import UnknownScene
from catalog.services import scene_export


class Command(BaseCommand):
    """Export a scene pack."""

    help = "Write a scene as a folder of plain data; importing that folder gives the same bytes again."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("scene")
        parser.add_argument("folder", type=Path)
        parser.add_argument("--scene-version", help="which version (default: the current one)")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            pack = scene_export(
                slug=options["scene"], folder=options["folder"], version=options["scene_version"]
            )
        except UnknownScene as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"{pack.info.id} version {pack.info.version} written to {options['folder']}")
