"""Which items a frame need not draw, and which it may draw simply: view, occlusion, level of detail."""

import math

import numpy as np

from storefront.raster_jit import kernel, kernel_apart
from storefront.raster_tables import F32, NEAR, TILE, U8, Camera, Items, Number, Shapes

PIXELS_PER_TRIANGLE = np.float32(14.0)
"""An item that looks smaller than this times the triangles of its fine mesh is drawn from its coarse one."""


@kernel
def item_distances(items: Items, skip: U8, camera: Camera, near: F32) -> None:
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
def level_of_detail(shapes: Shapes, items: Items, i: Number, near: Number, focal: Number) -> int:
    """0 for the fine mesh, 1 for the coarse one, by how large the item looks."""
    extent = max(items.half[i, 0], items.half[i, 1], items.half[i, 2]) * np.float32(2) * focal
    span = shapes.spans[items.mesh[i, 0]]
    triangles = np.float32(span[3] - span[2])
    return 1 if extent * extent < PIXELS_PER_TRIANGLE * triangles * near * near else 0


@kernel_apart
def refresh_tiles(inverse: F32, tile: F32, least: F32) -> None:
    """Work out ``tile`` from what is drawn; ``least`` is scratch for a row of pixels, in whole tiles."""
    height, width = inverse.shape
    for j in range(tile.shape[0]):
        least[:] = np.float32(1e30)
        for y in range(np.uint64(j * TILE), np.uint64(min(height, (j + 1) * TILE))):
            for place in range(width):
                x = np.uint64(place)
                least[x] = min(least[x], inverse[y, x])
        for i in range(np.uint64(tile.shape[1])):
            lowest = np.float32(1e30)
            for column in range(TILE):
                lowest = min(lowest, least[i * np.uint64(TILE) + np.uint64(column)])
            tile[np.uint64(j), i] = lowest


@kernel
def is_hidden(items: Items, i: Number, camera: Camera, tile: F32) -> bool:
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
