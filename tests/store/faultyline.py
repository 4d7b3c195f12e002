"""A line to a real store that can be told to fail in every way a line or the world behind it can."""

import asyncio
import struct
from collections import deque
from dataclasses import dataclass

from simulator_bridge.wire_frames import MAGIC
from tests.store.listening import Listening

GARBAGE = struct.pack("<II", 0xFF, 4) + b"what"


@dataclass(frozen=True)
class Fault:
    """``kind`` of failure, on the reply that comes after ``skip`` others."""

    kind: str
    skip: int = 0


def framed(payload):
    return struct.pack("<II", MAGIC, len(payload)) + payload


def reply_with(frame, body):
    """A frame with the same id and another body."""
    return framed(frame[8:].partition(b":")[0] + b":" + body)


def other_number(frame):
    number, _, body = frame[8:].partition(b":")
    return framed(str(int(number) + 1).encode() + b":" + body)


# What arrives in place of a reply: (bytes to send, whether the line is cut after them).
SPOILT = {
    "dropped": lambda frame, last: (b"", False),
    "cut before": lambda frame, last: (b"", True),
    "cut after": lambda frame, last: (frame, True),
    "half a head": lambda frame, last: (frame[:5], True),
    "half a frame": lambda frame, last: (frame[: 8 + (len(frame) - 8) // 2], True),
    "half and no more": lambda frame, last: (frame[: 8 + (len(frame) - 8) // 2], False),
    "another id": lambda frame, last: (other_number(frame), False),
    "no id": lambda frame, last: (framed(b"ok"), False),
    "twice": lambda frame, last: (frame + frame, False),
    "the one before": lambda frame, last: (last or frame, False),
    "another magic": lambda frame, last: (GARBAGE, False),
    "a huge size": lambda frame, last: (struct.pack("<II", MAGIC, 2**31), False),
    "only ok": lambda frame, last: (reply_with(frame, b"ok"), False),
    "only bytes": lambda frame, last: (reply_with(frame, b"\x89PNG\xff\xfe"), False),
    "nothing in it": lambda frame, last: (reply_with(frame, b""), False),
    "a shorter body": lambda frame, last: (reply_with(frame, frame[8:].partition(b":")[2][:-1000]), False),
    "the store dies": lambda frame, last: (b"", True),
    "late": lambda frame, last: (frame, False),
    "too late": lambda frame, last: (frame, False),
}
DELAYS_S = {"late": 0.05, "too late": 2.0}


class FaultyLine(Listening):
    """Passes frames on between clients and a store; ``arm`` says which replies from now on are spoilt.

    ``kill`` ends the store's process, for failures that are its death.
    """

    def __init__(self, find, kill=None):
        super().__init__()
        self._find, self._kill = find, kill
        self._faults, self._count, self._last = deque(), 0, b""
        self.done = []

    def arm(self, faults):
        """The faults to come, each counted from the one before it; earlier ones are forgotten."""
        self._faults, self._count = deque(faults), 0

    async def serve(self, reader, writer):
        self.tasks.add(asyncio.current_task())
        open_ends = [writer]
        try:
            real = await self._find()
            up_reader, up_writer = await asyncio.open_connection(real.host, real.port)
            open_ends.append(up_writer)
            self.tasks.add(asyncio.create_task(self._pass_up(reader, up_writer)))
            writer.write(await frame_from(up_reader))
            while await self._pass_down(await frame_from(up_reader), writer):
                pass
        except (asyncio.IncompleteReadError, ConnectionError, asyncio.CancelledError):
            pass
        finally:
            for closing in open_ends:
                closing.transport.abort()

    async def _pass_up(self, reader, up_writer):
        try:
            while True:
                up_writer.write(await frame_from(reader))
        except (asyncio.IncompleteReadError, ConnectionError):
            up_writer.transport.abort()

    async def _pass_down(self, frame, writer):
        """Pass one reply on, or what is to come in its place; whether the line still stands."""
        fault = self._faults[0] if self._faults else None
        if fault is None or self._count < fault.skip:
            self._count += 1
            self._last = frame
            writer.write(frame)
            await writer.drain()
            return True
        self._faults.popleft()
        self._count = 0
        self.done.append(fault.kind)
        await asyncio.sleep(DELAYS_S.get(fault.kind, 0.0))
        if fault.kind == "the store dies":
            await self._kill()
        sent, cut = SPOILT[fault.kind](frame, self._last)
        writer.write(sent)
        await writer.drain()
        return not cut


async def frame_from(reader):
    """One frame, head and all."""
    head = await reader.readexactly(8)
    return head + await reader.readexactly(struct.unpack("<II", head)[1])
