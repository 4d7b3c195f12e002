"""The supermarket: products by storage need on fixtures, with everything but shoppers and tasks."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scenes.generator import supermarket_plan as plan
from scenes.generator.chance import apportion, segmentation_colours, stream
from scenes.generator.goods import Department, departments_from, draw_products
from scenes.generator.shelving import NoRoom, Row, assign, fill, stand
from siturec.protocol.messages import Pose
from siturec.scene.fixtures import Form, boards
from siturec.scene.schema import Layout, Product, SceneInfo, ScenePack, Target
from siturec.strict_yaml import read_yaml

SLUG = "supermarket"
PRODUCTS, INSTANCES = 233, 1324
SECOND_PLACES = 14
# How densely each kind of fixture is stocked, per metre of board; what finds no room moves on to the next.
SHARES = {
    "produce_stand": 0.55,
    "chest_freezer": 1.2,
    "upright_freezer": 0.75,
    "open_cooler": 0.9,
    "shelf": 1.15,
}
DATA = Path(__file__).parent / "data" / "supermarket.yaml"


@dataclass(frozen=True)
class Sizes:
    """How large a pack is: blocks of the floor plan, products, instances."""

    blocks: int = 1
    products: int = PRODUCTS
    instances: int = INSTANCES


def build(seed: int, sizes: Sizes) -> ScenePack:
    """The pack without shoppers and tasks, a pure function of its arguments."""
    raw: dict[str, Any] = read_yaml(DATA.read_text(encoding="utf-8"))
    departments = departments_from(raw["departments"])
    drafts = draw_products(departments, raw["brands"], sizes.products, stream(SLUG, seed, "products"), "sm")
    places = plan.places(sizes.blocks)
    colours = segmentation_colours(len(drafts) + len(places), stream(SLUG, seed, "colours"))
    products = [draft.finished(colour) for draft, colour in zip(drafts, colours, strict=False)]
    stocked = {
        department.id: [
            p for draft, p in zip(drafts, products, strict=True) if draft.department == department.id
        ]
        for department in departments
    }
    owners = _owners(departments, places)
    rows = _rows(places, owners, stocked, seed, sizes.blocks)
    fill_by_storage(rows, places, sizes.instances)
    instances = stand(rows)
    held: dict[str, list[str]] = {}
    for instance in instances:
        if instance.product not in held.setdefault(instance.target, []):
            held[instance.target].append(instance.product)
    names = _names(places, owners)
    targets, waypoints = [], []
    for place, colour in zip(places, colours[len(products) :], strict=True):
        standing, points = plan.standing_points(place)
        waypoints += points
        targets.append(
            Target(
                id=place.id,
                kind="fixture",
                name=names[place.id],
                type=place.type,
                colour=colour,
                footprint=place.footprint,
                height_m=place.height_m,
                yaw_deg=place.yaw_deg,
                x_m=round((place.footprint.x0 + place.footprint.x1) / 2, 3),
                y_m=round((place.footprint.y0 + place.footprint.y1) / 2, 3),
                standing=tuple(standing),
                products=tuple(held.get(place.id, ())),
            )
        )
    x, y, yaw = plan.START
    return ScenePack(
        info=SceneInfo(
            id=SLUG,
            name="Supermarket",
            kind="supermarket",
            version="1",
            seed=seed,
            start=Pose(x_m=x, y_m=y, yaw_deg=yaw),
            description="A neighbourhood supermarket laid out by storage need.",
        ),
        products=tuple(products),
        targets=tuple(targets),
        waypoints=tuple(waypoints),
        instances=tuple(instances),
        layout=Layout(
            width_m=plan.BLOCK_WIDTH * sizes.blocks,
            depth_m=plan.DEPTH,
            height_m=plan.CEILING,
            lights=tuple(plan.lights(sizes.blocks)),
            signs=tuple(plan.signs(sizes.blocks, names)),
            props=tuple(plan.props(sizes.blocks)),
            floor="tiles",
        ),
    )


def _owners(departments: tuple[Department, ...], places: list[plan.Place]) -> dict[str, Department]:
    """Which department each fixture belongs to: fixtures of a kind are dealt to the departments in turn."""
    owners: dict[str, Department] = {}
    for storage in plan.SIZES:
        turn = [d for d in departments if d.storage == storage for _ in range(d.fixtures)]
        fixtures = [place for place in places if place.type == storage]
        for number, place in enumerate(fixtures):
            owners[place.id] = turn[number % len(turn)]
    return owners


def _names(places: list[plan.Place], owners: dict[str, Department]) -> dict[str, str]:
    """The department's name, numbered where it has several fixtures."""
    sharing: dict[str, list[str]] = {}
    for place in places:
        sharing.setdefault(owners[place.id].name, []).append(place.id)
    return {
        place: name if len(group) == 1 else f"{name} {number}"
        for name, group in sharing.items()
        for number, place in enumerate(group, 1)
    }


def _rows(
    places: list[plan.Place],
    owners: dict[str, Department],
    stocked: dict[str, list[Product]],
    seed: int,
    blocks: int,
) -> list[Row]:
    """Every board with one block of each product that stands there; some products stand in two places."""
    rows: list[Row] = []
    for department in {owner.id: owner for owner in owners.values()}.values():
        fixtures = [place for place in places if owners[place.id].id == department.id]
        goods = stocked[department.id]
        start = 0
        for place, share in zip(fixtures, apportion(len(goods), [1.0] * len(fixtures)), strict=True):
            form = Form(place.type, place.footprint, place.height_m, place.yaw_deg, place.double)
            own = [Row(place.id, board) for board in boards(form)]
            assign(own, goods[start : start + share])
            start += share
            rows += own
    rng = stream(SLUG, seed, "second places")
    shelves = [row for row in rows if row.target.startswith("shelf-")]
    for row in rng.sample(shelves, min(len(shelves), SECOND_PLACES * blocks)):
        product = row.blocks[0].product if row.blocks else None
        able = [other for other in shelves if product and other is not row and other.takes(product)]
        able = [other for other in able if all(block.product is not product for block in other.blocks)]
        if product and able:
            assign([rng.choice(able)], [product])
    order = {place.id: number for number, place in enumerate(places)}
    return sorted(rows, key=lambda row: (order[row.target], row.board.side == "back", row.board.level))


def fill_by_storage(rows: list[Row], places: list[plan.Place], total: int) -> None:
    """Share the instances among kinds of fixture by the length of their boards, then fill each kind.

    Raises: NoRoom when they cannot all stand.
    """
    kind = {place.id: place.type for place in places}
    groups = {name: [row for row in rows if kind[row.target] == name] for name in SHARES}
    lengths = [SHARES[name] * sum(row.board.across_m for row in group) for name, group in groups.items()]
    left = 0
    for group, share in zip(groups.values(), apportion(total, lengths), strict=True):
        left = fill(group, share + left)
    if left:
        raise NoRoom(f"{left} of {total} instances find no room")
