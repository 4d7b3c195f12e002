"""Places in worlds on PostgreSQL, wanted by several processes at once: its row locks are what keeps order."""

import json
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.service.conftest import ROOT

pytestmark = [pytest.mark.service, pytest.mark.timeout(300)]
PROCESSES, THREADS = 3, 4

WORKER = """
import json, sys
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from django.db import connection
from django.utils import timezone
from simulator_bridge import services
from simulator_bridge.models import WorldLease, WorldServer, WorldWait
from simulator_bridge.selectors import waiting_position

def world(name, capacity):
    WorldServer.objects.create(name=name, kind="store", address="127.0.0.1:9", capacity=capacity)

def take(holder):
    taken = services.lease_take(scene="market", holder=holder)
    return None if taken is None else [str(taken.token), taken.server.name]

def keep(token):
    try:
        services.lease_renew(token=token)
    except services.LeaseLost:
        return False
    return True

def give_back(token):
    services.lease_release(token=token)

def let_run_out():
    WorldLease.objects.update(until=timezone.now() - timedelta(seconds=1))

def position(holder):
    return services.wait_standing(scene="market", holder=holder)[0]

def replace_worlds(times):
    for number in range(times):
        WorldServer.objects.earliest("id").delete()
        world(f"again {number}", 2)

def come_and_go(holder, times):
    for number in range(times):
        taken = take(f"{holder}-{number}")
        if taken is not None:
            give_back(taken[0])

def clear():
    WorldServer.objects.all().delete()
    WorldWait.objects.all().delete()

def rows():
    return [WorldLease.objects.count(), WorldWait.objects.count()]

def run(job):
    try:
        return globals()[job[0]](*job[1:])
    finally:
        connection.close()

with ThreadPoolExecutor(%d) as pool:
    print("ready", flush=True)
    for line in sys.stdin:
        print(json.dumps(list(pool.map(run, json.loads(line)))), flush=True)
"""


class Crowd:
    """Several site processes that do what they are told at the same moment."""

    def __init__(self, environment):
        command = [sys.executable, "manage.py", "shell", "--no-imports", "-c", WORKER % THREADS]
        self.processes = [
            subprocess.Popen(
                command,
                cwd=ROOT,
                env=environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
            for _ in range(PROCESSES)
        ]

    def __enter__(self):
        for process in self.processes:
            assert process.stdout.readline() == "ready\n"
        return self

    def __exit__(self, *exc):
        for process in self.processes:
            process.stdin.close()
            process.wait(30)
            process.stdout.close()

    def one(self, *job):
        """What one process answers."""
        return self.ask(self.processes[0], [job])[0]

    def all(self, jobs):
        """What all answer who are told so at once; jobs are dealt round, results come in the jobs' order."""
        shares = [jobs[place::PROCESSES] for place in range(PROCESSES)]
        with ThreadPoolExecutor(PROCESSES) as pool:
            answers = list(pool.map(self.ask, self.processes, shares))
        return [answers[place % PROCESSES][place // PROCESSES] for place in range(len(jobs))]

    def ask(self, process, jobs):
        process.stdin.write(json.dumps(jobs) + "\n")
        process.stdin.flush()
        line = process.stdout.readline()
        assert line, "a process ended"
        return json.loads(line)


@pytest.fixture(scope="module")
def everyone(postgres):
    """The processes, on a PostgreSQL database of this module's own."""
    with Crowd(postgres) as crowd:
        yield crowd


@pytest.fixture
def crowd(everyone):
    everyone.one("clear")
    return everyone


def takes(names):
    return [("take", name) for name in names]


def test_processes_that_want_places_at_once_get_each_place_once(crowd):
    for name, capacity in (("one", 1), ("two", 2), ("three", 3)):
        crowd.one("world", name, capacity)
    got = [taken for taken in crowd.all(takes(f"h{n}" for n in range(24))) if taken is not None]
    assert len({token for token, _ in got}) == len(got)
    assert Counter(server for _, server in got) == {"one": 1, "two": 2, "three": 3}
    assert crowd.one("rows") == [6, 18]


def test_a_place_that_ran_out_is_taken_once_and_its_old_holder_is_told(crowd):
    crowd.one("world", "only", 1)
    everybody = takes(f"h{n}" for n in range(9))
    seen = []
    for _ in range(4):
        (taken,) = [taken for taken in crowd.all(everybody) if taken is not None]
        assert crowd.one("keep", taken[0])
        crowd.one("let_run_out")
        assert not crowd.one("keep", taken[0])
        seen.append(taken[0])
    assert len(set(seen)) == 4
    assert crowd.one("rows")[0] == 1
    crowd.all([("give_back", seen[-1])] * 6)
    assert crowd.one("rows")[0] == 0


def test_keeping_up_and_running_out_at_once_leave_one_holder(crowd):
    """Renewing is one statement against the moment: whoever loses the race is told so."""
    crowd.one("world", "only", 1)
    token = crowd.one("take", "first")[0]
    for _ in range(6):
        crowd.one("let_run_out")
        kept, *others = crowd.all([("keep", token), *takes(("second", "third", "fourth", "fifth"))])
        assert not kept
        (new,) = [taken for taken in others if taken is not None]
        token = new[0]
        assert crowd.one("rows")[0] == 1


def test_positions_in_the_line_are_true_for_every_process(crowd):
    crowd.one("world", "only", 1)
    token = crowd.one("take", "first")[0]
    line = [f"h{n}" for n in range(9)]
    for holder in line:
        assert crowd.one("take", holder) is None
    while line:
        assert crowd.all([("position", holder) for holder in line]) == list(range(1, len(line) + 1))
        crowd.one("give_back", token)
        got = crowd.all(takes([*line[1:], line[0]]))
        assert [taken is not None for taken in got] == [False] * (len(line) - 1) + [True]
        token = got[-1][0]
        line = line[1:]


def test_those_who_come_at_the_same_moment_are_given_different_positions(crowd):
    crowd.one("world", "only", 1)
    crowd.one("take", "first")
    crowd.all(takes(f"h{n}" for n in range(12)))
    positions = crowd.all([("position", f"h{n}") for n in range(12)])
    assert sorted(positions) == list(range(1, 13))


def test_worlds_are_deleted_and_added_while_people_come_and_go(crowd):
    for name in ("one", "two"):
        crowd.one("world", name, 2)
    people = [("come_and_go", f"h{n}", 40) for n in range(PROCESSES * THREADS - 1)]
    assert crowd.all([("replace_worlds", 40), *people]) == [None] * PROCESSES * THREADS
    assert crowd.one("rows")[0] == 0
