"""Smooth edges: antialiasing of colour frames alone, from where the triangles' edges lie between pixels."""

import numpy as np

from storefront.raster_jit import inlined, kernel_apart
from storefront.raster_tables import F32, I32, U8, U32, Buffers, Line, Number

EDGE_CONTRAST = 42
"""Neighbouring pixels whose colours differ by no more than this (sum over channels) need no smoothing."""


@inlined
def _crossing(setup: F32, k: Number, x: Number, y: Number, along: int, forward: Number) -> Number:
    """Way from (x, y) to an edge of triangle ``k`` along a row (``along`` 0) or column (1); 2 for none."""
    best = np.float32(2)
    other = 1 - along
    way = np.float32(1) if forward else np.float32(-1)
    here, level = (x, y) if along == 0 else (y, x)
    for j in range(3):
        a = np.uint64(0 if j == 0 else 11 + 2 * j)
        b = np.uint64(13 + 2 * j if j < 2 else 0)
        pa, la = setup[k, a + np.uint64(along)], setup[k, a + np.uint64(other)]
        pb, lb = setup[k, b + np.uint64(along)], setup[k, b + np.uint64(other)]
        distance = way * (pa + (pb - pa) * (level - la) / (lb - la) - here)
        meets = ((la <= level) != (lb <= level)) & (distance >= 0)
        best = min(best, distance if meets else np.float32(2))
    return best


@inlined
def _contrast(a: Number, b: Number) -> Number:
    """Sum over the three bytes of two packed colours of how much they differ.

    Every step is cut back to 32 bits, which numba would widen to 64: registers hold twice as many.
    """
    byte = np.int32(0xFF)
    p, q = np.int32(a), np.int32(b)
    red = abs(np.int32((p & byte) - (q & byte)))
    green = abs(np.int32(((p >> np.int32(8)) & byte) - ((q >> np.int32(8)) & byte)))
    blue = abs(np.int32((p >> np.int32(16)) - (q >> np.int32(16))))
    return np.int32(np.int32(red + green) + blue)


@inlined
def _lean(colour: Number, own: Number, other: Number, share: Number) -> Number:
    """Packed ``colour`` moved by ``share`` (of 256) of the way that leads from ``own`` to ``other``."""
    if colour == own:  # not moved before: two bytes at once, a mean that cannot leave 0..255
        s, rest = np.uint32(share), np.uint32(256) - np.uint32(share)
        pair, middle = np.uint32(0xFF00FF), np.uint32(0x00FF00)
        outer = (((own & pair) * rest + (other & pair) * s) >> np.uint32(8)) & pair
        return outer | ((((own & middle) * rest + (other & middle) * s) >> np.uint32(8)) & middle)
    moved = np.uint32(0)
    for c in range(3):
        shift, byte = np.int32(8 * c), np.int32(0xFF)
        step = ((np.int32(other) >> shift) & byte) - ((np.int32(own) >> shift) & byte)
        value = ((np.int32(colour) >> shift) & byte) + ((step * share) >> np.int32(8))
        moved |= np.uint32(min(max(value, np.int32(0)), byte)) << np.uint32(shift)
    return moved


@inlined
def _pair(
    out: Buffers, raw: U32, smooth: U32, y: Number, x: Number, v: Number, u: Number, along: int
) -> None:
    """Blend two neighbouring pixels by where the edge of the nearer one's triangle lies between them."""
    half = np.float32(0.5)
    first = out.inverse[y, x] >= out.inverse[v, u]
    nearer = out.winner[y, x] if first else out.winner[v, u]
    if nearer < 0:
        return
    if first:
        cx, cy = np.float32(np.int32(x)) + half, np.float32(np.int32(y)) + half
    else:
        cx, cy = np.float32(np.int32(u)) + half, np.float32(np.int32(v)) + half
    distance = _crossing(out.setup, np.uint64(nearer), cx, cy, along, first)
    if distance > 1:
        return
    at = distance if first else np.float32(1) - distance
    a, b = raw[y, x], raw[v, u]
    share = np.int32((half - at) * np.float32(256))
    if at < half:
        smooth[y, x] = _lean(smooth[y, x], a, b, share)
    else:
        smooth[v, u] = _lean(smooth[v, u], b, a, -share)


@inlined
def _mark(winner: I32, raw: U32, y: Number, below: Number, width: Number, mark: U8) -> None:
    """Bit 0 of ``mark[x]``: pixel x and its right neighbour need smoothing; bit 1: x and the one below."""
    one, limit = np.uint64(1), np.int32(EDGE_CONTRAST)
    for place in range(width):
        x = np.uint64(place)
        k, colour = winner[y, x], raw[y, x]
        beside = winner[y, x + one] != k and _contrast(colour, raw[y, x + one]) > limit
        under = winner[below, x] != k and _contrast(colour, raw[below, x]) > limit
        mark[x] = np.uint8(beside) | (np.uint8(under) << np.uint8(1))


@kernel_apart
def smooth_edges(out: Buffers, line: Line, raw: U32, smooth: U32, first: int, last: int) -> None:
    """Blend pixels of ``smooth``, a copy of ``raw``, at the edges of triangles by how much they cover.

    Edges of rows ``first``..``last`` and those between them and the row below each.
    """
    mark, place = line.mark, line.place
    height, width = out.winner.shape
    one = np.uint64(1)
    for y in range(np.uint64(first), np.uint64(last)):
        below = min(y + one, np.uint64(height - 1))
        _mark(out.winner, raw, y, below, width - 1, mark)
        count = np.uint64(0)
        for column in range(width - 1):
            place[count] = column
            count += np.uint64(mark[np.uint64(column)] != 0)
        for n in range(count):
            x = np.uint64(place[n])
            if mark[x] & np.uint8(1):
                _pair(out, raw, smooth, y, x, y, x + one, 0)
            if mark[x] & np.uint8(2):
                _pair(out, raw, smooth, y, x, below, x, 1)


@kernel_apart
def unpack(packed: U32, rgb: U8) -> None:
    """Packed colours (n,) to red, green, blue (3 n,)."""
    for place in range(len(packed)):
        x = np.uint64(place)
        colour = packed[x]
        at = x * np.uint64(3)
        rgb[at] = np.uint8(colour)
        rgb[at + np.uint64(1)] = np.uint8(colour >> np.uint32(8))
        rgb[at + np.uint64(2)] = np.uint8(colour >> np.uint32(16))
