"""Workers for painting, shared fairly: who has had least of them lately goes first.

Each connection has a ``Share``. Start-time fair queueing: a job's turn comes at the later of the pool's time
and the end of its own connection's last job, measured in the seconds that jobs took. So fifty connections get
equal parts of the machine, whatever the size of their frames, and one that was idle does not save up credit.
"""

import asyncio
import heapq
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeVar

T = TypeVar("T")


@dataclass
class Share:
    """One connection's claim on the workers: where its last job ended, in the pool's own time."""

    finish: float = 0.0


@dataclass(order=True)
class _Job:
    start: float
    number: int
    share: Share = field(compare=False)
    work: Callable[[], Any] = field(compare=False)
    done: "asyncio.Future[Any]" = field(compare=False)


class FairPool:
    """As many threads as there are cores; used from one event loop.

    Args:
        workers: number of threads.
    """

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self._executor = ThreadPoolExecutor(workers, thread_name_prefix="painter")
        self._waiting: list[_Job] = []
        self._running = 0
        self._time = 0.0
        self._count = 0

    @property
    def idle(self) -> bool:
        """Whether a thread has nothing to do."""
        return self._running < self.workers and not self._waiting

    async def run(self, share: Share, work: Callable[[], T]) -> T:
        """Do some work when this share's turn comes. A share has one job in the pool at a time."""
        self._count += 1
        done: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        heapq.heappush(self._waiting, _Job(max(self._time, share.finish), self._count, share, work, done))
        self._next()
        return await done

    async def run_everywhere(self, work: Callable[[], object]) -> None:
        """Do some work once on every thread, at the same time."""
        together = threading.Barrier(self.workers)

        def one() -> None:
            together.wait()
            work()

        await asyncio.gather(*(self.run(Share(), one) for _ in range(self.workers)))

    def _next(self) -> None:
        while self._running < self.workers and self._waiting:
            job = heapq.heappop(self._waiting)
            if job.done.cancelled():
                continue
            self._time = max(self._time, job.start)
            self._running += 1
            running = asyncio.get_running_loop().run_in_executor(self._executor, _timed, job.work)
            running.add_done_callback(partial(self._finished, job))

    def _finished(self, job: _Job, result: "asyncio.Future[tuple[float, Any]]") -> None:
        self._running -= 1
        failed = result.exception()
        if failed is None:
            cost, value = result.result()
            job.share.finish = job.start + cost
            if not job.done.done():
                job.done.set_result(value)
        elif not job.done.done():
            job.done.set_exception(failed)
        self._next()

    def close(self) -> None:
        """Let the threads go once they are done."""
        self._executor.shutdown(wait=True, cancel_futures=True)


def _timed(work: Callable[[], T]) -> tuple[float, T]:
    begin = time.perf_counter()
    value = work()
    return time.perf_counter() - begin, value
