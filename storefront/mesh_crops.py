"""The forms fruit and vegetables take, one piece each; ``fine`` False asks for a plainer one."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from storefront.geometry_parts import RGB
from storefront.mesh import Mesh, MeshBuilder
from storefront.mesh_solids import ball, lathe, tube
from storefront.texture import TextureStore
from storefront.texture_produce import leaf, skin


@dataclass(frozen=True)
class Crop:
    """One kind of produce: its form, its size (across, up) in metres, and the shades it comes in."""

    form: str
    size: tuple[float, float]
    shades: tuple[RGB, ...]


def _apple(crop: Crop, shade: RGB, textures: TextureStore, fine: bool) -> Mesh:
    b = MeshBuilder()
    r, h = crop.size[0] / 2, crop.size[1]
    texture = skin(textures, shade, "apple" if crop.form == "apple" else "plain")
    profile = [
        (0.0, 0.08),
        (0.5, 0.0),
        (0.86, 0.22),
        (1.0, 0.55),
        (0.9, 0.84),
        (0.5, 1.0),
        (0.12, 0.9),
        (0.0, 0.86),
    ]
    if not fine:
        profile = [(0.0, 0.0), (0.9, 0.25), (1.0, 0.6), (0.5, 1.0), (0.0, 0.9)]
    lathe(b, [(a * r, z * h) for a, z in profile], texture, segments=9 if fine else 5)
    if fine:
        stem = np.array([[0, 0, h * 0.86], [0.004, 0, h * 1.08]])
        tube(b, stem, 0.0025, textures.flat((88, 62, 34)), segments=3)
    return b.build()


def _round(crop: Crop, shade: RGB, textures: TextureStore, fine: bool) -> Mesh:
    b = MeshBuilder()
    x, z = crop.size[0] / 2, crop.size[1] / 2
    stretch = {"long": 1.28, "root": 1.3}.get(crop.form, 1.0)
    texture = skin(textures, shade, {"root": "earth", "onion": "onion"}.get(crop.form, "pore"))
    small = crop.size[0] < 0.055
    segments, rings = (6 if small else 9, 4 if small else 6) if fine else (5, 3)
    ball(b, (0, 0, z), (x * stretch, x, z), texture, segments=segments, rings=rings)
    if crop.form == "tomato" and fine:
        star = textures.flat((74, 122, 44))
        for k in range(5):
            a = k * math.tau / 5
            tip = np.array([[0, 0, z * 2], [math.cos(a) * x * 0.6, math.sin(a) * x * 0.6, z * 1.86]])
            tube(b, tip, [0.004, 0.0008], star, segments=3)
    if crop.form == "onion" and fine:
        lathe(b, [(x * 0.22, z * 1.9), (x * 0.08, z * 2.25), (0, z * 2.4)], texture, segments=5)
    return b.build()


def _pear(crop: Crop, shade: RGB, textures: TextureStore, fine: bool) -> Mesh:
    b = MeshBuilder()
    r, h = crop.size[0] / 2, crop.size[1]
    profile = [(0.0, 0.0), (0.7, 0.06), (1.0, 0.3), (0.86, 0.55), (0.5, 0.8), (0.34, 0.95), (0.0, 1.0)]
    lathe(b, [(a * r, z * h) for a, z in profile], skin(textures, shade, "pore"), segments=9 if fine else 5)
    return b.build()


def _banana(crop: Crop, shade: RGB, textures: TextureStore, fine: bool) -> Mesh:
    """A hand of bananas, lying front to back with their tips to the front."""
    b = MeshBuilder()
    texture, tip = skin(textures, shade, "banana"), textures.flat((92, 74, 40))
    length = crop.size[0]
    for k in range(5 if fine else 4):
        lean = (k - 2) * 0.2
        a = np.linspace(-0.15, 1.0, 6 if fine else 4)
        bow = np.stack(
            [
                np.sin(a * 1.6) * 0.02 * (k - 2) + lean * 0.12 * a,
                0.5 * length - a * length * 0.85,
                0.018 + 0.05 * np.sin(np.clip(a, 0, 1) * math.pi),
            ],
            -1,
        )
        radius = np.interp(
            a, [-0.15, 0.05, 0.2, 0.8, 0.95, 1.0], [0.006, 0.009, 0.0165, 0.0165, 0.008, 0.004]
        )
        tube(b, bow, list(radius), texture, segments=6 if fine else 4)
        if fine:
            tube(b, bow[-1] + np.array([[0, 0, 0], [0, -0.008, 0]]), [0.005, 0.001], tip, segments=4)
    return b.build()


def _grape(crop: Crop, shade: RGB, textures: TextureStore, fine: bool) -> Mesh:
    b = MeshBuilder()
    r = crop.size[0] / 2
    ball(
        b,
        (0, 0, r),
        (r, r, r * 1.1),
        skin(textures, shade, "plain"),
        segments=6 if fine else 4,
        rings=4 if fine else 3,
    )
    return b.build()


def _carrot(crop: Crop, shade: RGB, textures: TextureStore, fine: bool) -> Mesh:
    b = MeshBuilder()
    length, r = crop.size[0], crop.size[1] / 2
    y = np.linspace(-0.5, 0.42, 5) * length
    path = np.stack([np.zeros(5), y, np.full(5, r)], -1)
    tube(
        b,
        path,
        [0.002, r * 0.55, r * 0.85, r, r * 0.7],
        skin(textures, shade, "ring"),
        segments=7 if fine else 4,
    )
    green = leaf(textures, (84, 138, 52))
    for k in range(4 if fine else 1):
        a = (k - 1.5) * 0.35
        stem = np.array([[0, 0.42 * length, r], [math.sin(a) * 0.03, 0.62 * length, r + 0.012 + 0.006 * k]])
        tube(b, stem, [0.004, 0.007], green, segments=3)
    return b.build()


def _cucumber(crop: Crop, shade: RGB, textures: TextureStore, fine: bool) -> Mesh:
    b = MeshBuilder()
    length, r = crop.size[0], crop.size[1] / 2
    a = np.linspace(-1, 1, 8 if fine else 5)
    path = np.stack([0.012 * (1 - a**2), a * length / 2, np.full_like(a, r)], -1)
    radius = r * np.sqrt(np.clip(1.0 - np.abs(a) ** 5, 0.02, 1))
    tube(b, path, list(radius), skin(textures, shade, "stripe"), segments=8 if fine else 5)
    return b.build()


def _pepper(crop: Crop, shade: RGB, textures: TextureStore, fine: bool) -> Mesh:
    b = MeshBuilder()
    r, h = crop.size[0] / 2, crop.size[1]
    texture = skin(textures, shade, "plain")
    for k in range(4 if fine else 2):
        a = k * math.tau / 4 + 0.4
        centre = (math.cos(a) * r * 0.42, math.sin(a) * r * 0.42, h * 0.48)
        ball(
            b,
            centre,
            (r * 0.62, r * 0.62, h * 0.48),
            texture,
            segments=7 if fine else 5,
            rings=5 if fine else 4,
        )
    stem = np.array([[0, 0, h * 0.82], [0.004, 0.002, h * 1.02]])
    tube(b, stem, [0.009, 0.005], textures.flat((78, 118, 44)), segments=4)
    return b.build()


def _broccoli(crop: Crop, shade: RGB, textures: TextureStore, fine: bool) -> Mesh:
    b = MeshBuilder()
    r, h = crop.size[0] / 2, crop.size[1]
    stalk = skin(textures, (150, 176, 98), "plain")
    lathe(b, [(r * 0.3, 0), (r * 0.36, h * 0.45), (r * 0.7, h * 0.6)], stalk, segments=6)
    crown = leaf(textures, shade)
    count = 11 if fine else 4
    for k in range(count):
        a = k * 2.4
        q = math.sqrt((k + 0.3) / count)
        centre = (math.cos(a) * r * 0.68 * q, math.sin(a) * r * 0.68 * q, h * (0.84 - 0.26 * q * q))
        ball(b, centre, (r * 0.4, r * 0.4, h * 0.24), crown, segments=6, rings=4)
    return b.build()


def _leafy(crop: Crop, shade: RGB, textures: TextureStore, fine: bool) -> Mesh:
    """A heart with ruffled leaves standing round it."""
    b = MeshBuilder()
    r, h = crop.size[0] / 2, crop.size[1]
    texture = leaf(textures, shade)
    pale = leaf(textures, (min(shade[0] + 50, 240), min(shade[1] + 34, 240), min(shade[2] + 40, 220)))
    ball(
        b,
        (0, 0, h * 0.48),
        (r * 0.66, r * 0.66, h * 0.46),
        pale,
        segments=8 if fine else 5,
        rings=5 if fine else 3,
    )
    n = 5 if fine else 2
    for ring, (count, lean) in enumerate(((5, 0.75), (7, 1.0)) if fine else ((4, 0.95),)):
        for k in range(count):
            a0 = (k + 0.5 * ring) * math.tau / count
            spread = math.tau / count * 0.72
            s, t = np.meshgrid(np.linspace(-1, 1, n + 1), np.linspace(0, 1, n + 1))
            angle = a0 + s * spread * (0.35 + 0.65 * np.sin(np.pi * np.clip(t * 0.7 + 0.15, 0, 1)))
            ruffle = 0.05 * np.sin(s * 9 + k) * t
            radius = r * lean * (0.25 + 0.75 * np.sin(t * 1.5)) * (1 + ruffle)
            height = h * (0.05 + (0.95 - 0.25 * ring) * t - 0.1 * s**2 * t) * (1 + ruffle)
            shape = np.stack([radius * np.cos(angle), radius * np.sin(angle), height], -1)
            normal = np.stack([np.cos(angle), np.sin(angle), 0.4 + 0.4 * t], -1)
            normal /= np.linalg.norm(normal, axis=-1, keepdims=True)
            uv = np.stack([(s + 1) / 2, 1 - t], -1)
            b.grid(shape, normal, uv, texture)
            b.grid(shape[:, ::-1], normal[:, ::-1], uv[:, ::-1], pale)
    return b.build()


def _mushroom(crop: Crop, shade: RGB, textures: TextureStore, fine: bool) -> Mesh:
    b = MeshBuilder()
    r, h = crop.size[0] / 2, crop.size[1]
    texture = skin(textures, shade, "plain")
    lathe(b, [(r * 0.4, 0), (r * 0.36, h * 0.45)], texture, segments=6)
    profile = [(r * 0.4, h * 0.4), (r, h * 0.45), (r * 0.9, h * 0.75), (r * 0.5, h * 0.96), (0, h)]
    lathe(b, profile, texture, segments=8 if fine else 5)
    return b.build()


def _pineapple(crop: Crop, shade: RGB, textures: TextureStore, fine: bool) -> Mesh:
    b = MeshBuilder()
    r, h = crop.size[0] / 2, crop.size[1]
    profile = [(0, 0), (r * 0.8, h * 0.08), (r, h * 0.5), (r * 0.8, h * 0.92), (0, h)]
    lathe(b, profile, skin(textures, shade, "grid"), segments=9 if fine else 6)
    green = leaf(textures, (92, 134, 72))
    for k in range(9 if fine else 4):
        a, lean = k * 2.4, 0.2 + 0.05 * k
        blade = np.array(
            [
                [0, 0, h * 0.95],
                [math.cos(a) * r * lean, math.sin(a) * r * lean, h * 1.25],
                [math.cos(a) * r * lean * 2.2, math.sin(a) * r * lean * 2.2, h * 1.42],
            ]
        )
        tube(b, blade, [0.012, 0.009, 0.001], green, segments=3)
    return b.build()


FORMS: dict[str, Callable[[Crop, RGB, TextureStore, bool], Mesh]] = {
    "apple": _apple,
    "round": _round,
    "long": _round,
    "root": _round,
    "onion": _round,
    "tomato": _round,
    "pear": _pear,
    "banana": _banana,
    "grape": _grape,
    "carrot": _carrot,
    "cucumber": _cucumber,
    "pepper": _pepper,
    "broccoli": _broccoli,
    "leafy": _leafy,
    "mushroom": _mushroom,
    "pineapple": _pineapple,
}
