"""Indexed triangle meshes and the builder that makes them out of a few primitives.

A mesh frame is right-handed, metres, z up, its front facing -y (so +x is the right of whoever looks at the
front). Triangles run counter-clockwise seen from outside: cross(b - a, c - a) points outwards.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

F32 = NDArray[np.float32]
I32 = NDArray[np.int32]
Vector = Sequence[float]
UVRect = tuple[float, float, float, float]
WHOLE: UVRect = (0.0, 0.0, 1.0, 1.0)
"""Left, top, right, bottom of a texture, v downwards."""


@dataclass(frozen=True)
class Mesh:
    """``glow`` above 0 is a vertex's own light instead of the baked one."""

    position: F32  # (V, 3)
    normal: F32  # (V, 3)
    uv: F32  # (V, 2)
    glow: F32  # (V,)
    triangle: I32  # (T, 3)
    texture: I32  # (T,)

    @property
    def low(self) -> F32:
        """Least x, y, z."""
        return np.asarray(self.position.min(axis=0), np.float32)

    @property
    def high(self) -> F32:
        """Greatest x, y, z."""
        return np.asarray(self.position.max(axis=0), np.float32)


@dataclass
class MeshBuilder:
    """Collects primitives; ``texture`` arguments are numbers from the texture store."""

    _position: list[NDArray[np.float64]] = field(default_factory=list)
    _normal: list[NDArray[np.float64]] = field(default_factory=list)
    _uv: list[NDArray[np.float64]] = field(default_factory=list)
    _glow: list[NDArray[np.float64]] = field(default_factory=list)
    _triangle: list[NDArray[np.int64]] = field(default_factory=list)
    _texture: list[NDArray[np.int64]] = field(default_factory=list)
    _count: int = 0

    def grid(
        self,
        position: NDArray[np.float64],
        normal: NDArray[np.float64],
        uv: NDArray[np.float64],
        texture: int,
        glow: float = 0.0,
    ) -> None:
        """A sheet of (rows, columns) vertices; outside is where columns x rows turn counter-clockwise."""
        rows, columns = position.shape[:2]
        number = np.arange(rows * columns).reshape(rows, columns) + self._count
        a, b = number[:-1, :-1].ravel(), number[:-1, 1:].ravel()
        c, d = number[1:, 1:].ravel(), number[1:, :-1].ravel()
        triangle = np.concatenate([np.stack([a, b, c], 1), np.stack([a, c, d], 1)])
        self._add(position.reshape(-1, 3), normal.reshape(-1, 3), uv.reshape(-1, 2), triangle, texture, glow)

    def triangles(
        self,
        position: NDArray[np.float64],
        normal: NDArray[np.float64],
        uv: NDArray[np.float64],
        triangle: NDArray[np.int64],
        texture: int,
        glow: float = 0.0,
    ) -> None:
        """Any triangles, numbering vertices from 0."""
        self._add(position, normal, uv, triangle + self._count, texture, glow)

    def quad(
        self,
        corner: Vector,
        across: Vector,
        up: Vector,
        texture: int,
        uv: UVRect = WHOLE,
        cells: tuple[int, int] = (1, 1),
        glow: float = 0.0,
    ) -> None:
        """A flat patch from its lower left ``corner`` along ``across`` and ``up``, cut in ``cells``.

        ``uv`` is (left, top, right, bottom): the lower left corner gets (left, bottom).
        """
        o, a, u = (np.asarray(v, float) for v in (corner, across, up))
        s = np.linspace(0, 1, cells[0] + 1)[None, :, None]
        t = np.linspace(0, 1, cells[1] + 1)[:, None, None]
        position = o + s * a + t * u
        normal = np.cross(a, u)
        normal = normal / max(float(np.linalg.norm(normal)), 1e-12)
        left, top, right, bottom = uv
        shape = position.shape[:2]
        texel = np.stack(
            [
                np.broadcast_to(left + s[..., 0] * (right - left), shape),
                np.broadcast_to(bottom + t[..., 0] * (top - bottom), shape),
            ],
            -1,
        )
        self.grid(position, np.broadcast_to(normal, position.shape), texel, texture, glow)

    def add(self, mesh: Mesh, matrix: NDArray[np.float64]) -> None:
        """Another mesh, moved by a (3, 4) matrix (no mirroring)."""
        position = mesh.position @ matrix[:, :3].T + matrix[:, 3]
        normal = mesh.normal @ np.linalg.inv(matrix[:, :3])
        normal /= np.maximum(np.linalg.norm(normal, axis=1, keepdims=True), 1e-12)
        self._position.append(position)
        self._normal.append(normal)
        self._uv.append(mesh.uv.astype(float))
        self._glow.append(mesh.glow.astype(float))
        self._triangle.append(mesh.triangle.astype(np.int64) + self._count)
        self._texture.append(mesh.texture.astype(np.int64))
        self._count += len(position)

    def build(self) -> Mesh:
        """The finished mesh. Raises: ValueError when nothing was added."""
        if not self._count:
            raise ValueError("a mesh needs at least one primitive")
        position = np.concatenate(self._position)
        triangle, texture = np.concatenate(self._triangle), np.concatenate(self._texture)
        a, b, c = (position[triangle[:, k]] for k in range(3))
        solid = np.linalg.norm(np.cross(b - a, c - a), axis=1) > 1e-12  # poles of turned bodies leave slivers
        return Mesh(
            position=position.astype(np.float32),
            normal=np.concatenate(self._normal).astype(np.float32),
            uv=np.concatenate(self._uv).astype(np.float32),
            glow=np.concatenate(self._glow).astype(np.float32),
            triangle=triangle[solid].astype(np.int32),
            texture=texture[solid].astype(np.int32),
        )

    def _add(
        self,
        position: NDArray[np.float64],
        normal: NDArray[np.float64],
        uv: NDArray[np.float64],
        triangle: NDArray[np.int64],
        texture: int,
        glow: float,
    ) -> None:
        self._position.append(position)
        self._normal.append(normal)
        self._uv.append(uv)
        self._glow.append(np.full(len(position), glow))
        self._triangle.append(triangle)
        self._texture.append(np.full(len(triangle), texture, np.int64))
        self._count += len(position)


def placement(x: float, y: float, z: float, yaw_deg: float = 0.0) -> NDArray[np.float64]:
    """The (3, 4) matrix that puts a mesh's origin at a point of the floor plan, its front facing ``yaw_deg``.

    Arguments are the scene pack's (left-handed); the result is in the store's own right-handed frame, which
    is the pack's with y negated. The mesh's -y comes to face the plan's ``yaw_deg``.
    """
    a = np.radians(90.0 - yaw_deg)
    c, s = float(np.cos(a)), float(np.sin(a))
    return np.array([[c, -s, 0, x], [s, c, 0, -y], [0, 0, 1, z]])
