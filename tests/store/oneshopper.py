"""A line to a store with one shopper, however often its clients come and go: an UnrealCV build is such."""

import asyncio
import struct

from simulator_bridge.wire_frames import MAGIC
from tests.store.listening import Listening


class OneShopper(Listening):
    """Serves one client at a time, all of them the same shopper, and cuts the line at a chosen command.

    ``cut_at`` is part of a command; once it has been carried out, and only once, its client hears no more.
    With ``strict_hand`` it answers with an error where an empty hand is to drop something. ``asked`` are all
    commands so far.
    """

    def __init__(self, market):
        super().__init__()
        self.market, self.cut_at, self.cuts = market, "", 0
        self.strict_hand, self.asked = False, []
        self._turn = asyncio.Lock()
        self._store = None
        self._greeting = b""

    async def __aexit__(self, *exc):
        await super().__aexit__(*exc)
        if self._store is not None:
            self._store[1].close()

    async def serve(self, reader, writer):
        self.tasks.add(asyncio.current_task())
        async with self._turn:
            if self._store is None:
                real = await self.market.find()
                self._store = await asyncio.open_connection(real.host, real.port)
                self._greeting = await _frame(self._store[0])
            writer.write(self._greeting)
            try:
                await self._talk(reader, writer)
            except (asyncio.IncompleteReadError, ConnectionError):
                pass
            finally:
                writer.close()

    async def _talk(self, reader, writer):
        while True:
            asked = await _frame(reader)
            command = asked[8:].decode().partition(":")[2]
            self.asked.append(command)
            self._store[1].write(asked)
            answer = await _frame(self._store[0])
            if self.strict_hand and "DropOff" in command and b"false" in answer:
                number = answer[8:].partition(b":")[0]
                answer = _framed(number + b":error the hand is empty")
            if self.cut_at and self.cut_at in command:
                self.cut_at = ""
                self.cuts += 1
                return
            writer.write(answer)
            await writer.drain()


def _framed(payload):
    return struct.pack("<II", MAGIC, len(payload)) + payload


async def _frame(reader):
    head = await reader.readexactly(8)
    return head + await reader.readexactly(struct.unpack("<II", head)[1])
