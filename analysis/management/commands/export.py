"""``manage.py export STUDY --out FOLDER``: all tables in all forms with a manifest, or the study bundle."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from analysis.exporting.bundle import bundle_parts
from analysis.exporting.parts import MANIFEST, manifest_of, to_folder, zip_file
from analysis.exporting.study import export_parts
from analysis.management.arguments import plain_errors, study_named


class Command(BaseCommand):
    """Write a study's data where other programs can read it."""

    help = "Export a study: CSV, CSV for Excel, Parquet, JSON Lines, codebook and manifest."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Which study, and where to."""
        parser.add_argument("study", help="the study's slug")
        parser.add_argument("--out", type=Path, required=True, help="folder, or a .zip file")
        parser.add_argument(
            "--bundle", action="store_true", help="the study bundle, which `verify` can compute again"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Write, and say what was written."""
        study, out = study_named(options["study"]), Path(options["out"])
        zipped = out.suffix == ".zip"
        if out.is_file() or (out.exists() and (zipped or any(out.iterdir()))):
            what = "the file is there already" if out.is_file() else "the folder is not empty"
            raise CommandError(f"{out}: {what}; nothing was written")
        with plain_errors():
            parts = bundle_parts(study) if options["bundle"] else export_parts(study)
            write = zip_file if zipped else to_folder
            written = write(parts, manifest_of(study), out)
        for file in written:
            rows = f"{file.rows:,} rows, " if file.rows else ""
            self.stdout.write(f"{file.name}: {rows}{file.size:,} bytes")
        self.stdout.write(f"{out if zipped else out / MANIFEST}: counts and hashes of all of them")
