"""The floor plan of a scene as SVG, with its targets and standing points, some targets picked out."""

import math
from collections.abc import Iterator
from html import escape

from siturec.scene.geometry import wall_pieces
from siturec.scene.schema import Rect, ScenePack, Target

SCALE = 32.0
MARGIN = 16.0
FILLS = {
    "shelf": "#d9c7a8",
    "chest_freezer": "#b9d3e6",
    "upright_freezer": "#a9c4dd",
    "open_cooler": "#b5dcd2",
    "produce_stand": "#cfdfae",
}
LIGHT, INK, PALE = "#0f766e", "#1f2937", "#9ca3af"


def floor_plan_svg(pack: ScenePack, lit: frozenset[str] = frozenset()) -> str:
    """The plan, x to the right and y down, as seen from above. ``lit`` holds ids of targets to pick out."""
    layout = pack.layout
    width, height = layout.width_m * SCALE + 2 * MARGIN, layout.depth_m * SCALE + 2 * MARGIN
    body = "\n".join(
        [
            _rect(Rect(x0=0, y0=0, x1=layout.width_m, y1=layout.depth_m), "#fbfaf6", INK, 2),
            *_stores(pack, lit),
            *_areas(pack, lit),
            *_furniture(pack),
            *_goods(pack),
            *_fixtures(pack, lit),
            *_points(pack),
            *_labels(pack, lit),
        ]
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" role="img" '
        f'font-family="system-ui, sans-serif" font-size="11">'
        f"<title>{escape(pack.info.name)}: floor plan</title>\n{body}\n</svg>"
    )


def _stores(pack: ScenePack, lit: frozenset[str]) -> Iterator[str]:
    for target in pack.targets:
        if target.kind == "store":
            chosen = target.id in lit
            yield _rect(target.footprint, "#ccebe5" if chosen else "#f1ece0", "none")


def _areas(pack: ScenePack, lit: frozenset[str]) -> Iterator[str]:
    for target in pack.targets:
        if target.kind == "area":
            chosen = target.id in lit
            yield _rect(target.footprint, "#99d5cb" if chosen else "#e6ddc8", LIGHT if chosen else "none", 2)


def _furniture(pack: ScenePack) -> Iterator[str]:
    for prop in pack.layout.props:
        if prop.base_m < 1:
            yield _rect(prop.footprint, "#e3ded3", PALE, 0.6)
    for wall in pack.layout.walls:
        if wall.base_m < 1.9:
            fill = "#94876f" if wall.owner else "#57534e"
            for piece in wall_pieces(wall):
                yield _rect(piece, fill, "none")


def _goods(pack: ScenePack) -> Iterator[str]:
    """Displayed goods as outlines; goods on shelves would only blacken the plan."""
    products = {product.id: product for product in pack.products}
    for instance in pack.instances:
        product = products[instance.product]
        if product.storage == "display":
            wide, deep, _ = product.look.size_m
            if round(instance.yaw_deg / 90) % 2 == 0:
                wide, deep = deep, wide
            x, y = instance.x_m, instance.y_m
            rect = Rect(x0=x - wide / 2, y0=y - deep / 2, x1=x + wide / 2, y1=y + deep / 2)
            yield _rect(rect, product.look.primary, "#00000055", 0.5)


def _fixtures(pack: ScenePack, lit: frozenset[str]) -> Iterator[str]:
    for target in pack.targets:
        if target.kind == "fixture":
            chosen = target.id in lit
            fill = LIGHT if chosen else FILLS[target.type or "shelf"]
            yield _rect(target.footprint, fill, INK, 1.6 if chosen else 0.8)
            for standing in target.standing:
                yaw = target.yaw_deg + (180 if standing.approach == "back" else 0)
                yield _front(target.footprint, yaw)


def _front(rect: Rect, yaw: float) -> str:
    """A thick line along the side goods are offered at."""
    x0, y0, x1, y1 = rect.x0, rect.y0, rect.x1, rect.y1
    quarter = round(yaw / 90) % 4
    ends = [(x1, y0, x1, y1), (x0, y1, x1, y1), (x0, y0, x0, y1), (x0, y0, x1, y0)][quarter]
    a, b, c, d = (MARGIN + value * SCALE for value in ends)
    return f'<line x1="{a:.1f}" y1="{b:.1f}" x2="{c:.1f}" y2="{d:.1f}" stroke="#b45309" stroke-width="3"/>'


def _points(pack: ScenePack) -> Iterator[str]:
    for waypoint in pack.waypoints:
        yield _arrow(waypoint.x_m, waypoint.y_m, waypoint.yaw_deg, "#2563eb", 3.0)
    start = pack.info.start
    yield _arrow(start.x_m, start.y_m, start.yaw_deg, "#dc2626", 6.0)


def _arrow(x_m: float, y_m: float, yaw: float, colour: str, size: float) -> str:
    x, y = MARGIN + x_m * SCALE, MARGIN + y_m * SCALE
    angle = math.radians(yaw)
    ahead_x, ahead_y = x + 3 * size * math.cos(angle), y + 3 * size * math.sin(angle)
    return (
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{size}" fill="{colour}"/>'
        f'<line x1="{x:.1f}" y1="{y:.1f}" x2="{ahead_x:.1f}" y2="{ahead_y:.1f}" '
        f'stroke="{colour}" stroke-width="2"/>'
    )


def _labels(pack: ScenePack, lit: frozenset[str]) -> Iterator[str]:
    for target in pack.targets:
        x, y = _label_place(target)
        weight = "700" if target.id in lit or target.kind == "store" else "400"
        fill = "#ffffff" if target.id in lit and target.kind == "fixture" else INK
        size = 15 if target.kind == "store" else 7.5 if target.type == "upright_freezer" else 10
        upright = target.kind != "store" and _tall(target.footprint)
        turn = f' transform="rotate(-90 {x:.1f} {y:.1f})"' if upright else ""
        text = target.id if target.kind == "fixture" else target.name
        yield (
            f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="middle" dominant-baseline="middle" fill="{fill}" '
            f'font-weight="{weight}" font-size="{size}" paint-order="stroke" stroke-width="3" '
            f'stroke="{"none" if fill == "#ffffff" else "#ffffffcc"}"{turn}>{escape(text)}'
            f"<title>{escape(target.name)} ({escape(target.entity)})</title></text>"
        )


def _label_place(target: Target) -> tuple[float, float]:
    rect = target.footprint
    x, y = (rect.x0 + rect.x1) / 2, (rect.y0 + rect.y1) / 2
    if target.kind == "store" and target.entrances:
        door = target.entrances[0]
        inward = 1 if door.y0 < y else -1
        y = (door.y0 + door.y1) / 2 + 0.7 * inward
    return MARGIN + x * SCALE, MARGIN + y * SCALE


def _tall(rect: Rect) -> bool:
    return rect.y1 - rect.y0 > rect.x1 - rect.x0


def _rect(rect: Rect, fill: str, stroke: str, width: float = 1.0) -> str:
    x, y = MARGIN + rect.x0 * SCALE, MARGIN + rect.y0 * SCALE
    wide, deep = (rect.x1 - rect.x0) * SCALE, (rect.y1 - rect.y0) * SCALE
    return (
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{wide:.1f}" height="{deep:.1f}" '
        f'fill="{fill}" stroke="{stroke}" stroke-width="{width}"/>'
    )
