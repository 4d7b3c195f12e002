"""The wire's framing and the templates, without a server."""

import asyncio
import itertools
import re
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from storefront import wire
from storefront.commands import compile_command, numbers, unknown
from tests.store.wireclient import Raw

command = st.text(st.characters(blacklist_characters="\n\r\u0085\u2028\u2029", blacklist_categories=["Cs"]))


async def read_all(data: bytes, cuts: list[int]) -> list[bytes]:
    reader = asyncio.StreamReader()
    edges = sorted({min(cut, len(data)) for cut in cuts} | {0, len(data)})
    for a, b in itertools.pairwise(edges):
        reader.feed_data(data[a:b])
    reader.feed_eof()
    frames = []
    while (frame := await wire.read_frame(reader)) is not None:
        frames.append(frame)
    return frames


@given(st.lists(st.binary(min_size=1, max_size=50), max_size=6), st.lists(st.integers(0, 400), max_size=10))
@settings(deadline=None)
def test_frames_come_out_whole_however_they_are_cut(payloads, cuts):
    data = b"".join(wire.frame_start(len(payload)) + payload for payload in payloads)
    assert data == b"".join(Raw.frame(payload) for payload in payloads)
    assert asyncio.run(read_all(data, cuts)) == payloads


@pytest.mark.parametrize("size", [0, wire.LARGEST_REQUEST + 1, (1 << 28) + 1, 0xFFFFFFFF])
async def test_a_size_nobody_may_send_is_refused_before_any_of_it_is_read(size):
    reader = asyncio.StreamReader()
    reader.feed_data(wire.HEADER.pack(wire.MAGIC, size))
    with pytest.raises(wire.BadFrame, match=str(size)):
        await wire.read_frame(reader)


async def test_something_that_is_not_unrealcv_is_refused():
    reader = asyncio.StreamReader()
    reader.feed_data(b"GET / HTTP/1.1\r\n\r\n")
    with pytest.raises(wire.BadFrame, match="UnrealCV"):
        await wire.read_frame(reader)


@given(st.integers(0, 10**12), command)
def test_a_request_comes_apart_as_it_was_put_together(number, text):
    assert wire.parse_request(f"{number}:{text}".encode()) == (str(number), text)


@pytest.mark.parametrize(
    ("payload", "request_"),
    [
        (b"no id in here", None),
        (b"x12:vget /cameras", ("12", "vget /cameras")),
        (b"3:first\nsecond", ("3", "first")),
        (b"3:", ("3", "")),
        (b"4:a:b", ("4", "a:b")),
        ("٣:vget".encode(), None),
        (b"5:\xff\xfe", ("5", "\ufffd\ufffd")),
    ],
)
def test_requests_are_found_as_the_plugin_finds_them(payload, request_):
    assert wire.parse_request(payload) == request_


def test_a_reply_begins_with_the_id_as_it_was_written():
    assert wire.reply_start(wire.Request("007", "x")) == b"007:"


def matches(template: str, text: str) -> bool:
    return compile_command(template, lambda *a: "", "").pattern.fullmatch(text) is not None


@pytest.mark.parametrize(
    ("text", "taken"),
    [
        ("set 1 2.5", True),
        ("set 1 -.5", True),
        ("set 1 +5", True),
        ("set  1 5", False),
        ("set 1 5   ", True),
        ("set 1\t5", False),
        ("set 1 5.", False),
        ("set 1 1e-05", False),
        ("set 1 nan", False),
        ("set 1 inf", False),
        ("set -1 5", False),
        ("set  5", True),
        ("set 1 -", False),
        ("set 1 1.2.3", False),
        ("Set 1 5", False),
        ("set 1 5 6", False),
    ],
)
def test_arguments_match_as_the_plugins_expressions_do(text, taken):
    assert matches("set [uint] [float]", text) is taken


@given(st.from_regex(r"[-+]?[0-9]*[.]?[0-9]+", fullmatch=True) | st.text("0123456789.+-", max_size=8))
def test_a_float_is_exactly_what_the_plugins_expression_takes(text):
    assert matches("f [float]", "f " + text) == bool(re.fullmatch(r"([-+]?[0-9]*[.]?[0-9]+)[ ]*", text))


@pytest.mark.parametrize("tail", ["x", ".", "", " x"])
def test_a_number_of_a_million_digits_is_dealt_with_at_once(tail):
    begin = time.perf_counter()
    matches("f [float] [float]", "f " + "1" * 1_000_000 + tail)
    assert time.perf_counter() - begin < 1.0


def test_an_unknown_command_is_told_in_the_wording_of_both_generations():
    told = unknown("vget /no")
    assert told == "No handler found for URI 'vget /no' (Can not find a handler for URI 'vget /no')"
    assert len(unknown("x" * 100_000)) < 1200


def test_numbers_have_fixed_places_and_no_negative_zero():
    assert numbers((1.0, -0.0001, 2.34567)) == "1.000 0.000 2.346"
