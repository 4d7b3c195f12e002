"""One connection by itself: back pressure, stalled readers, hogs. A server in this process, no painting."""

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator

import pytest

from storefront import server_connection
from storefront.commands import CommandTable
from storefront.server_connection import Connection
from storefront.shopper_clock import SimulatedClock
from tests.store.wireclient import Raw


class Visitor:
    """As much of a shopper as commands without a store need."""

    def __init__(self) -> None:
        self.clock = SimulatedClock(time.monotonic)
        self.said: list[str] = []

    def tick(self) -> None:
        pass

    def settle(self) -> None:
        pass


def table() -> CommandTable:
    commands = CommandTable()

    @commands.add("say [str]")
    def say(visitor: Visitor, word: str) -> str:
        visitor.said.append(word)
        return word

    @commands.add("much")
    def much(visitor: Visitor) -> bytes:
        return b"\xff" * 3_000_000

    @commands.add("slow")
    def slow(visitor: Visitor) -> str:
        ending = time.perf_counter() + 0.02
        while time.perf_counter() < ending:
            pass
        return "done"

    return commands


@contextlib.asynccontextmanager
async def served() -> AsyncIterator[tuple[int, list[Connection]]]:
    connections: list[Connection] = []
    commands = table()

    async def welcome(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connection = Connection(
            reader, writer, table=commands, shopper=Visitor(), studio=None, pool=None, large=asyncio.Lock()
        )
        connections.append(connection)
        await connection.serve()

    server = await asyncio.start_server(welcome, "127.0.0.1", 0, limit=1 << 16)
    yield server.sockets[0].getsockname()[1], connections
    server.close()


async def enter(port: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    assert (await receive(reader)).startswith(b"connected to ")
    return reader, writer


async def receive(reader: asyncio.StreamReader) -> bytes:
    head = await reader.readexactly(8)
    return await reader.readexactly(int.from_bytes(head[4:], "little"))


def frames(*commands: str) -> bytes:
    return b"".join(Raw.frame(f"{n}:{command}".encode()) for n, command in enumerate(commands))


async def test_a_reader_that_takes_nothing_is_given_up(monkeypatch):
    monkeypatch.setattr(server_connection, "STALLED_S", 0.1)
    async with served() as (port, connections):
        reader, writer = await enter(port)
        reader._transport.pause_reading()
        writer.write(frames(*["much"] * 20))
        with contextlib.suppress(ConnectionError):
            await asyncio.wait_for(connections[0].writer.wait_closed(), 5)
        assert connections[0].broken
        writer.close()


async def test_a_slow_reader_that_takes_a_little_is_waited_for(monkeypatch):
    monkeypatch.setattr(server_connection, "STALLED_S", 0.15)
    async with served() as (port, _):
        reader, writer = await enter(port)
        writer.write(frames(*["much"] * 4))
        got = 0
        while got < 4 * 3_000_010:
            got += len(await reader.read(1 << 16))
            await asyncio.sleep(0.002)
        writer.close()
        assert got == 4 * 3_000_010


async def test_nothing_more_is_read_from_whoever_does_not_take_replies(monkeypatch):
    monkeypatch.setattr(server_connection, "MOST_WAITING", 50)
    async with served() as (port, connections):
        reader, writer = await enter(port)
        reader._transport.pause_reading()
        writer.write(frames(*["much"] * 10, *[f"say {n}" for n in range(100_000)]))
        await asyncio.sleep(0.3)
        inbox = connections[0].inbox
        assert len(inbox.requests) <= 50
        assert connections[0].shopper.said == []
        assert connections[0].writer.transport.get_write_buffer_size() < 5_000_000
        writer.transport.abort()


async def test_who_keeps_the_loop_busy_leaves_room_for_others():
    async with served() as (port, _):
        _, hog = await enter(port)
        hog.write(frames(*["slow"] * 50))
        await asyncio.sleep(0.05)
        reader, writer = await enter(port)
        begin = time.perf_counter()
        for n in range(10):
            writer.write(frames(f"say {n}"))
            assert await receive(reader) == f"0:{n}".encode()
        assert time.perf_counter() - begin < 0.5
        writer.close()
        hog.transport.abort()


async def test_replies_keep_their_order_around_large_ones():
    async with served() as (port, _):
        reader, writer = await enter(port)
        writer.write(frames("say a", "much", "say b", "nonsense", "much", "say c"))
        replies = [await receive(reader) for _ in range(6)]
        assert replies[0] == b"0:a"
        assert replies[2] == b"2:b"
        assert replies[3].startswith(b"3:error No handler found")
        assert replies[5] == b"5:c"
        assert [len(replies[1]), len(replies[4])] == [3_000_002] * 2
        writer.close()


@pytest.mark.parametrize("count", [0, 1, 3])
async def test_a_batch_runs_once_it_is_complete(count):
    async with served() as (port, connections):
        reader, writer = await enter(port)
        words = [f"say {n}" for n in range(count)]
        writer.write(frames(f"vbatch {count}", *words[:-1]))
        assert await receive(reader) == b"0:ok"
        await asyncio.sleep(0.05)
        assert connections[0].shopper.said == []
        writer.write(frames(*words[-1:], "say end"))
        for n in range(count):
            assert (await receive(reader)).endswith(f":{n}".encode())
        assert (await receive(reader)).endswith(b":end")
        writer.close()
