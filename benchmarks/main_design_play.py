"""Playing the main design by its command, with and without stops."""

import contextlib
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from signal import Signals

from runs_kit import ROOT, setup

LOOK_S = 0.1


@dataclass
class Design:
    """What is played and how; everything lies in a folder of its own."""

    shape: list[str]
    backend: list[str]
    folder: Path
    workers: int = 0
    environment: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, options):
        """Make the folder and the database."""
        if options.database:
            os.environ["DATABASE_URL"] = options.database
        if options.broker:
            os.environ["CELERY_BROKER_URL"] = options.broker
        setup()
        shape = ["--scene", options.scenes, "--assistants", options.assistants, "--tasks", options.tasks]
        shape += ["--seed", options.seed, *(["--no-pictures"] if options.no_pictures else [])]
        spread = options.backend == "celery"
        return cls(
            shape=shape,
            backend=["--backend", "celery"] if spread else ["--jobs", options.jobs],
            folder=Path(tempfile.mkdtemp(prefix="siturec-design-")),
            workers=options.workers if spread else 0,
            environment={**os.environ, "PYTHONPATH": str(ROOT)},
        )

    def start(self, name, out):
        """The one command, as a process."""
        command = [sys.executable, "manage.py", "simulate", *self.shape, *self.backend, "--run", name]
        log = (self.folder / f"{name}.log").open("ab")
        return subprocess.Popen(
            [*command, "--out", str(out)], cwd=ROOT, env=self.environment, stdout=log, stderr=log
        )

    def said(self, name):
        """The last words of a run's processes."""
        return (self.folder / f"{name}.log").read_text()[-2000:]


@contextlib.contextmanager
def workers(design):
    """Celery workers, where there are to be any; each in a process of its own, ended afterwards."""
    command = [
        sys.executable,
        "-m",
        "celery",
        "-A",
        "siturec_web",
        "worker",
        "--concurrency",
        "1",
        "-l",
        "WARNING",
    ]
    with (design.folder / "workers.log").open("ab") as log:
        running = [
            subprocess.Popen(
                [*command, "-n", f"w{number}@%h"], cwd=ROOT, env=design.environment, stdout=log, stderr=log
            )
            for number in range(design.workers)
        ]
        try:
            yield
        finally:
            for process in running:
                process.terminate()
            for process in running:
                process.wait(60)


@dataclass
class Played:
    """A run's file, and which episodes had ended before each stop: public id to end."""

    name: str
    out: Path
    before: list[dict[str, str]] = field(default_factory=list)


def ended(name):
    """The run's ended episodes: public id to the moment it ended."""
    from sessions.models import Episode

    rows = Episode.objects.filter(run__name=name, status="ended")
    return {public_id: str(at) for public_id, at in rows.values_list("public_id", "ended_at")}


def planned(name):
    """How many items the run's plan has; 0 before it is stored."""
    from sessions.models import Episode

    return Episode.objects.filter(run__name=name, attempt=1).count()


def played(design, name):
    """Play the design without a stop."""
    run, began = Played(name, design.folder / f"{name}.jsonl"), time.monotonic()
    code = design.start(name, run.out).wait()
    assert code == 0, f"{name} ended with {code}: {design.said(name)}"
    print(f"{name}: {len(ended(name))} episodes in {time.monotonic() - began:.0f} s", flush=True)
    return run


def interrupted(design, name, stops):
    """Play the design, stopped by each of these signals when that share of it has ended."""
    run = Played(name, design.folder / f"{name}.jsonl")
    for how, share in stops:
        process = design.start(name, run.out)
        while not (total := planned(name)) or len(ended(name)) < share * total:
            assert process.poll() is None, f"{name} ended too early: {design.said(name)}"
            time.sleep(LOOK_S)
        process.send_signal(how)
        code = process.wait(60)
        expected = 130 if how is Signals.SIGINT else -how
        assert code == expected, f"{name} ended with {code} after {how.name}: {design.said(name)}"
        run.before.append(ended(name))
        assert len(run.before[-1]) < total, f"{how.name} came after the last episode"
        print(f"{name}: {how.name} with {len(run.before[-1])} of {total} ended", flush=True)
    code = design.start(name, run.out).wait()
    assert code == 0, f"{name} ended with {code}: {design.said(name)}"
    print(f"{name}: gone on with to its end, {len(ended(name))} episodes", flush=True)
    return run
