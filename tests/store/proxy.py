"""A line to a real store that spoils the reply to a chosen command."""

import asyncio
import struct
from collections import deque

from simulator_bridge.wire_frames import MAGIC
from tests.store.listening import Listening


class Proxy(Listening):
    """Passes frames between a client and a real store, and spoils the reply to a chosen command.

    ``spoil(command, frame)`` returns the bytes to send instead, None to drop them, or "cut" to send half
    and close; it is asked once per reply while ``times`` lasts.
    """

    def __init__(self, market, spoil=None, *, on="", times=1):
        super().__init__()
        self.market, self.spoil, self.on, self.times = market, spoil, on, times
        self.connections = 0
        self.commands = []

    async def serve(self, reader, writer):
        self.connections += 1
        real = await self.market.find()
        up_reader, up_writer = await asyncio.open_connection(real.host, real.port)
        asked = deque()
        self.tasks.add(asyncio.create_task(self.pump_up(reader, up_writer, asked)))
        self.tasks.add(asyncio.current_task())
        try:
            await self.pump_down(up_reader, writer, asked)
        except (asyncio.IncompleteReadError, ConnectionError, asyncio.CancelledError):
            pass
        finally:
            writer.close()
            up_writer.close()

    async def pump_up(self, reader, up_writer, asked):
        try:
            while True:
                head = await reader.readexactly(8)
                body = await reader.readexactly(struct.unpack("<II", head)[1])
                asked.append(body.decode().partition(":")[2])
                self.commands.append(asked[-1])
                up_writer.write(head + body)
        except (asyncio.IncompleteReadError, ConnectionError):
            up_writer.close()

    async def pump_down(self, up_reader, writer, asked):
        greeted = False
        while True:
            head = await up_reader.readexactly(8)
            frame = head + await up_reader.readexactly(struct.unpack("<II", head)[1])
            command = asked.popleft() if greeted else ""
            greeted = True
            if self.spoil is not None and self.times > 0 and self.on in command and command:
                self.times -= 1
                frame = await self.spoil(frame)
                if frame == "cut":
                    writer.write(head + b"0:")
                    await writer.drain()
                    return
            if frame is not None:
                writer.write(frame)
                await writer.drain()


def saying(text):
    """A spoiler that puts a text in place of any reply."""

    async def spoil(frame):
        body = frame[8:].partition(b":")[0] + b":" + text
        return struct.pack("<II", MAGIC, len(body)) + body

    return spoil
