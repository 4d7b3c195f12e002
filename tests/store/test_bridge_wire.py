"""The wire client against servers that are slow, wrong, half dead, or something else altogether."""

import asyncio
import struct

import pytest

from simulator_bridge.errors import (
    CommandFailed,
    ConnectionLost,
    NotAnswering,
    NotAWorld,
    ReplyTimeout,
    SlotTaken,
    WrongReply,
)
from simulator_bridge.wire import Address, Wire, numbers
from simulator_bridge.wire_frames import MAGIC
from siturec.protocol.ports import WorldError, WorldLied, WorldTimeout, WorldUnavailable
from tests.store.listening import Listening


def frame(payload, magic=MAGIC):
    return struct.pack("<II", magic, len(payload)) + payload


class Script(Listening):
    """A server that greets and answers as told; ``answer(id, command)`` gives raw bytes to send, or None."""

    def __init__(self, answer=None, *, greeting=b"connected to Script"):
        super().__init__()
        self.answer, self.greeting = answer, greeting
        self.commands = []

    async def serve(self, reader, writer):
        if self.greeting:
            writer.write(frame(self.greeting) if isinstance(self.greeting, bytes) else self.greeting.encode())
        try:
            while True:
                _, size = struct.unpack("<II", await reader.readexactly(8))
                number, _, command = (await reader.readexactly(size)).decode().partition(":")
                self.commands.append(command)
                if command.startswith("vget /unrealcv/echo ") and self.answer is not mute:
                    writer.write(frame(f"{number}:{command.split()[-1]}".encode()))
                    continue
                reply = self.answer(number, command) if self.answer else frame(f"{number}:ok".encode())
                if reply == b"close":
                    writer.transport.abort()
                    return
                if reply is not None:
                    writer.write(reply)
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()


def mute(number, command):
    return None


async def test_connecting_means_greeted_and_echoed():
    async with Script() as server:
        wire = await Wire.connect(server.address)
        assert server.commands[0].startswith("vget /unrealcv/echo ")
        assert await wire.ask("vset /viewmode lit") == "ok"
        wire.close()


@pytest.mark.parametrize(
    ("script", "error"),
    [
        (Script(greeting=b"HTTP/1.1 400 Bad Request"), NotAWorld),
        (Script(greeting="SSH-2.0-OpenSSH_9.6\r\n"), NotAWorld),
        (Script(greeting=None), SlotTaken),
        (Script(mute), NotAnswering),
    ],
    ids=["other greeting", "other protocol", "no greeting", "no echo"],
)
async def test_what_is_no_ready_world_is_named_for_what_it_is(script, error):
    async with script as server:
        with pytest.raises(error):
            await Wire.connect(server.address, deadline_s=0.2)


async def test_nobody_listening_is_a_lost_connection():
    async with Script() as server:
        address = server.address
    with pytest.raises(ConnectionLost, match="cannot connect"):
        await Wire.connect(address, deadline_s=0.5)


@pytest.mark.parametrize(
    ("reply", "error", "family"),
    [
        (lambda n, c: frame(f"{int(n) + 1}:ok".encode()), WrongReply, WorldLied),
        (lambda n, c: frame(b"ok"), WrongReply, WorldLied),
        (lambda n, c: frame(f"{n}:ok".encode(), magic=255), WrongReply, WorldLied),
        (lambda n, c: struct.pack("<II", MAGIC, 2**31), WrongReply, WorldLied),
        (lambda n, c: frame(f"{n}:".encode() + b"\x89PNG\xff"), WrongReply, WorldLied),
        (lambda n, c: frame(f"{n}:ok".encode())[:9], ReplyTimeout, WorldTimeout),
        (lambda n, c: None, ReplyTimeout, WorldTimeout),
        (lambda n, c: b"close", ConnectionLost, WorldUnavailable),
    ],
    ids=["wrong id", "no id", "wrong magic", "huge", "bytes for text", "half a frame", "silence", "closed"],
)
async def test_after_a_doubtful_reply_the_connection_is_never_used_again(reply, error, family):
    async with Script(reply) as server:
        wire = await Wire.connect(server.address)
        with pytest.raises(error) as raised:
            await wire.ask("vget /camera/0/location", deadline_s=0.2)
        assert isinstance(raised.value, family)
        assert not wire.usable
        with pytest.raises(ConnectionLost):
            await wire.ask("vget /camera/0/location")


async def test_a_refused_command_leaves_the_connection_usable():
    async with Script(lambda n, c: frame(f"{n}:{'error no' if 'bad' in c else 'ok'}".encode())) as server:
        wire = await Wire.connect(server.address)
        with pytest.raises(CommandFailed, match="error no"):
            await wire.ask("vget /bad")
        assert await wire.ask("vget /good") == "ok"
        wire.close()


async def test_a_cancelled_wait_poisons_nothing_but_its_own_connection():
    async with Script(mute_after_echo) as server:
        wire = await Wire.connect(server.address)
        waiting = asyncio.create_task(wire.ask("vget /slow"))
        await asyncio.sleep(0.05)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        assert not wire.usable


def mute_after_echo(number, command):
    return None


async def test_many_callers_get_their_own_answers():
    async with Script(lambda n, c: frame(f"{n}:{c}".encode())) as server:
        wire = await Wire.connect(server.address)
        commands = [f"vget /thing/{i}" for i in range(200)]
        assert await asyncio.gather(*(wire.ask(c) for c in commands)) == commands
        assert await wire.ask_all(commands) == commands
        wire.close()


async def test_a_command_with_a_line_break_is_never_sent():
    async with Script() as server:
        wire = await Wire.connect(server.address)
        with pytest.raises(ValueError, match="one line"):
            await wire.ask("vget /a\nvset /b")
        assert len(server.commands) == 1
        wire.close()


def test_numbers_are_written_without_exponents():
    assert numbers(1e-7, -1234567.891, 0) == "0.000 -1234567.891 0.000"


@pytest.mark.parametrize(
    "text",
    [
        *("", "host", "host:", ":9000", "host:0", "host:99999", "host:port", "host:²", "[]:9000"),
        *("two..dots:9000", f"{'x' * 64}.example:9000", "nul\0:9000", "unix:", "unix:  ", "unix:/a\0b"),
    ],
)
def test_a_bad_address_is_refused(text):
    with pytest.raises(ValueError, match="address"):
        Address.parse(text)


def test_addresses_read_back_as_written():
    for text in ("10.0.0.1:9000", "unix:/tmp/x.socket"):
        assert str(Address.parse(text)) == text
    assert Address.parse("[::1]:9000").host == "::1"


def test_every_error_of_the_bridge_is_a_world_error():
    for error in (
        NotAWorld,
        SlotTaken,
        ConnectionLost,
        NotAnswering,
        ReplyTimeout,
        WrongReply,
        CommandFailed,
    ):
        assert issubclass(error, WorldError)
