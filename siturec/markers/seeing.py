"""From one capture to what both roles get: an observation and two painted frames.

Source: SituRecBench 3.3, B.2 (S25-S30); docs/protocol.md, *Observations*.
"""

import math
from dataclasses import dataclass
from typing import NamedTuple, cast

import cv2
import numpy as np
from numpy.typing import NDArray

from siturec.markers.alphabets import deal_products
from siturec.markers.areas import FoundArea, find_area
from siturec.markers.camera import Camera
from siturec.markers.layout import Wish, place_labels
from siturec.markers.painting import Mark, label_size, paint_both
from siturec.markers.regions import Found, find
from siturec.markers.scene import MarkerScene
from siturec.protocol.messages import Approach, Observation, Pose, Sighting
from siturec.protocol.vocabulary import EntityKind
from siturec.scene.schema import Target

CLICK_EPSILON_PX = 1.5
SIMPLE_CORNERS = 8
Polygon = NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Seen:
    """An observation with its two JPEG frames."""

    observation: Observation
    user_frame: bytes
    assistant_frame: bytes


class Thing(NamedTuple):
    """One visible thing under both roles' markers; ``number`` is -1 for areas."""

    entity: str
    number: int
    kind: EntityKind
    found: Found | FoundArea
    polygons: tuple[Polygon, ...]
    user: str
    assistant: str


def see(
    *,
    frame_bgr: NDArray[np.uint8] | None,
    numbers: NDArray[np.int16],
    depth_m: NDArray[np.float32],
    pose: Pose,
    scene: MarkerScene,
    observation: int,
    seed: int = 0,
) -> Seen:
    """Find, mark and paint what one pose shows.

    Args:
        frame_bgr: (H, W, 3 or 4) uint8 in OpenCV's order; left as it is. None: nothing is painted, and
            the frames are empty.
        numbers: (H, W) int16 entity numbers (``scene.colour_table.numbers(mask)``), -1 for none.
        depth_m: (H, W) float32 planar depth in metres.
        pose: where the capture was made.
        observation: number of this observation, from 0; with ``seed`` it decides the products' markers.
    """
    height, width = numbers.shape
    camera = Camera(pose, width, height, scene.sight.fov_deg, scene.sight.eye_m)
    marks, things = find_marks(
        numbers, depth_m, camera=camera, scene=scene, observation=observation, seed=seed
    )
    user, assistant = paint_both(frame_bgr, marks) if frame_bgr is not None else (b"", b"")
    sightings = tuple(
        _sighting(thing, camera, scene, labelled=mark.corner is not None)
        for mark, thing in zip(marks, things, strict=True)
    )
    return Seen(Observation(pose=pose, visible=sightings), user, assistant)


def find_marks(
    numbers: NDArray[np.int16],
    depth_m: NDArray[np.float32],
    *,
    camera: Camera,
    scene: MarkerScene,
    observation: int,
    seed: int,
) -> tuple[list[Mark], list[Thing]]:
    """What is visible, nearest first, and how to paint each; the two lists go together."""
    things = _things(numbers, depth_m, camera, scene, observation, seed)
    wishes = [_wish(thing) for thing in things]
    # Places to go come first: they are few, and without their labels one cannot walk anywhere.
    order = sorted(range(len(things)), key=lambda i: not wishes[i].must)
    corners = place_labels([wishes[i] for i in order], width=camera.width, height=camera.height)
    corner_of = dict(zip(order, corners, strict=True))
    marks = [
        Mark(t.number, t.kind, t.polygons, corner_of[i], t.user, t.assistant) for i, t in enumerate(things)
    ]
    return marks, things


def _things(
    numbers: NDArray[np.int16],
    depth_m: NDArray[np.float32],
    camera: Camera,
    scene: MarkerScene,
    observation: int,
    seed: int,
) -> list[Thing]:
    found = find(
        numbers,
        depth_m,
        camera=camera,
        limits_m=scene.limits_m,
        kinds=scene.kinds,
        min_pixels=scene.sight.min_pixels,
    )
    products = [scene.entities[f.number] for f in found if scene.kinds[f.number] == "product"]
    user = scene.user_fixed | deal_products(
        products, scene=scene.slug, observation=observation, role="user", seed=seed
    )
    assistant = scene.assistant_fixed | deal_products(
        products, scene=scene.slug, observation=observation, role="assistant", seed=seed
    )
    things = []
    for one in found:
        entity, kind = scene.entities[one.number], scene.kinds[one.number]
        polygons = one.contours or (_box(one.box),)
        things.append(Thing(entity, one.number, kind, one, polygons, user[entity], assistant[entity]))
    for target in scene.areas:
        area = find_area(target, depth_m, camera=camera, limit_m=scene.sight.area_m)
        if area is not None:
            entity = target.entity
            things.append(Thing(entity, -1, "area", area, (area.polygon,), user[entity], assistant[entity]))
    return sorted(things, key=lambda thing: (thing.found.distance_m, thing.entity))


def _box(box: tuple[int, int, int, int]) -> Polygon:
    x0, y0, x1, y1 = box
    return np.array([[[x0, y0]], [[x1, y0]], [[x1, y1]], [[x0, y1]]], np.int32)


def _wish(thing: Thing) -> Wish:
    size = label_size(thing.user, thing.assistant, thing.kind)
    if isinstance(thing.found, FoundArea):
        left, top, width, height = cv2.boundingRect(thing.found.polygon)
        return Wish(thing.found.anchor, (left, top, left + width, top + height), size, must=True)
    return Wish(thing.found.anchor, thing.found.box, size, thing.kind != "product")


def _sighting(thing: Thing, camera: Camera, scene: MarkerScene, *, labelled: bool) -> Sighting:
    kind, distance = thing.kind, thing.found.distance_m
    target = None if kind == "product" else scene.targets[thing.entity]
    # Every field comes from our own arithmetic: validating hundreds of polygons again costs milliseconds.
    return Sighting.trusted(
        entity=thing.entity,
        kind=kind,
        name=target.name if target is not None else scene.names[thing.number],
        user_marker=thing.user,
        assistant_marker=thing.assistant,
        distance_m=round(distance, 2),
        side=camera.side(thing.found.column),
        reachable=distance <= scene.sight.reach_m if kind == "product" else None,
        approaches=() if target is None else approaches(target, camera.pose),
        outlines=tuple(_outline(polygon) for polygon in thing.polygons),
        labelled=labelled,
    )


def _outline(polygon: Polygon) -> tuple[tuple[int, int], ...]:
    """A polygon for clicking: what has few corners stays, the rest is simplified."""
    simple = cv2.approxPolyDP(polygon, CLICK_EPSILON_PX, True) if len(polygon) > SIMPLE_CORNERS else polygon
    numbers = iter(cast(list[int], simple.ravel().tolist()))
    return tuple(zip(numbers, numbers, strict=True))


def approaches(target: Target, pose: Pose) -> tuple[Approach, ...]:
    """The approaches a visible target offers from a pose.

    A store offers the sides of its doorway it has points for. A fixture always offers ``nearest``; its front
    or back is offered when it has a standing point there and the shopper is not behind that face: who stands
    at the front cannot see the back. Beside the fixture (between both faces) both are.
    """
    standing = {point.approach for point in target.standing}
    if target.kind == "area":
        return ()
    if target.kind == "store":
        return tuple(a for a in ("outside_doorway", "inside_doorway") if a in standing)
    yaw = math.radians(target.yaw_deg)
    foot = target.footprint
    ahead = (pose.x_m - (foot.x0 + foot.x1) / 2) * math.cos(yaw) + (
        pose.y_m - (foot.y0 + foot.y1) / 2
    ) * math.sin(yaw)
    half = (abs((foot.x1 - foot.x0) * math.cos(yaw)) + abs((foot.y1 - foot.y0) * math.sin(yaw))) / 2
    offered: list[Approach] = ["nearest"]
    if "front" in standing and ahead >= -half:
        offered.append("front")
    if "back" in standing and ahead <= half:
        offered.append("back")
    return tuple(offered)
