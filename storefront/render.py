"""Painting what a shopper sees: colour, object ids and depth from one visibility buffer.

This is the part of the store the wire server talks to: :class:`StoreWorld` (read-only, shared by all) and
:class:`Painter` (one per thread; its kernels release the interpreter lock).
"""

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from storefront.raster import FULL, draw
from storefront.raster_edges import smooth_edges, unpack
from storefront.raster_glass import glaze
from storefront.raster_gloss import Mirrored
from storefront.raster_shade import normals, resolve, shade
from storefront.raster_tables import Buffers, Camera, Items, buffers, line, picture
from storefront.render_extra import extra_items, in_hand
from storefront.world import StoreWorld
from storefront.world_objects import Placed, Triple, WorldObject

__all__ = ["Frame", "Painter", "Placed", "StoreWorld", "View", "WorldObject", "in_hand"]

BAND = 48
"""Rows coloured and smoothed together, while they are in the processor's cache."""

View = Literal["rgb", "ids", "depth", "normal", "base_color"]


@dataclass(frozen=True, eq=False)
class Frame:
    """One picture, all parts of the same pixels; parts not asked for are None.

    ``rgb``, ``base_color`` and ``normal``: (H, W, 3) uint8, RGB. ``ids``: (H, W) int32, -1 is nothing.
    ``depth``: (H, W) float32, metres along the view axis, inf is nothing.
    """

    rgb: NDArray[np.uint8] | None = None
    ids: NDArray[np.int32] | None = None
    depth: NDArray[np.float32] | None = None
    normal: NDArray[np.uint8] | None = None
    base_color: NDArray[np.uint8] | None = None


def view_axes(yaw_deg: float, pitch_deg: float, roll_deg: float) -> tuple[Triple, Triple, Triple]:
    """Right, up and forward of a camera in the pack's frame, as Unreal's rotation matrix has them."""
    y, p, r = (math.radians(angle) for angle in (yaw_deg, pitch_deg, roll_deg))
    cy, sy, cp, sp, cr, sr = (f(angle) for angle in (y, p, r) for f in (math.cos, math.sin))
    right = (sr * sp * cy - cr * sy, sr * sp * sy + cr * cy, -sr * cp)
    up = (-(cr * sp * cy + sr * sy), sr * cy - cr * sp * sy, cr * cp)
    return right, up, (cp * cy, cp * sy, sp)


class Painter:
    """Paints frames of one size and field of view. Not to be shared between threads."""

    def __init__(self, world: StoreWorld, width: int, height: int, fov_deg: float) -> None:
        """``fov_deg`` is horizontal. Raises: ValueError for a size below 1 or an angle outside 1..170."""
        if width < 1 or height < 1:
            raise ValueError(f"a frame of {width}x{height} pixels cannot be painted")
        if not 1.0 <= fov_deg <= 170.0:
            raise ValueError(f"a field of view of {fov_deg} degrees cannot be painted")
        self.world = world
        self.width, self.height, self.fov_deg = width, height, fov_deg
        self._buffers = buffers(width, height, world.most_vertices, 20_000)
        self._line = line(width)
        self._raw, self._packed = (picture(height, width, np.uint32) for _ in range(2))
        glow = world.tables.glow
        self._room = Mirrored(
            np.ascontiguousarray(glow).reshape(-1),
            glow.shape[0],
            glow.shape[1],
            np.float32(world.pack.layout.height_m),
        )

    def paint(
        self,
        eye: Triple,
        yaw_deg: float,
        pitch_deg: float = 0.0,
        *,
        hidden: Collection[int] = (),
        roll_deg: float = 0.0,
        extra: Sequence[Placed] = (),
        want: Sequence[View] = ("rgb", "ids", "depth"),
        cull: bool = True,
    ) -> Frame:
        """The frame seen from ``eye`` (metres, the pack's frame) looking along yaw and pitch.

        ``roll_deg`` tilts the camera to the right. ``hidden``: object ids not to draw. ``extra``: things
        placed for this shopper alone. ``cull`` False draws even what is out of view: the same picture,
        slower, for checking.
        """
        camera = self.camera(eye, yaw_deg, pitch_deg, roll_deg)
        more = extra_items(self.world, extra)
        self._rasterise(camera, hidden, more, cull)
        return self._read(want, more, camera)

    def camera(self, eye: Triple, yaw_deg: float, pitch_deg: float, roll_deg: float = 0.0) -> Camera:
        """The camera of a pose, in the store's own frame (the pack's with y negated)."""
        axes = np.array([(x, -y, z) for x, y, z in view_axes(yaw_deg, pitch_deg, roll_deg)], np.float32)
        focal = self.width / 2 / math.tan(math.radians(self.fov_deg) / 2)
        return Camera(
            eye=np.array([eye[0], -eye[1], eye[2]], np.float32),
            axes=axes,
            focal=np.float32(focal),
            width=self.width,
            height=self.height,
        )

    def _rasterise(self, camera: Camera, hidden: Collection[int], more: Items, cull: bool) -> None:
        world = self.world
        skip = np.zeros(len(world.objects), np.uint8)
        skip[[i for i in hidden if i < len(skip)]] = 1
        none = np.zeros(int(more.object.max()) + 1 if len(more.object) else 0, np.uint8)
        while True:
            out = self._buffers
            out.inverse.fill(0)
            out.winner.fill(-1)
            count = draw(world.shapes, world.items, skip, camera, out, 0, 0, cull)
            if count != FULL and len(more.object):
                count = draw(world.shapes, more, none, camera, out, count, len(world.items.object), cull)
            if count != FULL:
                return
            self._buffers = self._grown(out)

    def _grown(self, out: Buffers) -> Buffers:
        return buffers(self.width, self.height, self.world.most_vertices, 2 * len(out.setup))

    def _coloured(self, camera: Camera, lit: bool) -> NDArray[np.uint8]:
        world, out, raw, packed = self.world, self._buffers, self._raw, self._packed
        for first in range(0, self.height, BAND):
            last = min(first + BAND, self.height)
            shade(out, self._line, world.texels, lit, self._room, camera, raw, first, last)
            if lit:
                packed[first:last] = raw[first:last]
                # A band's last row waits for the row below it.
                end = self.height if last == self.height else last - 1
                smooth_edges(out, self._line, raw, packed, max(first - 1, 0), end)
        if lit:
            glaze(out, world.panes, camera, self._room, packed)
        rgb = np.empty((self.height, self.width, 3), np.uint8)
        unpack((packed if lit else raw).reshape(-1), rgb.reshape(-1))
        return rgb

    def _read(self, want: Sequence[View], more: Items, camera: Camera) -> Frame:
        out, size = self._buffers, (self.height, self.width)
        parts: dict[str, NDArray[np.uint8]] = {}
        if "rgb" in want:
            parts["rgb"] = self._coloured(camera, True)
        if "base_color" in want:
            parts["base_color"] = self._coloured(camera, False)
        if "normal" in want:
            parts["normal"] = np.empty((*size, 3), np.uint8)
            normals(out, self.world.shapes, self.world.items, more, parts["normal"])
        ids, depth = np.empty(size, np.int32), np.empty(size, np.float32)
        if "ids" in want or "depth" in want:
            resolve(out, ids, depth, "ids" in want, "depth" in want)
        return Frame(
            rgb=parts.get("rgb"),
            ids=ids if "ids" in want else None,
            depth=depth if "depth" in want else None,
            normal=parts.get("normal"),
            base_color=parts.get("base_color"),
        )
