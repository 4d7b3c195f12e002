"""Many people who do the same thing at the same moment."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from django.db import connection

from sessions.models import Study
from tests.web.samples_studies import seated

T = TypeVar("T")


def all_at_once(act: Callable[[int], T], *, times: int, threads: int) -> list[T]:
    """What each of ``times`` calls gave, by number; the first ``threads`` of them set out together."""
    start = threading.Barrier(threads)

    def run(number: int) -> T:
        if number < threads:
            start.wait()
        try:
            return act(number)
        finally:
            connection.close()

    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(run, range(times)))


def seats_of_a_hundred(study: Study) -> list[int]:
    """The seats of a hundred people who join at once."""
    return all_at_once(
        lambda number: seated(study, external_id=f"p{number}").seats.get().number, times=100, threads=20
    )
