"""Captures are what was asked for, in type, magic and shape, or they are refused with what they were."""

import contextlib
import io
import struct

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simulator_bridge.capture import decode_depth, decode_picture, read_capture
from simulator_bridge.errors import BadCapture
from siturec.protocol.ports import WorldLied

W, H = 12, 9


def npy(depth_cm, **how):
    file = io.BytesIO()
    np.save(file, np.asarray(depth_cm, **how))
    return file.getvalue()


def bmp(picture, *, bits=32, upside_down=False, stray=b""):
    high, wide = picture.shape[:2]
    pixels = picture[::-1] if upside_down else picture
    info = struct.pack("<IiiHH24x", 40, wide, high if upside_down else -high, 1, bits)
    return b"BM" + struct.pack("<IxxxxI", 54 + picture.nbytes, 54) + info + stray + pixels.tobytes()


def png(picture):
    return cv2.imencode(".png", picture)[1].tobytes()


def picture(channels=4):
    return np.random.default_rng(7).integers(0, 256, (H, W, channels), np.uint8)


def depth(data):
    return decode_depth(data, width=W, height=H)


@pytest.mark.parametrize("kind", ["<f4", ">f4", "<f2", "<f8"])
def test_centimetres_become_metres_and_nothing_becomes_infinite(kind):
    raw = np.linspace(20.0, 3000.0, W * H).reshape(H, W).astype(kind)
    raw[0, 0], raw[3, 3] = np.nan, 65504
    away = depth(npy(raw))
    assert away.dtype == np.float32
    assert np.isinf(away[0, 0])
    assert np.isinf(away[3, 3])
    there = np.isfinite(raw.astype(float)) & (raw < 65000)
    assert away[there] == pytest.approx(raw[there].astype(float) / 100, rel=1e-3)


@given(st.integers(0, W * H - 1), st.sampled_from([-1.0, -0.5, -np.inf, -65504.0]))
@settings(deadline=None)
def test_one_negative_distance_anywhere_spoils_a_depth(at, value):
    raw = np.full((H, W), 250.0, np.float32)
    raw.reshape(-1)[at] = value
    with pytest.raises(BadCapture, match="negative"):
        depth(npy(raw))


@given(st.lists(st.floats(width=32, allow_nan=True, allow_infinity=True), min_size=W * H, max_size=W * H))
@settings(deadline=None)
def test_a_depth_is_either_refused_or_positive_everywhere(values):
    raw = np.array(values, np.float32).reshape(H, W)
    try:
        away = depth(npy(raw))
    except BadCapture:
        assert (raw < 0).any()
        return
    assert (away >= 0).all()
    assert np.array_equal(np.isinf(away), ~(raw < 65000))


GOOD = np.full((H, W), 250.0, np.float32)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"ok", "not npy but 'ok'"),
        (b"error Captured data is empty", "Captured data is empty"),
        (b"", "0 bytes"),
        (npy(GOOD)[:-1], "cannot be read"),
        (npy(GOOD)[:20], "cannot be read"),
        (npy(GOOD.T), r"\(12, 9\)"),
        (npy(GOOD[:-1]), r"\(8, 12\)"),
        (npy(GOOD[..., None]), r"\(9, 12, 1\)"),
        (npy(GOOD, dtype=np.int32), "int32"),
        (npy(np.asfortranarray(GOOD)), "asked for"),
        (npy(np.array([["a"]], object)), "cannot be read|object"),
        (png(picture()), "PNG"),
        (npy(GOOD).replace(b"}", b" "), "cannot be read"),
        (npy(GOOD).replace(b"(9, 12)", b"(True,)"), "cannot be read"),
        (npy(GOOD).replace(b"'<f4'", b"'f,,'"), "cannot be read"),
        (npy(GOOD).replace(b"{'descr':", b"{[]:     "), "cannot be read"),
    ],
)
def test_a_depth_of_the_wrong_kind_is_refused_with_what_it_was(data, words):
    with pytest.raises(BadCapture, match=words):
        depth(data)


@given(st.data())
@settings(deadline=None)
def test_a_depth_whose_header_lies_is_refused_or_right(data):
    spoilt = bytearray(npy(GOOD))
    for at in data.draw(st.lists(st.integers(6, 127), min_size=1, max_size=4)):
        spoilt[at] = data.draw(st.integers(0, 255))
    with contextlib.suppress(BadCapture):
        away = depth(bytes(spoilt))
        assert away.shape == (H, W)
        assert (away > 0).all()


@pytest.mark.parametrize(
    "data",
    [
        bmp(picture()),
        bmp(picture(), upside_down=True),
        bmp(picture(), stray=b"\1\2\3\4"),
        png(picture()),
    ],
    ids=["top down", "bottom up", "four stray bytes", "png"],
)
def test_a_picture_comes_out_the_same_whatever_way_it_came(data):
    assert np.array_equal(decode_picture(data, width=W, height=H, what="lit"), picture())


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"ok", "neither BMP nor PNG but 'ok'"),
        (b"saved/00000001.png", "neither BMP nor PNG"),
        (bmp(picture())[:-1], "too short"),
        (bmp(picture()) + bytes(8), "8 too many"),
        (bmp(picture(), stray=bytes(4 * W)), "48 too many"),
        (bmp(picture()[:, :-1]), "too short|11x9"),
        (bmp(picture().transpose(1, 0, 2).copy()), "9x12"),
        (bmp(picture(), bits=24), "24 bits"),
        (png(picture(3)), r"\(9, 12, 3\)"),
        (png(picture()[:-1]), r"\(8, 12, 4\)"),
        (png(picture())[:40], "unreadable"),
        (npy(GOOD), "NUMPY"),
    ],
)
def test_a_picture_of_the_wrong_kind_is_refused_with_what_it_was(data, words):
    with pytest.raises(BadCapture, match=words) as refused:
        decode_picture(data, width=W, height=H, what="lit")
    assert isinstance(refused.value, WorldLied)


def test_a_capture_is_known_again_by_its_prints():
    lit, mask = bmp(picture()), bmp(picture() // 2)
    one = read_capture([lit, mask, npy(GOOD)], width=W, height=H)
    same = read_capture([lit, mask, npy(GOOD)], width=W, height=H)
    farther = read_capture([lit, mask, npy(GOOD * 2)], width=W, height=H)
    assert one.prints == same.prints
    assert one.prints[0] == farther.prints[0]
    assert one.prints[1] != farther.prints[1]
    assert read_capture([mask, npy(GOOD)], width=W, height=H).lit.shape == (H, W, 4)
