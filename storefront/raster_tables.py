"""The plain arrays the rasteriser reads and writes; named tuples, because numba understands them."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

F32 = NDArray[np.float32]
I32 = NDArray[np.int32]
U8 = NDArray[np.uint8]
U32 = NDArray[np.uint32]
Array = NDArray[Any]
Number = Any
"""A machine number inside a kernel: numba knows its kind, and mypy has no word for a mix of them."""

NEAR = np.float32(0.05)
"""Nothing nearer to the eye than this is drawn (metres)."""
TILE = 16
"""Side of the squares occlusion is tested by, in pixels."""
LANES = 8
"""How many pixels of a row are worked on at a time: what 256-bit registers hold."""
VERTEX_COLUMNS = 9
"""A projected vertex: camera x, y, z; screen x, y; 1/z; texture u, v; light."""
CLIP_ROWS = 8
"""Rows at the end of the vertex scratch that clipping against the near plane may use."""
SETUP_COLUMNS = 18
"""A drawn triangle: x0 y0; u/z, v/z, light/z as (value, per x, per y); 1/z per x, per y; x1 y1 x2 y2; 0."""


class Shapes(NamedTuple):
    """All meshes end to end. ``spans`` (M, 4): first and last vertex, first and last triangle of mesh m."""

    position: F32  # (V, 3) metres, in the mesh's own frame
    normal: F32  # (V, 3)
    uv: F32  # (V, 2), v downwards from the image's top
    triangle: I32  # (T, 3) vertex numbers, counter-clockwise seen from outside
    texture: I32  # (T,)
    spans: I32  # (M, 4)


class Items(NamedTuple):
    """Placed meshes. An item is what culling keeps or drops: one package, one fixture, one piece of floor."""

    mesh: I32  # (I, 2) fine and coarse mesh
    light_start: I32  # (I, 2) where the light of the mesh's vertices begins in ``light``
    object: I32  # (I,) object id
    transform: F32  # (I, 3, 4) mesh frame to world
    centre: F32  # (I, 3) of the world box
    half: F32  # (I, 3) of the world box
    light: F32  # (L,) baked light per vertex, in display space: multiplies the texture
    screen: U8  # (I,) 1 for what may hide others (walls, fixtures) and is drawn before the rest


class Camera(NamedTuple):
    """A pinhole with square pixels; ``axes`` are its right, up and forward directions in the world."""

    eye: F32  # (3,)
    axes: F32  # (3, 3)
    focal: np.float32  # pixels
    width: int
    height: int


class Buffers(NamedTuple):
    """What one painter writes: the visibility buffer and the set-up of every triangle that won a pixel."""

    inverse: F32  # (H, W) 1/z of the nearest surface, 0 where there is none
    winner: I32  # (H, W) row of ``setup``, -1 where there is none
    setup: F32  # (K, SETUP_COLUMNS)
    source: I32  # (K, 4) triangle, object, texture, item
    vertex: F32  # (V, VERTEX_COLUMNS)
    tile: F32  # (H/TILE, W/TILE) least 1/z of each square of pixels: what is farther is hidden there


class Line(NamedTuple):
    """Scratch for one row of pixels, a little longer than the row: work is done in whole lots of LANES.

    All arrays of their own, because the compiler cannot tell rows of one array apart.
    """

    upper_left: U32  # (W,) where the four texels around a pixel's point lie
    upper_right: U32
    lower_left: U32
    lower_right: U32
    right: U32  # (W,) how far right of the left texels' middle the point lies, in 256ths
    down: U32
    depth: F32  # (W,) z
    light: F32  # (W,) what the texture is multiplied by, over 256
    add: F32  # (W,) what is added to that, 0..255
    mark: U8  # (W,)
    place: I32  # (W,)


class Texels(NamedTuple):
    """Mip chains of all textures. ``levels`` (n, 12): where each level begins, -1 beyond the last."""

    data: U32
    levels: NDArray[np.int64]
    bits: I32  # (n, 4) log2 of width, log2 of height, number of levels, gloss in percent


def picture(height: int, width: int, kind: type[np.generic]) -> Array:
    """A zero picture with some room behind its last pixel, so that lots of LANES pixels may pass its end."""
    return np.zeros(height * width + 2 * LANES, kind)[: height * width].reshape(height, width)


def buffers(width: int, height: int, vertices: int, triangles: int) -> Buffers:
    """Fresh buffers for frames of ``width`` x ``height`` and meshes of at most ``vertices`` vertices."""
    return Buffers(
        inverse=picture(height, width, np.float32),
        winner=picture(height, width, np.int32),
        setup=np.zeros((triangles, SETUP_COLUMNS), np.float32),
        source=np.zeros((triangles, 4), np.int32),
        vertex=np.zeros((vertices + CLIP_ROWS, VERTEX_COLUMNS), np.float32),
        tile=np.zeros((-(-height // TILE), -(-width // TILE)), np.float32),
    )


def line(width: int) -> Line:
    """Fresh scratch for rows of ``width`` pixels."""
    room = width + 2 * LANES
    return Line(
        upper_left=np.zeros(room, np.uint32),
        upper_right=np.zeros(room, np.uint32),
        lower_left=np.zeros(room, np.uint32),
        lower_right=np.zeros(room, np.uint32),
        right=np.zeros(room, np.uint32),
        down=np.zeros(room, np.uint32),
        depth=np.zeros(room, np.float32),
        light=np.zeros(room, np.float32),
        add=np.zeros(room, np.float32),
        mark=np.zeros(room, np.uint8),
        place=np.zeros(room, np.int32),
    )
