"""Smooth edges: antialiasing of colour frames alone, from where the triangles' edges lie between pixels."""

import numpy as np

from storefront.raster_jit import inlined, kernel
from storefront.raster_tables import F32, U8, Buffers, Number

EDGE_CONTRAST = 42
"""Neighbouring pixels whose colours differ by no more than this (sum over channels) need no smoothing."""


@inlined
def _crossing(setup: F32, k: Number, x: Number, y: Number, along: int, forward: Number) -> Number:
    """Way from (x, y) to an edge of triangle ``k`` along a row (``along`` 0) or column (1); 2 for none."""
    best = np.float32(2)
    other = 1 - along
    here, level = (x, y) if along == 0 else (y, x)
    for j in range(3):
        a = np.uint64(0 if j == 0 else 11 + 2 * j)
        b = np.uint64(13 + 2 * j if j < 2 else 0)
        pa, la = setup[k, a + np.uint64(along)], setup[k, a + np.uint64(other)]
        pb, lb = setup[k, b + np.uint64(along)], setup[k, b + np.uint64(other)]
        if (la <= level) != (lb <= level):
            distance = pa + (pb - pa) * (level - la) / (lb - la) - here
            if not forward:
                distance = -distance
            if distance >= 0:
                best = min(best, distance)
    return best


@inlined
def _lean(rgb: U8, raw: U8, y: Number, x: Number, v: Number, u: Number, share: Number) -> None:
    """Move pixel (y, x) by ``share`` towards what its neighbour (v, u) was."""
    for c in range(3):
        value = np.float32(rgb[y, x, c]) + share * (np.float32(raw[v, u, c]) - np.float32(raw[y, x, c]))
        rgb[y, x, c] = np.uint8(np.int32(min(max(value, np.float32(0)), np.float32(255))))


@inlined
def _pair(out: Buffers, raw: U8, rgb: U8, y: Number, x: Number, v: Number, u: Number, along: int) -> None:
    """Blend two neighbouring pixels by where the edge of the nearer one's triangle lies between them."""
    contrast = np.int32(0)
    for c in range(3):
        contrast += abs(np.int32(raw[y, x, c]) - np.int32(raw[v, u, c]))
    if contrast <= EDGE_CONTRAST:
        return
    half = np.float32(0.5)
    k, q = out.winner[y, x], out.winner[v, u]
    first = out.inverse[y, x] >= out.inverse[v, u]
    nearer = k if first else q
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
    if at < half:
        _lean(rgb, raw, y, x, v, u, half - at)
    else:
        _lean(rgb, raw, v, u, y, x, at - half)


@kernel
def smooth_edges(out: Buffers, raw: U8, rgb: U8) -> None:
    """Blend pixels of ``rgb``, a copy of ``raw``, at the edges of triangles by how much they cover."""
    height, width = out.winner.shape
    one = np.uint64(1)
    for row in range(height):
        y = np.uint64(row)
        below = row + 1 < height
        k = out.winner[y, np.uint64(0)]
        for column in range(width - 1):
            x = np.uint64(column)
            right = out.winner[y, x + one]
            if right != k:
                _pair(out, raw, rgb, y, x, y, x + one, 0)
            if below and out.winner[y + one, x] != k:
                _pair(out, raw, rgb, y, x, y + one, x, 1)
            k = right
