"""What glossy floors mirror: the ceiling's lights, more so the flatter one looks."""

import math
from typing import NamedTuple

import numpy as np

from storefront.raster_jit import inlined
from storefront.raster_tables import F32, LANES, Camera, Line, Number

GLOW_CELLS_PER_METRE = np.float32(10.0)
BEYOND = np.float32(0.05)
"""Brightness of what lies beside the ceiling."""


class Mirrored(NamedTuple):
    """The ceiling as reflections see it, a picture of brightness in rows along the pack's y."""

    glow: F32  # (rows * columns,)
    rows: int
    columns: int
    ceiling: np.float32  # its height, metres


@inlined
def glow_at(room: Mirrored, x: Number, y: Number) -> Number:
    """Brightness of the ceiling over a point of the store's own frame."""
    column, row = np.int32(x * GLOW_CELLS_PER_METRE), np.int32(-y * GLOW_CELLS_PER_METRE)
    inside = column >= 0 and row >= 0 and column < room.columns and row < room.rows
    place = np.uint32(row * np.int32(room.columns) + column) if inside else np.uint32(0)
    seen = room.glow[place]
    return seen if inside else BEYOND


@inlined
def mirror(
    room: Mirrored, camera: Camera, y: Number, x: Number, n: Number, gloss: Number, line: Line
) -> None:
    """Dim ``n`` pixels of a floor from ``x`` on and add the mirror image of the ceiling to them."""
    eye, axes, half = camera.eye, camera.axes, np.float32(0.5)
    if eye[2] < np.float32(0.05):
        return
    stretch = np.float32(1) + room.ceiling / eye[2]
    per_pixel = np.float32(1) / camera.focal
    up = (np.float32(camera.height) * half - np.float32(np.int32(y)) - half) * per_pixel
    bx, by, bz = axes[2, 0] + up * axes[1, 0], axes[2, 1] + up * axes[1, 1], axes[2, 2] + up * axes[1, 2]
    ax, ay, az = axes[0, 0], axes[0, 1], axes[0, 2]
    ex, ey = eye[0], eye[1]
    first = (np.float32(np.int32(x)) + half - np.float32(camera.width) * half) * per_pixel
    for lot in range(np.uint64(0), n, np.uint64(LANES)):
        for lane in range(LANES):
            q = x + lot + np.uint64(lane)
            side = first + (np.float32(np.int32(lot)) + np.float32(lane)) * per_pixel
            dx, dy, dz = bx + side * ax, by + side * ay, bz + side * az
            far = stretch * line.depth[q]
            seen = glow_at(room, ex + dx * far, ey + dy * far)
            steep = -dz / math.sqrt(dx * dx + dy * dy + dz * dz)
            grazing = np.float32(1) - max(steep, np.float32(0))
            share = gloss * (np.float32(0.18) + np.float32(0.82) * grazing * grazing * grazing)
            line.light[q] *= np.float32(1) - share * half
            line.add[q] = share * seen * np.float32(235)
