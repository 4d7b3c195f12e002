"""The home furnishings store: themed shops, their display areas and what stands there."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scenes.generator import home_plan as plan
from scenes.generator.chance import segmentation_colours, stream
from scenes.generator.display import Shown, arrange
from scenes.generator.furnishings import Area, Exhibit, draw_exhibits, stores_from
from siturec.protocol.messages import Pose
from siturec.scene.schema import (
    Colour,
    Instance,
    Layout,
    Product,
    Prop,
    Rect,
    SceneInfo,
    ScenePack,
    Standing,
    Target,
    Waypoint,
)
from siturec.strict_yaml import read_yaml

SLUG = "home_furnishings"
PRODUCTS, INSTANCES = 222, 244
DATA = Path(__file__).parent / "data" / "home_furnishings.yaml"
DOOR_OUTSIDE, DOOR_INSIDE, BEFORE_BAY = 1.6, 1.1, 1.1


@dataclass(frozen=True)
class Sizes:
    """How large a pack is: blocks of the floor plan, products, instances."""

    blocks: int = 1
    products: int = PRODUCTS
    instances: int = INSTANCES


def build(seed: int, sizes: Sizes) -> ScenePack:
    """The pack without shoppers and tasks, a pure function of its arguments."""
    raw: dict[str, Any] = read_yaml(DATA.read_text(encoding="utf-8"))
    stores = stores_from(raw["stores"], sizes.blocks)
    totals = (sizes.products, sizes.instances)
    exhibits = draw_exhibits(stores, raw["series"], raw["colours"], totals, stream(SLUG, seed, "products"))
    colours = segmentation_colours(len(exhibits) + len(stores), stream(SLUG, seed, "colours"))
    products = [one.finished(colour) for one, colour in zip(exhibits, colours, strict=False)]
    rooms = plan.shops(stores)
    bays = [bay for room in rooms for bay in plan.bays(room)]
    instances, props = _furnish(bays, exhibits, products)
    held: dict[str, list[str]] = {}
    for instance in instances:
        if instance.product not in held.setdefault(instance.target, []):
            held[instance.target].append(instance.product)
    targets: list[Target] = []
    waypoints: list[Waypoint] = []
    for room, colour in zip(rooms, colours[len(products) :], strict=True):
        found, points = _targets(room, colour, held)
        targets += found
        waypoints += points
    targets.sort(key=lambda target: target.kind == "area")
    x, y, yaw = plan.START
    return ScenePack(
        info=SceneInfo(
            id=SLUG,
            name="Home Furnishings Store",
            kind="home",
            version="1",
            seed=seed,
            start=Pose(x_m=x, y_m=y, yaw_deg=yaw),
            description="Seven themed shops on one floor, each with display areas.",
        ),
        products=tuple(products),
        targets=tuple(targets),
        waypoints=tuple(waypoints),
        instances=tuple(instances),
        layout=Layout(
            width_m=plan.BLOCK_WIDTH * sizes.blocks,
            depth_m=plan.DEPTH,
            height_m=plan.CEILING,
            walls=tuple(plan.walls(rooms, sizes.blocks)),
            lights=tuple(plan.lights(rooms, sizes.blocks)),
            signs=tuple(plan.signs(rooms)),
            props=(*plan.props(sizes.blocks), *plan.backdrops(rooms), *props),
            floor="wood",
        ),
    )


def _furnish(
    bays: list[plan.Bay], exhibits: list[Exhibit], products: list[Product]
) -> tuple[list[Instance], list[Prop]]:
    instances: list[Instance] = []
    props: list[Prop] = []
    shown: dict[str, list[Shown]] = {}
    for one, product in zip(exhibits, products, strict=True):
        shown.setdefault(one.area, []).append(Shown(product, one.place, one.copies))
    for bay in bays:
        made = arrange(bay, shown.get(bay.area, []))
        instances += made.instances
        props += made.props
    return instances, props


def _targets(
    room: plan.Shop, colour: Colour, held: dict[str, list[str]]
) -> tuple[list[Target], list[Waypoint]]:
    """A store with its doorway points, and its areas with one floor point each."""
    out = 1 if room.yaw_deg == 90.0 else -1
    name = room.store.id
    points = [
        Waypoint(
            id=f"{name}-{side}",
            x_m=room.door_x,
            y_m=round(room.front_y + out * away, 3),
            yaw_deg=(room.yaw_deg + 180) % 360,
        )
        for side, away in (("outside", DOOR_OUTSIDE), ("inside", -DOOR_INSIDE))
    ]
    own: list[Target] = []
    for area, bay in zip(room.store.areas, plan.bays(room), strict=True):
        target, point = _area(area, bay, room, tuple(held.get(bay.area, ())))
        own.append(target)
        points.append(point)
    half = plan.OPENING / 2
    store = Target(
        id=name,
        kind="store",
        name=room.store.name,
        colour=colour,
        footprint=room.room,
        height_m=plan.CEILING,
        yaw_deg=room.yaw_deg,
        x_m=room.door_x,
        y_m=(room.room.y0 + room.room.y1) / 2,
        entrances=(
            Rect(
                x0=room.door_x - half,
                y0=round(room.front_y - 0.1, 3),
                x1=room.door_x + half,
                y1=round(room.front_y + 0.1, 3),
            ),
        ),
        standing=(
            Standing(approach="outside_doorway", waypoint=f"{name}-outside"),
            Standing(approach="inside_doorway", waypoint=f"{name}-inside"),
        ),
        products=tuple(product for area in own for product in area.products),
    )
    return [store, *own], points


def _area(area: Area, bay: plan.Bay, shop: plan.Shop, products: tuple[str, ...]) -> tuple[Target, Waypoint]:
    rect, room = bay.rect, shop.room
    out_x, out_y = {0: (1, 0), 90: (0, 1), 180: (-1, 0), 270: (0, -1)}[int(bay.yaw_deg)]
    half = (rect.x1 - rect.x0 if out_x else rect.y1 - rect.y0) / 2
    middle = (rect.x0 + rect.x1) / 2
    if out_y:
        # Beside the bays at the side walls there is no room to stand.
        aside = plan.BAY_DEPTH + 0.6
        middle = min(max(middle, room.x0 + aside), room.x1 - aside)
    x = round(middle + out_x * (half + BEFORE_BAY), 3)
    y = round((rect.y0 + rect.y1) / 2 + out_y * (half + BEFORE_BAY), 3)
    # What hangs from the ceiling must be in view too.
    pitch = 4.0 if any(family.place == "hang" for family in area.families) else -12.0
    point = Waypoint(id=bay.area, x_m=x, y_m=y, yaw_deg=(bay.yaw_deg + 180) % 360, pitch_deg=pitch)
    target = Target(
        id=bay.area,
        kind="area",
        name=area.name,
        footprint=rect,
        yaw_deg=bay.yaw_deg,
        x_m=x,
        y_m=y,
        store=shop.store.id,
        standing=(Standing(approach="front", waypoint=bay.area),),
        products=products,
    )
    return target, point
