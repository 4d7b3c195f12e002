"""Frames put together from whatever pieces a socket delivers them in."""

import asyncio
import struct

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simulator_bridge.errors import ConnectionLost, WrongReply
from simulator_bridge.wire_frames import AHEAD, MAGIC, SCRATCH, FrameReader

SIZES = st.one_of(st.integers(1, 300), st.integers(SCRATCH - 20, SCRATCH + 20), st.just(3 * SCRATCH + 7))


def framed(payload):
    return struct.pack("<II", MAGIC, len(payload)) + payload


def feed(reader, data, pieces):
    """Hand the bytes over as a socket does: never more at once than there is room for."""
    at, turn = 0, 0
    while at < len(data):
        room = reader.get_buffer(-1)
        assert len(room) > 0
        count = min(len(room), len(data) - at, pieces[turn % len(pieces)])
        room[:count] = data[at : at + count]
        reader.buffer_updated(count)
        at, turn = at + count, turn + 1


class Tap(asyncio.Transport):
    """Counts how often it is turned off and on."""

    def __init__(self):
        super().__init__()
        self.told = []

    def pause_reading(self):
        self.told.append("off")

    def resume_reading(self):
        self.told.append("on")


@given(
    sizes=st.lists(SIZES, min_size=1, max_size=6),
    pieces=st.lists(st.one_of(st.integers(1, 40), st.integers(1, 2 * SCRATCH)), min_size=1, max_size=5),
)
@settings(deadline=None, max_examples=50)
def test_frames_come_out_whole_and_in_order_however_they_are_cut(sizes, pieces):
    payloads = [bytes([number % 251]) * size for number, size in enumerate(sizes)]
    reader = FrameReader("here")
    feed(reader, b"".join(map(framed, payloads)), pieces)

    async def taken():
        return [bytes(await reader.frame()) for _ in payloads]

    assert asyncio.run(taken()) == payloads


@pytest.mark.parametrize(
    ("sent", "says"),
    [
        (b"", "closed the connection"),
        (framed(b"x" * 90)[:5], "after 5 bytes of 8"),
        (framed(b"x" * 90)[:40], "after 32 bytes of 90"),
    ],
)
async def test_a_line_that_ends_says_in_the_middle_of_what(sent, says):
    reader = FrameReader("there")
    feed(reader, framed(b"whole") + sent, [7])
    reader.eof_received()
    assert bytes(await reader.frame()) == b"whole"
    with pytest.raises(ConnectionLost, match=f"there closed the connection.*{says}|there {says}$"):
        await reader.frame()


@pytest.mark.parametrize("head", [struct.pack("<II", 1, 4), struct.pack("<II", MAGIC, 0)])
async def test_what_is_no_frame_is_refused_and_all_after_it(head):
    reader = FrameReader("there")
    feed(reader, head + framed(b"never heard"), [3])
    for _ in range(2):
        with pytest.raises(WrongReply):
            await reader.frame()


async def test_a_server_that_floods_is_made_to_wait_until_it_has_been_read():
    reader, tap = FrameReader("there"), Tap()
    reader.connection_made(tap)
    large = framed(bytes(AHEAD // 4))
    for _ in range(5):
        feed(reader, large, [1 << 20])
    assert tap.told == ["off"]
    for _ in range(5):
        await reader.frame()
    assert tap.told == ["off", "on"]


async def test_a_flood_of_tiny_frames_is_held_back_before_it_fills_the_memory():
    reader, tap = FrameReader("there"), Tap()
    reader.connection_made(tap)
    flood, count = framed(b"x") * 1000, 0
    while not tap.told and count < 500_000:
        feed(reader, flood, [len(flood)])
        count += 1000
    assert tap.told == ["off"]
    for _ in range(1000):
        await reader.frame()
    assert tap.told == ["off", "on"]
