"""An asyncio client of UnrealCV's wire: frames of magic, size and payload; requests ``id:command``.

One connection, one owner: a lock around every exchange, a deadline on every wait. After any doubt (a missing
reply, another id, half a frame, a cancelled wait) the connection is closed and never used again, because
the next reply on it could be anyone's. Decision 0040 says why this is not the pip client.
"""

import asyncio
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from simulator_bridge.errors import (
    CommandFailed,
    ConnectionLost,
    NotAnswering,
    NotAWorld,
    ReplyTimeout,
    SlotTaken,
    WrongReply,
)
from simulator_bridge.wire_frames import HEADER, MAGIC, FrameReader

CONNECT_S, TEXT_S = 5.0, 5.0
LOCAL_HOSTS = frozenset({"127.0.0.1", "localhost", "::1"})


@dataclass(frozen=True)
class Address:
    """Where a world listens: ``host:port``, or ``unix:/path``."""

    host: str
    port: int
    socket: str = ""

    @classmethod
    def parse(cls, text: str) -> "Address":
        """Read ``host:port``, ``[v6]:port`` or ``unix:/path``. Raises: ValueError saying what is wrong."""
        text = text.strip()
        if text.startswith("unix:") and text != "unix:" and text.isprintable():
            return cls("", 0, text.removeprefix("unix:"))
        host, colon, port = text.rpartition(":")
        host = host.strip("[]")
        if not colon or not _is_host(host) or not port.isdecimal() or not 0 < int(port) < 65536:
            raise ValueError(f"'{text}' is not an address: host:port with a port from 1 to 65535 is wanted")
        return cls(host, int(port))

    def __str__(self) -> str:
        return f"unix:{self.socket}" if self.socket else f"{self.host}:{self.port}"

    @property
    def plugin_socket(self) -> "Address | None":
        """The Unix socket a local Linux plugin serves after its first TCP client left, if it is there."""
        path = Path(f"/tmp/unrealcv_{self.port}.socket")  # noqa: S108 - the plugin's own fixed place
        return Address("", 0, str(path)) if self.host in LOCAL_HOSTS and path.exists() else None


def _is_host(text: str) -> bool:
    """Whether a name can be looked up at all: none of its parts is empty or too long."""
    try:
        return bool(text.encode("idna")) and text.isprintable()
    except UnicodeError:
        return False


def numbers(*values: float) -> str:
    """Numbers as the server's patterns read them: no exponents, three decimals."""
    return " ".join(f"{value:.3f}" for value in values)


class Wire:
    """One open connection. Build it with ``connect``; everything raises ``WorldError`` subclasses."""

    def __init__(self, address: Address, reader: FrameReader, transport: asyncio.Transport) -> None:
        self.address = address
        self._reader, self._transport = reader, transport
        self._lock = asyncio.Lock()
        self._next_id = 0
        self._broken = ""

    @classmethod
    async def connect(cls, address: Address, *, deadline_s: float | None = None) -> "Wire":
        """Open, hear the greeting, and have an unguessable word echoed, all within the deadline.

        Raises: ConnectionLost, SlotTaken, NotAWorld, NotAnswering.
        """
        within = CONNECT_S if deadline_s is None else deadline_s
        try:
            return await cls._connect(address, within)
        except SlotTaken:
            local = address.plugin_socket
            if local is None:
                raise
            return await cls._connect(local, within)

    @classmethod
    async def _connect(cls, address: Address, deadline_s: float) -> "Wire":
        try:
            async with asyncio.timeout(deadline_s):
                transport, reader = await _open(address)
        except TimeoutError:
            raise ConnectionLost(f"{address} did not accept a connection within {deadline_s:g} s") from None
        except OSError as error:
            raise ConnectionLost(f"cannot connect to {address}: {error}") from None
        wire = cls(address, reader, transport)
        try:
            await wire._greeted(deadline_s)
        except BaseException:
            wire.close()
            raise
        return wire

    async def _greeted(self, deadline_s: float) -> None:
        try:
            async with asyncio.timeout(deadline_s):
                greeting = bytes(await self._reader.frame())
        except TimeoutError:
            raise SlotTaken(
                f"{self.address} accepts but does not greet within {deadline_s:g} s: "
                "another client most likely holds its only place"
            ) from None
        except WrongReply as error:
            raise NotAWorld(f"{self.address} is not an UnrealCV server: {error}") from None
        except ConnectionLost:
            raise SlotTaken(f"{self.address} closed the connection without a greeting") from None
        if not greeting.startswith(b"connected"):
            raise NotAWorld(f"{self.address} greets with {greeting[:40]!r}, not as an UnrealCV server")
        nonce = secrets.token_hex(8)
        try:
            echoed = await self.ask(f"vget /unrealcv/echo {nonce}", deadline_s=deadline_s)
        except ReplyTimeout:
            raise NotAnswering(f"{self.address} greets but answers nothing: is the game running?") from None
        if echoed != nonce:
            raise WrongReply(f"{self.address} echoed {echoed[:60]!r} for {nonce!r}")

    @property
    def usable(self) -> bool:
        """Whether the connection may still be used."""
        return not self._broken and not self._transport.is_closing()

    async def ask(self, command: str, *, deadline_s: float | None = None) -> str:
        """Send one command and return its text. Raises: CommandFailed when the server refuses it."""
        return (await self.ask_all([command], deadline_s=deadline_s))[0]

    async def ask_all(self, commands: Sequence[str], *, deadline_s: float | None = None) -> list[str]:
        """Send text commands together; their replies in order. Raises: CommandFailed for a refused one."""
        replies = await self.exchange(commands, deadline_s=TEXT_S if deadline_s is None else deadline_s)
        texts: list[str] = []
        for command, reply in zip(commands, replies, strict=True):
            try:
                text = bytes(reply).decode()
            except UnicodeDecodeError:
                raise self._break(WrongReply(f"'{command}' was answered with bytes, not text")) from None
            if text.startswith("error"):
                raise CommandFailed(f"'{command}': {text}")
            texts.append(text)
        return texts

    async def exchange(self, commands: Sequence[str], *, deadline_s: float) -> list[memoryview]:
        """Send commands together and return the raw replies, in order.

        Raises: ValueError for a command with a line break; ReplyTimeout, ConnectionLost, WrongReply.
        """
        for command in commands:
            if "\n" in command or "\r" in command:
                raise ValueError(f"a command is one line: {command!r}")
        async with self._lock:
            if not self.usable:
                raise ConnectionLost(f"{self.address}: {self._broken or 'the connection is closed'}")
            try:
                async with asyncio.timeout(deadline_s):
                    return await self._exchange(commands)
            except TimeoutError:
                late = f"{self.address} did not answer '{commands[0]}' within {deadline_s:g} s"
                raise self._break(ReplyTimeout(late)) from None
            except BaseException:
                self._broken = self._broken or "an exchange was cut short"
                self.close()
                raise

    async def _exchange(self, commands: Sequence[str]) -> list[memoryview]:
        first = self._next_id
        self._next_id += len(commands)
        lines = [f"{first + place}:{command}".encode() for place, command in enumerate(commands)]
        self._transport.write(b"".join(HEADER.pack(MAGIC, len(line)) + line for line in lines))
        replies = []
        for place, command in enumerate(commands):
            payload = await self._reader.frame()
            number = f"{first + place}:".encode()
            if payload[: len(number)] != number:
                found = bytes(payload[:20]).partition(b":")[0]
                raise WrongReply(f"{self.address} answered {found!r} to {first + place}:{command}")
            replies.append(payload[len(number) :])
        return replies

    def _break(self, error: ReplyTimeout | WrongReply) -> Exception:
        self._broken = str(error)
        self.close()
        return error

    def close(self) -> None:
        """Close at once; never raises, and may be called again."""
        if not self._transport.is_closing():
            # abort: an orderly close would first wait for unsent bytes of a peer that may be gone.
            self._transport.abort()


async def _open(address: Address) -> tuple[asyncio.Transport, FrameReader]:
    loop = asyncio.get_running_loop()
    if address.socket:
        return await loop.create_unix_connection(lambda: FrameReader(str(address)), address.socket)
    return await loop.create_connection(lambda: FrameReader(str(address)), address.host, address.port)
