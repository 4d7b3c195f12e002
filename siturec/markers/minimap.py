"""The minimap: the floor plan with one role's fixed markers, the shopper's place and heading.

On the picture x grows to the right and y downwards, so that clockwise turns are clockwise. Source: S08, S28.
"""

import math
from collections.abc import Iterator
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from siturec.markers.layout import Wish, place_labels
from siturec.markers.scene import MarkerScene
from siturec.markers.sprites import Sprite, label_sprite
from siturec.protocol.messages import Pose
from siturec.protocol.vocabulary import Role
from siturec.scene.schema import Layout, Target

PICTURE_PX = 560
# Full colour resolution, or thin coloured lines and small print would smear. PNG takes six times as long.
_JPEG = [
    cv2.IMWRITE_JPEG_QUALITY,
    88,
    cv2.IMWRITE_JPEG_SAMPLING_FACTOR,
    cv2.IMWRITE_JPEG_SAMPLING_FACTOR_444,
]
MARGIN_PX = 8
ARROW_PX = 10
"""The shopper's arrow reaches so far from its place, a little more at its tip."""
_FLOOR, _WALL, _EDGE = (242, 246, 246), (84, 90, 90), (138, 146, 150)
_FIXTURE, _STORE, _AREA = (200, 214, 222), (214, 230, 236), (150, 206, 186)
_HERE, _CONE = (60, 60, 230), (190, 190, 250)
_COMPASS = ("east", "south-east", "south", "south-west", "west", "north-west", "north", "north-east")


class Minimap:
    """One scene's map for one role; the plan is drawn once, the shopper on a copy each time."""

    def __init__(self, layout: Layout, scene: MarkerScene, role: Role) -> None:
        self._scene, self._layout = scene, layout
        self._markers = scene.user_fixed if role == "user" else scene.assistant_fixed
        self._scale = (PICTURE_PX - 2 * MARGIN_PX) / max(layout.width_m, layout.depth_m)
        self._plan = self._draw_plan()
        self._labels = self._place_labels()

    def picture(self, pose: Pose) -> bytes:
        """The map as JPEG, with the shopper at ``pose``."""
        canvas = self._plan.copy()
        x, y = self._pixel(pose.x_m, pose.y_m)
        radius = max(round(3.0 * self._scale), 30)
        cone = cv2.ellipse2Poly((x, y), (radius, radius), round(pose.yaw_deg), -40, 40, 8)
        shade = canvas.copy()
        cv2.fillPoly(shade, [np.vstack([[[x, y]], cone]).astype(np.int32)], _CONE, cv2.LINE_AA)
        canvas = cv2.addWeighted(shade, 0.6, canvas, 0.4, 0).astype(np.uint8)
        for sprite, left, top in self._labels_round(x, y):
            wide, high = sprite.size
            cv2.copyTo(sprite.bgr, sprite.mask, canvas[top : top + high, left : left + wide])
        cv2.fillPoly(canvas, [_arrow(x, y, pose.yaw_deg)], _HERE, cv2.LINE_AA)
        cv2.polylines(canvas, [_arrow(x, y, pose.yaw_deg)], True, (255, 255, 255), 1, cv2.LINE_AA)
        done, data = cv2.imencode(".jpg", canvas, _JPEG)
        if not done:
            raise ValueError("cannot encode the minimap")
        return data.tobytes()

    def text(self, pose: Pose) -> str:
        """The map in words: where the shopper is and faces, and every place by marker, nearest first."""
        floor = (
            f"{self._layout.width_m:g} m from west to east and {self._layout.depth_m:g} m from north to south"
        )
        here = (
            f"The floor is {floor}. The user stands at ({pose.x_m:.1f}, {pose.y_m:.1f}), "
            f"facing {compass(pose.yaw_deg)}."
        )
        return "\n".join([here, *self._lines(pose)])

    def _lines(self, pose: Pose) -> Iterator[str]:
        targets = self._scene.targets.values()
        for target in sorted(targets, key=lambda t: math.hypot(t.x_m - pose.x_m, t.y_m - pose.y_m)):
            away = math.hypot(target.x_m - pose.x_m, target.y_m - pose.y_m)
            bearing = math.degrees(math.atan2(target.y_m - pose.y_m, target.x_m - pose.x_m)) - pose.yaw_deg
            home = self._scene.targets.get(f"store:{target.store}") if target.store else None
            inside = f", in {home.name}" if home is not None else ""
            yield (
                f"{self._markers[target.entity]}: {target.name} ({target.kind}{inside}) at "
                f"({target.x_m:.1f}, {target.y_m:.1f}), {away:.1f} m {heading(bearing)}"
            )

    def _pixel(self, x_m: float, y_m: float) -> tuple[int, int]:
        return round(MARGIN_PX + x_m * self._scale), round(MARGIN_PX + y_m * self._scale)

    def _draw_plan(self) -> NDArray[np.uint8]:
        layout = self._layout
        size = (
            round(layout.depth_m * self._scale) + 2 * MARGIN_PX,
            round(layout.width_m * self._scale) + 2 * MARGIN_PX,
        )
        canvas = np.full((*size, 3), 255, np.uint8)
        cv2.rectangle(canvas, self._pixel(0, 0), self._pixel(layout.width_m, layout.depth_m), _FLOOR, -1)
        ordered = sorted(
            self._scene.targets.values(), key=lambda t: ("store", "area", "fixture").index(t.kind)
        )
        for target in ordered:
            self._draw_shape(canvas, target)
        for wall in layout.walls:
            if wall.base_m < 1.9:
                cv2.line(canvas, self._pixel(wall.x0, wall.y0), self._pixel(wall.x1, wall.y1), _WALL, 2)
        cv2.rectangle(canvas, self._pixel(0, 0), self._pixel(layout.width_m, layout.depth_m), _WALL, 2)
        return canvas

    def _draw_shape(self, canvas: NDArray[np.uint8], target: Target) -> None:
        foot = target.footprint
        first, last = self._pixel(foot.x0, foot.y0), self._pixel(foot.x1, foot.y1)
        colour = {"store": _STORE, "fixture": _FIXTURE, "area": _AREA}[target.kind]
        if target.kind != "area":
            cv2.rectangle(canvas, first, last, colour, -1)
            cv2.rectangle(canvas, first, last, _EDGE, 1)
        if target.kind == "fixture":
            self._draw_front(canvas, target)
        if target.kind == "area":
            cv2.circle(canvas, self._pixel(target.x_m, target.y_m), 4, colour, -1, cv2.LINE_AA)

    def _draw_front(self, canvas: NDArray[np.uint8], target: Target) -> None:
        """A dark edge along the side the fixture is served from."""
        foot, yaw = target.footprint, math.radians(target.yaw_deg)
        along_x = abs(math.cos(yaw)) > 0.5
        edge_x = foot.x1 if math.cos(yaw) > 0 else foot.x0
        edge_y = foot.y1 if math.sin(yaw) > 0 else foot.y0
        ends = ((edge_x, foot.y0), (edge_x, foot.y1)) if along_x else ((foot.x0, edge_y), (foot.x1, edge_y))
        if any(point.approach == "front" for point in target.standing):
            cv2.line(canvas, self._pixel(*ends[0]), self._pixel(*ends[1]), _WALL, 2)

    def _labels_round(self, x: int, y: int) -> list[tuple[Sprite, int, int]]:
        """The labels, out of the way of a shopper at a pixel: one stands where a label is, too."""
        for sprite, left, top in self._labels:
            wide, high = sprite.size
            if left - ARROW_PX < x < left + wide + ARROW_PX and top - ARROW_PX < y < top + high + ARROW_PX:
                return self._place_labels(Wish((x, y), (x, y, x, y), (2 * ARROW_PX, 2 * ARROW_PX)))
        return self._labels

    def _place_labels(self, *before: Wish) -> list[tuple[Sprite, int, int]]:
        """Every place's label, moved off its neighbours and off ``before``; without room, over them."""
        height, width = self._plan.shape[:2]
        targets = list(self._scene.targets.values())
        sprites = [label_sprite(self._markers[target.entity], target.kind, 11) for target in targets]
        wishes = list(before)
        for target, sprite in zip(targets, sprites, strict=True):
            foot = target.footprint
            middle = ((foot.x0 + foot.x1) / 2, (foot.y0 + foot.y1) / 2)
            x, y = self._pixel(*(middle if target.kind == "fixture" else (target.x_m, target.y_m)))
            wishes.append(Wish((x, y), (x - 20, y - 20, x + 20, y + 20), sprite.size, must=True))
        corners = place_labels(wishes, width=width, height=height)
        placed = []
        for sprite, wish, corner in zip(sprites, wishes[len(before) :], corners[len(before) :], strict=True):
            wide, high = sprite.size
            left, top = corner or (wish.anchor[0] - wide // 2, wish.anchor[1] - high // 2)
            placed.append((sprite, left, top))
        return placed


@lru_cache(maxsize=512)
def _shape(yaw: int) -> NDArray[np.float64]:
    turn = math.radians(yaw)
    points = np.array([(11, 0), (-7, -7), (-3, 0), (-7, 7)], float)
    turned: NDArray[np.float64] = points @ np.array(
        [[math.cos(turn), math.sin(turn)], [-math.sin(turn), math.cos(turn)]]
    )
    return turned


def _arrow(x: int, y: int, yaw_deg: float) -> NDArray[np.int32]:
    points: NDArray[np.int32] = (_shape(round(yaw_deg) % 360) + np.array([x, y])).round().astype(np.int32)
    return points


def compass(yaw_deg: float) -> str:
    """The compass direction of a yaw, with +X as east and +Y as south."""
    return _COMPASS[round((yaw_deg % 360) / 45) % 8]


def heading(bearing_deg: float) -> str:
    """Where something lies for one who looks straight ahead at bearing 0."""
    turn = (bearing_deg + 180) % 360 - 180
    for limit, words in ((25, "ahead"), (65, "ahead to the"), (115, "to the"), (155, "behind to the")):
        if abs(turn) <= limit:
            return words if words == "ahead" else f"{words} {'right' if turn > 0 else 'left'}"
    return "behind"
