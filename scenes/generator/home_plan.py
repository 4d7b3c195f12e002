"""The floor plan of the home furnishings store: seven shops on both sides of a passage.

One block is 36 by 20 metres: four shops of 9 metres along the far side, three of 12 along the near side,
a passage of 4 metres between. A shop's front has a wide opening between low sills, under a lintel with the
shop's name. Its display areas are bays along its two side walls and its back wall.
"""

from dataclasses import dataclass

from scenes.generator.furnishings import Store
from siturec.scene.schema import LightPanel, Prop, Rect, Sign, Wall

BLOCK_WIDTH, SHOP_DEPTH, PASSAGE, CEILING = 36.0, 8.0, 4.0, 3.4
DEPTH = 2 * SHOP_DEPTH + PASSAGE
BAY_DEPTH, OPENING, SILL, LINTEL = 2.05, 3.0, 0.9, 2.4
WIDEST_BAY = 7.0
START = (1.4, SHOP_DEPTH + PASSAGE / 2, 0.0)
FRONTS = ("#35505c", "#6a4b3a", "#3d5a45", "#5c4a66", "#7a5a2e", "#2f5f63", "#70413f")
BACKDROPS = ("#c9d3d6", "#e2d8cb", "#cfdad0", "#d5ccd8", "#d9c9ae", "#cfe0dd", "#d3dfc4")
LEDGES = ("#b9a88c", "#efe9df", "#d8c3a0", "#7a553c", "#6b4a33", "#e8e2d4", "#c49a6c")
"""Of each of the seven shops: its front, the panel behind its goods, and its ledges."""


@dataclass(frozen=True)
class Shop:
    """A store's room: ``yaw_deg`` is where its entrance faces, ``front_y`` the line of its front."""

    store: Store
    room: Rect
    yaw_deg: float
    front_y: float
    place: int

    @property
    def colour(self) -> str:
        """The colour of its front."""
        return FRONTS[self.place]

    @property
    def door_x(self) -> float:
        """The middle of the entrance."""
        return (self.room.x0 + self.room.x1) / 2


@dataclass(frozen=True)
class Bay:
    """The floor of one display area: what stands on ``rect`` looks along ``yaw_deg`` into the room."""

    area: str
    rect: Rect
    yaw_deg: float
    ledge: str = "#d9d2c3"


def shops(stores: tuple[Store, ...]) -> list[Shop]:
    """The rooms, in the order of the stores: of every seven, four at the far side, three at the near one."""
    made: list[Shop] = []
    for number, store in enumerate(stores):
        block, place = divmod(number, 7)
        left = block * BLOCK_WIDTH
        if place < 4:
            room = Rect(x0=left + 9 * place, y0=0.0, x1=left + 9 * place + 9, y1=SHOP_DEPTH)
            made.append(Shop(store, room, 90.0, SHOP_DEPTH, place))
        else:
            x = left + 12.0 * (place - 4)
            room = Rect(x0=x, y0=SHOP_DEPTH + PASSAGE, x1=x + 12, y1=DEPTH)
            made.append(Shop(store, room, 270.0, SHOP_DEPTH + PASSAGE, place))
    return made


def bays(shop: Shop) -> list[Bay]:
    """One bay per area: left wall, back wall (in one or two parts), right wall.

    Raises: ValueError when the store has another number of areas than three or four.
    """
    room, wall, front = shop.room, 0.08, 0.55
    far = shop.yaw_deg == 90.0
    side_y0 = room.y0 + BAY_DEPTH + 0.35 if far else room.y0 + front
    side_y1 = room.y1 - front if far else room.y1 - BAY_DEPTH - 0.35
    back_y0 = room.y0 + wall if far else room.y1 - wall - BAY_DEPTH
    left = Rect(x0=room.x0 + wall, y0=side_y0, x1=room.x0 + wall + BAY_DEPTH, y1=side_y1)
    right = Rect(x0=room.x1 - wall - BAY_DEPTH, y0=side_y0, x1=room.x1 - wall, y1=side_y1)
    x0, x1 = room.x0 + wall, room.x1 - wall
    count = len(shop.store.areas) - 2
    if count not in (1, 2):
        raise ValueError(f"{shop.store.name} has {len(shop.store.areas)} areas; a shop has room for 3 or 4")
    # One area on a wide back wall stands in its middle, not lost along all of it.
    if count == 1:
        spare = max(0.0, x1 - x0 - WIDEST_BAY) / 2
        x0, x1 = x0 + spare, x1 - spare
    width = (x1 - x0) / count
    backs = [
        Rect(
            x0=round(x0 + width * n + (0.15 if n else 0), 3),
            y0=back_y0,
            x1=round(x0 + width * (n + 1) - (0.15 if n + 1 < count else 0), 3),
            y1=back_y0 + BAY_DEPTH,
        )
        for n in range(count)
    ]
    rects = [(left, 0.0), *((rect, shop.yaw_deg) for rect in backs), (right, 180.0)]
    ledge = LEDGES[shop.place]
    return [Bay(area.id, rect, yaw, ledge) for area, (rect, yaw) in zip(shop.store.areas, rects, strict=True)]


def walls(rooms: list[Shop], blocks: int) -> list[Wall]:
    """Partitions between shops, and the shops' fronts (owned by their stores)."""
    width = BLOCK_WIDTH * blocks
    made: list[Wall] = []
    for shop in rooms:
        room = shop.room
        if room.x1 < width:
            made.append(Wall(x0=room.x1, y0=room.y0, x1=room.x1, y1=room.y1, height_m=CEILING))
    for shop in rooms:
        own = {"y0": shop.front_y, "y1": shop.front_y, "colour": shop.colour, "owner": shop.store.id}
        door0, door1 = shop.door_x - OPENING / 2, shop.door_x + OPENING / 2
        for x0, x1 in ((shop.room.x0, door0), (door1, shop.room.x1)):
            made.append(Wall.model_validate({"x0": x0, "x1": x1, "height_m": SILL, **own}))
        for x in (door0, door1):
            post = {"x0": x - 0.12, "x1": x + 0.12, "base_m": SILL, "height_m": LINTEL}
            made.append(Wall.model_validate({**post, **own}))
        lintel = {"x0": shop.room.x0, "x1": shop.room.x1, "base_m": LINTEL, "height_m": CEILING}
        made.append(Wall.model_validate({**lintel, **own}))
    return made


def signs(rooms: list[Shop]) -> list[Sign]:
    """Each shop's name over its entrance, outside, and the areas' names over their bays."""
    made: list[Sign] = []
    for shop in rooms:
        out = 1 if shop.yaw_deg == 90.0 else -1
        made.append(
            Sign(
                text=shop.store.name,
                x_m=shop.door_x,
                y_m=round(shop.front_y + 0.07 * out, 3),
                z_m=2.9,
                yaw_deg=shop.yaw_deg,
                width_m=min(6.0, 0.55 + 0.2 * len(shop.store.name)),
                height_m=0.5,
                colour="#f2eee3",
                owner=shop.store.id,
            )
        )
        names = {area.id: area.name for area in shop.store.areas}
        for bay in bays(shop):
            x, y = wall_point(bay, 0.02)
            made.append(
                Sign(
                    text=names[bay.area],
                    x_m=x,
                    y_m=y,
                    z_m=2.75,
                    yaw_deg=bay.yaw_deg,
                    width_m=2.0,
                    height_m=0.3,
                )
            )
    return made


def wall_point(bay: Bay, out: float) -> tuple[float, float]:
    """The point of the wall behind a bay's middle, ``out`` metres before it."""
    rect = bay.rect
    x, y = (rect.x0 + rect.x1) / 2, (rect.y0 + rect.y1) / 2
    if bay.yaw_deg % 180 == 0:
        x = rect.x0 + out if bay.yaw_deg == 0 else rect.x1 - out
    else:
        y = rect.y0 + out if bay.yaw_deg == 90 else rect.y1 - out
    return round(x, 3), round(y, 3)


def backdrops(rooms: list[Shop]) -> list[Prop]:
    """A thin coloured panel on the wall behind every bay."""
    made: list[Prop] = []
    for shop in rooms:
        for bay in bays(shop):
            rect = bay.rect
            x, y = wall_point(bay, -0.014)
            wide = 0.012 if bay.yaw_deg % 180 == 0 else (rect.x1 - rect.x0) / 2
            deep = 0.012 if bay.yaw_deg % 180 == 90 else (rect.y1 - rect.y0) / 2
            panel = Rect(
                x0=round(x - wide, 3), y0=round(y - deep, 3), x1=round(x + wide, 3), y1=round(y + deep, 3)
            )
            made.append(
                Prop(
                    kind="wall_panel",
                    footprint=panel,
                    height_m=2.5,
                    colour=BACKDROPS[shop.place],
                    solid=False,
                )
            )
    return made


def lights(rooms: list[Shop], blocks: int) -> list[LightPanel]:
    """Panels along the passage and in every shop."""
    z = CEILING - 0.02
    made = [
        LightPanel(x_m=3.0 + 6.0 * n, y_m=SHOP_DEPTH + PASSAGE / 2, z_m=z, width_m=2.4, depth_m=0.5)
        for n in range(6 * blocks)
    ]
    for shop in rooms:
        room = shop.room
        for part in (0.2, 0.5, 0.8):
            for y in (room.y0 + 1.8, room.y1 - 1.8):
                x = round(room.x0 + (room.x1 - room.x0) * part, 3)
                made.append(LightPanel(x_m=x, y_m=y, z_m=z, width_m=1.2, depth_m=0.6, power=0.9))
    return made


def props(blocks: int) -> list[Prop]:
    """The entrance door and benches in the passage."""
    middle = SHOP_DEPTH + PASSAGE / 2
    door = Rect(x0=0.06, y0=middle - 1.1, x1=0.12, y1=middle + 1.1)
    made = [Prop(kind="door", footprint=door, height_m=2.4, colour="#9fb8bd")]
    for block in range(blocks):
        for x in (9.1, 25.2):
            bench = Rect(
                x0=block * BLOCK_WIDTH + x,
                y0=middle - 0.25,
                x1=block * BLOCK_WIDTH + x + 1.6,
                y1=middle + 0.25,
            )
            made.append(Prop(kind="platform", footprint=bench, height_m=0.45, colour="#8a6a48"))
    return made
