"""UnrealCV's framing: a magic number, a size, a payload; requests are ``digits:command``.

Source: unrealcv/unrealcv, Source/UnrealCV/Private/Server/TcpServer.cpp, and the pip client.
"""

import asyncio
import re
import struct
from typing import NamedTuple

MAGIC = 0x9E2B83C1
HEADER = struct.Struct("<II")
LARGEST_REQUEST = 4 << 20
"""Bytes of one request. The protocol allows 256 MiB; no command needs more than a few hundred bytes, and
a size that nobody means must not be a way to fill the store's memory."""

_REQUEST = re.compile(r"([0-9]+):([^\n\r\u0085\u2028\u2029]*)")


class BadFrame(Exception):
    """The peer does not speak UnrealCV, or announces a payload it may not send."""


class Request(NamedTuple):
    """One request: its id as the client wrote it, and its one-line command."""

    id: str
    command: str


def frame_start(size: int) -> bytes:
    """The header of a frame whose payload has ``size`` bytes."""
    return HEADER.pack(MAGIC, size)


async def read_frame(reader: asyncio.StreamReader) -> bytes | None:
    """The next payload, or None once the peer has closed between two frames.

    Raises: BadFrame for a wrong magic or size; asyncio.IncompleteReadError for a frame cut short.
    """
    try:
        header = await reader.readexactly(HEADER.size)
    except asyncio.IncompleteReadError as cut:
        if cut.partial:
            check_magic(cut.partial)
            raise
        return None
    magic, size = HEADER.unpack(header)
    if magic != MAGIC:
        raise BadFrame(f"wrong magic number {magic:#010x}; is this an UnrealCV client?")
    if not 1 <= size <= LARGEST_REQUEST:
        raise BadFrame(f"a payload of {size} bytes; 1 to {LARGEST_REQUEST} are taken")
    return await reader.readexactly(size)


def check_magic(start: bytes) -> None:
    """Raise BadFrame when the first bytes of a frame cannot be the magic number's."""
    if start[:4] != HEADER.pack(MAGIC, 0)[: min(4, len(start))]:
        raise BadFrame("wrong magic number; is this an UnrealCV client?")


def parse_request(payload: bytes) -> Request | None:
    """Split ``digits:command``, found anywhere in the payload; None when there is no such thing.

    A command ends at the first line break: there are no multi-line commands.
    """
    found = _REQUEST.search(payload.decode("utf-8", errors="replace"))
    return None if found is None else Request(found[1], found[2])


def reply_start(request: Request) -> bytes:
    """What the payload of the one reply to a request begins with; text or raw bytes follow."""
    return request.id.encode() + b":"
