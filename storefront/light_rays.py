"""A ray caster of our own: a bounding volume hierarchy over triangles, built and walked in compiled code."""

from typing import NamedTuple

import numpy as np

from storefront.raster_jit import kernel
from storefront.raster_tables import F32, I32, Number

LEAF = 4
"""A node with no more triangles than this is not split."""


class Bvh(NamedTuple):
    """Triangles in the order of the tree. ``child`` (n, 2): the first of two neighbouring children and -1, or
    for a leaf its first triangle and their count."""

    box: F32  # (N, 6) least and greatest corner
    child: I32  # (N, 2)
    corner: F32  # (T, 3)
    edges: F32  # (T, 2, 3)
    surface: I32  # (T,) caller's number of the triangle's surface


def build_bvh(triangles: F32, surface: I32) -> Bvh:
    """A hierarchy over ``triangles`` (T, 3, 3), split at the median of the widest axis."""
    centre = triangles.mean(axis=1)
    order = np.arange(len(triangles), dtype=np.int32)
    size = max(1, 2 * len(triangles))
    box, child = np.zeros((size, 6), np.float32), np.zeros((size, 2), np.int32)
    low, high = triangles.min(axis=1), triangles.max(axis=1)
    count = _split(centre, low, high, order, box, child)
    ordered = np.ascontiguousarray(triangles[order], np.float32)
    edges = np.stack([ordered[:, 1] - ordered[:, 0], ordered[:, 2] - ordered[:, 0]], axis=1)
    return Bvh(
        box[:count].copy(),
        child[:count].copy(),
        np.ascontiguousarray(ordered[:, 0]),
        np.ascontiguousarray(edges),
        np.ascontiguousarray(surface[order], np.int32),
    )


@kernel
def _bounds(low: F32, high: F32, order: I32, first: int, last: int, box: F32) -> None:
    for k in range(3):
        box[k] = np.float32(1e30)
        box[k + 3] = np.float32(-1e30)
    for i in range(first, last):
        for k in range(3):
            box[k] = min(box[k], low[order[i], k])
            box[k + 3] = max(box[k + 3], high[order[i], k])


@kernel
def _split(centre: F32, low: F32, high: F32, order: I32, box: F32, child: I32) -> int:
    """Fill the tree breadth first; the number of nodes."""
    spans = np.zeros((len(box), 2), np.int32)
    spans[0, 1] = len(order)
    count = 1
    node = 0
    while node < count:
        first, last = spans[node, 0], spans[node, 1]
        _bounds(low, high, order, first, last, box[node])
        if last - first <= LEAF:
            child[node, 0] = first
            child[node, 1] = last - first
            node += 1
            continue
        part = order[first:last].copy()
        axis = 0
        widest = np.float32(-1)
        for k in range(3):
            extent = centre[part, k].max() - centre[part, k].min()
            if extent > widest:
                widest = extent
                axis = k
        rank = np.argsort(centre[part, axis], kind="mergesort")
        order[first:last] = part[rank]
        middle = (first + last) // 2
        child[node, 0] = count
        child[node, 1] = -1
        spans[count, 0], spans[count, 1] = first, middle
        spans[count + 1, 0], spans[count + 1, 1] = middle, last
        count += 2
        node += 1
    return count


@kernel
def _enters(box: F32, origin: F32, inverse: F32, limit: Number) -> Number:
    """Where a ray enters a box, or -1 when it misses it before ``limit``."""
    near = np.float32(0)
    far = limit
    for k in range(3):
        a = (box[k] - origin[k]) * inverse[k]
        b = (box[k + 3] - origin[k]) * inverse[k]
        near = max(near, min(a, b))
        far = min(far, max(a, b))
    return near if near <= far else np.float32(-1)


@kernel
def _meets(bvh: Bvh, t: int, origin: F32, way: F32) -> Number:
    """Distance along a ray to triangle ``t``, or -1 (Moeller and Trumbore's test)."""
    e, f = bvh.edges[t, 0], bvh.edges[t, 1]
    px, py, pz = way[1] * f[2] - way[2] * f[1], way[2] * f[0] - way[0] * f[2], way[0] * f[1] - way[1] * f[0]
    det = e[0] * px + e[1] * py + e[2] * pz
    if abs(det) < np.float32(1e-12):
        return np.float32(-1)
    inverse = np.float32(1) / det
    sx, sy, sz = origin[0] - bvh.corner[t, 0], origin[1] - bvh.corner[t, 1], origin[2] - bvh.corner[t, 2]
    u = (sx * px + sy * py + sz * pz) * inverse
    if u < 0 or u > 1:
        return np.float32(-1)
    qx, qy, qz = sy * e[2] - sz * e[1], sz * e[0] - sx * e[2], sx * e[1] - sy * e[0]
    v = (way[0] * qx + way[1] * qy + way[2] * qz) * inverse
    if v < 0 or u + v > 1:
        return np.float32(-1)
    return (f[0] * qx + f[1] * qy + f[2] * qz) * inverse


@kernel
def cast(bvh: Bvh, origin: F32, way: F32, limit: Number, any_hit: bool, stack: I32) -> tuple[int, Number]:
    """The nearest triangle a ray meets before ``limit`` (with ``any_hit``: any), -1 for none, and how far.

    ``way`` is a unit vector without zero components; ``stack`` is scratch of at least 64 numbers.
    """
    inverse = np.empty(3, np.float32)
    for k in range(3):
        inverse[k] = np.float32(1) / way[k]
    best, hit = np.float32(limit), -1
    depth = 0
    if len(bvh.corner) and _enters(bvh.box[0], origin, inverse, best) >= 0:
        stack[0] = 0
        depth = 1
    while depth:
        depth -= 1
        node = stack[depth]
        first, count = bvh.child[node, 0], bvh.child[node, 1]
        if count >= 0:
            for t in range(first, first + count):
                distance = _meets(bvh, t, origin, way)
                if distance > np.float32(1e-5) and distance < best:
                    best, hit = distance, t
                    if any_hit:
                        return hit, best
            continue
        a = _enters(bvh.box[first], origin, inverse, best)
        b = _enters(bvh.box[first + 1], origin, inverse, best)
        if a >= 0 and b >= 0:
            nearer = 0 if a <= b else 1
            stack[depth] = first + 1 - nearer
            stack[depth + 1] = first + nearer
            depth += 2
        elif a >= 0 or b >= 0:
            stack[depth] = first if a >= 0 else first + 1
            depth += 1
    return hit, best
