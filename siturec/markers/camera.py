"""A pinhole camera at the shopper's eye: pixels to floor distances, points to pixels.

Left-handed, Z up, +X ahead at yaw 0, +Y to the right; depth is planar, along the view axis, in metres.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from siturec.protocol.messages import Pose, Side

AHEAD_DEG = 13.0

Floats = NDArray[np.floating]


@dataclass(frozen=True)
class Camera:
    """``fov_deg`` is horizontal; pixels are square; the principal point is the centre."""

    pose: Pose
    width: int
    height: int
    fov_deg: float
    eye_m: float

    @property
    def focal_px(self) -> float:
        """Focal length in pixels."""
        return self.width / 2 / math.tan(math.radians(self.fov_deg) / 2)

    def floor_distance(self, column: Floats, row: Floats, depth_m: Floats) -> Floats:
        """Distance on the floor plan, in metres, from the eye to what pixels show at a planar depth.

        Infinite or NaN, so never near, where the depth is.
        """
        with np.errstate(invalid="ignore"):
            right = (column + 0.5 - self.width / 2) / self.focal_px * depth_m
            result: Floats = np.hypot(self.ahead_per_depth(row) * depth_m, right)
        return result

    def ahead_per_depth(self, row: Floats) -> Floats:
        """How far ahead on the floor plan what a row shows is, as a share of its planar depth."""
        pitch = math.radians(self.pose.pitch_deg)
        up = (self.height / 2 - row - 0.5) / self.focal_px
        ahead: Floats = math.cos(pitch) - up * math.sin(pitch)
        return ahead

    def side(self, column: float) -> Side:
        """Whether a pixel column lies to the left, ahead or to the right."""
        bearing = math.degrees(math.atan2(column + 0.5 - self.width / 2, self.focal_px))
        return "left" if bearing < -AHEAD_DEG else "right" if bearing > AHEAD_DEG else "ahead"

    def project(self, points: Floats) -> tuple[Floats, Floats]:
        """Pixels (n, 2) as (column, row) and planar depths (n,) of world points (n, 3), in metres.

        Depths may be zero or negative: such points are behind the eye and their pixels mean nothing.
        """
        yaw, pitch = math.radians(self.pose.yaw_deg), math.radians(self.pose.pitch_deg)
        away = np.asarray(points, float) - (self.pose.x_m, self.pose.y_m, self.eye_m)
        ahead = away[:, 0] * math.cos(yaw) + away[:, 1] * math.sin(yaw)
        right = away[:, 1] * math.cos(yaw) - away[:, 0] * math.sin(yaw)
        depth = ahead * math.cos(pitch) + away[:, 2] * math.sin(pitch)
        up = away[:, 2] * math.cos(pitch) - ahead * math.sin(pitch)
        safe = np.where(np.abs(depth) < 1e-6, 1e-6, depth)
        pixels = np.stack(
            [self.width / 2 + self.focal_px * right / safe, self.height / 2 - self.focal_px * up / safe],
            axis=1,
        )
        return pixels, depth
