"""Clients that ask too much, never read, or come all at once."""

import contextlib
import re
import resource
import threading
import time
from pathlib import Path

import pytest

from tests.store.wireclient import Address, Raw, served_at_once

pytestmark = pytest.mark.store


def test_a_flood_of_requests_slows_its_sender_only(store):
    stop = threading.Event()

    def flood() -> None:
        with contextlib.suppress(OSError), Raw(store) as raw:
            burst = b"".join(Raw.frame(b"%d:vget /objects" % n) for n in range(2000))
            raw.sock.settimeout(0.5)
            while not stop.is_set():
                with contextlib.suppress(TimeoutError):
                    raw.sock.sendall(burst)

    threads = [threading.Thread(target=flood) for _ in range(2)]
    for thread in threads:
        thread.start()
    try:
        with Raw(store) as neighbour:
            time.sleep(0.3)
            waits = []
            for n in range(30):
                begin = time.perf_counter()
                assert neighbour.ask(f"vget /unrealcv/echo {n}") == str(n).encode()
                waits.append(time.perf_counter() - begin)
            assert sorted(waits)[15] < 0.1
            begin = time.perf_counter()
            assert neighbour.ask("vget /camera/0/lit bmp")[:2] == b"BM"
            assert time.perf_counter() - begin < 2.0
    finally:
        stop.set()
        for thread in threads:
            thread.join()
    served_at_once(store)


def test_readers_that_never_read_cost_a_bounded_amount_of_memory(lone_store):
    with Raw(lone_store) as probe:
        assert probe.ask("vget /camera/0/lit bmp")[:2] == b"BM"
    lazy = [Raw(lone_store) for _ in range(4)]
    before = memory_mb(lone_store)
    for raw in lazy:
        raw.sock.settimeout(0.2)
        with contextlib.suppress(TimeoutError):
            while True:
                raw.sock.sendall(b"".join(Raw.frame(b"1:vget /camera/0/lit bmp") for _ in range(500)))
    time.sleep(0.3)
    grown = memory_mb(lone_store) - before
    served_at_once(lone_store)
    for raw in lazy:
        raw.sock.close()
    assert grown < 4 * 16, f"{grown:.0f} MB"


def memory_mb(store: Address) -> float:
    """Resident memory of the process that listens on the port."""
    inodes = set()
    for line in Path("/proc/net/tcp").read_text().splitlines()[1:]:
        fields = line.split()
        if fields[1].endswith(f":{store.port:04X}") and fields[3] == "0A":
            inodes.add(fields[9])
    for process in Path("/proc").iterdir():
        if not process.name.isdigit():
            continue
        with contextlib.suppress(OSError):
            for handle in (process / "fd").iterdir():
                found = re.fullmatch(r"socket:\[(\d+)\]", str(handle.readlink()))
                if found and found[1] in inodes:
                    status = (process / "status").read_text()
                    return int(re.search(r"VmRSS:\s+(\d+)", status)[1]) / 1024
    raise LookupError("nobody listens there")


def test_two_hundred_clients_at_once_are_all_served(store):
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    assert (
        soft == hard
        or soft > 500
        or resource.setrlimit(resource.RLIMIT_NOFILE, (min(2000, hard), hard)) is None
    )
    crowd = [Raw(store) for _ in range(200)]
    try:
        for n, raw in enumerate(crowd):
            raw.send(f"vset /camera/0/location {n} 0 160", "vget /camera/0/location")
        for n, raw in enumerate(crowd):
            assert raw.reply() == (0, b"ok")
            assert raw.reply() == (1, f"{n}.000 0.000 160.000".encode())
    finally:
        for raw in crowd:
            raw.sock.close()
