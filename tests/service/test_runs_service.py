"""The same on PostgreSQL, Redis and Celery: seats, joins and runs spread over workers."""

import contextlib
import os
import signal
import subprocess
import sys
import uuid

import pytest

from siturec.trajectory import check_file, read_file
from tests.service.conftest import ROOT, answers, manage

OWN = ("episode_id", "started_at", "ended_at")

pytestmark = [pytest.mark.service, pytest.mark.store, pytest.mark.timeout(300)]

JOIN = """
from tests.web.crowds import seats_of_a_hundred
from tests.web.samples_studies import opened
numbers = sorted(seats_of_a_hundred(opened(assistants=("expert", "bad"), quota=100, scene="pharmacy_corner")))
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
    shape = ("--scene", "pharmacy_corner", "--assistants", "bad", "--tasks", 2, "--seed", 5)
    local, spread = tmp_path / "local.jsonl", tmp_path / "spread.jsonl"
    with worker(environment):  # it comes up while the local run is played
        manage(environment, "simulate", *shape, "--out", local)
        manage(environment, "simulate", *shape, "--backend", "celery", "--out", spread)
    assert check_file(spread) == 2
    assert bare(spread) == bare(local)
