"""Frames off a socket without copying them about: large ones are received into the memory they are kept in.

A capture is six megabytes. A stream reader would move each of them three times; that was a third of what a
simulated turn cost.
"""

import asyncio
import struct
from collections import deque

from simulator_bridge.errors import ConnectionLost, WrongReply

MAGIC = 0x9E2B83C1
MAX_PAYLOAD = 256 * 1024 * 1024
HEADER = struct.Struct("<II")
SCRATCH = 1 << 16
AHEAD = 32 * 1024 * 1024
"""So much may lie here unasked for; a server that sends more has to wait."""
KEEPING = 256
"""What a frame takes beside its payload: a flood of tiny ones fills the memory too."""


class FrameReader(asyncio.BufferedProtocol):
    """One connection's payloads, in order; what went wrong is raised where the next one is waited for."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._scratch = bytearray(SCRATCH)
        self._have = 0
        self._body: bytearray | None = None
        self._at = 0
        self._frames: deque[memoryview] = deque()
        self._queued = 0
        self._fault: Exception | None = None
        self._waiter: asyncio.Future[None] | None = None
        self._paused = False
        self.transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """As asyncio calls it."""
        if isinstance(transport, asyncio.Transport):
            self.transport = transport

    def get_buffer(self, sizehint: int) -> memoryview:
        """Where the next bytes go: the frame they belong to, or a small space to find out in."""
        if self._body is not None:
            return memoryview(self._body)[self._at :]
        return memoryview(self._scratch)[self._have :]

    def buffer_updated(self, nbytes: int) -> None:
        """As asyncio calls it, with so many new bytes in the buffer."""
        if self._fault is not None:
            return
        if self._body is None:
            self._have += nbytes
            self._sort()
            return
        self._at += nbytes
        if self._at == len(self._body):
            self._keep(memoryview(self._body))
            self._body = None

    def _sort(self) -> None:
        """Take the frames out of the scratch space; of one that goes on, the beginning."""
        start, have, scratch = 0, self._have, self._scratch
        while have - start >= HEADER.size:
            magic, size = HEADER.unpack_from(scratch, start)
            if magic != MAGIC:
                return self._fail(WrongReply(f"a frame starts with {magic:#010x}, not {MAGIC:#010x}"))
            if not 0 < size <= MAX_PAYLOAD:
                return self._fail(WrongReply(f"a frame announces {size} bytes"))
            start += HEADER.size
            if size <= have - start:
                self._keep(memoryview(bytes(scratch[start : start + size])))
                start += size
                continue
            self._body, self._at = bytearray(size), have - start
            self._body[: self._at] = scratch[start:have]
            start = have
        scratch[: have - start] = scratch[start:have]
        self._have = have - start

    def _keep(self, payload: memoryview) -> None:
        self._frames.append(payload)
        self._queued += len(payload) + KEEPING
        if self._queued > AHEAD and self.transport is not None and not self._paused:
            self._paused = True
            self.transport.pause_reading()
        self._wake()

    def _fail(self, fault: Exception) -> None:
        self._fault = self._fault or fault
        self._wake()

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    def eof_received(self) -> bool:
        """The server sends no more."""
        self._end("closed the connection")
        return False

    def connection_lost(self, exc: Exception | None) -> None:
        """As asyncio calls it."""
        self._end(f"closed the connection ({exc})" if exc is not None else "closed the connection")

    def _end(self, how: str) -> None:
        if self._body is not None:
            how = f"{how} after {self._at} bytes of {len(self._body)}"
        elif self._have:
            how = f"{how} after {self._have} bytes of {HEADER.size}"
        self._fail(ConnectionLost(f"{self._name} {how}"))

    async def frame(self) -> memoryview:
        """The next payload. Raises: ConnectionLost, WrongReply; for one waiter at a time."""
        while not self._frames:
            if self._fault is not None:
                raise self._fault
            self._waiter = asyncio.get_running_loop().create_future()
            try:
                await self._waiter
            finally:
                self._waiter = None
        payload = self._frames.popleft()
        self._queued -= len(payload) + KEEPING
        if self._paused and self._queued <= AHEAD and self.transport is not None:
            self._paused = False
            self.transport.resume_reading()
        return payload
