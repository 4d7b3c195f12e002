"""How long a study's results, pages, report and exports take, on a database of its own.

python benchmarks/analysis.py                    1,400 episodes: results, page, report, export
python benchmarks/analysis.py --episodes 10000   the agreement page once computed; export's memory
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
os.environ["SITUREC_TEST_DIR"] = tempfile.mkdtemp(prefix="siturec-bench-")
os.environ["DJANGO_SETTINGS_MODULE"] = "siturec_web.settings.test"

import django  # noqa: E402

django.setup()

from django.contrib.auth import get_user_model  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.test import Client  # noqa: E402

from analysis.filters import Filters  # noqa: E402
from analysis.reporting import report_write  # noqa: E402
from analysis.services.results import study_results  # noqa: E402
from tests.core.episode_maker import human_cohort, simulated_cohort  # noqa: E402
from tests.web.recorded_study import make_study, record_into  # noqa: E402

EXPORT = """
import re, time
import django
django.setup()
from analysis.exporting.parts import manifest_of, to_zip
from analysis.exporting.{module} import {name}
from sessions.models import Study
study = Study.objects.get(slug="bench")
start, busy = time.perf_counter(), time.process_time()
size, first = 0, 0.0
for piece in to_zip({call}, manifest_of(study), written := []):
    size += len(piece)
    if size > 1_000 and not first:
        first = time.perf_counter() - start
peak = int(re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read()).group(1)) / 1024
busy = time.process_time() - busy
print(f"{{sum(file.rows for file in written):,}} rows, {{sum(file.size for file in written) / 1e6:.1f}} MB, "
      f"{{size / 1e6:.1f}} MB sent, first rows after {{first:.2f}} s, "
      f"{{busy:.1f}} s of processor time, peak memory {{peak:.0f}} MB")
"""
EXPORTS = {
    "wide as csv": ("study", "table_part", '[table_part(study, "wide", "csv")]'),
    "turns as parquet": ("study", "table_part", '[table_part(study, "turns", "parquet")]'),
    "trajectories": ("study", "table_part", '[table_part(study, "trajectories", "jsonl")]'),
    "all tables in all forms": ("study", "export_parts", "export_parts(study)"),
    "bundle": ("bundle", "bundle_parts", "bundle_parts(study)"),
}
"""What is sent, and by which function of which module of ``analysis.exporting``."""


def timed(what: str, call: Callable[[], Any]) -> Any:
    """Call, and print how long it took."""
    start, busy = time.perf_counter(), time.process_time()
    found = call()
    seconds, cpu = time.perf_counter() - start, time.process_time() - busy
    print(f"{what}: {seconds:.3f} s ({cpu:.3f} s of processor time)")
    return found


def main() -> None:
    """Fill a database, and measure."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--episodes", type=int, default=1_400)
    options = parser.parse_args()
    call_command("migrate", verbosity=0)
    study = make_study("bench")
    people = max(5, options.episodes // 100)
    record_into(study, human_cohort(participants=people))
    left = options.episodes - people * 10
    for part in range(0, left, 500):
        record_into(study, islice(simulated_cohort(seed=part), min(500, left - part)), prefix=f"{part}-")
    count = study.episodes.count()
    print(f"{count:,} episodes ({people} participants)")
    timed("results, nothing scored yet", lambda: study_results(study=study, filters=Filters()))
    study.computed.all().delete()
    timed("results, all scored", lambda: study_results(study=study, filters=Filters()))
    client = Client()
    client.force_login(get_user_model().objects.create_superuser("bench", password="x"))
    for page in ("agreement", "results"):
        client.get("/research/studies/bench/agreement/")
        timed(f"{page} page, once computed", lambda page=page: client.get(f"/research/studies/bench/{page}/"))
    for what in EXPORTS:
        export_alone(what)
    if count <= 2_000:
        with tempfile.TemporaryDirectory() as folder:
            timed("report", lambda: report_write(study, Path(folder) / "report"))


def export_alone(what: str) -> None:
    """One export in a process of its own, so that its memory is its own too."""
    module, name, call = EXPORTS[what]
    code = EXPORT.format(module=module, name=name, call=call)
    found = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    print(f"export {what}: {found.stdout.strip()}", flush=True)


if __name__ == "__main__":
    main()
