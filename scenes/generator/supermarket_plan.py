"""The floor plan of the supermarket: 29 fixtures in a block of 22 by 18 metres, repeated to the right.

Left wall: four single shelves. Then eight double shelves in four aisles, a lane of chest freezers, and
upright freezers along the right wall; coolers along the far wall; produce stands between the entrance
and the aisles. Aisles are 2.6 m wide, so that a whole shelf is within reach and in view from its point.
"""

from dataclasses import dataclass

from siturec.scene.schema import FixtureType, LightPanel, Prop, Rect, Sign, Standing, Waypoint

BLOCK_WIDTH, DEPTH, CEILING = 22.0, 18.0, 3.6
START = (5.6, 16.4, 270.0)


@dataclass(frozen=True)
class Place:
    """Where one fixture stands: its type, near corner, length along its front, depth, height, front."""

    id: str
    type: FixtureType
    footprint: Rect
    height_m: float
    yaw_deg: float
    double: bool


# Per type: length, depth, height, distance of the standing point from the edge, and its pitch.
SIZES: dict[FixtureType, tuple[float, float, float, float, float]] = {
    "shelf": (2.0, 0.9, 1.8, 1.7, -14.0),
    "chest_freezer": (2.0, 1.1, 0.9, 1.2, -30.0),
    "upright_freezer": (1.3, 0.8, 2.05, 1.6, -12.0),
    "open_cooler": (2.3, 0.9, 2.0, 1.7, -12.0),
    "produce_stand": (2.4, 1.5, 0.9, 1.3, -26.0),
}
WALL_SHELF_DEPTH = 0.5
IDS: dict[FixtureType, str] = {
    "shelf": "shelf",
    "chest_freezer": "chest",
    "upright_freezer": "freezer",
    "open_cooler": "cooler",
    "produce_stand": "stand",
}


def places(blocks: int) -> list[Place]:
    """The fixtures of ``blocks`` blocks, in the order of their numbers: shelves first, stands last."""
    found: list[Place] = []
    counts: dict[FixtureType, int] = {}
    for kind, x, y, yaw, double in _spots(blocks):
        length, depth, height, _, _ = SIZES[kind]
        if kind == "shelf" and not double:
            depth = WALL_SHELF_DEPTH
        wide, deep = (depth, length) if yaw % 180 == 0 else (length, depth)
        counts[kind] = counts.get(kind, 0) + 1
        rect = Rect(x0=round(x, 3), y0=round(y, 3), x1=round(x + wide, 3), y1=round(y + deep, 3))
        found.append(Place(f"{IDS[kind]}-{counts[kind]}", kind, rect, height, yaw, double))
    return found


def _spots(blocks: int) -> list[tuple[FixtureType, float, float, float, bool]]:
    spots: list[tuple[FixtureType, float, float, float, bool]] = []
    for block in range(blocks):
        left = block * BLOCK_WIDTH
        spots += [("shelf", left + 0.06, 3.3 + 2.1 * n, 0.0, False) for n in range(4)]
        for column in range(4):
            x = left + 3.16 + 3.5 * column
            spots += [("shelf", x, y, 0.0, True) for y in (3.9, 7.5)]
    for block in range(blocks):
        spots += [("chest_freezer", block * BLOCK_WIDTH + 17.16, 3.9 + 2.2 * n, 0.0, True) for n in range(3)]
    for block in range(blocks):
        x = (block + 1) * BLOCK_WIDTH - 0.86
        spots += [("upright_freezer", x, 1.6 + 1.34 * n, 180.0, False) for n in range(8)]
    for block in range(blocks):
        spots += [("open_cooler", block * BLOCK_WIDTH + 4.6 + 2.4 * n, 0.06, 90.0, False) for n in range(4)]
    for block in range(blocks):
        spots += [("produce_stand", block * BLOCK_WIDTH + x, 12.6, 90.0, True) for x in (2.2, 7.4)]
    return spots


def standing_points(place: Place) -> tuple[list[Standing], list[Waypoint]]:
    """The fixed poses before a fixture's front, and behind a double one, looking at it."""
    _, _, _, distance, pitch = SIZES[place.type]
    rect = place.footprint
    centre_x, centre_y = (rect.x0 + rect.x1) / 2, (rect.y0 + rect.y1) / 2
    standing: list[Standing] = []
    waypoints: list[Waypoint] = []
    for approach in ("front", "back") if place.double else ("front",):
        yaw = place.yaw_deg if approach == "front" else (place.yaw_deg + 180) % 360
        out_x, out_y = {0: (1, 0), 90: (0, 1), 180: (-1, 0), 270: (0, -1)}[int(yaw)]
        half = (rect.x1 - rect.x0 if out_x else rect.y1 - rect.y0) / 2
        name = f"{place.id}-{approach}"
        standing.append(Standing.model_validate({"approach": approach, "waypoint": name}))
        waypoints.append(
            Waypoint(
                id=name,
                x_m=round(centre_x + out_x * (half + distance), 3),
                y_m=round(centre_y + out_y * (half + distance), 3),
                yaw_deg=(yaw + 180) % 360,
                pitch_deg=pitch,
            )
        )
    return standing, waypoints


def lights(blocks: int) -> list[LightPanel]:
    """Rows of ceiling panels over every aisle."""
    return [
        LightPanel(x_m=x, y_m=y, z_m=CEILING - 0.02, width_m=0.6, depth_m=2.4)
        for block in range(blocks)
        for x in (block * BLOCK_WIDTH + 1.85 + 3.5 * n for n in range(6))
        for y in (2.4, 6.9, 11.4, 15.6)
    ]


def props(blocks: int) -> list[Prop]:
    """The entrance door, checkouts and their dividing panels."""
    made: list[Prop] = [
        Prop(
            kind="door",
            footprint=Rect(x0=4.4, y0=DEPTH - 0.12, x1=6.8, y1=DEPTH - 0.06),
            height_m=2.3,
            colour="#9fb8bd",
        )
    ]
    for block in range(blocks):
        left = block * BLOCK_WIDTH
        made += [
            Prop(
                kind="checkout",
                footprint=Rect(x0=left + x, y0=14.3, x1=left + x + 0.8, y1=16.5),
                height_m=0.95,
                colour="#4b5a5e",
            )
            for x in (11.6, 14.2, 16.8)
        ]
    return made


def signs(blocks: int, names: dict[str, str]) -> list[Sign]:
    """A hanging sign over every fixture with what it holds, readable from both sides."""
    made: list[Sign] = [
        Sign(text="Welcome", x_m=5.6, y_m=DEPTH - 0.08, z_m=2.7, yaw_deg=270, width_m=2.0, height_m=0.4)
    ]
    for place in places(blocks):
        rect = place.footprint
        x, y = (rect.x0 + rect.x1) / 2, (rect.y0 + rect.y1) / 2
        out_x, out_y = {0: (1, 0), 90: (0, 1), 180: (-1, 0), 270: (0, -1)}[int(place.yaw_deg)]
        made.append(
            Sign(
                text=names[place.id],
                x_m=round(x + 0.03 * out_x, 3),
                y_m=round(y + 0.03 * out_y, 3),
                z_m=2.3,
                yaw_deg=place.yaw_deg,
                width_m=1.2 if place.type == "upright_freezer" else 1.7,
                height_m=0.3,
            )
        )
    return made
