"""The same on PostgreSQL, Redis and Celery: seats, joins and runs spread over workers."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import uuid
from pathlib import Path

import psycopg
import pytest

from siturec.trajectory import check_file, read_file
from storefront.render_places import cache_root

ROOT = Path(__file__).resolve().parent.parent.parent
POSTGRES = "postgres://postgres@127.0.0.1:5432"
OWN = ("episode_id", "started_at", "ended_at")

pytestmark = [pytest.mark.service, pytest.mark.store, pytest.mark.timeout(300)]


def answers(port):
    """Whether something listens there."""
    with socket.socket() as probe:
        probe.settimeout(1)
        return probe.connect_ex(("127.0.0.1", port)) == 0


@pytest.fixture
def postgres(tmp_path):
    """The environment of a site on a PostgreSQL database of its own, dropped afterwards.

    Only what stores have worked out before (kernels, baked light) is shared with other runs.
    """
    if not answers(5432):
        pytest.skip("no PostgreSQL answers on 127.0.0.1:5432")
    kept = cache_root()
    kept.mkdir(parents=True, exist_ok=True)
    (tmp_path / "storefront").symlink_to(kept)
    name = f"siturec_runs_{uuid.uuid4().hex[:8]}"
    with psycopg.connect(f"{POSTGRES}/postgres", autocommit=True) as server:
        server.execute(f'CREATE DATABASE "{name}"')
        environment = {
            **os.environ,
            "DATABASE_URL": f"{POSTGRES}/{name}",
            "DJANGO_SETTINGS_MODULE": "siturec_web.settings.dev",
            "SITUREC_VAR": str(tmp_path),
            "PYTHONPATH": str(ROOT),
        }
        environment.pop("SITUREC_TEST_DIR", None)
        try:
            manage(environment, "migrate", "-v0")
            yield environment
        finally:
            server.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


def manage(environment, *arguments):
    """Run a management command; its output, or a failure that shows it."""
    command = [sys.executable, "manage.py", *map(str, arguments)]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=240)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


JOIN = """
import threading
from concurrent.futures import ThreadPoolExecutor
from django.db import connection
from tests.web.samples_studies import opened, seated
study = opened(assistants=("expert", "bad"), quota=100)
start = threading.Barrier(20)
def join(number):
    if number < 20:
        start.wait()
    try:
        return seated(study, external_id=f"p{number}").seats.get().number
    finally:
        connection.close()
with ThreadPoolExecutor(20) as pool:
    numbers = sorted(pool.map(join, range(100)))
print("distinct" if numbers == list(range(1, 101)) else numbers)
"""


def test_a_hundred_joins_at_once_get_a_hundred_distinct_seats_on_postgresql(postgres):
    assert manage(postgres, "shell", "-c", JOIN).strip().endswith("distinct")


@contextlib.contextmanager
def worker(environment):
    """A Celery worker in a process group of its own."""
    celery = [sys.executable, "-m", "celery", "-A", "siturec_web", "worker"]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    process = subprocess.Popen(
        [*celery, "--concurrency", "1", "-l", "WARNING"],
        cwd=ROOT,
        env=environment,
        start_new_session=True,
        **quiet,
    )
    try:
        yield process
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGTERM)
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait(20)


def bare(path):
    return [{key: record[key] for key in record if key not in OWN} for record in read_file(path)]


def test_a_run_spread_over_celery_workers_leaves_the_records_of_a_local_one(postgres, tmp_path):
    if not answers(6379):
        pytest.skip("no Redis answers on 127.0.0.1:6379")
    broker = f"redis://127.0.0.1:6379/{uuid.uuid4().int % 14 + 1}"
    environment = {**postgres, "CELERY_BROKER_URL": broker}
    shape = ("--scene", "supermarket", "--assistants", "bad", "--tasks", 2, "--seed", 5)
    local, spread = tmp_path / "local.jsonl", tmp_path / "spread.jsonl"
    with worker(environment):  # it comes up while the local run is played
        manage(environment, "simulate", *shape, "--out", local)
        manage(environment, "simulate", *shape, "--backend", "celery", "--out", spread)
    assert check_file(spread) == 2
    assert bare(spread) == bare(local)
