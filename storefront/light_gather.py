"""How bright a point of a surface is: light panels with soft shadows, and what its surroundings send back."""

import math
from typing import NamedTuple

import numpy as np

from storefront.light_rays import Bvh, cast
from storefront.raster_jit import kernel
from storefront.raster_tables import F32, Number

FLOOR_GLOW = np.float32(0.42)
CEILING_GLOW = np.float32(0.78)
WALL_GLOW = np.float32(0.60)
THING_GLOW = np.float32(0.46)
BACK_GLOW = np.float32(0.10)
"""How much light floor, ceiling, walls, things, and the insides of things send back (times their colour)."""
PANEL_REACH = np.float32(8.0)
PANEL_POWER = np.float32(1.75)


class Room(NamedTuple):
    """What shines and what bounds the room: the room is the box from (0, -depth, 0) to (width, 0, height)."""

    size: F32  # (3,) width, depth, height
    panel: F32  # (P, 6) centre x, y, z, half width, half depth, power; panels look down
    lamp: F32  # (L, 5) x, y, z, power, reach
    albedo: F32  # (S,) per surface number of the hierarchy


@kernel
def _hash(a: int, b: int) -> Number:
    """A number of 0..1 that looks random and depends on nothing but its arguments."""
    h = np.uint64(a) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(b) * np.uint64(0xBF58476D1CE4E5B9)
    h = (h ^ (h >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    h = (h ^ (h >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    h = h ^ (h >> np.uint64(31))
    return np.float32(h >> np.uint64(40)) * np.float32(1.0 / 16777216.0)


@kernel
def _axes(normal: F32, side: F32, other: F32) -> None:
    if abs(normal[0]) > np.float32(0.7):
        x, y, z = -normal[2], np.float32(0), normal[0]
    else:
        x, y, z = np.float32(0), normal[2], -normal[1]
    length = math.sqrt(x * x + y * y + z * z)
    side[0], side[1], side[2] = x / length, y / length, z / length
    other[0] = normal[1] * side[2] - normal[2] * side[1]
    other[1] = normal[2] * side[0] - normal[0] * side[2]
    other[2] = normal[0] * side[1] - normal[1] * side[0]


@kernel
def _unzero(way: F32) -> None:
    for k in range(3):
        if abs(way[k]) < np.float32(1e-6):
            way[k] = np.float32(1e-6)


@kernel
def _surroundings(room: Room, origin: F32, way: F32, reach: Number) -> tuple[Number, Number]:
    """Where a ray leaves the room's box and how much the wall, floor or ceiling there glows."""
    glow = WALL_GLOW
    for k in range(2):
        edge = np.float32(0)
        if k == 0 and way[0] > 0:
            edge = room.size[0]
        if k == 1 and way[1] < 0:
            edge = -room.size[1]
        distance = (edge - origin[k]) / way[k]
        if distance > 0 and distance < reach:
            reach = distance
    edge = room.size[2] if way[2] > 0 else np.float32(0)
    distance = (edge - origin[2]) / way[2]
    if distance < reach:
        reach = max(distance, np.float32(0))
        glow = CEILING_GLOW if way[2] > 0 else FLOOR_GLOW
    return reach, glow


@kernel
def _bounce(bvh: Bvh, room: Room, origin: F32, way: F32, stack: np.ndarray) -> Number:
    """Light coming back along one ray."""
    reach, glow = _surroundings(room, origin, way, np.float32(1e9))
    hit, _ = cast(bvh, origin, way, reach, False, stack)
    if hit < 0:
        return glow
    e, f = bvh.edges[hit, 0], bvh.edges[hit, 1]
    facing = (
        way[0] * (e[1] * f[2] - e[2] * f[1])
        + way[1] * (e[2] * f[0] - e[0] * f[2])
        + way[2] * (e[0] * f[1] - e[1] * f[0])
    )
    return (BACK_GLOW if facing > 0 else THING_GLOW) * room.albedo[bvh.surface[hit]]


@kernel
def _towards(origin: F32, x: Number, y: Number, z: Number, way: F32) -> Number:
    way[0], way[1], way[2] = x - origin[0], y - origin[1], z - origin[2]
    length = math.sqrt(way[0] * way[0] + way[1] * way[1] + way[2] * way[2]) + np.float32(1e-6)
    for k in range(3):
        way[k] /= length
    _unzero(way)
    return np.float32(length)


@kernel
def _panels(
    bvh: Bvh, room: Room, origin: F32, normal: F32, seed: int, samples: int, way: F32, stack: np.ndarray
) -> Number:
    """Direct light of the ceiling's panels, each sampled at ``samples`` points for soft shadows."""
    total = np.float32(0)
    for p in range(len(room.panel)):
        panel = room.panel[p]
        dx, dy = panel[0] - origin[0], panel[1] - origin[1]
        if dx * dx + dy * dy > PANEL_REACH * PANEL_REACH:
            continue
        for s in range(samples):
            ox = (_hash(seed, 2 * (p * 16 + s)) * 2 - 1) * panel[3]
            oy = ((s + _hash(seed, 2 * (p * 16 + s) + 1)) / samples * 2 - 1) * panel[4]
            length = _towards(origin, panel[0] + ox, panel[1] + oy, panel[2] - np.float32(0.04), way)
            cosine = way[0] * normal[0] + way[1] * normal[1] + way[2] * normal[2]
            if cosine <= 0 or way[2] <= 0:
                continue
            hit, _ = cast(bvh, origin, way, length - np.float32(0.05), True, stack)
            if hit < 0:
                fade = np.float32(1) - min(length / (PANEL_REACH + 2), np.float32(1))
                area = panel[3] * panel[4] * 4
                share = cosine * way[2] * fade * panel[5] * area / samples
                total += PANEL_POWER * share / (np.float32(1.2) + length * length)
    return total


@kernel
def _lamps(bvh: Bvh, room: Room, origin: F32, normal: F32, way: F32, stack: np.ndarray) -> Number:
    """Direct light of fixtures' own light strips."""
    total = np.float32(0)
    for p in range(len(room.lamp)):
        lamp = room.lamp[p]
        length = _towards(origin, lamp[0], lamp[1], lamp[2], way)
        cosine = way[0] * normal[0] + way[1] * normal[1] + way[2] * normal[2]
        if length > lamp[4] or cosine <= 0:
            continue
        hit, _ = cast(bvh, origin, way, length - np.float32(0.02), True, stack)
        if hit < 0:
            fade = np.float32(1) - length / lamp[4]
            total += lamp[3] * cosine * fade / (np.float32(0.15) + length * length)
    return total


@kernel
def gather(
    bvh: Bvh, room: Room, point: F32, normal: F32, first: int, last: int, rays: int, samples: int, out: F32
) -> None:
    """Light at points ``first``..``last`` into ``out``, from ``rays`` bounces and the lights.

    Random numbers depend on the point's number alone, so any split over threads gives the same result.
    """
    stack = np.empty(96, np.int32)
    way, side, other = np.empty(3, np.float32), np.empty(3, np.float32), np.empty(3, np.float32)
    golden = np.float32(0.618034)
    for i in range(first, last):
        n, origin = normal[i], point[i]
        _axes(n, side, other)
        turn = _hash(i, 7777)
        total = np.float32(0)
        for r in range(rays):
            u = (np.float32(r) + _hash(i, 100000 + r)) / np.float32(rays)
            spin = turn + np.float32(r) * golden
            angle = np.float32(2 * math.pi) * (spin - math.floor(spin))
            radius, up = math.sqrt(u), math.sqrt(np.float32(1) - u)
            c, s = math.cos(angle) * radius, math.sin(angle) * radius
            for k in range(3):
                way[k] = side[k] * c + other[k] * s + n[k] * up
            _unzero(way)
            total += _bounce(bvh, room, origin, way, stack)
        light = total / rays * np.float32(0.85)
        light += _panels(bvh, room, origin, n, i, samples, way, stack)
        light += _lamps(bvh, room, origin, n, way, stack)
        out[i] = light
