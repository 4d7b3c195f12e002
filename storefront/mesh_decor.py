"""Lamps, plants, toys, rugs, vases and what else furnishes a home. Frames as in ``mesh``."""

import math

import numpy as np

from siturec.scene.schema import Product
from storefront.geometry_parts import hex_colour
from storefront.mesh import MeshBuilder
from storefront.mesh_solids import ball, box, lathe, soft_box, tube
from storefront.texture import TextureStore
from storefront.texture_decor import dial, patterned_rug, picture, sky
from storefront.texture_materials import material, material_of
from storefront.texture_produce import leaf

SHADE_GLOW = 1.12
"""How bright a lit lamp's shade is, in display space."""


def _main(product: Product, textures: TextureStore, default: str) -> int:
    return material(textures, material_of(product, default), product.look.primary)


def _accent(product: Product, textures: TextureStore, kind: str) -> int:
    return material(textures, kind, product.look.accent)


def _shade(
    b: MeshBuilder, textures: TextureStore, outline: list[tuple[float, float]], x: float = 0.0, y: float = 0.0
) -> None:
    """A lit lamp shade, seen from outside and from below."""
    cloth = textures.flat((255, 238, 206))
    lathe(b, outline, cloth, centre=(x, y, 0), segments=20, glow=SHADE_GLOW)
    lathe(b, outline[::-1], cloth, centre=(x, y, 0), segments=20, glow=SHADE_GLOW)


def make_lamp_floor(b: MeshBuilder, product: Product, textures: TextureStore, fine: bool) -> None:
    """A floor lamp: a straight pole, or an arc when its name says so."""
    w, d, h = product.look.size_m
    pole = _main(product, textures, "metal")
    r = min(w, d) / 2
    lathe(
        b,
        [(r * 0.7, 0), (r * 0.7, 0.015), (r * 0.2, 0.035), (0, 0.035)],
        pole,
        segments=20,
        centre=(0, d * 0.1, 0),
    )
    top = h - min(0.26, h * 0.2)
    if "arc" in product.name.casefold():
        a = np.linspace(0, 1, 10)
        bow = np.stack(
            [
                np.zeros(10),
                d * 0.1 + 0.02 - (d * 0.35) * np.clip(a * 2 - 1, 0, 1) ** 1.5,
                0.03 + (h - 0.09) * np.sin(a * math.pi / 2),
            ],
            -1,
        )
        tube(b, bow, 0.011, pole, segments=8)
        _shade(b, textures, [(r * 0.86, h - 0.26), (r * 0.66, h - 0.1), (r * 0.2, h - 0.03)], 0, -d * 0.2)
    else:
        tube(b, np.array([[0, d * 0.1, 0.03], [0, d * 0.1, top + 0.05]]), 0.011, pole, segments=8)
        _shade(b, textures, [(r * 0.98, top - 0.02), (r * 0.7, h)], 0, d * 0.1 if r > 0.2 else 0)


def make_lamp_table(b: MeshBuilder, product: Product, textures: TextureStore, fine: bool) -> None:
    """A table lamp with a turned foot; a desk lamp has a jointed arm."""
    w, d, h = product.look.size_m
    foot = _main(product, textures, "glaze")
    r = min(w, d) / 2
    if "desk" in product.name.casefold():
        lathe(b, [(r * 0.8, 0), (r * 0.8, 0.015), (r * 0.3, 0.025), (0, 0.025)], foot, segments=16)
        arm = np.array([[0, d * 0.2, 0.02], [0, d * 0.34, h * 0.5], [0, -d * 0.1, h * 0.93]])
        tube(b, arm, 0.008, foot, segments=6)
        outline = [(r * 0.5, h * 0.76), (r * 0.36, h * 0.9), (r * 0.12, h)]
        lathe(b, outline, foot, centre=(0, -d * 0.18, 0), segments=14)
        lathe(
            b,
            [(r * 0.46, h * 0.77), (0, h * 0.775)][::-1],
            textures.flat((255, 240, 210)),
            centre=(0, -d * 0.18, 0),
            segments=14,
            glow=1.3,
        )
        return
    body: tuple[tuple[float, float], ...] = BODIES[product.look.style % len(BODIES)]
    lathe(b, [(a * r, z * h) for a, z in body], foot, segments=16 if fine else 8)
    _shade(b, textures, [(r, h * 0.58), (r * 0.68, h * 0.98)])


BODIES = (
    ((0.5, 0), (0.52, 0.03), (0.2, 0.08), (0.42, 0.25), (0.36, 0.42), (0.1, 0.5), (0.08, 0.66)),
    ((0.48, 0), (0.5, 0.04), (0.14, 0.07), (0.12, 0.5), (0.1, 0.66)),
    ((0.4, 0), (0.55, 0.12), (0.55, 0.28), (0.3, 0.44), (0.1, 0.5), (0.1, 0.66)),
)


def make_lamp_pendant(b: MeshBuilder, product: Product, textures: TextureStore, fine: bool) -> None:
    """A lamp hanging from the top of its box on a cord."""
    w, _, h = product.look.size_m
    cord = textures.flat((40, 40, 42))
    dome = _main(product, textures, "metal")
    r, high = w / 2, min(0.3, h * 0.3)
    tube(b, np.array([[0, 0, high], [0, 0, h]]), 0.006, cord, segments=5)
    lathe(b, [(0.05, h - 0.02), (0.05, h), (0, h)], dome, segments=12)
    outline = [(r, 0.0), (r * 0.94, high * 0.35), (r * 0.6, high * 0.75), (r * 0.14, high)]
    lathe(b, outline, dome, segments=22)
    lathe(
        b,
        [(a * 0.98, z) for a, z in outline[::-1]],
        textures.flat((255, 236, 202)),
        segments=22,
        glow=SHADE_GLOW,
    )
    ball(b, (0, 0, high * 0.3), (0.05, 0.05, 0.05), textures.flat((255, 250, 235)), glow=1.5)


def _pot(b: MeshBuilder, r: float, h: float, texture: int, textures: TextureStore) -> None:
    soil = material(textures, "paint", "#3d2f24")
    lathe(
        b,
        [(r * 0.7, 0), (r * 0.96, h * 0.9), (r, h * 0.92), (r, h), (r * 0.88, h), (r * 0.88, h * 0.9)],
        texture,
        segments=18,
    )
    lathe(b, [(r * 0.88, h * 0.9), (0, h * 0.9)], soil, segments=18)


def make_planter(b: MeshBuilder, product: Product, textures: TextureStore, fine: bool) -> None:
    """An empty pot, with soil in it."""
    w, _, h = product.look.size_m
    _pot(b, w / 2, h, _main(product, textures, "glaze"), textures)


def make_plant(b: MeshBuilder, product: Product, textures: TextureStore, fine: bool) -> None:
    """A potted plant: palms arch, succulents sit low, others bear leaves along a stem."""
    w, d, h = product.look.size_m
    name = product.name.casefold()
    low = h < 0.45
    pot = min(0.3, h * (0.45 if low else 0.24))
    _pot(
        b,
        min(w * 0.3, pot * 0.62) if not low else w * 0.3,
        pot,
        material(textures, "glaze", product.look.accent),
        textures,
    )
    green = hex_colour(product.look.primary)
    if green[1] < max(green[0], green[2]):
        green = (74, 116, 62)
    texture = leaf(textures, green)
    rng = np.random.default_rng([ord(c) for c in product.id])
    count = (14 if "palm" in name or "fern" in name else 22) if fine else 9
    stem = material(textures, "wood", "#6a4f35")
    spread = min(w, d) / 2
    if "palm" not in name and "fern" not in name and not low:
        tube(b, np.array([[0, 0, pot * 0.9], [0.01, 0, h * 0.8]]), [0.014, 0.007], stem, segments=5)
    for k in range(count):
        a = k * 2.39996 + float(rng.uniform(-0.2, 0.2))
        share = (k + 0.5) / count
        if "palm" in name or "fern" in name or low:
            start, tip = np.array([0, 0, pot * 0.9]), pot * 0.9 + (h - pot) * (1.0 - 0.75 * share)
            reach = spread * (0.35 + 0.65 * share)
            _blade(
                b,
                texture,
                start,
                a,
                reach,
                tip - start[2],
                0.035 if not low else w * 0.13,
                droop=0.0 if low else 0.45,
            )
        else:
            start = np.array([0.0, 0.0, pot + (h * 0.84 - pot) * (0.25 + 0.75 * share)])
            _blade(b, texture, start, a, spread * (1.05 - 0.45 * share), h * 0.13, spread * 0.34, droop=0.25)


def _blade(
    b: MeshBuilder,
    texture: int,
    start: np.ndarray,
    angle: float,
    reach: float,
    rise: float,
    breadth: float,
    droop: float,
) -> None:
    """A leaf from ``start`` outwards: up by ``rise``, then down again by ``droop`` of its reach; both sides."""
    t = np.linspace(0, 1, 6)[:, None]
    s = np.linspace(-1, 1, 3)[None, :]
    along = np.array([math.cos(angle), math.sin(angle), 0])
    side = np.array([-math.sin(angle), math.cos(angle), 0])
    wide = breadth * np.sin(np.clip(t * 0.92 + 0.06, 0, 1) * math.pi) ** 0.8
    height = (
        rise * np.sin(t * math.pi * 0.62) / math.sin(math.pi * 0.5)
        - droop * reach * t**2.5
        + 0.25 * wide * s**2
    )
    shape = (
        start
        + (reach * t)[..., None] * along
        + (wide * s)[..., None] * side
        + np.stack([0 * height, 0 * height, height], -1)
    )
    normal = np.broadcast_to(np.array([0.0, 0.0, 1.0]) - 0.4 * along, shape.shape)
    normal = normal / np.linalg.norm(normal, axis=-1, keepdims=True)
    uv = np.stack(np.broadcast_arrays((s + 1) / 2, 1 - t), -1)
    b.grid(shape[:, ::-1], normal[:, ::-1], uv[:, ::-1], texture)
    b.grid(shape, 0.2 * normal + 0.8 * np.array([0, 0, 0.4]), uv, texture)


def make_toy(b: MeshBuilder, product: Product, textures: TextureStore, fine: bool) -> None:
    """A stack of building blocks, or a sitting bear."""
    w, d, h = product.look.size_m
    if "block" in product.name.casefold():
        colours = (product.look.primary, "#e2bf35", "#2c7176", "#b8352f", "#8cb4d2", "#eeece6")
        s = h / 3
        places = ((-1, 0, 0), (0, 0, 0), (1, 0, 0), (-0.5, 0.1, 1), (0.55, -0.1, 1), (0.0, 0.0, 2))
        for (x, y, z), colour in zip(places, colours, strict=True):
            size = min(s * 0.96, w / 3)
            box(
                b,
                (x * w / 3 - size / 2, y * d - size / 2, z * s),
                (size, size, s * 0.97),
                material(textures, "paint", colour),
            )
        return
    fur, muzzle = (
        material(textures, "fabric", product.look.primary),
        material(textures, "fabric", product.look.accent),
    )
    dark = textures.flat((28, 24, 22))
    r = min(w, d) / 2
    ball(b, (0, 0.1 * d, h * 0.32), (r * 0.72, r * 0.66, h * 0.3), fur, segments=14, rings=9)
    ball(b, (0, 0, h * 0.73), (r * 0.62, r * 0.58, h * 0.22), fur, segments=14, rings=9)
    ball(b, (0, -r * 0.5, h * 0.68), (r * 0.28, r * 0.24, h * 0.09), muzzle)
    ball(b, (0, -r * 0.74, h * 0.71), (r * 0.09, r * 0.07, h * 0.03), dark, segments=6, rings=4)
    for x in (-1, 1):
        ball(b, (x * r * 0.5, 0.02, h * 0.92), (r * 0.2, r * 0.12, h * 0.08), fur)
        ball(
            b, (x * r * 0.24, -r * 0.52, h * 0.78), (r * 0.07, r * 0.05, h * 0.022), dark, segments=6, rings=4
        )
        ball(b, (x * r * 0.72, -r * 0.18, h * 0.42), (r * 0.2, r * 0.26, h * 0.17), fur)
        ball(b, (x * r * 0.5, -r * 0.62, h * 0.1), (r * 0.25, r * 0.38, h * 0.1), fur)


def make_ball(b: MeshBuilder, product: Product, textures: TextureStore, fine: bool) -> None:
    """A ball with a band."""
    w, _, _ = product.look.size_m
    r = w / 2
    ball(
        b,
        (0, 0, r),
        (r, r, r),
        _main(product, textures, "glaze"),
        segments=22 if fine else 10,
        rings=14 if fine else 7,
    )
    band = [(r * math.cos(a) * 1.004, r + r * math.sin(a)) for a in np.linspace(-0.16, 0.16, 4)]
    lathe(b, band, _accent(product, textures, "paint"), segments=22 if fine else 10)


def make_console(b: MeshBuilder, product: Product, textures: TextureStore, fine: bool) -> None:
    """A game console with a pad in front of it."""
    w, d, h = product.look.size_m
    case, dark = material(textures, "paint", product.look.primary), textures.flat((24, 25, 28))
    soft_box(b, (-w / 2, -d * 0.1, 0), (w, d * 0.6, h * 0.8), case, roundness=0.12)
    box(b, (-w * 0.42, -d * 0.104, h * 0.34), (w * 0.84, 0.004, h * 0.1), dark)
    box(
        b,
        (w * 0.3, -d * 0.106, h * 0.56),
        (w * 0.05, 0.004, h * 0.05),
        textures.flat((90, 200, 240)),
        glow=1.3,
    )
    soft_box(b, (-w * 0.26, -d / 2, 0), (w * 0.52, d * 0.3, h * 0.36), case, roundness=0.5)
    for x in (-0.12, 0.12):
        lathe(
            b,
            [(0.012, h * 0.3), (0.012, h * 0.46), (0, h * 0.46)],
            dark,
            centre=(x * w, -d * 0.36, 0),
            segments=10,
        )


def make_rug(b: MeshBuilder, product: Product, textures: TextureStore, fine: bool) -> None:
    """A rug with a border and a pattern."""
    w, d, h = product.look.size_m
    face = patterned_rug(textures, product.look.primary, product.look.accent, product.look.style)
    edge = material(textures, "fabric", product.look.accent)
    low = (-w / 2, -d / 2, 0)
    box(b, low, (w, d, max(h, 0.008)), {"front": edge, "top": face}, skip=("bottom",), cell=0.3)


def make_mirror(b: MeshBuilder, product: Product, textures: TextureStore, fine: bool) -> None:
    """A wall mirror, round unless it is higher than wide, facing -y."""
    w, d, h = product.look.size_m
    frame, glass = _main(product, textures, "metal"), sky(textures)
    if abs(w - h) < 0.02:
        angle = np.linspace(0, math.tau, 33)
        ring = np.stack(
            [np.cos(angle) * (w / 2 - 0.018), np.zeros(33), h / 2 + np.sin(angle) * (h / 2 - 0.018)], -1
        )
        tube(b, ring, 0.018, frame, segments=8)
        disc = np.concatenate([[[0, 0, h / 2]], ring])
        uv = np.stack([0.5 + disc[:, 0] / w, 0.5 - (disc[:, 2] - h / 2) / h], -1)
        k = np.arange(32)
        b.triangles(disc, np.tile([0.0, -1.0, 0.0], (34, 1)), uv, np.stack([0 * k, k + 1, k + 2], 1), glass)
    else:
        _framed(b, (w, d, h), frame, glass, 0.05)


def make_frame(b: MeshBuilder, product: Product, textures: TextureStore, fine: bool) -> None:
    """A framed picture, facing -y."""
    look = product.look
    art = picture(textures, product.id, look.primary, look.accent)
    _framed(b, look.size_m, material(textures, "wood", look.accent), art, 0.03)


def _framed(b: MeshBuilder, size: tuple[float, float, float], frame: int, face: int, bar: float) -> None:
    w, d, h = size
    for low, extent in (
        ((-w / 2, -d / 2, 0), (w, d, bar)),
        ((-w / 2, -d / 2, h - bar), (w, d, bar)),
        ((-w / 2, -d / 2, bar), (bar, d, h - 2 * bar)),
        ((w / 2 - bar, -d / 2, bar), (bar, d, h - 2 * bar)),
    ):
        box(b, low, extent, frame, scale=1.0)
    b.quad(
        (-w / 2 + bar, -d / 2 + d * 0.4, bar), (w - 2 * bar, 0, 0), (0, 0, h - 2 * bar), face, cells=(3, 3)
    )
    b.quad((w / 2, d / 2, 0), (-w, 0, 0), (0, 0, h), frame)


VASES = (
    ((0.5, 0), (0.8, 0.12), (1.0, 0.38), (0.8, 0.66), (0.42, 0.84), (0.5, 1.0), (0.4, 0.99), (0.34, 0.84)),
    ((0.62, 0), (0.7, 0.05), (0.95, 0.5), (1.0, 0.96), (0.96, 1.0), (0.88, 0.97), (0.6, 0.2), (0, 0.1)),
    ((0.7, 0), (1.0, 0.2), (0.96, 0.4), (0.4, 0.62), (0.3, 0.9), (0.46, 1.0), (0.38, 0.99), (0.24, 0.88)),
    ((0.6, 0), (0.62, 0.7), (0.9, 0.86), (1.0, 1.0), (0.92, 0.99), (0.5, 0.7)),
)


def make_vase(b: MeshBuilder, product: Product, textures: TextureStore, fine: bool) -> None:
    """A turned vase in one of four outlines."""
    w, d, h = product.look.size_m
    outline = VASES[product.look.style % len(VASES)]
    texture = _main(product, textures, "glaze")
    lathe(b, [(a * w / 2, z * h) for a, z in outline], texture, segments=22 if fine else 9, squash=(1, d / w))


def make_sculpture(b: MeshBuilder, product: Product, textures: TextureStore, fine: bool) -> None:
    """A bust when its name says so, else one of three abstract pieces, on a plinth."""
    w, d, h = product.look.size_m
    body, foot = _main(product, textures, "stone"), _accent(product, textures, "stone")
    box(b, (-w * 0.36, -d * 0.36, 0), (w * 0.72, d * 0.72, h * 0.12), foot)
    r = min(w, d) / 2
    if "bust" in product.name.casefold():
        lathe(
            b,
            [
                (r * 0.4, h * 0.12),
                (r * 0.9, h * 0.3),
                (r * 0.95, h * 0.42),
                (r * 0.36, h * 0.54),
                (r * 0.32, h * 0.62),
            ],
            body,
            segments=16,
        )
        ball(b, (0, 0, h * 0.8), (r * 0.52, r * 0.6, h * 0.2), body, segments=14, rings=10)
        ball(b, (0, -r * 0.58, h * 0.78), (r * 0.1, r * 0.14, h * 0.06), body, segments=6, rings=4)
        return
    kind = product.look.style % 3
    angle = np.linspace(0, math.tau, 25)
    if kind == 0:
        ring = np.stack(
            [np.cos(angle) * r * 0.7, 0.25 * r * np.sin(angle * 2), h * 0.56 + np.sin(angle) * h * 0.38], -1
        )
        tube(b, ring, r * 0.2, body, segments=10)
    elif kind == 1:
        for k, size in enumerate((0.62, 0.5, 0.36)):
            z = h * (0.12 + (0.22, 0.56, 0.83)[k])
            ball(
                b,
                (0.1 * r * (-1) ** k, 0, z),
                (r * size * 1.2, r * size, h * (0.2, 0.15, 0.11)[k]),
                body,
                segments=14,
                rings=9,
            )
    else:
        t = np.linspace(0, 1, 18)
        coil = np.stack(
            [
                r * 0.5 * np.cos(t * 9) * (1 - 0.5 * t),
                r * 0.5 * np.sin(t * 9) * (1 - 0.5 * t),
                h * (0.12 + 0.84 * t),
            ],
            -1,
        )
        tube(b, coil, list(r * (0.26 - 0.16 * t)), body, segments=8)


def make_clock(b: MeshBuilder, product: Product, textures: TextureStore, fine: bool) -> None:
    """A wall clock, or a mantel clock in a case."""
    w, d, h = product.look.size_m
    case, face = _main(product, textures, "wood"), dial(textures)
    if d > 0.09:
        box(b, (-w / 2, -d / 2 + 0.01, 0), (w, d - 0.01, h * 0.8), case, scale=1.0)
        lathe(
            b,
            [(w / 2, 0.0), (w / 2, 0.001), (0, 0.001)],
            case,
            centre=(0, 0, h * 0.8),
            segments=18,
            squash=(1, (d - 0.01) / w),
        )
        soft_box(b, (-w / 2, -d / 2 + 0.01, h * 0.62), (w, d - 0.01, h * 0.38), case, roundness=0.6)
        radius, z = w * 0.36, h * 0.55
    else:
        angle = np.linspace(0, math.tau, 33)
        rim = np.stack(
            [np.cos(angle) * (w / 2 - 0.016), np.zeros(33), h / 2 + np.sin(angle) * (h / 2 - 0.016)], -1
        )
        tube(b, rim, 0.016, case, segments=8)
        radius, z = w / 2 - 0.014, h / 2
    angle = np.linspace(0, math.tau, 25)
    y = -d / 2 if d > 0.09 else -0.004
    disc = np.concatenate(
        [[[0, y, z]], np.stack([np.cos(angle) * radius, np.full(25, y), z + np.sin(angle) * radius], -1)]
    )
    uv = np.stack([0.5 + disc[:, 0] / radius / 2, 0.5 - (disc[:, 2] - z) / radius / 2], -1)
    k = np.arange(24)
    b.triangles(disc, np.tile([0.0, -1.0, 0.0], (26, 1)), uv, np.stack([0 * k, k + 1, k + 2], 1), face)


def make_basket(b: MeshBuilder, product: Product, textures: TextureStore, fine: bool) -> None:
    """A woven basket, open at the top."""
    w, d, h = product.look.size_m
    weave = material(
        textures, "fabric" if "felt" in product.name.casefold() else "weave", product.look.primary
    )
    r = w / 2
    outline = [
        (r * 0.8, 0),
        (r * 0.96, h * 0.6),
        (r, h * 0.97),
        (r * 0.97, h),
        (r * 0.93, h * 0.97),
        (r * 0.76, 0.02),
        (0, 0.02),
    ]
    lathe(b, outline, weave, segments=22 if fine else 9, squash=(1, d / w), uv=(0, 0, 3, 1))


def make_cushion(b: MeshBuilder, product: Product, textures: TextureStore, fine: bool) -> None:
    """A cushion standing on its edge, leaning back a little."""
    w, d, h = product.look.size_m
    soft_box(
        b,
        (-w / 2, -d / 2, 0),
        (w, d, h),
        _main(product, textures, "fabric"),
        roundness=0.55,
        segments=18 if fine else 10,
        rings=10 if fine else 6,
    )
