"""``manage.py verify BUNDLE``: is the bundle whole, and do its records give its numbers here too?"""

import tempfile
import zipfile
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from analysis.exporting.bundle import (
    BUNDLE,
    BundleError,
    check_files,
    differences,
    made_with,
    recompute,
    software,
    stored_results,
)
from analysis.management.arguments import plain_errors

SHOWN = 50


class Command(BaseCommand):
    """Compute a bundle's numbers again and say equal, or what differs; of other exports compare the files."""

    help = "Check a study bundle (folder or .zip) and recompute all its results; no database is used."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The bundle."""
        parser.add_argument("bundle", type=Path)

    def handle(self, *args: Any, **options: Any) -> None:
        """Say that everything is equal, or fail with what is not."""
        path: Path = options["bundle"]
        if path.is_dir():
            self._verify(path)
        elif zipfile.is_zipfile(path):
            with tempfile.TemporaryDirectory() as folder:
                with zipfile.ZipFile(path) as archive:
                    if (torn := archive.testzip()) is not None:
                        raise CommandError(f"{path.name}: {torn} is damaged in the archive")
                    archive.extractall(folder)
                self._verify(Path(folder))
        else:
            raise CommandError(f"{path}: neither a folder nor a whole ZIP archive; was it cut short?")

    def _verify(self, folder: Path) -> None:
        try:
            faults = check_files(folder)
            if faults:
                raise CommandError("the bundle is not whole:\n" + "\n".join(faults))
            self.stdout.write("files: all there, all as the manifest says")
            if not (folder / BUNDLE).exists():
                self.stdout.write("results: this is no bundle, so there are none to compute again")
                return
            with plain_errors():
                found = differences(stored_results(folder), recompute(folder))
            self._software(folder)
        except BundleError as error:
            raise CommandError(str(error)) from None
        if found:
            more = f"\n... and {len(found) - SHOWN} more" if len(found) > SHOWN else ""
            text = "\n".join(found[:SHOWN])
            raise CommandError(f"the results differ in {len(found)} places:\n{text}{more}")
        self.stdout.write("results: equal, every number")

    def _software(self, folder: Path) -> None:
        here, there = software(), made_with(folder)
        for name, value in here.items():
            if there.get(name) != value:
                self.stdout.write(f"note: {name} is {value} here and was {there.get(name, 'not said')}")
