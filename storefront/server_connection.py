"""One client: its requests in order, exactly one reply to each, and nobody else harmed by what it does."""

import asyncio
import itertools
import logging
import time
from collections import deque
from collections.abc import Callable

from storefront import wire
from storefront.commands import CommandTable, Reply
from storefront.commands_plugin import PROJECT
from storefront.server_ahead import Foresight
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
LONG_S = 0.005
PAINT_AHEAD = 4
"""Captures of one view that are painted together: colour, mask, depth, normals."""
FRAMES_A_TURN = 32
"""Frames read from one client before the others have their turn."""

Answered = tuple[wire.Request, Reply]


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

    @property
    def next_is_capture(self) -> bool:
        """Whether a request waits that looks like a capture."""
        return bool(self.requests) and self.requests[0].command.startswith("vget /camera/")

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
        self.foresight = Foresight(shopper, studio, pool)
        self.inbox = Inbox()
        self.broken = False
        self._ahead: Answered | None = None
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
            self.foresight.close()
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
            if inbox.requests[0].command.startswith("vbatch"):
                await self._batch(inbox.pop())
            else:
                await self._answer(PAINT_AHEAD)
            while self._ahead is not None:
                await self._answer(PAINT_AHEAD)

    def _take(self) -> Answered:
        """Carry out the next request, unless that was done already."""
        ahead, self._ahead = self._ahead, None
        if ahead is not None:
            return ahead
        request = self.inbox.pop()
        return request, self.table.answer(self.shopper, request.command)

    async def _answer(self, most: int) -> int:
        """Answer the next request; how many were answered, at most ``most``.

        Captures of the very same view that wait behind one another are painted together.
        """
        begin = time.perf_counter()
        request, reply = self._take()
        if isinstance(reply, Capture):
            self.foresight.looked(reply)
        else:
            self.foresight.moved()
        took = time.perf_counter() - begin
        # Commands run on the loop all share: whoever kept it for long gives it back for as long.
        await asyncio.sleep(took if took > LONG_S else 0)
        if not isinstance(reply, Capture):
            await self._reply(request, reply)
            return 1
        requests, captures = [request], [reply]
        while len(captures) < min(most, PAINT_AHEAD) and self.inbox.next_is_capture:
            following, other = self._take()
            if not isinstance(other, Capture) or other.shot != reply.shot:
                self._ahead = following, other
                break
            requests.append(following)
            captures.append(other)
        await self.foresight.ready(reply.shot)
        pictures = await self._pictures(captures)
        for asked in requests:
            await self._reply(asked, pictures.pop(0))
        return len(requests)

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
            while number > 0:
                number -= await self._answer(number)

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
