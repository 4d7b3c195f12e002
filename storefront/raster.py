"""The visibility-buffer rasteriser: which triangle is nearest at each pixel centre, and how deep it lies.

One sample per pixel centre, nearest 1/z wins, shared edges are stepped from the same end points, so meshes
have no cracks. Colour, ids and depth are all read from this one buffer and therefore agree at every pixel.
"""

import numpy as np

from storefront.raster_cull import is_hidden, item_distances, level_of_detail, refresh_tiles
from storefront.raster_jit import inlined, kernel, kernel_apart
from storefront.raster_tables import CLIP_ROWS, F32, NEAR, TILE, U8, Buffers, Camera, Items, Number, Shapes

FULL = -1
"""Returned by :func:`draw` when the set-up table has no room for the frame."""


@inlined
def _edge(x: Number, y: Number, slope: Number, row: Number) -> Number:
    return x + (row - y) * slope


@inlined
def _first_from(place: Number, most: Number) -> Number:
    """The first row or column whose middle lies at or beyond ``place``, within 0..``most``.

    Cut as a float: no integer holds how far to the side a corner can land that is close to the eye.
    """
    return np.int32(np.ceil(min(max(place - np.float32(0.5), np.float32(0)), most)))


@inlined
def _record(vertex: F32, a: Number, b: Number, c: Number, gradient: F32, setup: F32, k: Number) -> None:
    """Write a triangle's set-up: its attributes over z as planes on the screen, and its corners."""
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
def _sorted_by_row(vertex: F32, a: Number, b: Number, c: Number) -> tuple[Number, Number, Number]:
    if vertex[a, 4] > vertex[b, 4]:
        a, b = b, a
    if vertex[b, 4] > vertex[c, 4]:
        b, c = c, b
    if vertex[a, 4] > vertex[b, 4]:
        a, b = b, a
    return a, b, c


@inlined
def _fill(vertex: F32, a: Number, b: Number, c: Number, number: int, out: Buffers, gradient: F32) -> bool:
    """Write triangle ``number`` wherever it is nearest; True when it won at least one pixel."""
    height, width = out.inverse.shape
    half = np.float32(0.5)
    top, middle, low = _sorted_by_row(vertex, a, b, c)
    tx, ty = vertex[top, 3], vertex[top, 4]
    mx, my = vertex[middle, 3], vertex[middle, 4]
    lx, ly = vertex[low, 3], vertex[low, 4]
    wide, high = np.float32(width), np.float32(height)
    first, last = _first_from(ty, high), _first_from(ly, high)
    if first >= last:
        return False
    x0, y0, w0 = vertex[a, 3], vertex[a, 4], vertex[a, 5]
    ax, ay = vertex[b, 3] - x0, vertex[b, 4] - y0
    bx, by = vertex[c, 3] - x0, vertex[c, 4] - y0
    area = ax * by - ay * bx
    if not area < 0:
        return False
    d1, d2 = vertex[b, 5] - w0, vertex[c, 5] - w0
    zx = (d1 * by - d2 * ay) / area
    zy = (d2 * ax - d1 * bx) / area
    long_is_left = (mx - tx) * (ly - ty) - (lx - tx) * (my - ty) > 0
    long_slope = (lx - tx) / (ly - ty)
    upper_slope = (mx - tx) / (my - ty) if my > ty else np.float32(0)
    lower_slope = (lx - mx) / (ly - my) if ly > my else np.float32(0)
    won, own = np.int32(0), np.int32(number)
    for y in range(first, last):
        row = np.float32(y) + half
        long_x = _edge(tx, ty, long_slope, row)
        short_x = _edge(tx, ty, upper_slope, row) if row < my else _edge(mx, my, lower_slope, row)
        left, right = (long_x, short_x) if long_is_left else (short_x, long_x)
        begin, end = _first_from(left, wide), _first_from(right, wide)
        if begin >= end:
            continue
        base = w0 + (row - y0) * zy + (np.float32(begin) + half - x0) * zx
        # Unsigned: numba would test signed numbers for being negative; and no slices, which are counted.
        # 32 bits where numbers become floats: registers hold twice as many, and know no conversion of 64.
        line, at = np.uint64(y), np.uint64(begin)
        for x in range(np.int32(end - begin)):
            z = base + np.float32(np.int32(x)) * zx
            if z > out.inverse[line, at]:
                out.inverse[line, at] = z
                out.winner[line, at] = own
                won = np.int32(won + 1)
            at += np.uint64(1)
    gradient[0] = zx
    gradient[1] = zy
    return bool(won != 0)


@inlined
def _to_screen(vertex: F32, row: Number, camera: Camera) -> None:
    inverse = np.float32(1) / vertex[row, 2]
    half = np.float32(0.5)
    vertex[row, 3] = np.float32(camera.width) * half + camera.focal * vertex[row, 0] * inverse
    vertex[row, 4] = np.float32(camera.height) * half - camera.focal * vertex[row, 1] * inverse
    vertex[row, 5] = inverse


@inlined
def _project(shapes: Shapes, items: Items, i: Number, detail: Number, camera: Camera, vertex: F32) -> None:
    """Bring the vertices of item ``i`` into the camera's frame and onto the screen."""
    mesh = np.uint64(items.mesh[i, detail])
    begin, end = np.uint64(shapes.spans[mesh, 0]), np.uint64(shapes.spans[mesh, 1])
    lit = np.uint64(items.light_start[i, detail])
    m = np.empty((3, 4), np.float32)
    eye, axes = camera.eye, camera.axes
    for r in range(3):
        for c in range(4):
            m[r, c] = (
                axes[r, 0] * items.transform[i, 0, c]
                + axes[r, 1] * items.transform[i, 1, c]
                + axes[r, 2] * items.transform[i, 2, c]
            )
        m[r, 3] -= axes[r, 0] * eye[0] + axes[r, 1] * eye[1] + axes[r, 2] * eye[2]
    m00, m01, m02, m03 = m[0, 0], m[0, 1], m[0, 2], m[0, 3]
    m10, m11, m12, m13 = m[1, 0], m[1, 1], m[1, 2], m[1, 3]
    m20, m21, m22, m23 = m[2, 0], m[2, 1], m[2, 2], m[2, 3]
    middle_x, middle_y = (
        np.float32(camera.width) * np.float32(0.5),
        np.float32(camera.height) * np.float32(0.5),
    )
    for row in range(end - begin):
        v = begin + np.uint64(row)
        x, y, z = shapes.position[v, 0], shapes.position[v, 1], shapes.position[v, 2]
        vx, vy = m00 * x + m01 * y + m02 * z + m03, m10 * x + m11 * y + m12 * z + m13
        vz = m20 * x + m21 * y + m22 * z + m23
        inverse = np.float32(1) / max(vz, NEAR)
        vertex[row, 0], vertex[row, 1], vertex[row, 2] = vx, vy, vz
        vertex[row, 3] = middle_x + camera.focal * vx * inverse
        vertex[row, 4] = middle_y - camera.focal * vy * inverse
        vertex[row, 5] = inverse
        vertex[row, 6], vertex[row, 7] = shapes.uv[v, 0], shapes.uv[v, 1]
        vertex[row, 8] = items.light[lit + np.uint64(row)]


@kernel
def _clip(vertex: F32, a: Number, b: Number, c: Number, first: Number, camera: Camera) -> int:
    """Cut a triangle at the near plane into rows from ``first`` on; the number of corners kept (0 to 4)."""
    count = 0
    for j in range(3):
        p = a if j == 0 else b if j == 1 else c
        q = b if j == 0 else c if j == 1 else a
        inside_p, inside_q = vertex[p, 2] >= NEAR, vertex[q, 2] >= NEAR
        if inside_p:
            vertex[first + np.uint64(count)] = vertex[p]
            count += 1
        if inside_p != inside_q:
            share = (NEAR - vertex[p, 2]) / (vertex[q, 2] - vertex[p, 2])
            for k in range(9):
                vertex[first + np.uint64(count), k] = vertex[p, k] + (vertex[q, k] - vertex[p, k]) * share
            vertex[first + np.uint64(count), 2] = NEAR
            count += 1
    for j in range(count):
        _to_screen(vertex, first + np.uint64(j), camera)
    return count


@inlined
def _outside(vertex: F32, a: Number, b: Number, c: Number, width: Number, height: Number) -> bool:
    x0, x1, x2 = vertex[a, 3], vertex[b, 3], vertex[c, 3]
    y0, y1, y2 = vertex[a, 4], vertex[b, 4], vertex[c, 4]
    return bool(
        max(x0, x1, x2) < 0
        or min(x0, x1, x2) > width
        or max(y0, y1, y2) < 0
        or min(y0, y1, y2) > height
        or (x1 - x0) * (y2 - y0) - (y1 - y0) * (x2 - x0) >= 0
    )


@kernel_apart
def _draw_item(
    shapes: Shapes,
    items: Items,
    i: Number,
    detail: Number,
    camera: Camera,
    out: Buffers,
    count: int,
    first: int,
) -> int:
    """Draw one item; the new number of set-up rows, or :data:`FULL`.

    Indices are unsigned: for signed ones numba tests at every access whether they count from the end.
    """
    vertex = out.vertex
    _project(shapes, items, i, detail, camera, vertex)
    mesh = np.uint64(items.mesh[i, detail])
    begin = np.uint64(shapes.spans[mesh, 0])
    spare = np.uint64(len(vertex) - CLIP_ROWS)
    gradient = np.empty(2, np.float32)
    room = len(out.setup) - 2
    width, height = np.float32(camera.width), np.float32(camera.height)  # compared with floats, as floats
    for t in range(np.uint64(shapes.spans[mesh, 2]), np.uint64(shapes.spans[mesh, 3])):
        a = np.uint64(shapes.triangle[t, 0]) - begin
        b = np.uint64(shapes.triangle[t, 1]) - begin
        c = np.uint64(shapes.triangle[t, 2]) - begin
        near = int(vertex[a, 2] < NEAR) + int(vertex[b, 2] < NEAR) + int(vertex[c, 2] < NEAR)
        if near == 3 or (near == 0 and _outside(vertex, a, b, c, width, height)):
            continue
        if count > room:
            return FULL
        corners = 3
        if near:
            corners = _clip(vertex, a, b, c, spare, camera)
            a = spare
            b = spare + np.uint64(1)
            c = spare + np.uint64(2)
        for _ in range(corners - 2):
            if _fill(vertex, a, b, c, count, out, gradient):
                row = np.uint64(count)
                _record(vertex, a, b, c, gradient, out.setup, row)
                out.source[row, 0] = t
                out.source[row, 1] = items.object[i]
                out.source[row, 2] = shapes.texture[t]
                out.source[row, 3] = first + np.int64(i)
                count += 1
            b = c
            c = c + np.uint64(1)
    return count


REFRESH = (np.float32(6.0), np.float32(14.0), np.float32(1e9))
"""Distances at which what hides others is looked at anew while drawing outwards (metres)."""


@kernel_apart
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
    item_distances(items, skip, camera, near)
    if not cull:
        for i in range(len(near)):
            near[i] = np.float32(-1) if skip[items.object[i]] else max(near[i], np.float32(0))
    out.tile[:] = 0
    least = np.empty(out.tile.shape[1] * TILE, np.float32)
    seen = np.flatnonzero(near >= 0)
    order = seen[np.argsort(near[seen])]
    for screens in (1, 0):
        ring = 0
        for place in order:
            item = np.uint64(place)
            if items.screen[item] != screens:
                continue
            if cull and screens and near[item] > REFRESH[ring]:
                refresh_tiles(out.inverse, out.tile, least)
                while near[item] > REFRESH[ring]:
                    ring += 1
            if cull and is_hidden(items, item, camera, out.tile):
                continue
            detail = level_of_detail(shapes, items, item, near[item], camera.focal)
            count = _draw_item(shapes, items, item, detail, camera, out, count, first)
            if count == FULL:
                return FULL
        if cull and screens:
            refresh_tiles(out.inverse, out.tile, least)
    return count
