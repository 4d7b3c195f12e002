"""The visibility-buffer rasteriser: which triangle is nearest at each pixel centre, and how deep it lies.

One sample per pixel centre, nearest 1/z wins, shared edges are stepped from the same end points, so meshes
have no cracks. Colour, ids and depth are all read from this one buffer and therefore agree at every pixel.
"""

import math

import numpy as np

from storefront.raster_jit import inlined, kernel
from storefront.raster_tables import CLIP_ROWS, F32, TILE, U8, Buffers, Camera, Items, Number, Shapes

NEAR = np.float32(0.05)
"""Nothing nearer to the eye than this is drawn (metres)."""
FULL = -1
"""Returned by :func:`draw` when the set-up table has no room for the frame."""
PIXELS_PER_TRIANGLE = np.float32(9.0)
"""An item that would look smaller than this for every triangle of its fine mesh is drawn from its coarse one."""


@inlined
def _edge(x: Number, y: Number, slope: Number, row: Number) -> Number:
    return x + (row - y) * slope


@inlined
def _record(vertex: F32, a: int, b: int, c: int, gradient: F32, setup: F32, number: int) -> None:
    """Write a triangle's set-up: its attributes over z as planes on the screen, and its corners."""
    k = np.uint64(number)
    ax = vertex[b, 3] - vertex[a, 3]
    ay = vertex[b, 4] - vertex[a, 4]
    bx = vertex[c, 3] - vertex[a, 3]
    by = vertex[c, 4] - vertex[a, 4]
    inverse_area = np.float32(1) / (ax * by - ay * bx)
    setup[k, 0] = vertex[a, 3]
    setup[k, 1] = vertex[a, 4]
    for j in range(3):
        start = vertex[a, 6 + j] * vertex[a, 5]
        e1 = vertex[b, 6 + j] * vertex[b, 5] - start
        e2 = vertex[c, 6 + j] * vertex[c, 5] - start
        setup[k, 2 + 3 * j] = start
        setup[k, 3 + 3 * j] = (e1 * by - e2 * ay) * inverse_area
        setup[k, 4 + 3 * j] = (e2 * ax - e1 * bx) * inverse_area
    setup[k, 11] = gradient[0]
    setup[k, 12] = gradient[1]
    setup[k, 13] = vertex[b, 3]
    setup[k, 14] = vertex[b, 4]
    setup[k, 15] = vertex[c, 3]
    setup[k, 16] = vertex[c, 4]


@inlined
def _sorted_by_row(vertex: F32, a: int, b: int, c: int) -> tuple[int, int, int]:
    if vertex[a, 4] > vertex[b, 4]:
        a, b = b, a
    if vertex[b, 4] > vertex[c, 4]:
        b, c = c, b
    if vertex[a, 4] > vertex[b, 4]:
        a, b = b, a
    return a, b, c


@inlined
def _fill(vertex: F32, a: int, b: int, c: int, number: int, out: Buffers, gradient: F32) -> bool:
    """Write triangle ``number`` wherever it is nearest; True when it won at least one pixel."""
    height, width = out.inverse.shape
    half = np.float32(0.5)
    x0, y0, w0 = vertex[a, 3], vertex[a, 4], vertex[a, 5]
    ax, ay = vertex[b, 3] - x0, vertex[b, 4] - y0
    bx, by = vertex[c, 3] - x0, vertex[c, 4] - y0
    area = ax * by - ay * bx
    if not area < 0:
        return False
    d1, d2 = vertex[b, 5] - w0, vertex[c, 5] - w0
    zx = (d1 * by - d2 * ay) / area
    zy = (d2 * ax - d1 * bx) / area
    top, middle, low = _sorted_by_row(vertex, a, b, c)
    tx, ty = vertex[top, 3], vertex[top, 4]
    mx, my = vertex[middle, 3], vertex[middle, 4]
    lx, ly = vertex[low, 3], vertex[low, 4]
    first = max(0, math.ceil(ty - half))
    last = min(height, math.ceil(ly - half))
    if first >= last:
        return False
    long_is_left = (mx - tx) * (ly - ty) - (lx - tx) * (my - ty) > 0
    long_slope = (lx - tx) / (ly - ty)
    upper_slope = (mx - tx) / (my - ty) if my > ty else np.float32(0)
    lower_slope = (lx - mx) / (ly - my) if ly > my else np.float32(0)
    won = 0
    for y in range(first, last):
        row = np.float32(y) + half
        long_x = _edge(tx, ty, long_slope, row)
        short_x = _edge(tx, ty, upper_slope, row) if row < my else _edge(mx, my, lower_slope, row)
        left, right = (long_x, short_x) if long_is_left else (short_x, long_x)
        begin = max(0, math.ceil(left - half))
        end = min(width, math.ceil(right - half))
        if begin >= end:
            continue
        base = w0 + (row - y0) * zy + (np.float32(begin) + half - x0) * zx
        # Unsigned: numba would test signed numbers for being negative; and no slices, which are counted.
        line, at = np.uint64(y), np.uint64(begin)
        for x in range(end - begin):
            z = base + np.float32(x) * zx
            if z > out.inverse[line, at]:
                out.inverse[line, at] = z
                out.winner[line, at] = number
                won += 1
            at += np.uint64(1)
    gradient[0] = zx
    gradient[1] = zy
    return won > 0


@inlined
def _to_screen(vertex: F32, row: int, camera: Camera) -> None:
    inverse = np.float32(1) / vertex[row, 2]
    half = np.float32(0.5)
    vertex[row, 3] = np.float32(camera.width) * half + camera.focal * vertex[row, 0] * inverse
    vertex[row, 4] = np.float32(camera.height) * half - camera.focal * vertex[row, 1] * inverse
    vertex[row, 5] = inverse


@kernel
def _project(shapes: Shapes, items: Items, i: int, detail: int, camera: Camera, vertex: F32) -> None:
    """Bring the vertices of item ``i`` into the camera's frame and onto the screen."""
    span = shapes.spans[items.mesh[i, detail]]
    lit = items.light_start[i, detail] - span[0]
    m = np.empty((3, 4), np.float32)
    for r in range(3):
        axis = camera.axes[r]
        for c in range(4):
            m[r, c] = (
                axis[0] * items.transform[i, 0, c]
                + axis[1] * items.transform[i, 1, c]
                + axis[2] * items.transform[i, 2, c]
            )
        m[r, 3] -= axis[0] * camera.eye[0] + axis[1] * camera.eye[1] + axis[2] * camera.eye[2]
    for v in range(span[0], span[1]):
        x, y, z = shapes.position[v, 0], shapes.position[v, 1], shapes.position[v, 2]
        row = v - span[0]
        for r in range(3):
            vertex[row, r] = m[r, 0] * x + m[r, 1] * y + m[r, 2] * z + m[r, 3]
        vertex[row, 6] = shapes.uv[v, 0]
        vertex[row, 7] = shapes.uv[v, 1]
        vertex[row, 8] = items.light[lit + v]
        if vertex[row, 2] >= NEAR:
            _to_screen(vertex, row, camera)


@kernel
def _clip(vertex: F32, corners: tuple[int, int, int], first: int, camera: Camera) -> int:
    """Cut a triangle at the near plane into rows from ``first`` on; the number of corners kept (0 to 4)."""
    count = 0
    for j in range(3):
        p, q = corners[j], corners[(j + 1) % 3]
        inside_p, inside_q = vertex[p, 2] >= NEAR, vertex[q, 2] >= NEAR
        if inside_p:
            vertex[first + count] = vertex[p]
            count += 1
        if inside_p != inside_q:
            share = (NEAR - vertex[p, 2]) / (vertex[q, 2] - vertex[p, 2])
            for k in range(9):
                vertex[first + count, k] = vertex[p, k] + (vertex[q, k] - vertex[p, k]) * share
            vertex[first + count, 2] = NEAR
            count += 1
    for j in range(count):
        _to_screen(vertex, first + j, camera)
    return count


@inlined
def _outside(vertex: F32, a: int, b: int, c: int, width: int, height: int) -> bool:
    x0, x1, x2 = vertex[a, 3], vertex[b, 3], vertex[c, 3]
    y0, y1, y2 = vertex[a, 4], vertex[b, 4], vertex[c, 4]
    return bool(
        max(x0, x1, x2) < 0
        or min(x0, x1, x2) > width
        or max(y0, y1, y2) < 0
        or min(y0, y1, y2) > height
        or (x1 - x0) * (y2 - y0) - (y1 - y0) * (x2 - x0) >= 0
    )


@kernel
def _draw_item(
    shapes: Shapes, items: Items, i: int, detail: int, camera: Camera, out: Buffers, count: int, first: int
) -> int:
    """Draw one item; the new number of set-up rows, or :data:`FULL`."""
    vertex = out.vertex
    _project(shapes, items, i, detail, camera, vertex)
    span = shapes.spans[items.mesh[i, detail]]
    spare = len(vertex) - CLIP_ROWS
    gradient = np.empty(2, np.float32)
    for t in range(span[2], span[3]):
        a = shapes.triangle[t, 0] - span[0]
        b = shapes.triangle[t, 1] - span[0]
        c = shapes.triangle[t, 2] - span[0]
        near = int(vertex[a, 2] < NEAR) + int(vertex[b, 2] < NEAR) + int(vertex[c, 2] < NEAR)
        if near == 3 or (near == 0 and _outside(vertex, a, b, c, camera.width, camera.height)):
            continue
        if count + 2 > len(out.setup):
            return FULL
        corners = 3
        if near:
            corners = _clip(vertex, (a, b, c), spare, camera)
            a, b, c = spare, spare + 1, spare + 2
        for _ in range(corners - 2):
            if _fill(vertex, a, b, c, count, out, gradient):
                _record(vertex, a, b, c, gradient, out.setup, count)
                out.source[count, 0] = t
                out.source[count, 1] = items.object[i]
                out.source[count, 2] = shapes.texture[t]
                out.source[count, 3] = first + i
                count += 1
            b, c = c, c + 1
    return count


@kernel
def _nearest(items: Items, skip: U8, camera: Camera, near: F32) -> None:
    """The least distance along the view of every item's box in ``near``, or -1 outside the view."""
    kx = np.float32(camera.width) * np.float32(0.5) / camera.focal
    ky = np.float32(camera.height) * np.float32(0.5) / camera.focal
    p = np.empty(3, np.float32)
    r = np.empty(3, np.float32)
    for i in range(len(near)):
        for a in range(3):
            axis = camera.axes[a]
            p[a] = np.float32(0)
            r[a] = np.float32(0)
            for k in range(3):
                p[a] += axis[k] * (items.centre[i, k] - camera.eye[k])
                r[a] += abs(axis[k]) * items.half[i, k]
        # A side plane's normal is (1, 0, -kx): compare the centre's distance with the box's extent along it.
        beside = abs(p[0]) - kx * p[2] > r[0] + kx * r[2]
        above = abs(p[1]) - ky * p[2] > r[1] + ky * r[2]
        if skip[items.object[i]] or p[2] + r[2] < NEAR or beside or above:
            near[i] = np.float32(-1)
        else:
            near[i] = max(p[2] - r[2], np.float32(0))


@kernel
def _detail(shapes: Shapes, items: Items, i: int, near: Number, focal: Number) -> int:
    """0 for the fine mesh, 1 for the coarse one, by how large the item looks."""
    extent = max(items.half[i, 0], items.half[i, 1], items.half[i, 2]) * np.float32(2) * focal
    span = shapes.spans[items.mesh[i, 0]]
    return 1 if extent * extent < PIXELS_PER_TRIANGLE * np.float32(span[3] - span[2]) * near * near else 0


@kernel
def _refresh_tiles(inverse: F32, tile: F32) -> None:
    height, width = inverse.shape
    for j in range(tile.shape[0]):
        for i in range(tile.shape[1]):
            least = np.float32(1e30)
            for y in range(j * TILE, min(height, (j + 1) * TILE)):
                line = inverse[y]
                for x in range(i * TILE, min(width, (i + 1) * TILE)):
                    least = min(least, line[np.uint64(x)])
            tile[j, i] = least


@kernel
def _hidden(items: Items, i: int, camera: Camera, tile: F32) -> bool:
    """Whether the box of item ``i`` lies behind what is drawn already, at every pixel it could touch."""
    half = np.float32(0.5)
    left, right, top, low = np.float32(1e9), np.float32(-1e9), np.float32(1e9), np.float32(-1e9)
    nearest = np.float32(0)
    v = np.empty(3, np.float32)
    for corner in range(8):
        for a in range(3):
            v[a] = np.float32(0)
            for k in range(3):
                reach = items.half[i, k] if (corner >> k) & 1 else -items.half[i, k]
                v[a] += camera.axes[a, k] * (items.centre[i, k] + reach - camera.eye[k])
        if v[2] < NEAR:
            return False
        inverse = np.float32(1) / v[2]
        x = np.float32(camera.width) * half + camera.focal * v[0] * inverse
        y = np.float32(camera.height) * half - camera.focal * v[1] * inverse
        left, right, top, low = min(left, x), max(right, x), min(top, y), max(low, y)
        nearest = max(nearest, inverse)
    limit = nearest * np.float32(1.0001)
    first = max(0, math.floor(left) // TILE)
    for j in range(max(0, math.floor(top) // TILE), min(tile.shape[0] - 1, math.floor(low) // TILE) + 1):
        for k in range(first, min(tile.shape[1] - 1, math.floor(right) // TILE) + 1):
            if tile[j, k] <= limit:
                return False
    return True


REFRESH = (np.float32(4.0), np.float32(8.0), np.float32(16.0), np.float32(1e9))
"""Distances at which what hides others is looked at anew while drawing outwards (metres)."""


@kernel
def draw(
    shapes: Shapes,
    items: Items,
    skip: U8,
    camera: Camera,
    out: Buffers,
    count: int,
    first: int,
    cull: bool,
) -> int:
    """Draw all items whose object is not skipped, from set-up row ``count`` on: screens first, nearest first.

    ``first`` is added to item numbers in ``out.source``, so that two tables can share a frame. Returns the
    number of set-up rows used, or :data:`FULL` when they did not suffice. Buffers are not cleared here.
    """
    near = np.empty(len(items.object), np.float32)
    _nearest(items, skip, camera, near)
    if not cull:
        for i in range(len(near)):
            near[i] = np.float32(-1) if skip[items.object[i]] else max(near[i], np.float32(0))
    out.tile[:] = 0
    order = np.argsort(near)
    for screens in (1, 0):
        ring = 0
        for i in order:
            if near[i] < 0 or items.screen[i] != screens:
                continue
            if cull and screens and near[i] > REFRESH[ring]:
                _refresh_tiles(out.inverse, out.tile)
                while near[i] > REFRESH[ring]:
                    ring += 1
            if cull and _hidden(items, i, camera, out.tile):
                continue
            detail = _detail(shapes, items, i, near[i], camera.focal)
            count = _draw_item(shapes, items, i, detail, camera, out, count, first)
            if count == FULL:
                return FULL
        if cull and screens:
            _refresh_tiles(out.inverse, out.tile)
    return count
