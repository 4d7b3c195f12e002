"""How a fixture is built from type, footprint, height and front: boards that hold goods, parts that hide it.

The one place where this is decided: packs place instances on ``boards``, the store builds its meshes
from ``parts``, and sight is tested against ``parts``. Metres; axes as in ``siturec.scene.schema``.

Frames. A fixture's front looks along ``yaw_deg`` (a multiple of 90). Seen from its front, *across* is the
direction (-sin yaw, cos yaw) and *out* is (cos yaw, sin yaw). A two-sided fixture (one that has a ``back``
standing point) carries a second set of boards for the side that looks along ``yaw_deg + 180``.
An instance's own front (its label) looks along its ``yaw_deg``; ``Look.size_m`` is (across, out, up).
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from siturec.scene.schema import FixtureType, Rect, Target

Side = Literal["front", "back"]
PartKind = Literal["base", "board", "panel", "rail", "canopy", "rim", "post", "step"]


@dataclass(frozen=True)
class Board:
    """A horizontal surface goods stand on.

    ``rect`` is the usable area in world coordinates, ``z_m`` its height above the floor, ``clear_m`` the free
    height above it, ``lip_m`` how far the edge strip at its open side rises above it, ``yaw_deg`` where goods
    on it look. ``level`` counts from the lowest, 0.
    """

    side: Side
    level: int
    rect: Rect
    z_m: float
    clear_m: float
    lip_m: float
    yaw_deg: float

    @property
    def across_m(self) -> float:
        """Usable length along the fixture's front."""
        return self.rect.y1 - self.rect.y0 if _along_x(self.yaw_deg) else self.rect.x1 - self.rect.x0

    @property
    def depth_m(self) -> float:
        """Usable depth, from the open edge inwards."""
        return self.rect.x1 - self.rect.x0 if _along_x(self.yaw_deg) else self.rect.y1 - self.rect.y0

    def place(self, across: float, inward: float) -> tuple[float, float]:
        """World (x, y) of a point ``across`` from the board's left end and ``inward`` from its open edge.

        Left is the shopper's left, standing before the board and looking at it.
        """
        out_x, out_y = _direction(self.yaw_deg)
        # The shopper looks along -out; the shopper's right is that direction turned clockwise by 90 degrees.
        right_x, right_y = out_y, -out_x
        centre_x = (self.rect.x0 + self.rect.x1) / 2
        centre_y = (self.rect.y0 + self.rect.y1) / 2
        along = across - self.across_m / 2
        out = self.depth_m / 2 - inward
        return centre_x + right_x * along + out_x * out, centre_y + right_y * along + out_y * out


@dataclass(frozen=True)
class Part:
    """An opaque axis-aligned box between two corners; ``kind`` tells its material."""

    kind: PartKind
    low: tuple[float, float, float]
    high: tuple[float, float, float]


@dataclass(frozen=True)
class Form:
    """What a fixture is built from. ``double`` is true when goods are offered at the back too."""

    type: FixtureType
    footprint: Rect
    height_m: float
    yaw_deg: float
    double: bool


@dataclass(frozen=True)
class Level:
    """A board in the frame of one side: ``v0..v1`` is its extent outward from the fixture's centre line."""

    z_m: float
    clear_m: float
    lip_m: float
    v0: float
    v1: float


# Sheet thicknesses and heights of the five kinds of fixture, in metres.
BOARD = 0.03
SHELF_FIRST, SHELF_PITCH, SHELF_HEADER, SHELF_SPINE = 0.18, 0.44, 0.25, 0.04
FREEZER_FIRST, FREEZER_PITCH, FREEZER_TOP, FREEZER_WALL = 0.30, 0.38, 0.12, 0.05
COOLER_FIRST, COOLER_PITCH, COOLER_TOP, COOLER_WALL = 0.32, 0.36, 0.18, 0.05
COOLER_UPPER_DEPTH = 0.75
CHEST_WALL, CHEST_DEPTH = 0.07, 0.26
STAND_STEP, STAND_RIM = 0.20, 0.05
INSET: dict[FixtureType, float] = {
    "shelf": 0.03,
    "chest_freezer": CHEST_WALL,
    "upright_freezer": FREEZER_WALL,
    "open_cooler": COOLER_WALL,
    "produce_stand": STAND_RIM,
}


def form_of(target: Target) -> Form:
    """The form of a fixture target.

    Raises: ValueError when the target is no fixture.
    """
    if target.type is None:
        raise ValueError(f"{target.entity} is no fixture")
    double = any(standing.approach == "back" for standing in target.standing)
    return Form(target.type, target.footprint, target.height_m, target.yaw_deg, double)


def sides(form: Form) -> tuple[Side, ...]:
    """The sides goods are offered at."""
    return ("front", "back") if form.double else ("front",)


def boards(form: Form) -> tuple[Board, ...]:
    """Every board of a fixture, front before back, lowest first."""
    half = across(form) / 2 - INSET[form.type]
    found: list[Board] = []
    for side in sides(form):
        yaw = form.yaw_deg if side == "front" else (form.yaw_deg + 180) % 360
        for number, level in enumerate(levels(form)):
            rect = _world(form.footprint, yaw, -half, half, level.v0, level.v1)
            found.append(Board(side, number, rect, level.z_m, level.clear_m, level.lip_m, yaw))
    return tuple(found)


def levels(form: Form) -> tuple[Level, ...]:
    """The boards of one side, lowest first, in that side's own frame."""
    half = depth(form) / 2
    if form.type == "shelf":
        inner = SHELF_SPINE / 2 if form.double else -half + SHELF_SPINE
        count = max(1, math.floor((form.height_m - SHELF_HEADER - SHELF_FIRST) / SHELF_PITCH + 1e-9))
        zs = [SHELF_FIRST + SHELF_PITCH * n for n in range(count)]
        tops = [*(z - BOARD for z in zs[1:]), form.height_m]
        return tuple(
            Level(z, top - z - 0.01, 0.02, inner, half - 0.01) for z, top in zip(zs, tops, strict=True)
        )
    if form.type == "chest_freezer":
        inner = 0.01 if form.double else -half + CHEST_WALL
        return (Level(form.height_m - CHEST_DEPTH, CHEST_DEPTH + 0.1, CHEST_DEPTH, inner, half - CHEST_WALL),)
    if form.type == "upright_freezer":
        roof = form.height_m - FREEZER_TOP
        count = max(1, math.floor((roof - FREEZER_FIRST) / FREEZER_PITCH + 1e-9))
        zs = [FREEZER_FIRST + FREEZER_PITCH * n for n in range(count)]
        tops = [*(z - BOARD for z in zs[1:]), roof]
        return tuple(
            Level(z, top - z - 0.01, 0.02, -half + FREEZER_WALL, half - 0.06)
            for z, top in zip(zs, tops, strict=True)
        )
    if form.type == "open_cooler":
        roof = form.height_m - COOLER_TOP
        count = max(1, math.floor((roof - COOLER_FIRST) / COOLER_PITCH + 1e-9))
        zs = [COOLER_FIRST + COOLER_PITCH * n for n in range(count)]
        tops = [*(z - BOARD for z in zs[1:]), roof]
        back = -half + COOLER_WALL
        full = half - 0.05 - back
        return tuple(
            Level(z, top - z - 0.01, 0.015, back, back + full * (1.0 if n == 0 else COOLER_UPPER_DEPTH))
            for n, (z, top) in enumerate(zip(zs, tops, strict=True))
        )
    # A produce stand rises in two steps from its open edge to its middle (or to its back).
    inner = 0.01 if form.double else -half + STAND_RIM
    middle = (inner + half - STAND_RIM) / 2
    low = form.height_m - STAND_STEP
    return (
        Level(low, 0.6, STAND_RIM, middle + 0.01, half - STAND_RIM),
        Level(form.height_m, 0.6, STAND_RIM, inner, middle - 0.03),
    )


def parts(form: Form) -> tuple[Part, ...]:
    """Every opaque box of a fixture. Glass (freezer doors, the cooler's air curtain) is no part."""
    return tuple(BUILDERS[form.type](form))


def across(form: Form) -> float:
    """Outer length along the front."""
    rect = form.footprint
    return rect.y1 - rect.y0 if _along_x(form.yaw_deg) else rect.x1 - rect.x0


def depth(form: Form) -> float:
    """Outer depth from front to back."""
    rect = form.footprint
    return rect.x1 - rect.x0 if _along_x(form.yaw_deg) else rect.y1 - rect.y0


def _shelf(form: Form) -> Iterator[Part]:
    half_u, half_v = across(form) / 2, depth(form) / 2
    spine0 = -SHELF_SPINE / 2 if form.double else -half_v
    yield _part(form, "panel", "front", -half_u, half_u, spine0, spine0 + SHELF_SPINE, 0.0, form.height_m)
    yield _part(form, "base", "front", -half_u, half_u, -half_v, half_v, 0.0, SHELF_FIRST - BOARD)
    for side in sides(form):
        for level in levels(form):
            top = level.z_m
            yield _part(form, "board", side, -half_u, half_u, level.v0, level.v1 + 0.01, top - BOARD, top)
            edge = level.v1 + 0.01
            yield _part(
                form, "rail", side, -half_u, half_u, edge - 0.008, edge, top - BOARD, top + level.lip_m
            )
        for u in (-half_u, half_u - 0.03):
            bottom = SHELF_FIRST - BOARD
            inner = levels(form)[0].v0
            yield _part(form, "post", side, u, u + 0.03, inner, inner + 0.05, bottom, form.height_m)


def _chest(form: Form) -> Iterator[Part]:
    half_u, half_v = across(form) / 2, depth(form) / 2
    floor = form.height_m - CHEST_DEPTH
    yield _part(form, "base", "front", -half_u, half_u, -half_v, half_v, 0.0, floor)
    for u in (-half_u, half_u - CHEST_WALL):
        yield _part(form, "rim", "front", u, u + CHEST_WALL, -half_v, half_v, floor, form.height_m)
    for v in (-half_v, half_v - CHEST_WALL):
        inner = half_u - CHEST_WALL
        yield _part(form, "rim", "front", -inner, inner, v, v + CHEST_WALL, floor, form.height_m)


def _cabinet(form: Form, wall: float, first: float, top: float) -> Iterator[Part]:
    half_u, half_v = across(form) / 2, depth(form) / 2
    yield _part(form, "base", "front", -half_u, half_u, -half_v, half_v, 0.0, first - BOARD)
    yield _part(form, "canopy", "front", -half_u, half_u, -half_v, half_v, form.height_m - top, form.height_m)
    roof = form.height_m - top
    yield _part(form, "panel", "front", -half_u, half_u, -half_v, -half_v + wall, first - BOARD, roof)
    for u in (-half_u, half_u - wall):
        yield _part(form, "panel", "front", u, u + wall, -half_v + wall, half_v, first - BOARD, roof)
    for level in levels(form):
        inner = half_u - wall
        z = level.z_m
        yield _part(form, "board", "front", -inner, inner, level.v0, level.v1 + 0.01, z - BOARD, z)
        edge = level.v1 + 0.01
        yield _part(form, "rail", "front", -inner, inner, edge - 0.008, edge, z - BOARD, z + level.lip_m)


def _stand(form: Form) -> Iterator[Part]:
    half_u, half_v = across(form) / 2, depth(form) / 2
    low, high = levels(form)
    yield _part(form, "base", "front", -half_u, half_u, -half_v, half_v, 0.0, low.z_m)
    inner = low.v0 - 0.01
    start = -inner if form.double else -half_v
    yield _part(form, "step", "front", -half_u, half_u, start, inner, low.z_m, high.z_m)
    for side in sides(form):
        for level in (low, high):
            edge = level.v1 + (STAND_RIM if level is low else 0.03)
            top = level.z_m + level.lip_m
            yield _part(form, "rim", side, -half_u, half_u, edge - 0.02, edge, level.z_m, top)
            for u in (-half_u, half_u - 0.02):
                yield _part(form, "rim", side, u, u + 0.02, level.v0, edge - 0.02, level.z_m, top)


BUILDERS = {
    "shelf": _shelf,
    "chest_freezer": _chest,
    "upright_freezer": lambda form: _cabinet(form, FREEZER_WALL, FREEZER_FIRST, FREEZER_TOP),
    "open_cooler": lambda form: _cabinet(form, COOLER_WALL, COOLER_FIRST, COOLER_TOP),
    "produce_stand": _stand,
}


def _part(
    form: Form, kind: PartKind, side: Side, u0: float, u1: float, v0: float, v1: float, z0: float, z1: float
) -> Part:
    yaw = form.yaw_deg if side == "front" else form.yaw_deg + 180
    rect = _world(form.footprint, yaw, u0, u1, v0, v1)
    return Part(kind, (rect.x0, rect.y0, z0), (rect.x1, rect.y1, z1))


def _world(footprint: Rect, yaw_deg: float, u0: float, u1: float, v0: float, v1: float) -> Rect:
    """A rectangle given across (u) and outward (v) from the footprint's centre, as a world rectangle."""
    out_x, out_y = _direction(yaw_deg)
    centre_x, centre_y = (footprint.x0 + footprint.x1) / 2, (footprint.y0 + footprint.y1) / 2
    xs = [centre_x - out_y * u + out_x * v for u, v in ((u0, v0), (u1, v1))]
    ys = [centre_y + out_x * u + out_y * v for u, v in ((u0, v0), (u1, v1))]
    return Rect(x0=min(xs), y0=min(ys), x1=max(xs), y1=max(ys))


def _direction(yaw_deg: float) -> tuple[float, float]:
    """The unit vector of a yaw that is a multiple of 90 degrees, exactly."""
    quarter = round(yaw_deg / 90) % 4
    return ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0))[quarter]


def _along_x(yaw_deg: float) -> bool:
    return round(yaw_deg / 90) % 2 == 0
