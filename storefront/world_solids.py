"""What one cannot walk through: rectangles on the floor plan."""

import math

from siturec.scene.schema import Product, ScenePack

Solid = tuple[float, float, float, float]

WALK_UNDER = 1.9
"""A thing whose lower edge is above this height is walked under (metres)."""
STEP = 0.12
"""A thing no higher than this is stepped over or onto (metres)."""


def solids(pack: ScenePack) -> list[Solid]:
    """(x0, y0, x1, y1) of fixtures, walls, solid props and goods that stand on the floor."""
    found: list[Solid] = []
    for target in pack.targets:
        if target.kind == "fixture":
            r = target.footprint
            found.append((r.x0, r.y0, r.x1, r.y1))
    for wall in pack.layout.walls:
        if wall.base_m < WALK_UNDER:
            found.extend(_along(wall.x0, wall.y0, wall.x1, wall.y1, wall.thickness_m))
    for prop in pack.layout.props:
        if prop.solid and prop.base_m < WALK_UNDER and prop.base_m + prop.height_m > STEP:
            r = prop.footprint
            found.append((r.x0, r.y0, r.x1, r.y1))
    found.extend(_standing_goods(pack))
    return found


def _along(x0: float, y0: float, x1: float, y1: float, thickness: float) -> list[Solid]:
    """A wall as one rectangle when it is straight with the axes, else as a row of short ones."""
    half = thickness / 2
    length = math.hypot(x1 - x0, y1 - y0)
    straight = min(abs(x1 - x0), abs(y1 - y0)) < 1e-6
    pieces = 1 if straight else max(1, math.ceil(length / 0.2))
    rows = []
    for k in range(pieces):
        ax, ay = x0 + (x1 - x0) * k / pieces, y0 + (y1 - y0) * k / pieces
        bx, by = x0 + (x1 - x0) * (k + 1) / pieces, y0 + (y1 - y0) * (k + 1) / pieces
        rows.append((min(ax, bx) - half, min(ay, by) - half, max(ax, bx) + half, max(ay, by) + half))
    return rows


def _standing_goods(pack: ScenePack) -> list[Solid]:
    """Displayed goods low enough to be walked into: furniture, not what hangs, and no rugs."""
    products: dict[str, Product] = {p.id: p for p in pack.products}
    rows: list[Solid] = []
    for instance in pack.instances:
        product = products[instance.product]
        wide, deep, high = product.look.size_m
        if product.storage != "display" or product.look.shape == "rug":
            continue
        if instance.z_m > 0.5 or instance.z_m + high <= STEP:
            continue
        a = math.radians(instance.yaw_deg)
        # The front faces the yaw, so the depth runs along it and the width across.
        half_x = abs(math.cos(a)) * deep / 2 + abs(math.sin(a)) * wide / 2
        half_y = abs(math.sin(a)) * deep / 2 + abs(math.cos(a)) * wide / 2
        rows.append(
            (instance.x_m - half_x, instance.y_m - half_y, instance.x_m + half_x, instance.y_m + half_y)
        )
    return rows
