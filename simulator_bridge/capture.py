"""Captures: lit picture, object mask and depth of one moment, checked for type, magic and shape.

Formats are chosen per server by measurement: raw BMP and npy are copies, PNG costs its coding, but from a
server far away it may still be the faster one. Decision 0041 lists the traps of the real plugin.
"""

import asyncio
import io
import time
import tokenize
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from simulator_bridge.errors import BadCapture
from simulator_bridge.wire import Wire

PictureFormat = Literal["bmp", "png"]
PICTURE_FORMATS: tuple[PictureFormat, ...] = ("bmp", "png")
NOTHING_CM = 65_000.0
"""Unreal's half floats end at 65504: depth from here on means sky."""
NOTHING_BITS = int(np.float32(NOTHING_CM).view(np.uint32))
"""As bits, floats of one sign are in order, and negative ones and NaN come after all others."""
SECONDS, SECONDS_PER_MEGAPIXEL = 6.0, 4.0
PRINT_ROWS = 8
BLOCK_ROWS = 32
"""Depth is converted so many rows at a time, which then stay in the processor's cache."""

NPY_HEAD = 4096
"""More than any npy header takes; the array itself is not copied."""

UNREADABLE = (
    ValueError,
    TypeError,
    LookupError,
    ArithmeticError,
    AttributeError,
    SyntaxError,
    EOFError,
    MemoryError,
    RecursionError,
    tokenize.TokenError,
)
"""What numpy raises for a header that is none: the header is Python text, read by Python's own parser."""

Picture = NDArray[np.uint8]
Reply = bytes | memoryview


@dataclass(frozen=True)
class Formats:
    """What to ask a server for; ``measured_ms`` says what each cost when it was chosen."""

    lit: PictureFormat = "bmp"
    mask: PictureFormat = "bmp"
    measured_ms: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True, eq=False)
class Capture:
    """One moment: ``lit`` and ``mask`` (H, W, 4) uint8 BGRA, ``depth_m`` (H, W) float32, inf for nothing.

    Without pictures ``lit`` is the mask. ``prints`` are of some rows of lit, depth and mask: enough to know
    a frame again.
    """

    lit: Picture
    mask: Picture
    depth_m: NDArray[np.float32]
    prints: tuple[int, int, int]


def capture_deadline_s(width: int, height: int) -> float:
    """How long a capture of this size may take."""
    return SECONDS + SECONDS_PER_MEGAPIXEL * width * height / 1e6


def capture_commands(camera: int, formats: Formats, *, pictures: bool = True) -> list[str]:
    """The commands of one capture: lit (with ``pictures`` only), mask, depth."""
    return [
        *([f"vget /camera/{camera}/lit {formats.lit}"] if pictures else []),
        f"vget /camera/{camera}/object_mask {formats.mask}",
        f"vget /camera/{camera}/depth npy",
    ]


def read_capture(replies: Sequence[Reply], *, width: int, height: int) -> Capture:
    """Check and decode the replies to ``capture_commands``. Raises: BadCapture."""
    *lit, mask, depth = replies
    away = decode_depth(depth, width=width, height=height)
    shown = decode_picture(mask, width=width, height=height, what="object_mask")
    picture = decode_picture(lit[0], width=width, height=height, what="lit") if lit else shown
    mask_print = _print(shown)
    return Capture(
        lit=picture,
        mask=shown,
        depth_m=away,
        prints=(_print(picture) if lit else mask_print, _print(away), mask_print),
    )


def _print(picture: NDArray[np.generic]) -> int:
    return hash(picture[::PRINT_ROWS].tobytes())


def decode_picture(data: Reply, *, width: int, height: int, what: str) -> Picture:
    """A BMP or PNG reply as (H, W, 4) uint8 BGRA, possibly read-only. Raises: BadCapture."""
    if data[:2] == b"BM":
        return _decode_bmp(data, width, height, what)
    if data[:8] == b"\x89PNG\r\n\x1a\n":
        picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_UNCHANGED)
        if picture is None or picture.shape != (height, width, 4) or picture.dtype != np.uint8:
            found = "unreadable" if picture is None else str(picture.shape)
            raise BadCapture(f"{what}: PNG is {found}, {(height, width, 4)} was asked for")
        return np.asarray(picture, np.uint8)
    raise BadCapture(f"{what}: neither BMP nor PNG but {_start(data)}")


def _decode_bmp(data: Reply, width: int, height: int, what: str) -> Picture:
    if len(data) < 54 + 4 * width * height:
        raise BadCapture(f"{what}: BMP of {len(data)} bytes is too short for {width}x{height}")
    wide, high = (int.from_bytes(data[at : at + 4], "little", signed=True) for at in (18, 22))
    bits = int.from_bytes(data[28:30], "little")
    if wide != width or abs(high) != height or bits != 32:
        raise BadCapture(f"{what}: BMP is {wide}x{abs(high)} at {bits} bits, {width}x{height} was asked for")
    start = len(data) - 4 * width * height
    stray = start - int.from_bytes(data[10:14], "little")
    # The plugin writes four stray bytes before the pixels: only the end of the file is sure.
    if stray not in (0, 4):
        raise BadCapture(f"{what}: BMP of {len(data)} bytes has {stray} too many for {width}x{height}")
    pixels = np.frombuffer(data, np.uint8, offset=start)
    picture = pixels.reshape(height, width, 4)
    return picture if high < 0 else picture[::-1]


def decode_depth(data: Reply, *, width: int, height: int) -> NDArray[np.float32]:
    """A depth npy (planar, centimetres) as (H, W) float32 metres; inf for nothing. Raises: BadCapture."""
    if data[:6] != b"\x93NUMPY":
        raise BadCapture(f"depth: not npy but {_start(data)}")
    try:
        file = io.BytesIO(data[:NPY_HEAD])
        version = np.lib.format.read_magic(file)
        read = (
            np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
        )
        shape, by_columns, kind = read(file)
        raw = np.frombuffer(data, kind, offset=file.tell()).reshape(shape)
    except UNREADABLE as error:
        raise BadCapture(f"depth: npy cannot be read: {error}") from None
    if shape != (height, width) or kind.kind != "f" or by_columns:
        raise BadCapture(f"depth: npy is {kind} {shape}, float {(height, width)} was asked for")
    depth = np.empty((height, width), np.float32)
    for top in range(0, height, BLOCK_ROWS):
        rows, out = raw[top : top + BLOCK_ROWS], depth[top : top + BLOCK_ROWS]
        np.multiply(rows, np.float32(0.01), out=out, casting="same_kind")
        if kind == np.float32 and (rows.view(np.uint32) < NOTHING_BITS).all():
            continue
        # Not "greater": NaN is nothing too.
        np.putmask(out, ~(rows < NOTHING_CM), np.inf)
        if out.min() < 0.0:
            raise BadCapture("depth: some of it is negative")
    return depth


def _start(data: Reply) -> str:
    return f"'{bytes(data[:60]).decode(errors='replace')}' ({len(data)} bytes)"


async def measure_formats(wire: Wire, *, camera: int, width: int, height: int, rounds: int = 2) -> Formats:
    """Capture in every format, after one to warm up, and choose the fastest whose answer is right.

    Raises: BadCapture when no format works for a modality, with each one's fault.
    """
    deadline = capture_deadline_s(width, height)
    await wire.exchange([f"vget /camera/{camera}/depth npy"], deadline_s=deadline)
    chosen: dict[str, PictureFormat] = {}
    measured: list[tuple[str, float]] = []
    for what in ("lit", "object_mask"):
        faults: list[str] = []
        times: dict[PictureFormat, float] = {}
        for form in PICTURE_FORMATS:
            command = f"vget /camera/{camera}/{what} {form}"
            spent: list[float] = []
            try:
                for _ in range(rounds + 1):
                    started = time.perf_counter()
                    (reply,) = await wire.exchange([command], deadline_s=deadline)
                    await asyncio.to_thread(decode_picture, reply, width=width, height=height, what=what)
                    spent.append(time.perf_counter() - started)
            except BadCapture as error:
                faults.append(f"{form}: {error}")
                continue
            times[form] = min(spent[1:]) * 1e3
            measured.append((f"{what} {form}", round(times[form], 1)))
        if not times:
            raise BadCapture(f"{wire.address} gives no usable {what}: {'; '.join(faults)}")
        chosen[what] = min(times, key=lambda form: times[form])
    return Formats(lit=chosen["lit"], mask=chosen["object_mask"], measured_ms=tuple(measured))
