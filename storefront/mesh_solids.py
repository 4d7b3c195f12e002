"""Solid primitives on top of the mesh builder: boxes, lathed bodies, balls, tubes."""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from storefront.mesh import WHOLE, MeshBuilder, UVRect, Vector

Profile = Sequence[tuple[float, float]]
"""Radius and height of a turned body's outline, from bottom to top."""

FACES: dict[str, tuple[tuple[int, int, int], tuple[int, int, int], tuple[int, int, int]]] = {
    "front": ((0, 0, 0), (1, 0, 0), (0, 0, 1)),
    "back": ((1, 1, 0), (-1, 0, 0), (0, 0, 1)),
    "right": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "left": ((0, 1, 0), (0, -1, 0), (0, 0, 1)),
    "top": ((0, 0, 1), (1, 0, 0), (0, 1, 0)),
    "bottom": ((0, 1, 0), (1, 0, 0), (0, -1, 0)),
}
"""Per face of a box: lower left corner seen from outside, the way right, the way up, in units of its size."""


def box(
    builder: MeshBuilder,
    low: Vector,
    size: Vector,
    texture: int | dict[str, int],
    *,
    skip: Sequence[str] = (),
    cell: float = 0.0,
    scale: float = 0.0,
    uv: dict[str, UVRect] | None = None,
    glow: float = 0.0,
) -> None:
    """A box from its least corner ``low``. ``cell``: faces are cut in patches of about that size for light.

    ``scale``: texture repeats per metre; 0 stretches the whole texture (or ``uv`` of a face) over each face.
    """
    o, extent = np.asarray(low, float), np.asarray(size, float)
    for name, (corner, across, up) in FACES.items():
        if name in skip:
            continue
        a, u = np.asarray(across) * extent, np.asarray(up) * extent
        wide, high = float(np.abs(a).sum()), float(np.abs(u).sum())
        rect = (uv or {}).get(name, WHOLE)
        if scale:
            rect = (0.0, 0.0, wide * scale, high * scale)
        cells = (max(1, round(wide / cell)), max(1, round(high / cell))) if cell else (1, 1)
        number = texture if isinstance(texture, int) else texture.get(name, texture["front"])
        builder.quad(o + np.asarray(corner) * extent, a, u, number, rect, cells, glow)


def lathe(
    builder: MeshBuilder,
    profile: Profile,
    texture: int,
    *,
    centre: Vector = (0.0, 0.0, 0.0),
    segments: int = 14,
    uv: UVRect = WHOLE,
    squash: tuple[float, float] = (1.0, 1.0),
    glow: float = 0.0,
) -> None:
    """A turned body. The texture's middle faces -y; ``squash`` scales x and y; a cap is a radius of 0."""
    outline = np.asarray(profile, float)
    angle = np.linspace(0, 2 * math.pi, segments + 1) - math.pi * 1.5
    ring = np.stack([np.cos(angle), np.sin(angle)], -1)
    slope = np.gradient(outline, axis=0) if len(outline) > 2 else np.repeat(np.diff(outline, axis=0), 2, 0)
    flat = np.stack([slope[:, 1], -slope[:, 0]], -1)
    flat /= np.maximum(np.linalg.norm(flat, axis=1, keepdims=True), 1e-12)
    xy = outline[:, 0][:, None, None] * ring * np.asarray(squash)
    z = np.broadcast_to(outline[:, 1][:, None, None], (*xy.shape[:2], 1))
    normal = np.concatenate(
        [flat[:, 0][:, None, None] * ring, np.broadcast_to(flat[:, 1][:, None, None], (*xy.shape[:2], 1))], -1
    )
    left, top, right, bottom = uv
    low, high = outline[:, 1].min(), outline[:, 1].max()
    along = (outline[:, 1] - low) / max(high - low, 1e-9)
    texel = np.stack(
        np.broadcast_arrays(
            (left + (right - left) * np.linspace(0, 1, segments + 1))[None, :],
            (bottom + (top - bottom) * along)[:, None],
        ),
        -1,
    )
    builder.grid(np.concatenate([xy, z], -1) + np.asarray(centre, float), normal, texel, texture, glow)


def ball(
    builder: MeshBuilder,
    centre: Vector,
    radii: Vector,
    texture: int,
    *,
    segments: int = 10,
    rings: int = 6,
    glow: float = 0.0,
    uv: UVRect = WHOLE,
) -> None:
    """An ellipsoid."""
    phi = np.linspace(-math.pi / 2, math.pi / 2, rings + 1)
    theta = np.linspace(0, 2 * math.pi, segments + 1) - math.pi * 1.5
    unit = np.stack(
        np.broadcast_arrays(
            np.cos(phi)[:, None] * np.cos(theta)[None, :],
            np.cos(phi)[:, None] * np.sin(theta)[None, :],
            np.sin(phi)[:, None],
        ),
        -1,
    )
    size = np.asarray(radii, float)
    normal = unit / size
    normal /= np.linalg.norm(normal, axis=-1, keepdims=True)
    left, top, right, bottom = uv
    texel = np.stack(
        np.broadcast_arrays(
            np.linspace(left, right, segments + 1)[None, :], np.linspace(bottom, top, rings + 1)[:, None]
        ),
        -1,
    )
    builder.grid(unit * size + np.asarray(centre, float), normal, texel, texture, glow)


def tube(
    builder: MeshBuilder,
    path: NDArray[np.float64],
    radius: float | Sequence[float],
    texture: int,
    *,
    segments: int = 6,
) -> None:
    """A round bar along ``path`` (n, 3), open at its ends; ``radius`` may differ along it."""
    points = np.asarray(path, float)
    tangent = np.gradient(points, axis=0)
    tangent /= np.maximum(np.linalg.norm(tangent, axis=1, keepdims=True), 1e-12)
    helper = np.where(np.abs(tangent[:, 2:]) > 0.9, [[1.0, 0.0, 0.0]], [[0.0, 0.0, 1.0]])
    side = np.cross(helper, tangent)
    side /= np.linalg.norm(side, axis=1, keepdims=True)
    other = np.cross(tangent, side)
    angle = np.linspace(0, 2 * math.pi, segments + 1)
    normal = side[:, None] * np.cos(angle)[None, :, None] + other[:, None] * np.sin(angle)[None, :, None]
    size = np.broadcast_to(np.asarray(radius, float), (len(points),))
    position = points[:, None] + normal * size[:, None, None]
    texel = np.stack(
        np.broadcast_arrays(
            np.linspace(0, 1, segments + 1)[None, :], np.linspace(0, 1, len(points))[:, None]
        ),
        -1,
    )
    builder.grid(position, normal, texel, texture)


def soft_box(
    builder: MeshBuilder,
    low: Vector,
    size: Vector,
    texture: int,
    *,
    roundness: float = 0.35,
    segments: int = 16,
    rings: int = 10,
    scale: float = 2.0,
) -> None:
    """A cushion: a box with rounded edges (a superellipsoid); ``roundness`` 1 is an ellipsoid."""
    half = np.asarray(size, float) / 2
    phi = np.linspace(-math.pi / 2, math.pi / 2, rings + 1)
    theta = np.linspace(0, 2 * math.pi, segments + 1) - math.pi * 1.5

    def bent(value: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.asarray(np.sign(value) * np.abs(value) ** roundness)

    x = bent(np.cos(phi))[:, None] * bent(np.cos(theta))[None, :]
    y = bent(np.cos(phi))[:, None] * bent(np.sin(theta))[None, :]
    z = np.broadcast_to(bent(np.sin(phi))[:, None], x.shape)
    unit = np.stack([x, y, z], -1)
    power = 2.0 / roundness - 1.0
    normal = np.sign(unit) * np.abs(unit) ** min(power, 8.0) / half
    normal /= np.maximum(np.linalg.norm(normal, axis=-1, keepdims=True), 1e-9)
    position = unit * half + np.asarray(low, float) + half
    texel = np.stack([position[..., 0] + position[..., 1] * 0.7, -position[..., 2]], -1) * scale
    builder.grid(position, normal, texel, texture)


def sheet_normals(shape: NDArray[np.float64]) -> NDArray[np.float64]:
    """Normals of a sheet of (rows, columns) points, outside as in ``MeshBuilder.grid``."""
    across = np.gradient(shape, axis=1)
    along = np.gradient(shape, axis=0)
    normal = np.cross(across, along)
    return np.asarray(normal / np.maximum(np.linalg.norm(normal, axis=-1, keepdims=True), 1e-12))
