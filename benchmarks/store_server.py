"""What the store's server costs: start, replies, captures by format, sharing among shoppers, memory.

    python benchmarks/store_server.py [--scene supermarket] [--seconds 4]

Starts stores of its own on this machine; clients and stores share its cores, so frames per second are lower
bounds and "cpu ms" (the store's own processor time per frame) is the figure to compare.
"""

import argparse
import itertools
import os
import re
import select
import socket
import statistics
import struct
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

MAGIC = 0x9E2B83C1
ROOT = Path(__file__).parents[1]


class Store:
    """A store in a process of its own."""

    def __init__(self, scene: str, *more: str) -> None:
        begin = time.perf_counter()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "storefront", "--scene", scene, "--port", "0", *more],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            text=True,
        )
        line = self.process.stdout.readline()
        self.started_s = time.perf_counter() - begin
        found = re.search(r":(\d+) agent (\S+)", line)
        if found is None:
            raise SystemExit(f"the store did not start: {line!r}")
        self.port, self.agent = int(found[1]), found[2]

    def cpu_s(self) -> float:
        """Processor time of all its threads so far."""
        threads = Path(f"/proc/{self.process.pid}/task").glob("*/schedstat")
        return sum(int(thread.read_text().split()[0]) for thread in threads) / 1e9

    def memory_mb(self) -> float:
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+)", status)[1]) / 1024

    def close(self) -> None:
        self.process.terminate()
        self.process.wait()


class Client:
    """One shopper."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.sock = socket.create_connection(("127.0.0.1", store.port))
        self.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.frames = 0
        self.receive()

    def send(self, command: str) -> None:
        payload = f"0:{command}".encode()
        self.sock.sendall(struct.pack("<II", MAGIC, len(payload)) + payload)

    def exactly(self, count: int) -> bytes:
        got = bytearray(count)
        view, done = memoryview(got), 0
        while done < count:
            done += self.sock.recv_into(view[done:])
        return bytes(got)

    def receive(self) -> bytes:
        _, size = struct.unpack("<II", self.exactly(8))
        return self.exactly(size)[2:]

    def ask(self, command: str) -> bytes:
        self.send(command)
        return self.receive()


def cost_ms(store: Store, act: Callable[[], object], times: int = 15) -> tuple[float, float]:
    """Median time an act takes, and the store's processor time for it, in milliseconds."""
    waits = []
    before = store.cpu_s()
    for _ in range(times):
        begin = time.perf_counter()
        act()
        waits.append((time.perf_counter() - begin) * 1e3)
    return statistics.median(waits), (store.cpu_s() - before) * 1e3 / times


def formats(store: Store) -> None:
    """Each capture in each format: of a view not painted before, and of one that was."""
    client = Client(store)
    x, y, z = (float(v) for v in client.ask("vget /camera/0/location").split())
    turn = itertools.count()

    def look_elsewhere() -> None:
        """The same fifteen directions for every format, a hair apart so that none was painted before."""
        n = next(turn)
        client.ask(f"vset /camera/0/pose {x} {y} {z} 0 {n % 15 * 24 + n * 0.001:.3f} 0")

    def elsewhere(command: str) -> None:
        look_elsewhere()
        client.ask(command)

    def all_three() -> None:
        look_elsewhere()
        for command in ("lit bmp", "object_mask bmp", "depth npy"):
            client.send(f"vget /camera/0/{command}")
        for _ in range(3):
            client.receive()

    print("\ncapture 960x540           new view ms  cpu ms   same view ms  cpu ms      KiB")
    for what in (
        "lit bmp",
        "lit png",
        "object_mask bmp",
        "object_mask png",
        "depth npy",
        "normal bmp",
        "normal png",
    ):
        command = f"vget /camera/0/{what}"
        size = len(client.ask(command)) / 1024
        new, new_cpu = cost_ms(store, partial(elsewhere, command))
        same, same_cpu = cost_ms(store, partial(client.ask, command))
        print(f"  {what:22} {new:12.1f} {new_cpu:7.1f} {same:14.1f} {same_cpu:7.1f} {size:8.0f}")
    wait, cpu = cost_ms(store, all_three)
    print(f"  lit, mask and depth in one go {wait:5.1f} {cpu:7.1f}")
    for what in ("vget /unrealcv/echo x", f"vbp {store.agent} IsMoving"):
        wait, cpu = cost_ms(store, partial(client.ask, what), 300)
        print(f"  {what:35} {wait:.3f} ms, cpu {cpu:.3f} ms")
    client.sock.close()


def keep_capturing(clients: list[Client], seconds: float) -> list[int]:
    """Let every client ask for picture after picture, each of a view of its own; frames got by each."""
    turns = [n * 3 for n in range(len(clients))]

    def ask(n: int) -> None:
        turns[n] = (turns[n] + 11) % 360
        clients[n].send(f"vset /camera/0/rotation 0 {turns[n]} 0")
        clients[n].send("vget /camera/0/lit bmp")

    numbers = {client.sock.fileno(): n for n, client in enumerate(clients)}
    got = [0] * len(clients)
    for n in range(len(clients)):
        ask(n)
    ending = time.perf_counter() + seconds
    while time.perf_counter() < ending:
        for handle in select.select(list(numbers), [], [], 0.1)[0]:
            n = numbers[handle]
            clients[n].receive()
            clients[n].receive()
            got[n] += 1
            ask(n)
    for client in clients:
        client.receive()
        client.receive()
    return got


def crowd(stores: list[Store], count: int, seconds: float) -> tuple[list[int], float]:
    clients = [Client(stores[n % len(stores)]) for n in range(count)]
    keep_capturing(clients, 0.5)
    before = sum(store.cpu_s() for store in stores)
    got = keep_capturing(clients, seconds)
    spent = sum(store.cpu_s() for store in stores) - before
    for client in clients:
        client.sock.close()
    return got, 1e3 * spent / max(1, sum(got))


def sharing(scene: str, seconds: float) -> None:
    print("\nlit bmp 960x540             frames/s   cpu ms/frame   fewest/most per shopper")
    cores = os.cpu_count() or 1
    for name, processes, threads, count in (
        ("1 thread, 8 shoppers", 1, 1, 8),
        (f"{cores} threads, 8 shoppers", 1, cores, 8),
        (f"{cores} threads, 50 shoppers", 1, cores, 50),
        (f"{cores} processes, 8 shoppers", cores, 1, 8),
    ):
        stores = [Store(scene, "--threads", str(threads)) for _ in range(processes)]
        got, cpu = crowd(stores, count, seconds)
        for store in stores:
            store.close()
        print(f"  {name:25} {sum(got) / seconds:9.1f} {cpu:14.1f} {min(got):10}/{max(got)}")


def memory(scene: str) -> None:
    store = Store(scene)
    first = Client(store)
    for _ in range(20):
        first.ask("vget /camera/0/lit bmp")
    before = store.memory_mb()
    crowd_ = [Client(store) for _ in range(200)]
    for client in crowd_:
        client.ask(f"vbp {store.agent} IsMoving")
    idle = store.memory_mb() - before
    for n, client in enumerate(crowd_):
        client.ask(f"vset /camera/0/rotation 0 {n} 0")
        client.ask("vget /camera/0/lit bmp")
        client.ask(f"vbp {store.agent} MoveForward")
    used = store.memory_mb() - before
    print(
        f"\nmemory: store {before:.0f} MB; each extra shopper {idle / 200 * 1024:.0f} KiB on entering, ",
        end="",
    )
    print(f"{used / 200 * 1024:.0f} KiB after a capture and a walk (200 shoppers)")
    for client in crowd_:
        client.sock.close()
    store.close()


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--scene", default="supermarket")
    parser.add_argument("--seconds", type=float, default=4.0)
    args = parser.parse_args()
    Store(args.scene).close()
    store = Store(args.scene)
    load = os.getloadavg()[0]
    print(f"{args.scene}: warm start {store.started_s:.2f} s; {os.cpu_count()} cores, load {load:.1f}")
    formats(store)
    store.close()
    sharing(args.scene, args.seconds)
    memory(args.scene)


if __name__ == "__main__":
    main()
