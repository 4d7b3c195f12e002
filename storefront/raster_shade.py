"""From the visibility buffer to pixels: texture times light, ids, depth, normals."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from storefront.raster_jit import inlined, kernel
from storefront.raster_tables import F32, I32, U8, Buffers, Items, Number, Shapes, Texels

RUN = 32
"""The mip level is chosen once per run of at most this many pixels of one triangle in a row."""


@inlined
def _footprint(row: F32, x: Number, dy: Number, inverse: Number, wide: Number, high: Number) -> Number:
    """Squared size in texels of level 0 of one pixel's step, a compromise between its two axes."""
    w = np.float32(1) / inverse
    u = (row[2] + row[3] * x + row[4] * dy) * w
    v = (row[5] + row[6] * x + row[7] * dy) * w
    ux = (row[3] - u * row[11]) * w * wide
    vx = (row[6] - v * row[11]) * w * high
    uy = (row[4] - u * row[12]) * w * wide
    vy = (row[7] - v * row[12]) * w * high
    across, down = ux * ux + vx * vx, uy * uy + vy * vy
    large, small = max(across, down), min(across, down)
    return max(large * np.float32(0.25), min(large, small * np.float32(4)))


@inlined
def mip_level(footprint: Number, levels: int) -> int:
    """The mip level for a squared footprint in texels: 0 while texels are larger than pixels."""
    if footprint <= 1:
        return 0
    level = int(np.float32(0.5) * np.float32(math.log2(footprint)) + np.float32(0.35))
    return min(level, levels - 1)


@inlined
def _spread(texel: Number) -> Number:
    """0xBBGGRR to three lanes of 16 bits: red, blue, green."""
    wide = np.uint64(texel)
    return (wide | (wide << np.uint64(24))) & np.uint64(0x000000FF00FF00FF)


@inlined
def _byte(value: Number) -> Number:
    return np.uint8(np.int32(min(value, np.float32(255))))


class Scratch(NamedTuple):
    """What one run of pixels passes from addressing to blending. Indices are unsigned: numba then leaves out
    its test for negative ones, which costs more than the blending."""

    address: NDArray[np.uint32]  # (4, RUN)
    share: NDArray[np.uint32]  # (2, RUN) in 256ths
    light: F32  # (RUN,)


@inlined
def _address(
    row: F32, y: int, x: Number, inverse: F32, texels: Texels, t: Number, lit: bool, scratch: Scratch
) -> Number:
    """Where a run's texels lie, how they mix, how bright it is there; returns where the mip level begins."""
    half = np.float32(0.5)
    n = len(inverse)
    dy = np.float32(y) + half - row[1]
    bits = texels.bits[t]
    middle = np.uint64(n // 2)
    wide, high = np.float32(1 << bits[0]), np.float32(1 << bits[1])
    x0 = np.float32(x) + half - row[0]
    level = mip_level(_footprint(row, x0 + np.float32(middle), dy, inverse[middle], wide, high), bits[2])
    shift = max(bits[0] - np.int32(level), np.int32(0))
    across = np.float32(np.int32(1) << shift)
    down = np.float32(np.int32(1) << max(bits[1] - np.int32(level), np.int32(0)))
    mask_u, mask_v = np.int32(across) - np.int32(1), np.int32(down) - np.int32(1)
    u0, ux = (row[2] + row[4] * dy) * across, row[3] * across
    v0, vx = (row[5] + row[7] * dy) * down, row[6] * down
    l0, lx = row[8] + row[10] * dy, row[9]
    for q in range(n):
        dx = np.float32(q) + x0
        w = np.float32(1) / inverse[q]
        fu, fv = (u0 + ux * dx) * w - half, (v0 + vx * dx) * w - half
        lu, lv = np.floor(fu), np.floor(fv)
        iu, iv = np.int32(lu), np.int32(lv)
        scratch.share[0, q] = np.uint32((fu - lu) * np.float32(256))
        scratch.share[1, q] = np.uint32((fv - lv) * np.float32(256))
        r0, r1 = (iv & mask_v) << shift, ((iv + np.int32(1)) & mask_v) << shift
        c0, c1 = iu & mask_u, (iu + np.int32(1)) & mask_u
        scratch.address[0, q] = r0 + c0
        scratch.address[1, q] = r0 + c1
        scratch.address[2, q] = r1 + c0
        scratch.address[3, q] = r1 + c1
        light = max((l0 + lx * dx) * w, np.float32(0)) if lit else np.float32(1)
        scratch.light[q] = light * np.float32(1.0 / 256.0)
    return np.uint64(texels.levels[t, np.uint64(level)])


@inlined
def _blend(data: NDArray[np.uint32], n: int, scratch: Scratch, rgb: U8) -> None:
    """Mix four texels per pixel, three colours at once in lanes of 16 bits, and apply the light."""
    low = np.uint64(0xFFFF)
    for q in range(n):
        au, av = np.uint64(scratch.share[0, q]), np.uint64(scratch.share[1, q])
        w11 = (au * av) >> np.uint64(8)
        w01 = av - w11
        lanes = (
            _spread(data[np.uint64(scratch.address[0, q])]) * (np.uint64(256) - au - w01)
            + _spread(data[np.uint64(scratch.address[1, q])]) * (au - w11)
            + _spread(data[np.uint64(scratch.address[2, q])]) * w01
            + _spread(data[np.uint64(scratch.address[3, q])]) * w11
        )
        light = scratch.light[q]
        rgb[q, 0] = _byte(np.float32(np.int32(lanes & low)) * light)
        rgb[q, 1] = _byte(np.float32(np.int32((lanes >> np.uint64(32)) & low)) * light)
        rgb[q, 2] = _byte(np.float32(np.int32((lanes >> np.uint64(16)) & low)) * light)


@kernel
def shade(out: Buffers, texels: Texels, lit: bool, rgb: U8) -> None:
    """Colour of every pixel: the triangle's texture, times its baked light when ``lit``."""
    height, width = out.winner.shape
    scratch = Scratch(np.empty((4, RUN), np.uint32), np.empty((2, RUN), np.uint32), np.empty(RUN, np.float32))
    for y in range(height):
        winner, inverse, line = out.winner[y], out.inverse[y], rgb[y]
        x, edge = np.uint64(0), np.uint64(width)
        while x < edge:
            k = winner[x]
            end = x + np.uint64(1)
            limit = min(edge, x + np.uint64(RUN))
            while end < limit and winner[end] == k:
                end += np.uint64(1)
            if k < 0:
                line[x:end] = 0
            else:
                t = np.uint64(out.source[np.uint64(k), 2])
                start = _address(out.setup[np.uint64(k)], y, x, inverse[x:end], texels, t, lit, scratch)
                _blend(texels.data[start:], len(line[x:end]), scratch, line[x:end])
            x = end


@kernel
def resolve(out: Buffers, ids: I32, depth: F32, want_ids: bool, want_depth: bool) -> None:
    """Object ids (-1: nothing) and planar depth in metres (inf: nothing) of every pixel."""
    height, width = out.winner.shape
    for y in range(height):
        for x in range(width):
            k = out.winner[y, x]
            if want_ids:
                ids[y, x] = out.source[k, 1] if k >= 0 else -1
            if want_depth:
                depth[y, x] = np.float32(1) / out.inverse[y, x] if k >= 0 else np.float32(np.inf)


@kernel
def normals(out: Buffers, shapes: Shapes, items: Items, extra: Items, rgb: U8) -> None:
    """Normals of the triangles, in the pack's frame, as colours: -1..1 to 0..255, black where nothing is."""
    height, width = out.winner.shape
    for y in range(height):
        for x in range(width):
            k = out.winner[y, x]
            if k < 0:
                rgb[y, x] = 0
                continue
            i = out.source[k, 3]
            m = items.transform[i] if i < len(items.object) else extra.transform[i - len(items.object)]
            t = shapes.triangle[out.source[k, 0]]
            e = np.empty((2, 3), np.float32)
            for r in range(3):
                for s in range(2):
                    e[s, r] = np.float32(0)
                    for c in range(3):
                        e[s, r] += m[r, c] * (shapes.position[t[s + 1], c] - shapes.position[t[0], c])
            nx = e[0, 1] * e[1, 2] - e[0, 2] * e[1, 1]
            ny = e[0, 2] * e[1, 0] - e[0, 0] * e[1, 2]
            nz = e[0, 0] * e[1, 1] - e[0, 1] * e[1, 0]
            length = math.sqrt(nx * nx + ny * ny + nz * nz) + np.float32(1e-20)
            rgb[y, x, 0] = _byte((nx / length + np.float32(1)) * np.float32(127.5))
            rgb[y, x, 1] = _byte((np.float32(1) - ny / length) * np.float32(127.5))
            rgb[y, x, 2] = _byte((nz / length + np.float32(1)) * np.float32(127.5))
