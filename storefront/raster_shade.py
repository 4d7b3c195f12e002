"""From the visibility buffer to pixels: texture times light, ids, depth, normals."""

import math

import numpy as np

from storefront.raster_jit import kernel
from storefront.raster_tables import F32, I32, U8, Array, Buffers, Items, Number, Shapes, Texels

RUN = 32
"""The mip level is chosen once per run of at most this many pixels of one triangle in a row."""


@kernel
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


@kernel
def mip_level(footprint: Number, levels: int) -> int:
    """The mip level for a squared footprint in texels: 0 while texels are larger than pixels."""
    if footprint <= 1:
        return 0
    level = int(np.float32(0.5) * np.float32(math.log2(footprint)) + np.float32(0.35))
    return min(level, levels - 1)


@kernel
def _spread(texel: Number) -> Number:
    """0xBBGGRR to three lanes of 16 bits: red, blue, green."""
    wide = np.uint64(texel)
    return (wide | (wide << np.uint64(24))) & np.uint64(0x000000FF00FF00FF)


@kernel
def _blend(data: Array, i00: int, i10: int, i01: int, i11: int, au: Number, av: Number) -> Number:
    """Bilinear blend of four texels with weights in 256ths; lanes as in :func:`_spread`, times 256."""
    w11 = (au * av) >> np.uint64(8)
    w10 = au - w11
    w01 = av - w11
    w00 = np.uint64(256) - au - w01
    return (
        _spread(data[i00]) * w00
        + _spread(data[i10]) * w10
        + _spread(data[i01]) * w01
        + _spread(data[i11]) * w11
    )


@kernel
def _byte(value: Number) -> Number:
    return np.uint8(min(value, np.float32(255)))


@kernel
def _shade_run(
    row: F32, y: int, x0: int, x1: int, texels: Texels, t: int, lit: bool, out: Buffers, rgb: U8
) -> None:
    """Shade pixels x0..x1 of one row, all of one triangle."""
    half = np.float32(0.5)
    dy = np.float32(y) + half - row[1]
    wide, high = np.float32(1 << texels.bits[t, 0]), np.float32(1 << texels.bits[t, 1])
    middle = (x0 + x1) // 2 if x1 - x0 > 1 else x0
    span = _footprint(row, np.float32(middle) + half - row[0], dy, out.inverse[y, middle], wide, high)
    level = mip_level(span, texels.bits[t, 2])
    shift = max(texels.bits[t, 0] - level, 0)
    across = np.float32(1 << shift)
    down = np.float32(1 << max(texels.bits[t, 1] - level, 0))
    mask_u, mask_v = int(across) - 1, int(down) - 1
    base = texels.levels[t, level]
    u0, v0, l0 = row[2] + row[4] * dy, row[5] + row[7] * dy, row[8] + row[10] * dy
    for x in range(x0, x1):
        dx = np.float32(x) + half - row[0]
        w = np.float32(1) / out.inverse[y, x]
        fu = (u0 + row[3] * dx) * w * across - half
        fv = (v0 + row[6] * dx) * w * down - half
        iu, iv = math.floor(fu), math.floor(fv)
        au = np.uint64((fu - np.float32(iu)) * np.float32(256))
        av = np.uint64((fv - np.float32(iv)) * np.float32(256))
        r0 = base + ((iv & mask_v) << shift)
        r1 = base + (((iv + 1) & mask_v) << shift)
        c0, c1 = iu & mask_u, (iu + 1) & mask_u
        lanes = _blend(texels.data, r0 + c0, r0 + c1, r1 + c0, r1 + c1, au, av)
        light = max((l0 + row[9] * dx) * w, np.float32(0)) if lit else np.float32(1)
        scale = light * np.float32(1.0 / 256.0)
        rgb[y, x, 0] = _byte(np.float32(lanes & np.uint64(0xFFFF)) * scale)
        rgb[y, x, 1] = _byte(np.float32((lanes >> np.uint64(32)) & np.uint64(0xFFFF)) * scale)
        rgb[y, x, 2] = _byte(np.float32((lanes >> np.uint64(16)) & np.uint64(0xFFFF)) * scale)


@kernel
def shade(out: Buffers, texels: Texels, lit: bool, rgb: U8) -> None:
    """Colour of every pixel: the triangle's texture, times its baked light when ``lit``."""
    height, width = out.winner.shape
    for y in range(height):
        x = 0
        while x < width:
            k = out.winner[y, x]
            end = x + 1
            limit = min(width, x + RUN)
            while end < limit and out.winner[y, end] == k:
                end += 1
            if k < 0:
                rgb[y, x:end] = 0
            else:
                _shade_run(out.setup[k], y, x, end, texels, out.source[k, 2], lit, out, rgb)
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
    """World normals of the triangles as colours: component n of -1..1 to 0..255, black where nothing is."""
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
            rgb[y, x, 1] = _byte((ny / length + np.float32(1)) * np.float32(127.5))
            rgb[y, x, 2] = _byte((nz / length + np.float32(1)) * np.float32(127.5))
