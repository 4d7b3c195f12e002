"""What the benchmarks of runs share: a database of their own, plans, and what a process has used."""

import os
import resource
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "siturec_web.settings.dev")
FIVE = ("expert", "capable", "plain", "hasty", "bad")
"""The scripted assistants, from the best to the worst."""


def setup():
    """A database of this benchmark's own; the stores that are built and lit already are used."""
    from storefront.render_places import cache_root

    built, var = cache_root(), Path(tempfile.mkdtemp(prefix="siturec-bench-"))
    built.mkdir(parents=True, exist_ok=True)
    (var / "storefront").symlink_to(built, target_is_directory=True)
    os.environ["SITUREC_VAR"] = str(var)
    os.environ.setdefault("LOG_LEVEL", "WARNING")
    import django

    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0)


def cpu_s():
    """CPU seconds of this process and of the children it has waited for."""
    return sum(
        usage.ru_utime + usage.ru_stime
        for usage in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    )


def rss_mb():
    """Resident memory now."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def plan(name, *, tasks, assistants, seeds=1, pictures=True):
    from play.plan import Wanted, run_store, spec_of

    wanted = Wanted(
        scenes=("supermarket",),
        tasks=str(tasks),
        assistants=assistants,
        seeds=tuple(range(seeds)),
        judge="",
        pictures=pictures,
    )
    return run_store(name, spec_of(wanted))


def store_cpu_s():
    """CPU seconds of the stores this process has started."""
    from simulator_bridge.store import STORES

    ticks = 0
    for running in STORES._running.values():
        fields = Path(f"/proc/{running.process.pid}/stat").read_text().rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")
