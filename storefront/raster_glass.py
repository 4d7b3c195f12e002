"""Sheets of glass, laid over shaded frames. Ids and depth know nothing of them: one looks through glass."""

import math

import numpy as np

from storefront.raster_gloss import Mirrored, glow_at
from storefront.raster_jit import inlined, kernel, kernel_apart
from storefront.raster_tables import F32, LANES, NEAR, U32, Buffers, Camera, Number

GLASS_TINT = (np.float32(0.88), np.float32(0.94), np.float32(0.95))


@kernel
def _pane_on_screen(pane: F32, camera: Camera, corner: F32) -> int:
    """Project a pane, cut at the near plane; corners (x, y) go to ``corner``, their number is returned."""
    view = np.empty((4, 3), np.float32)
    for j in range(4):
        for a in range(3):
            view[j, a] = np.float32(0)
            for k in range(3):
                view[j, a] += camera.axes[a, k] * (pane[j, k] - camera.eye[k])
    count = 0
    for j in range(4):
        p, q = view[j], view[(j + 1) % 4]
        if p[2] >= NEAR:
            corner[count] = p
            count += 1
        if (p[2] >= NEAR) != (q[2] >= NEAR):
            share = (NEAR - p[2]) / (q[2] - p[2])
            corner[count] = p + (q - p) * share
            corner[count, 2] = NEAR
            count += 1
    half = np.float32(0.5)
    for j in range(count):
        inverse = np.float32(1) / corner[j, 2]
        corner[j, 0] = np.float32(camera.width) * half + camera.focal * corner[j, 0] * inverse
        corner[j, 1] = np.float32(camera.height) * half - camera.focal * corner[j, 1] * inverse
    return count


@kernel
def _row_span(corner: F32, count: int, row: Number) -> tuple[Number, Number]:
    """Where a convex outline begins and ends in a row of pixel centres."""
    left, right = np.float32(1e9), np.float32(-1e9)
    for j in range(count):
        a, b = corner[j], corner[(j + 1) % count]
        if (a[1] <= row) != (b[1] <= row):
            x = a[0] + (b[0] - a[0]) * (row - a[1]) / (b[1] - a[1])
            left, right = min(left, x), max(right, x)
    return left, right


@inlined
def _streak(u: Number, v: Number) -> Number:
    """Two slanting streaks of light, as sheets of glass show them."""
    s = u * np.float32(0.8) + v * np.float32(0.6)
    wide = max(np.float32(0), np.float32(1) - abs(s - np.float32(0.52)) * np.float32(9))
    thin = max(np.float32(0), np.float32(1) - abs(s - np.float32(0.70)) * np.float32(26))
    return np.float32(0.085) * wide + np.float32(0.06) * thin


@inlined
def _glass_point(
    camera: Camera, pane: F32, plane: F32, room: Mirrored, way: F32, lead: Number, shine: F32
) -> None:
    """Where way meets the pane: how much of what is behind stays (``shine[0]``), how much is added ([1])."""
    towards = way[0] * plane[0, 0] + way[1] * plane[0, 1] + way[2] * plane[0, 2]
    far = lead / towards
    length = math.sqrt(way[0] * way[0] + way[1] * way[1] + way[2] * way[2])
    px, py, pz = camera.eye[0] + way[0] * far, camera.eye[1] + way[1] * far, camera.eye[2] + way[2] * far
    rx, ry, rz = px - pane[0, 0], py - pane[0, 1], pz - pane[0, 2]
    u = rx * plane[1, 0] + ry * plane[1, 1] + rz * plane[1, 2]
    v = rx * plane[2, 0] + ry * plane[2, 1] + rz * plane[2, 2]
    mirror = way[2] - 2 * towards * plane[0, 2]
    seen = np.float32(0.30)
    if mirror > np.float32(0.02):
        reach = (room.ceiling - pz) / mirror
        seen = glow_at(
            room,
            px + (way[0] - 2 * towards * plane[0, 0]) * reach,
            py + (way[1] - 2 * towards * plane[0, 1]) * reach,
        )
    grazing = np.float32(1) - min(abs(towards) / length, np.float32(1))
    fresnel = np.float32(0.09) + np.float32(0.75) * grazing * grazing * grazing
    rim = min(min(u, 1 - u) * plane[3, 0], min(v, 1 - v) * plane[3, 1])
    edge = max(np.float32(0), np.float32(1) - rim * np.float32(60))
    shine[0] = (np.float32(1) - fresnel * np.float32(0.7)) * (np.float32(1) - np.float32(0.35) * edge)
    shine[1] = (fresnel * seen + _streak(u, v) + np.float32(0.10) * edge) * np.float32(235)


@inlined
def _way(camera: Camera, x: Number, up: Number, way: F32) -> None:
    """The ray through the middle of a pixel, of depth 1."""
    side = (np.float32(x) + np.float32(0.5) - np.float32(camera.width) * np.float32(0.5)) / camera.focal
    for k in range(3):
        way[k] = camera.axes[2, k] + up * camera.axes[1, k] + side * camera.axes[0, k]


@inlined
def _seen_through(colour: Number, keep: Number, add: Number) -> Number:
    """A packed colour behind glass."""
    byte, most = np.int32(0xFF), np.float32(255)
    c = np.int32(colour)
    red = min(np.float32(c & byte) * (keep * GLASS_TINT[0]) + add, most)
    green = min(np.float32((c >> np.int32(8)) & byte) * (keep * GLASS_TINT[1]) + add, most)
    blue = min(np.float32(c >> np.int32(16)) * (keep * GLASS_TINT[2]) + add, most)
    return np.uint32(np.int32(red) | (np.int32(green) << np.int32(8)) | (np.int32(blue) << np.int32(16)))


@inlined
def _glaze_row(
    camera: Camera,
    pane: F32,
    plane: F32,
    room: Mirrored,
    lead: Number,
    y: int,
    first: int,
    last: int,
    near: F32,
    packed: U32,
    scratch: F32,
) -> None:
    """Glaze pixels ``first``..``last`` of a row, ``near`` being the row of 1/z.

    Reflections are worked out once per lot of pixels and blended between.
    """
    way, here, there = scratch[0], scratch[1], scratch[2]
    up = (np.float32(camera.height) * np.float32(0.5) - np.float32(y) - np.float32(0.5)) / camera.focal
    _way(camera, first, up, way)
    _glass_point(camera, pane, plane, room, way, lead, here)
    tilt = (
        camera.axes[0, 0] * plane[0, 0] + camera.axes[0, 1] * plane[0, 1] + camera.axes[0, 2] * plane[0, 2]
    ) / (camera.focal * lead)
    for start in range(first, last, LANES):
        _way(camera, start, up, way)
        inverse = (way[0] * plane[0, 0] + way[1] * plane[0, 1] + way[2] * plane[0, 2]) / lead
        _way(camera, start + LANES, up, way)
        _glass_point(camera, pane, plane, room, way, lead, there)
        keep, add = here[0], here[1]
        more_keep = (there[0] - keep) * np.float32(1.0 / LANES)
        more_add = (there[1] - add) * np.float32(1.0 / LANES)
        for lane in range(LANES):
            x, q = np.uint64(start + lane), np.float32(lane)
            colour = packed[x]
            seen = _seen_through(colour, keep + more_keep * q, add + more_add * q)
            covered = start + lane < last and inverse + q * tilt >= near[x]
            packed[x] = seen if covered else colour
        here[0], here[1] = there[0], there[1]


@kernel_apart
def glaze(out: Buffers, panes: F32, camera: Camera, room: Mirrored, packed: U32) -> None:
    """Lay sheets of glass over what is behind: a tint, the ceiling's mirror image, streaks, bright rims."""
    corner, scratch = np.empty((10, 3), np.float32), np.empty((3, 3), np.float32)
    plane = np.empty((4, 3), np.float32)
    height, width = out.winner.shape
    half = np.float32(0.5)
    for p in range(len(panes)):
        pane = panes[p]
        count = _pane_on_screen(pane, camera, corner)
        if count < 3:
            continue
        low, high = corner[:count, 1].min(), corner[:count, 1].max()
        if high < 0 or low > height or corner[:count, 0].max() < 0 or corner[:count, 0].min() > width:
            continue
        _plane(pane, plane)
        # 1/depth on the pane is (way . n) / ((corner - eye) . n) for a ray of depth 1.
        lead = np.float32(0)
        for k in range(3):
            lead += (pane[0, k] - camera.eye[k]) * plane[0, k]
        if abs(lead) < np.float32(1e-4):
            continue
        for y in range(max(0, math.ceil(low - half)), min(height, math.ceil(high - half))):
            left, right = _row_span(corner, count, np.float32(y) + half)
            first, last = max(0, math.ceil(left - half)), min(width, math.ceil(right - half))
            if first < last:
                near, row = out.inverse[y], packed[y]
                _glaze_row(camera, pane, plane, room, lead, y, first, last, near, row, scratch)


@kernel
def _plane(pane: F32, plane: F32) -> None:
    """Unit normal; the pane's sides over their squared lengths; and its width and height in metres."""
    a, b = pane[1] - pane[0], pane[3] - pane[0]
    aa, bb = np.float32(0), np.float32(0)
    for k in range(3):
        aa += a[k] * a[k]
        bb += b[k] * b[k]
    for k in range(3):
        i, j = (k + 1) % 3, (k + 2) % 3
        plane[0, k] = (a[i] * b[j] - a[j] * b[i]) / math.sqrt(aa * bb)
        plane[1, k], plane[2, k] = a[k] / aa, b[k] / bb
    plane[3, 0], plane[3, 1], plane[3, 2] = math.sqrt(aa), math.sqrt(bb), np.float32(0)
