"""The embedded store: a process of its own per scene, started on demand and ended with this one.

Each connection has a shopper of its own there, so one process serves many worlds.
"""

import asyncio
import atexit
import contextlib
import logging
import re
import subprocess
import sys
import threading
from dataclasses import dataclass
from pathlib import Path

from simulator_bridge.wire import Address
from siturec.protocol.ports import WorldUnavailable

log = logging.getLogger(__name__)

START_S = 300.0
"""The very first start compiles and bakes light, on a busy machine for minutes; later ones take seconds."""
STOP_S = 3.0
_LAUNCH = """
import os, runpy, threading
def leave_with_parent():
    while os.read(0, 4096):
        pass
    os._exit(0)
threading.Thread(target=leave_with_parent, daemon=True).start()
runpy.run_module("storefront", run_name="__main__", alter_sys=True)
"""
# The store's standard input is a pipe only this process holds: however this process ends, the pipe ends too.
_READY = re.compile(r"listening on (\S+:\d+) agent (\S+)")


@dataclass(frozen=True)
class StoreProcess:
    """A running store, where it listens and what its actor is called."""

    process: subprocess.Popen[str]
    address: Address
    agent: str

    @property
    def alive(self) -> bool:
        """Whether the process still runs."""
        return self.process.poll() is None


class Stores:
    """The stores this process has started, one per scene folder. Safe to use from several threads."""

    def __init__(self) -> None:
        self._running: dict[Path, StoreProcess] = {}
        self._starting: dict[Path, threading.Lock] = {}
        self._lock = threading.Lock()

    async def ready(self, folder: Path) -> StoreProcess:
        """The scene's store, started (or started again) when none runs. Raises: WorldUnavailable."""
        return await asyncio.to_thread(self.ready_now, folder)

    def ready_now(self, folder: Path) -> StoreProcess:
        """As ``ready``, waiting for it."""
        with self._turn(folder):
            running = self._running.get(folder)
            if running is not None and running.alive:
                return running
            if running is not None:
                log.warning(
                    "the store of %s ended (%s); starting it again", folder.name, running.process.poll()
                )
                _end(running.process)
            self._running[folder] = start_store(folder)
            return self._running[folder]

    def give_up(self, folder: Path, address: Address) -> None:
        """End a store that is stuck, if it is still this one; the next who asks gets a fresh one."""
        with self._turn(folder):  # one that is ending still looks alive, and is given to nobody meanwhile
            running = self._running.get(folder)
            if running is not None and running.address == address and running.alive:
                log.warning("the store of %s does not answer; ending it", folder.name)
                running.process.kill()
                running.process.wait()

    def _turn(self, folder: Path) -> threading.Lock:
        """Held by whoever starts or ends this scene's store."""
        with self._lock:
            return self._starting.setdefault(folder, threading.Lock())

    def stop(self) -> None:
        """End every store this process has started."""
        with self._lock:
            running, self._running = self._running, {}
        for store in running.values():
            _end(store.process)


def start_store(folder: Path) -> StoreProcess:
    """Start a store and wait for its ready line. Raises: WorldUnavailable with what it said instead."""
    process = _spawn(folder)
    said: list[str] = []
    talk = threading.Thread(target=_drain, args=(process, said), daemon=True)
    talk.start()
    too_slow = threading.Timer(START_S, process.kill)
    too_slow.start()
    try:
        line = process.stdout.readline() if process.stdout is not None else ""
    finally:
        too_slow.cancel()
    ready = _READY.search(line)
    if ready is None:
        _end(process)
        talk.join(STOP_S)
        words = line.strip() or " ".join(said[-3:]) or f"it said nothing within {START_S:.0f} s"
        raise WorldUnavailable(f"the store of {folder.name} did not start: {words}")
    log.info("store of %s on %s", folder.name, ready.group(1))
    return StoreProcess(process, Address.parse(ready.group(1)), ready.group(2))


def _drain(process: subprocess.Popen[str], said: list[str]) -> None:
    """Keep the last lines of a store's errors, so that its pipe never fills."""
    if process.stderr is None:
        return
    for line in process.stderr:
        said.append(line.strip())
        del said[:-20]
        log.debug("store: %s", line.rstrip())


def _spawn(folder: Path) -> subprocess.Popen[str]:
    arguments = ["--scene", str(folder), "--host", "127.0.0.1", "--port", "0"]
    return subprocess.Popen(  # noqa: S603 - our own interpreter and package
        [sys.executable, "-c", _LAUNCH, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # Ctrl-C reaches the whole group in a terminal: a store that ended by it would be started again by the
        # visits that are still being closed.
        process_group=0,
        cwd=Path(__file__).resolve().parent.parent,
    )


def _end(process: subprocess.Popen[str]) -> None:
    if process.poll() is None:
        process.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(STOP_S)
    if process.poll() is None:
        process.kill()
    process.wait()
    for pipe in (process.stdin, process.stdout, process.stderr):
        if pipe is not None:
            pipe.close()


STORES = Stores()
atexit.register(STORES.stop)
