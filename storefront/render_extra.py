"""Things shown for one shopper alone: moved, carried or spawned; turned into rows the rasteriser can draw."""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from storefront.raster_tables import Items
from storefront.world import StoreWorld
from storefront.world_objects import Placed, Triple

EVEN_LIGHT = 0.85
"""Light on a thing that is not where the baked light was worked out, in display space."""


def extra_items(world: StoreWorld, placed: Sequence[Placed]) -> Items:
    """The placed things as items, evenly lit.

    Raises: ValueError for a look that is no single object of the store.
    """
    n = len(placed)
    meshes = np.zeros((n, 2), np.int32)
    transform = np.zeros((n, 3, 4), np.float32)
    for i, thing in enumerate(placed):
        meshes[i] = look_meshes(world, thing.look)
        transform[i] = matrix(thing)
    spans = world.shapes.spans[meshes[:, 0]]
    centre, half = np.zeros((n, 3), np.float32), np.zeros((n, 3), np.float32)
    for i, span in enumerate(spans):
        points = world.shapes.position[span[0] : span[1]] @ transform[i, :, :3].T + transform[i, :, 3]
        low, high = points.min(axis=0), points.max(axis=0)
        centre[i], half[i] = (low + high) / 2, (high - low) / 2
    items = Items(
        mesh=meshes,
        light_start=np.zeros((n, 2), np.int32),
        object=np.array([thing.object_id for thing in placed], np.int32),
        transform=transform,
        centre=centre,
        half=half,
        light=np.full(world.most_vertices, EVEN_LIGHT, np.float32),
        screen=np.zeros(n, np.uint8),
    )
    for array in items:
        array.flags.writeable = False  # the same kind of arrays as the store's own: one compiled kernel
    return items


def look_meshes(world: StoreWorld, look: int | str) -> tuple[int, int]:
    """The fine and coarse mesh of an object id or a primitive's name."""
    if isinstance(look, str):
        return world.primitive(look), world.primitive(look)
    found = world.object_mesh(look)
    if found is None:
        raise ValueError(f"{world.objects[look].name} is made of several pieces and cannot be placed anew")
    return found


def matrix(thing: Placed) -> NDArray[np.float64]:
    """The (3, 4) matrix of a placed thing: scale, roll, pitch, yaw, then its position."""
    pitch, yaw, roll = (math.radians(a) for a in thing.rotation)
    cp, sp, cy, sy, cr, sr = (f(a) for a in (pitch, yaw, roll) for f in (math.cos, math.sin))
    forward = np.array([cp * cy, cp * sy, sp])
    right = np.array([sr * sp * cy - cr * sy, sr * sp * sy + cr * cy, -sr * cp])
    up = np.array([-(cr * sp * cy + sr * sy), cy * sr - cr * sp * sy, cr * cp])
    # A mesh's front is -y and its right hand (seen from the front) +x: that is the pack's forward and left.
    axes = np.stack([-right, -forward, up], axis=1) * np.asarray(thing.scale)
    axes[1] *= -1
    position: Triple = thing.position
    return np.concatenate([axes, [[position[0]], [-position[1]], [position[2]]]], axis=1)


HAND = (0.42, 0.21, -0.20)
"""Where a carried thing's middle is: ahead of the eye, to its right, above it (metres)."""
HAND_EXTENT = 0.24
"""A carried thing is shown no larger than this (metres), so that it does not fill the view."""


def in_hand(world: StoreWorld, object_id: int, eye: Triple, yaw_deg: float, pitch_deg: float) -> Placed:
    """The object held at the lower right of a view, its front turned to the eye."""
    low, high = np.asarray(world.objects[object_id].low), np.asarray(world.objects[object_id].high)
    extent = float((high - low).max())
    size = min(1.0, HAND_EXTENT / max(extent, 1e-6))
    y, p = math.radians(yaw_deg), math.radians(pitch_deg)
    forward = np.array([math.cos(p) * math.cos(y), math.cos(p) * math.sin(y), math.sin(p)])
    right = np.array([-math.sin(y), math.cos(y), 0.0])
    up = np.array([-math.sin(p) * math.cos(y), -math.sin(p) * math.sin(y), math.cos(p)])
    middle = np.asarray(eye) + HAND[0] * forward + HAND[1] * right + HAND[2] * up
    base = middle - up * float(high[2] - low[2]) * size / 2
    position = (float(base[0]), float(base[1]), float(base[2]))
    return Placed(object_id, object_id, position, (-pitch_deg, yaw_deg + 165.0, 0.0), (size, size, size))
