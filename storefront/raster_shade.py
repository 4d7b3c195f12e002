"""From the visibility buffer to pixels: texture times light, ids, depth, normals."""

import math

import numpy as np

from storefront.raster_gloss import Mirrored, mirror
from storefront.raster_jit import inlined, kernel, kernel_apart
from storefront.raster_tables import (
    F32,
    I32,
    LANES,
    U8,
    U32,
    Buffers,
    Camera,
    Items,
    Line,
    Number,
    Shapes,
    Texels,
)

RUN = 32
"""The mip level is chosen once per run of at most this many pixels of one triangle in a row."""
FIRST_LEVEL_FROM = np.float32(2.0**1.3)
"""The squared footprint from which on the first halved picture is used."""
PER_SHARE = np.float32(1.0 / 256.0)


@inlined
def _footprint(row: F32, x: Number, dy: Number, w: Number, wide: Number, high: Number) -> Number:
    """Squared size in texels of level 0 of one pixel's step at depth ``w``, a compromise of its two axes."""
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
def mip_level(footprint: Number, levels: int) -> Number:
    """The mip level for a squared footprint in texels: 0 while texels are larger than pixels.

    It rises by one where log2 of the footprint's side passes 0.65, 1.65, 2.65 and so on.
    """
    level, limit = np.int32(0), FIRST_LEVEL_FROM
    while footprint >= limit and level + np.int32(1) < levels:
        limit *= np.float32(4)
        level += np.int32(1)
    return level


@inlined
def _lay_out(
    row: F32, y: Number, x: Number, n: Number, texels: Texels, t: Number, lit: bool, line: Line
) -> None:
    """Where the texels of a run of ``n`` pixels of one triangle lie, how they mix, how bright it is there."""
    half = np.float32(0.5)
    dy = np.float32(np.int32(y)) + half - row[1]
    x0 = np.float32(np.int32(x)) + half - row[0]
    middle = np.int32(n) >> np.int32(1)
    wide, high = texels.bits[t, 0], texels.bits[t, 1]
    size_u, size_v = np.float32(np.int32(1) << wide), np.float32(np.int32(1) << high)
    footprint = _footprint(
        row, x0 + np.float32(middle), dy, line.depth[x + np.uint64(middle)], size_u, size_v
    )
    level = mip_level(footprint, texels.bits[t, 2])
    shift = max(wide - level, np.int32(0))
    mask_u = (np.int32(1) << shift) - np.int32(1)
    mask_v = (np.int32(1) << max(high - level, np.int32(0))) - np.int32(1)
    across, down = np.float32(mask_u + np.int32(1)), np.float32(mask_v + np.int32(1))
    # Of a float, that the compiler may not see a shift in the product: those are done in 64 bits.
    start, pitch = np.uint32(texels.levels[t, np.uint64(level)]), np.uint32(np.int32(across))
    u0, ux = (row[2] + row[4] * dy + row[3] * x0) * across, row[3] * across
    v0, vx = (row[5] + row[7] * dy + row[6] * x0) * down, row[6] * down
    l0, lx = (row[8] + row[10] * dy + row[9] * x0) * PER_SHARE, row[9] * PER_SHARE
    for lot in range(np.uint64(0), n, np.uint64(LANES)):
        for lane in range(LANES):
            q = x + lot + np.uint64(lane)
            dx = np.float32(np.int32(lot)) + np.float32(lane)
            w = line.depth[q]
            fu, fv = (u0 + ux * dx) * w - half, (v0 + vx * dx) * w - half
            lu, lv = np.floor(fu), np.floor(fv)
            iu, iv = np.int32(lu), np.int32(lv)
            line.right[q] = np.uint32(np.int32((fu - lu) * np.float32(256)))
            line.down[q] = np.uint32(np.int32((fv - lv) * np.float32(256)))
            upper = start + np.uint32(np.uint32(iv & mask_v) * pitch)
            lower = start + np.uint32(np.uint32(np.int32(iv + np.int32(1)) & mask_v) * pitch)
            left, right = np.uint32(iu & mask_u), np.uint32(np.int32(iu + np.int32(1)) & mask_u)
            line.upper_left[q] = upper + left
            line.upper_right[q] = upper + right
            line.lower_left[q] = lower + left
            line.lower_right[q] = lower + right
            line.light[q] = max((l0 + lx * dx) * w, np.float32(0)) if lit else PER_SHARE
            line.add[q] = np.float32(0)


@inlined
def _to_byte(value: Number) -> Number:
    return np.uint32(np.int32(min(value, np.float32(255))))


@inlined
def _sum(a: Number, b: Number, c: Number, d: Number) -> Number:
    """Sum of 32-bit numbers in 32 bits. Numba widens sums to 64, of which registers hold half as many."""
    return np.uint32(np.uint32(a + b) + np.uint32(c + d))


@inlined
def _mix(data: U32, line: Line, width: Number, packed: U32) -> None:
    """Colours 0xBBGGRR of a row: four texels mixed, times light, plus what shines on top."""
    red_blue, byte, word = np.uint32(0xFF00FF), np.uint32(0xFF), np.uint32(0xFFFF)
    eight, sixteen = np.uint32(8), np.uint32(16)
    for place in range(width):
        q = np.uint64(place)
        right, down = line.right[q], line.down[q]
        d = np.uint32(np.uint32(right * down) >> eight)
        c, b = np.uint32(down - d), np.uint32(right - d)
        a = np.uint32(np.uint32(np.uint32(256) - right) - c)
        ta, tb = data[line.upper_left[q]], data[line.upper_right[q]]
        tc, td = data[line.lower_left[q]], data[line.lower_right[q]]
        pair = _sum(
            np.uint32((ta & red_blue) * a),
            np.uint32((tb & red_blue) * b),
            np.uint32((tc & red_blue) * c),
            np.uint32((td & red_blue) * d),
        )
        green = _sum(
            np.uint32(((ta >> eight) & byte) * a),
            np.uint32(((tb >> eight) & byte) * b),
            np.uint32(((tc >> eight) & byte) * c),
            np.uint32(((td >> eight) & byte) * d),
        )
        light, add = line.light[q], line.add[q]
        red = _to_byte(np.float32(np.int32(pair & word)) * light + add)
        blue = _to_byte(np.float32(np.int32(pair >> sixteen)) * light + add)
        packed[q] = red | (_to_byte(np.float32(np.int32(green)) * light + add) << eight) | (blue << sixteen)


@kernel_apart
def shade(
    out: Buffers,
    line: Line,
    texels: Texels,
    lit: bool,
    room: Mirrored,
    camera: Camera,
    packed: U32,
    first: int,
    last: int,
) -> None:
    """Colour 0xBBGGRR of rows ``first``..``last``: the triangle's texture, times baked light when ``lit``."""
    width = out.winner.shape[1]
    one = np.uint64(1)
    for y in range(np.uint64(first), np.uint64(last)):
        winner, inverse = out.winner[y], out.inverse[y]
        for column in range(width):
            line.depth[np.uint64(column)] = np.float32(1) / max(inverse[np.uint64(column)], np.float32(1e-6))
        x, edge = np.uint64(0), np.uint64(width)
        while x < edge:
            k = winner[x]
            end = x + one
            limit = min(edge, x + np.uint64(RUN))
            while end < limit and winner[end] == k:
                end += one
            if k < 0:
                for q in range(x, end):
                    line.light[q] = line.add[q] = np.float32(0)
            else:
                t = np.uint64(out.source[np.uint64(k), 2])
                _lay_out(out.setup[np.uint64(k)], y, x, end - x, texels, t, lit, line)
                if lit and texels.bits[t, 3] > 0:
                    mirror(
                        room, camera, y, x, end - x, np.float32(texels.bits[t, 3]) * np.float32(0.01), line
                    )
            x = end
        _mix(texels.data, line, width, packed[y])


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
            rgb[y, x, 0] = _to_byte((nx / length + np.float32(1)) * np.float32(127.5))
            rgb[y, x, 1] = _to_byte((np.float32(1) - ny / length) * np.float32(127.5))
            rgb[y, x, 2] = _to_byte((nz / length + np.float32(1)) * np.float32(127.5))
