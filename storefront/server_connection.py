"""One client: its requests in order, exactly one reply to each, and nobody else harmed by what it does."""

import asyncio
import itertools
import logging
from collections import deque
from collections.abc import Callable

from storefront import wire
from storefront.commands import CommandTable, Reply
from storefront.commands_plugin import PROJECT
from storefront.server_painting import SMALL_PIXELS, Studio
from storefront.server_pool import FairPool, Share
from storefront.shopper import Shopper
from storefront.shopper_capture import Capture

logger = logging.getLogger(__name__)

MOST_WAITING = 4096
"""Requests that may wait; after that nothing more is read until some are answered."""
MOST_WAITING_BYTES = 8 << 20
MOST_UNSENT_BYTES = 1 << 20
"""Replies that may wait for a slow reader before no further request is carried out."""
STALLED_S = 30.0
"""A client that takes nothing of a reply for so long has gone."""
MOST_BATCHED = 1024
SMALL_BYTES = 1 << 14
PAINT_AHEAD = 4
"""Captures of one view that are painted together: colour, mask, depth, normals."""
FRAMES_A_TURN = 32
"""Frames read from one client before the others have their turn."""


class Inbox:
    """Requests that wait, bounded in number and bytes."""

    def __init__(self) -> None:
        self.requests: deque[wire.Request] = deque()
        self.bytes = 0
        self.closed = False
        self._changed = asyncio.Event()

    @property
    def full(self) -> bool:
        """Whether nothing more may come in."""
        return len(self.requests) >= MOST_WAITING or self.bytes >= MOST_WAITING_BYTES

    def put(self, request: wire.Request) -> None:
        """Add a request."""
        self.requests.append(request)
        self.bytes += len(request.command)
        self._changed.set()

    def close(self) -> None:
        """Nothing more will come."""
        self.closed = True
        self._changed.set()

    def pop(self) -> wire.Request:
        """Take the first request. Raises: IndexError when there is none."""
        request = self.requests.popleft()
        self.bytes -= len(request.command)
        self._changed.set()
        return request

    async def until(self, ready: Callable[[], bool]) -> None:
        """Wait until something about the inbox is so."""
        while not ready():
            self._changed.clear()
            await self._changed.wait()


class Connection:
    """Serves one client until it leaves.

    Args:
        table: the commands.
        shopper: the client's own.
        studio: paints captures on the workers of ``pool``.
        large: held while a large frame is painted and encoded, so that memory stays bounded.
    """

    def __init__(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        *,
        table: CommandTable,
        shopper: Shopper,
        studio: Studio,
        pool: FairPool,
        large: asyncio.Lock,
    ) -> None:
        self.reader, self.writer = reader, writer
        self.table, self.shopper = table, shopper
        self.studio, self.pool, self.large = studio, pool, large
        self.share = Share()
        self.inbox = Inbox()
        self.broken = False
        self.peer = writer.get_extra_info("peername")

    async def serve(self) -> None:
        """Greet, answer, and close."""
        self.writer.transport.set_write_buffer_limits(high=MOST_UNSENT_BYTES)
        reading = asyncio.create_task(self._read())
        try:
            await self._send(f"connected to {PROJECT}".encode())
            await self._answer_all()
            self.writer.transport.set_write_buffer_limits(high=0)
            await self._drain()
        except ConnectionError as gone:
            logger.debug("%s: %s", self.peer, gone)
        finally:
            reading.cancel()
            await asyncio.gather(reading, return_exceptions=True)
            self._leave()

    def _leave(self) -> None:
        if self.broken:
            self.writer.transport.abort()
        else:
            self.writer.close()

    async def _read(self) -> None:
        try:
            for number in itertools.count():
                await self.inbox.until(lambda: not self.inbox.full)
                if number % FRAMES_A_TURN == 0:
                    await asyncio.sleep(0)
                payload = await wire.read_frame(self.reader)
                if payload is None:
                    break
                request = wire.parse_request(payload)
                if request is None:
                    logger.info("%s: dropped a payload without an id", self.peer)
                else:
                    self.inbox.put(request)
        except wire.BadFrame as bad:
            logger.warning("%s: %s; closing", self.peer, bad)
            self.broken = True
        except (asyncio.IncompleteReadError, ConnectionError) as cut:
            logger.debug("%s: %s", self.peer, cut)
            self.broken = True
        finally:
            self.inbox.close()

    async def _answer_all(self) -> None:
        inbox = self.inbox
        while not self.broken:
            await inbox.until(lambda: bool(inbox.requests) or inbox.closed)
            if not inbox.requests:
                return
            request = inbox.pop()
            if request.command.startswith("vbatch"):
                await self._batch(request)
            else:
                await self._answer(request)

    async def _answer(self, request: wire.Request) -> None:
        reply = self.table.answer(self.shopper, request.command)
        if isinstance(reply, Capture):
            await self._paint(request, reply)
        else:
            await self._reply(request, reply)
        await asyncio.sleep(0)

    async def _paint(self, request: wire.Request, capture: Capture) -> None:
        """Paint a capture, and those that wait right behind it and show the very same."""
        requests, captures = [request], [capture]
        beyond: tuple[wire.Request, Reply] | None = None
        while (
            self.inbox.requests
            and len(captures) < PAINT_AHEAD
            and " /camera/" in self.inbox.requests[0].command
        ):
            following = self.inbox.pop()
            reply = self.table.answer(self.shopper, following.command)
            if not isinstance(reply, Capture) or reply.shot != capture.shot:
                beyond = following, reply
                break
            requests.append(following)
            captures.append(reply)
        pictures = await self._pictures(captures)
        for asked in requests:
            await self._reply(asked, pictures.pop(0))
        if beyond is not None:
            following, reply = beyond
            if isinstance(reply, Capture):
                await self._paint(following, reply)
            else:
                await self._reply(following, reply)

    async def _pictures(self, captures: list[Capture]) -> list[str | bytes]:
        def work() -> list[str | bytes]:
            return self.studio.pictures(captures)

        try:
            if captures[0].shot.pixels <= SMALL_PIXELS:
                return await self.pool.run(self.share, work)
            async with self.large:
                return await self.pool.run(self.share, work)
        except (ValueError, MemoryError, OSError) as failed:
            logger.warning("%s: a capture failed: %s", self.peer, failed)
            return [f"error Captured data is empty: {failed}"] * len(captures)

    async def _batch(self, request: wire.Request) -> None:
        """``vbatch N``: hold the next N requests until all are there, then carry them out at one moment."""
        count = request.command.removeprefix("vbatch").strip()
        if not (count.isascii() and count.isdigit() and len(count) < 6 and int(count) <= MOST_BATCHED):
            await self._reply(request, "error Argument Invalid")
            return
        await self._reply(request, "ok")
        inbox, number = self.inbox, int(count)
        await inbox.until(lambda: len(inbox.requests) >= number or inbox.closed)
        if len(inbox.requests) < number:
            return
        with self.shopper.clock.still():
            for _ in range(number):
                await self._answer(inbox.pop())

    async def _reply(self, request: wire.Request, body: str | bytes) -> None:
        await self._send(wire.reply_start(request), body.encode() if isinstance(body, str) else body)

    async def _send(self, start: bytes, body: bytes = b"") -> None:
        """Send one frame; large bodies are not copied to put their beginning before them."""
        head = wire.frame_start(len(start) + len(body)) + start
        if len(body) < SMALL_BYTES:
            self.writer.write(head + body)
        else:
            self.writer.write(head)
            self.writer.write(body)
        await self._drain()

    async def _drain(self) -> None:
        """Wait until enough has been sent. Raises: ConnectionError when the peer takes nothing any more."""
        left = self.writer.transport.get_write_buffer_size()
        while True:
            try:
                await asyncio.wait_for(self.writer.drain(), STALLED_S)
            except TimeoutError:
                now_left = self.writer.transport.get_write_buffer_size()
                if now_left >= left:
                    self.broken = True
                    raise ConnectionError(f"the client took nothing for {STALLED_S:.0f} s") from None
                left = now_left
            else:
                return
