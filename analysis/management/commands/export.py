"""``manage.py export STUDY --out FOLDER``: all tables in all forms with a manifest, or the study bundle."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from analysis.exporting.bundle import bundle_write, zip_folder
from analysis.exporting.study import MANIFEST, export_all
from analysis.management.arguments import plain_errors, study_named


class Command(BaseCommand):
    """Write a study's data where other programs can read it."""

    help = "Export a study: CSV, CSV for Excel, Parquet, JSON Lines, codebook and manifest."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Which study, and where to."""
        parser.add_argument("study", help="the study's slug")
        parser.add_argument("--out", type=Path, required=True, help="folder, or a .zip file with --bundle")
        parser.add_argument(
            "--bundle", action="store_true", help="the study bundle, which `verify` can compute again"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Write, and say what was written."""
        study, out = study_named(options["study"]), Path(options["out"])
        zipped = out.suffix == ".zip"
        if zipped and not options["bundle"]:
            raise CommandError("--out: a .zip is for --bundle; give a folder")
        folder = out.with_suffix("") if zipped else out
        if folder.exists() and any(folder.iterdir()):
            raise CommandError(f"{folder}: the folder is not empty; nothing was written")
        with plain_errors():
            written = bundle_write(study, folder) if options["bundle"] else export_all(study, folder)
            if zipped:
                zip_folder(folder, out)
        for file in written:
            rows = f"{file.rows:,} rows, " if file.rows else ""
            self.stdout.write(f"{file.name}: {rows}{file.size:,} bytes")
        self.stdout.write(f"{out if zipped else folder / MANIFEST}: counts and hashes of all of them")
