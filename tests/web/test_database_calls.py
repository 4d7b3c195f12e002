"""Calls to the database from sockets and tasks: one after the other, but none waits for one that hangs."""

import threading
import time
from collections.abc import Iterator
from concurrent.futures import wait

import pytest

from sessions.database import RelayPool


@pytest.fixture
def pool() -> RelayPool:
    return RelayPool(3, slow_s=0.3)


@pytest.fixture
def hanging(pool: RelayPool) -> Iterator[list[threading.Event]]:
    """Whoever hangs in the pool; all are let go in the end."""
    events: list[threading.Event] = []
    yield events
    for event in events:
        event.set()


def hang(pool: RelayPool, hanging: list[threading.Event]) -> None:
    begun, event = threading.Event(), threading.Event()
    hanging.append(event)

    def call() -> None:
        begun.set()
        event.wait(20)

    pool.submit(call)
    assert begun.wait(5)


def test_quick_calls_run_one_after_the_other_on_one_thread(pool):
    order: list[int] = []
    calls = [
        pool.submit(lambda number=number: order.append(number) or threading.get_ident())
        for number in range(50)
    ]
    assert len({call.result(5) for call in calls}) == 1
    assert order == list(range(50))


def test_a_call_that_hangs_holds_up_nobody_and_one_thread_goes_on_alone(pool, hanging):
    hang(pool, hanging)
    calls = [pool.submit(threading.get_ident) for _ in range(20)]
    assert len({call.result(5) for call in calls}) == 1
    hanging[0].set()
    time.sleep(0.2)
    later = [pool.submit(threading.get_ident) for _ in range(20)]
    assert {call.result(5) for call in later} == {calls[0].result()}


def test_there_are_never_more_threads_than_allowed_and_the_rest_wait_their_turn(pool, hanging):
    for _ in range(3):
        hang(pool, hanging)
    waiting = pool.submit(lambda: "at last")
    done, _ = wait([waiting], timeout=0.8)
    assert not done
    hanging[1].set()
    assert waiting.result(5) == "at last"


def test_what_a_call_raises_is_raised_to_who_asked(pool):
    def fail() -> None:
        raise LookupError("no such row")

    with pytest.raises(LookupError, match="no such row"):
        pool.submit(fail).result(5)
    assert pool.submit(lambda: 1).result(5) == 1
