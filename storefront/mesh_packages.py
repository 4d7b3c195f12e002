"""Packages: boxes, cartons, bottles, cans, jars, bags, trays and tubs, with their labels on.

Every maker takes the product and builds around the origin: centre of the base, front facing -y. ``fine``
False asks for the form seen from afar.
"""

import math

import numpy as np

from siturec.scene.schema import Product
from storefront import texture_labels as labels
from storefront.geometry_parts import hex_colour
from storefront.mesh import MeshBuilder
from storefront.mesh_solids import Profile, box, lathe, sheet_normals
from storefront.texture import TextureStore
from storefront.texture_surfaces import contents, gloss

Size = tuple[float, float, float]


def make_box(b: MeshBuilder, product: Product, textures: TextureStore, fine: bool) -> None:
    """A cardboard box: front and back printed, brand on top, small print on the sides."""
    w, d, h = product.look.size_m
    lying = h < 0.45 * d
    face = labels.front(textures, product, w / (d if lying else h))
    side = labels.back(textures, product)
    rim = textures.flat(labels.tamed(hex_colour(product.look.primary)))
    faces = {"front": face, "back": face, "left": side, "right": side, "top": face, "bottom": rim}
    uv = {"top": (0.02, 0.02, 0.98, 0.2)}
    if lying:
        faces |= {"left": rim, "right": rim}
        uv = {"front": (0.02, 0.02, 0.98, 0.2), "back": (0.02, 0.02, 0.98, 0.2)}
    box(b, (-w / 2, -d / 2, 0), (w, d, h), faces, uv=uv, skip=() if fine else ("bottom",))


def make_carton(b: MeshBuilder, product: Product, textures: TextureStore, fine: bool) -> None:
    """A gable-topped drinks carton when it is tall and square, else a folding box."""
    w, d, h = product.look.size_m
    if h < 1.7 * w or abs(w - d) > 0.3 * w:
        make_box(b, product, textures, fine)
        return
    body, ridge = h * 0.76, h * 0.94
    face, side = labels.front(textures, product, w / body), labels.back(textures, product)
    paint = labels.tamed(hex_colour(product.look.accent))
    roof, white = textures.flat(paint), textures.flat((244, 243, 238))
    faces = {"front": face, "back": face, "left": side, "right": side, "bottom": white}
    box(b, (-w / 2, -d / 2, 0), (w, d, body), faces, skip=("top",))
    b.quad((-w / 2, -d / 2, body), (w, 0, 0), (0, d / 2, ridge - body), roof)
    b.quad((w / 2, d / 2, body), (-w, 0, 0), (0, -d / 2, ridge - body), roof)
    for sign in (-1.0, 1.0):
        triangle = np.array(
            [
                [sign * w / 2, -sign * d / 2, body],
                [sign * w / 2, sign * d / 2, body],
                [sign * w / 2, 0, ridge],
            ]
        )
        flat = np.tile([sign, 0.0, 0.0], (3, 1))
        b.triangles(triangle, flat, np.zeros((3, 2)), np.array([[0, 1, 2]]), white)
    if fine:
        box(b, (-w / 2, -0.004, ridge - 0.004), (w, 0.008, h - ridge + 0.004), white)
        lathe(
            b,
            [(0.016, -0.01), (0.016, 0.014), (0, 0.014)],
            white,
            centre=(0, -d / 4, (body + ridge) / 2),
            segments=8,
        )


BOTTLES: tuple[Profile, ...] = (
    ((0.9, 0), (1, 0.02), (1, 0.6), (0.86, 0.7), (0.36, 0.84), (0.34, 0.93)),
    ((0.92, 0), (1, 0.03), (0.94, 0.3), (1, 0.56), (0.8, 0.72), (0.4, 0.86), (0.38, 0.93)),
    ((0.9, 0), (1, 0.03), (1, 0.66), (0.95, 0.72), (0.5, 0.8), (0.3, 0.86), (0.3, 0.93)),
    ((0.95, 0), (1, 0.02), (0.98, 0.62), (0.6, 0.78), (0.34, 0.88), (0.33, 0.93)),
)
"""Outlines of bottles in shares of radius and height, up to the cap."""


def make_bottle(b: MeshBuilder, product: Product, textures: TextureStore, fine: bool) -> None:
    """A bottle: glossy body, a label round its middle, a cap; flat ones are squashed round ones."""
    w, d, h = product.look.size_m
    outline = BOTTLES[product.look.style % len(BOTTLES)]
    paint = labels.tamed(hex_colour(product.look.primary), 0.6)
    body = gloss(textures, labels.mixed(paint, (255, 255, 255), 0.12 if product.look.style % 2 else 0.3))
    cap = gloss(textures, labels.tamed(hex_colour(product.look.accent)))
    segments = 14 if fine else 7
    squash = (1.0, d / w)
    scaled = [(r * w / 2, z * h) for r, z in outline]
    low, high = h * 0.16, h * 0.56
    parts = [[p for p in scaled if p[1] < low] + [(_radius(scaled, low), low)]]
    if not fine:
        parts = [[(w / 2, 0.0), (w / 2, low)]]
    for part in parts:
        lathe(b, part, body, segments=segments, squash=squash)
    wound = labels.wrap(textures, product, math.pi * w / (high - low))
    middle = [
        (_radius(scaled, low), low),
        (_radius(scaled, (low + high) / 2), (low + high) / 2),
        (_radius(scaled, high), high),
    ]
    lathe(b, middle if fine else [middle[0], middle[2]], wound, segments=segments, squash=squash)
    upper = [(_radius(scaled, high), high), *[p for p in scaled if p[1] > high]]
    lathe(b, upper if fine else [upper[0], upper[-2], upper[-1]], body, segments=segments, squash=squash)
    neck = outline[-1][0] * w / 2 * 1.18
    lathe(b, [(neck, h * 0.92), (neck, h), (0, h)], cap, segments=segments if fine else 5)


def _radius(outline: list[tuple[float, float]], z: float) -> float:
    return float(np.interp(z, [p[1] for p in outline], [p[0] for p in outline]))


def make_can(b: MeshBuilder, product: Product, textures: TextureStore, fine: bool) -> None:
    """A tin: label all round, bright rims and lid."""
    w, d, h = product.look.size_m
    r, rim = w / 2, min(0.006, h * 0.08)
    metal, lid = gloss(textures, (196, 199, 204)), contents(textures, "lid")
    segments = 16 if fine else 7
    squash = (1.0, d / w)
    wound = labels.wrap(textures, product, math.pi * w / h)
    if fine:
        lathe(b, [(r * 0.97, 0), (r, rim * 0.5), (r * 0.985, rim)], metal, segments=segments, squash=squash)
        lathe(
            b,
            [(r * 0.985, h - rim), (r, h - rim * 0.5), (r * 0.95, h)],
            metal,
            segments=segments,
            squash=squash,
        )
    else:
        rim = 0.0
    lathe(b, [(r * 0.985, rim), (r * 0.985, h - rim)], wound, segments=segments, squash=squash)
    _disc(b, r * 0.95, h - rim * 0.3, lid, segments, squash)


def _disc(
    b: MeshBuilder,
    radius: float,
    z: float,
    texture: int,
    segments: int,
    squash: tuple[float, float] = (1.0, 1.0),
) -> None:
    """A flat round face looking up."""
    angle = np.linspace(0, 2 * math.pi, segments + 1)
    unit = np.stack([np.cos(angle), np.sin(angle)], -1)
    xy = np.concatenate([[[0.0, 0.0]], unit * radius * np.asarray(squash)])
    uv = np.concatenate([[[0.5, 0.5]], 0.5 + 0.5 * unit * [1, -1]])
    position = np.concatenate([xy, np.full((len(xy), 1), z)], 1)
    normal = np.tile([0.0, 0.0, 1.0], (len(xy), 1))
    k = np.arange(segments)
    b.triangles(position, normal, uv, np.stack([np.zeros_like(k), k + 1, k + 2], 1), texture)


def make_jar(b: MeshBuilder, product: Product, textures: TextureStore, fine: bool) -> None:
    """A glass jar: what is inside shows above and below the label; a screw lid."""
    w, d, h = product.look.size_m
    r = w / 2
    inside = gloss(
        textures, labels.mixed(labels.tamed(hex_colour(product.look.primary), 0.9), (0, 0, 0), 0.25)
    )
    lid = gloss(textures, labels.tamed(hex_colour(product.look.accent)))
    segments = 16 if fine else 7
    squash = (1.0, d / w)
    wound = labels.wrap(textures, product, math.pi * w / (h * 0.5))
    if fine:
        lathe(b, [(r * 0.86, 0), (r, h * 0.06), (r, h * 0.16)], inside, segments=segments, squash=squash)
        lathe(
            b,
            [(r, h * 0.66), (r * 0.97, h * 0.74), (r * 0.8, h * 0.83)],
            inside,
            segments=segments,
            squash=squash,
        )
    else:
        lathe(b, [(r, 0), (r, h * 0.16)], inside, segments=segments, squash=squash)
        lathe(b, [(r, h * 0.66), (r * 0.8, h * 0.83)], inside, segments=segments, squash=squash)
    lathe(b, [(r * 1.005, h * 0.16), (r * 1.005, h * 0.66)], wound, segments=segments, squash=squash)
    lathe(
        b,
        [(r * 0.86, h * 0.82), (r * 0.88, h * 0.85), (r * 0.88, h * 0.97), (r * 0.82, h), (0, h)],
        lid,
        segments=segments,
        squash=squash,
    )


def make_bag(b: MeshBuilder, product: Product, textures: TextureStore, fine: bool) -> None:
    """A filled bag: bulging front and back, flat crimped ends; a wide low one lies on its back."""
    w, d, h = product.look.size_m
    face = labels.front(textures, product, w / max(d if h < 0.5 * d else h, 1e-6))
    n = 7 if fine else 3
    s, t = np.linspace(0, 1, n + 1), np.linspace(0, 1, n + 1)
    across, along = np.meshgrid(s, t)
    swell = (
        np.sin(np.pi * across) * np.clip(np.sin(np.pi * np.clip((along - 0.02) / 0.96, 0, 1)), 0, 1)
    ) ** 0.45
    ripple = 1.0 + 0.05 * np.sin(across * 9 + product.look.style) * np.sin(along * 7 + 1)
    waist = 1.0 - 0.07 * np.sin(np.pi * along)
    x = (across - 0.5) * w * waist
    for sign in (-1.0, 1.0):
        bulge = sign * np.maximum(swell * ripple, 0.03) * d / 2
        shape = np.stack([x * -sign, bulge, along * h], -1)
        if h < 0.5 * d:  # lying: its front looks up
            thick = np.maximum(swell * ripple, 0.05) * h
            shape = np.stack([x * -sign, (along - 0.5) * d, thick if sign < 0 else np.zeros_like(thick)], -1)
        normal = sheet_normals(shape)
        b.grid(shape, normal, np.stack([across, 1 - along], -1), face)


def make_tub(b: MeshBuilder, product: Product, textures: TextureStore, fine: bool) -> None:
    """A cup or tub, wider at the top, printed all round, with a lid."""
    w, d, h = product.look.size_m
    r = w / 2
    wound = labels.wrap(textures, product, math.pi * w / h)
    lid = textures.flat(labels.mixed(labels.tamed(hex_colour(product.look.accent)), (255, 255, 255), 0.35))
    segments = 16 if fine else 7
    squash = (1.0, d / w)
    lathe(b, [(r * 0.84, 0), (r * 0.97, h * 0.9)], wound, segments=segments, squash=squash)
    if fine:
        lathe(
            b,
            [(r * 0.98, h * 0.88), (r, h * 0.9), (r, h * 0.975), (r * 0.97, h)],
            lid,
            segments=segments,
            squash=squash,
        )
    else:
        lathe(b, [(r, h * 0.9), (r, h)], lid, segments=segments, squash=squash)
    top = labels.front(textures, product, w / d)
    _disc(b, r * 0.98, h, top, segments, squash)
