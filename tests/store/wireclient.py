"""A plain socket that speaks the wire, for what the official client would never do; and a store process."""

import contextlib
import os
import re
import socket
import struct
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

MAGIC = 0x9E2B83C1
ROOT = Path(__file__).parents[2]
PACK = Path(__file__).with_name("pack")


class Address(NamedTuple):
    host: str
    port: int
    agent: str


def start_store(scene: Path | str, cache: Path, *more: str) -> tuple[subprocess.Popen[str], Address]:
    process = subprocess.Popen(
        [
            sys.executable,
            "-m",
            "storefront",
            "--scene",
            str(scene),
            "--port",
            "0",
            "--cache",
            str(cache),
            *more,
        ],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    line = process.stdout.readline()
    found = re.search(r"listening on ([\d.]+):(\d+) agent (\S+)", line)
    assert found, line
    return process, Address(found[1], int(found[2]), found[3])


@contextlib.contextmanager
def running_store(scene: Path | str, cache: Path, *more: str) -> Iterator[Address]:
    process, address = start_store(scene, cache, *more)
    try:
        yield address
    finally:
        process.terminate()
        process.wait(10)
        assert process.stdout is not None
        process.stdout.close()


class Raw:
    """One connection; frames and bytes by hand."""

    def __init__(self, address: Address, timeout: float = 10.0) -> None:
        self.sock = socket.create_connection(address[:2], timeout)
        self.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.number = 0
        self.greeting = self.receive()

    def __enter__(self):
        return self

    def __exit__(self, *exc: object) -> None:
        self.sock.close()

    @staticmethod
    def frame(payload: bytes) -> bytes:
        return struct.pack("<II", MAGIC, len(payload)) + payload

    def send(self, *commands: str) -> None:
        raw = b""
        for command in commands:
            raw += self.frame(f"{self.number}:{command}".encode())
            self.number += 1
        self.sock.sendall(raw)

    def exactly(self, count: int) -> bytes:
        got = bytearray()
        while len(got) < count:
            piece = self.sock.recv(min(1 << 20, count - len(got)))
            if not piece:
                raise EOFError(bytes(got))
            got += piece
        return bytes(got)

    def receive(self) -> bytes:
        magic, size = struct.unpack("<II", self.exactly(8))
        assert magic == MAGIC
        return self.exactly(size)

    def reply(self) -> tuple[int, bytes]:
        number, _, body = self.receive().partition(b":")
        return int(number), body

    def ask(self, command: str) -> bytes:
        self.send(command)
        number, body = self.reply()
        assert number == self.number - 1
        return body

    def text(self, command: str) -> str:
        return self.ask(command).decode()

    def reset(self) -> None:
        """Close with RST."""
        self.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.sock.close()


def served_at_once(store: Address, within: float = 2.0) -> None:
    begin = time.perf_counter()
    with Raw(store) as other:
        assert other.greeting.startswith(b"connected to ")
        assert other.ask("vget /unrealcv/echo alive") == b"alive"
    assert time.perf_counter() - begin < within
