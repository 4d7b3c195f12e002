"""Where calls to the database wait, so that a slow one holds up nobody else and connections stay few."""

import asyncio
import threading
import time
from collections.abc import Callable, Coroutine
from concurrent.futures import Executor, Future
from contextvars import copy_context
from functools import partial
from queue import SimpleQueue
from typing import Any, ParamSpec, TypeVar

from django.db import close_old_connections, connections

P = ParamSpec("P")
T = TypeVar("T")

THREADS = 8
"""A thread keeps one connection: this is how many a process opens for its sockets and tasks."""
SLOW_S = 0.1


class RelayPool(Executor):
    """One call at a time, unless one turns out to be slow: then another thread takes over from it.

    Quick calls are quickest so: SQLite's writers would only get into each other's way.
    A thread that was taken over from ends with its call.
    """

    def __init__(self, threads: int, *, slow_s: float = SLOW_S) -> None:
        self._threads, self._slow_s = threads, slow_s
        self._calls: SimpleQueue[tuple[Future[Any], Callable[[], Any]]] = SimpleQueue()
        self._lock = threading.Lock()
        self._running: dict[int, tuple[float, bool]] = {}
        """By thread: since when it is on its call, and whether another took over."""
        self._count = 0

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """As any executor's."""
        answer: Future[T] = Future()
        self._calls.put((answer, partial(fn, *args, **kwargs)))
        with self._lock:
            if not self._count:
                self._add()
                threading.Thread(target=self._watch, name="database-watch", daemon=True).start()
        return answer

    def _add(self) -> None:
        self._count += 1
        threading.Thread(target=self._work, name="database", daemon=True).start()

    def _watch(self) -> None:
        while True:
            time.sleep(self._slow_s)
            with self._lock:
                for thread, (since, taken_over) in list(self._running.items()):
                    slow = time.monotonic() - since > self._slow_s
                    if slow and not taken_over and self._count < self._threads:
                        self._running[thread] = (since, True)
                        self._add()

    def _work(self) -> None:
        me, done = threading.get_ident(), False
        while not done:
            answer, call = self._calls.get()
            if not answer.set_running_or_notify_cancel():
                continue
            with self._lock:
                self._running[me] = (time.monotonic(), False)
            try:
                answer.set_result(call())
            except BaseException as error:  # noqa: BLE001  (it is the caller's)
                answer.set_exception(error)
            with self._lock:
                _, done = self._running.pop(me)
                self._count -= done
        connections.close_all()


# Any: asked for is a pool of the standard library, used is only its ``submit``.
_pool: Any = RelayPool(THREADS)


def _connected(function: Callable[..., T], args: tuple[Any, ...], kwargs: dict[str, Any]) -> T:
    """Call with connections that are not too old, and leave none that is."""
    close_old_connections()
    try:
        return function(*args, **kwargs)
    finally:
        close_old_connections()


def database_sync_to_async(function: Callable[P, T]) -> Callable[P, Coroutine[Any, Any, T]]:
    """As Channels' own, which puts every call of every socket on a single thread; here it is one of a few.

    Calls that are awaited one after the other keep their order; others have none.
    """

    async def call(*args: P.args, **kwargs: P.kwargs) -> T:
        run = partial(copy_context().run, _connected, function, args, kwargs)
        return await asyncio.get_running_loop().run_in_executor(_pool, run)

    return call
