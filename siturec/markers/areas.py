"""Display areas: a disc on the floor, seen when enough of it is in the frame and nothing stands before it."""

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from siturec.markers.camera import Camera
from siturec.scene.schema import Target

DISC_M = 0.4
RIM_POINTS = 24
SEEN_SHARE = 0.3
"""Share of the tested floor points that must show for the area to count as seen."""
TOLERANCE_M, TOLERANCE_SHARE = 0.15, 0.03


@dataclass(frozen=True, eq=False)
class FoundArea:
    """One area in view. ``polygon`` is (k, 1, 2) int32, clipped to the frame."""

    target: Target
    distance_m: float
    column: float
    anchor: tuple[int, int]
    polygon: NDArray[np.int32]


def find_area(
    target: Target, depth_m: NDArray[np.float32], *, camera: Camera, limit_m: float
) -> FoundArea | None:
    """The area's floor disc if it is near enough, in the frame and not hidden; else None."""
    away_x, away_y = target.x_m - camera.pose.x_m, target.y_m - camera.pose.y_m
    distance = math.hypot(away_x, away_y)
    if distance > limit_m:
        return None
    pixels, depths = camera.project(_disc(target.x_m, target.y_m))
    if depths.min() < 0.1:
        return None
    height, width = depth_m.shape
    columns, rows = np.floor(pixels).astype(np.int64).T
    inside = (columns >= 0) & (columns < width) & (rows >= 0) & (rows < height)
    behind = depth_m[rows.clip(0, height - 1), columns.clip(0, width - 1)]
    shown = inside & (behind >= depths - TOLERANCE_M - TOLERANCE_SHARE * depths)
    if shown.mean() < SEEN_SHARE:
        return None
    rim = pixels[-RIM_POINTS:].clip((0, 0), (width - 1, height - 1)).round().astype(np.int32)
    middle = pixels[shown].mean(axis=0)
    return FoundArea(
        target=target,
        distance_m=distance,
        column=float(middle[0]),
        anchor=(int(middle[0]), int(middle[1])),
        polygon=cv2.convexHull(rim.reshape(-1, 1, 2)).astype(np.int32),
    )


def _disc(x_m: float, y_m: float) -> NDArray[np.float64]:
    """The centre, a ring half way out, and the rim (last), on the floor: (n, 3) in metres."""
    points = [(x_m, y_m, 0.0)]
    for radius, count in ((DISC_M / 2, 8), (DISC_M, RIM_POINTS)):
        for step in range(count):
            angle = 2 * math.pi * step / count
            points.append((x_m + radius * math.cos(angle), y_m + radius * math.sin(angle), 0.0))
    return np.array(points)
