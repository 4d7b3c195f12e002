"""The faults of a pack's space: things inside one another, places out of reach, goods out of sight."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from siturec.scene.fixtures import boards, form_of, parts
from siturec.scene.geometry import Box, Geometry, distance, instance_box, wall_pieces
from siturec.scene.schema import Rect, ScenePack

TOLERANCE_M = 0.0015
"""Things may touch; what overlaps by more than this stands inside something."""


def check_space(pack: ScenePack) -> list[str]:
    """Every fault of space. References are taken to hold (see ``siturec.scene.check``)."""
    geometry = Geometry(pack)
    return [
        *_inside_building(pack),
        *_overlaps(pack),
        *_support(pack),
        *_standing(pack, geometry),
        *_sight(pack, geometry),
    ]


def _inside_building(pack: ScenePack) -> Iterator[str]:
    layout = pack.layout
    rects: list[tuple[str, Rect]] = [
        (f"targets.json row {number}, footprint", target.footprint)
        for number, target in enumerate(pack.targets, start=1)
    ]
    rects += [
        (f"layout.json props row {number}, footprint", prop.footprint)
        for number, prop in enumerate(layout.props, start=1)
    ]
    products = {product.id: product for product in pack.products}
    for number, instance in enumerate(pack.instances, start=1):
        x0, y0, z0, x1, y1, z1 = instance_box(instance, products[instance.product])
        rects.append((f"instances.json row {number}, x_m", Rect(x0=x0, y0=y0, x1=x1, y1=y1)))
        if z0 < -TOLERANCE_M or z1 > layout.height_m + TOLERANCE_M:
            yield f"instances.json row {number}, z_m: stands out of the floor or the ceiling"
    for where, rect in rects:
        if min(rect.x0, rect.y0) < -TOLERANCE_M or (
            rect.x1 > layout.width_m + TOLERANCE_M or rect.y1 > layout.depth_m + TOLERANCE_M
        ):
            yield f"{where}: outside the building"


def _solid_boxes(pack: ScenePack) -> list[tuple[str, str, Box]]:
    """(where, whose, box) of everything solid. Parts of one thing share ``whose`` and are not compared."""
    products = {product.id: product for product in pack.products}
    found: list[tuple[str, str, Box]] = []
    for number, target in enumerate(pack.targets, start=1):
        if target.kind == "fixture":
            where = f"targets.json row {number}, footprint"
            found += [(where, target.entity, (*part.low, *part.high)) for part in parts(form_of(target))]
    for number, wall in enumerate(pack.layout.walls, start=1):
        for piece in wall_pieces(wall):
            box = (piece.x0, piece.y0, wall.base_m, piece.x1, piece.y1, wall.height_m)
            # Walls join one another at corners and in a front; only other things must keep out of them.
            found.append((f"layout.json walls row {number}, x0", "walls", box))
    for number, prop in enumerate(pack.layout.props, start=1):
        rect, top = prop.footprint, prop.base_m + prop.height_m
        box = (rect.x0, rect.y0, prop.base_m, rect.x1, rect.y1, top)
        found.append((f"layout.json props row {number}, footprint", f"prop {number}", box))
    for number, instance in enumerate(pack.instances, start=1):
        box = instance_box(instance, products[instance.product])
        found.append((f"instances.json row {number}, x_m", instance.id, box))
    return found


def _overlaps(pack: ScenePack) -> Iterator[str]:
    """Sweep along x: each box is compared with those that begin before it ends."""
    found = _solid_boxes(pack)
    boxes: NDArray[np.float64] = np.array([box for _, _, box in found], dtype=np.float64).reshape(-1, 6)
    low, high = boxes[:, :3] + TOLERANCE_M, boxes[:, 3:] - TOLERANCE_M
    order = np.argsort(boxes[:, 0], kind="stable")
    starts = low[order, 0]
    for place, index in enumerate(order):
        stop = int(np.searchsorted(starts, high[index, 0]))
        others = order[place + 1 : stop]
        hit = others[((low[others] < high[index]) & (low[index] < high[others])).all(axis=1)]
        for other in hit:
            first, second = sorted((int(index), int(other)))
            if found[first][1] != found[second][1]:
                yield f"{found[second][0]}: {found[second][1]} stands inside {found[first][1]}"


def _support(pack: ScenePack) -> Iterator[str]:
    """Goods in a fixture stand on one of its boards, within it and below what is above it."""
    fixtures = {target.id: target for target in pack.targets if target.kind == "fixture"}
    surfaces = {identity: boards(form_of(target)) for identity, target in fixtures.items()}
    products = {product.id: product for product in pack.products}
    for number, instance in enumerate(pack.instances, start=1):
        if instance.target not in surfaces:
            continue
        x0, y0, z0, x1, y1, z1 = instance_box(instance, products[instance.product])
        for board in surfaces[instance.target]:
            rect = board.rect
            within = min(x0 - rect.x0, y0 - rect.y0, rect.x1 - x1, rect.y1 - y1) >= -TOLERANCE_M
            if (
                within
                and abs(z0 - board.z_m) <= TOLERANCE_M
                and z1 <= board.z_m + board.clear_m + TOLERANCE_M
            ):
                break
        else:
            yield f"instances.json row {number}, z_m: {instance.id} stands on no board of {instance.target}"


def _standing(pack: ScenePack, geometry: Geometry) -> Iterator[str]:
    start = pack.info.start
    if not geometry.free((start.x_m, start.y_m)):
        yield "scene.json, start: a body cannot stand there"
        return
    for number, waypoint in enumerate(pack.waypoints, start=1):
        point = (waypoint.x_m, waypoint.y_m)
        if not geometry.free(point):
            yield f"waypoints.json row {number}, x_m: a body cannot stand at {waypoint.id}"
        elif not geometry.can_walk_to(point):
            yield f"waypoints.json row {number}, x_m: {waypoint.id} cannot be walked to from the start"
    waypoints = {waypoint.id: waypoint for waypoint in pack.waypoints}
    for number, target in enumerate(pack.targets, start=1):
        if target.kind == "area" and not geometry.can_walk_to((target.x_m, target.y_m)):
            yield f"targets.json row {number}, x_m: the floor point of {target.id} cannot be walked to"
        for standing in target.standing:
            waypoint = waypoints[standing.waypoint]
            inside = distance((waypoint.x_m, waypoint.y_m), target.footprint) == 0
            where = f"targets.json row {number}, standing: {standing.waypoint}"
            if standing.approach in ("inside_doorway", "outside_doorway"):
                if inside != (standing.approach == "inside_doorway"):
                    yield f"{where} is on the wrong side of the door"
            elif distance((waypoint.x_m, waypoint.y_m), target.footprint) > pack.info.sight.reach_m:
                yield f"{where} is too far from {target.id}"


def _sight(pack: ScenePack, geometry: Geometry) -> Iterator[str]:
    """Every product has an instance that is in sight and within reach of a point one can walk to."""
    instances: dict[str, list[int]] = {}
    for index, instance in enumerate(pack.instances):
        instances.setdefault(instance.product, []).append(index)
    for number, product in enumerate(pack.products, start=1):
        places = instances.get(product.id, [])
        if all(geometry.seen_and_reached_from(pack.instances[index]) is None for index in places):
            reach = pack.info.sight.reach_m
            yield f"products.json row {number}, id: {product.id} is nowhere in sight within {reach} m"
