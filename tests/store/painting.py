"""The small packs' poses, and the rays of a camera worked out apart from the painter."""

import math

import numpy as np

START = ((7.2, 6.6, 1.6), -110.0, -4.0)
POSES = (
    START,
    ((3.9, 4.2, 1.3), 180.0, -10.0),
    ((7.2, 4.3, 1.6), 0.0, -30.0),
    ((7.4, 2.2, 1.5), -90.0, -5.0),
    ((5.2, 2.2, 1.6), -90.0, -20.0),
)


def rays(painter, yaw, pitch, roll=0.0):
    """(H, W, 3) directions in the pack's frame, of unit depth along the view."""
    y, p = math.radians(yaw), math.radians(pitch)
    forward = np.array([math.cos(p) * math.cos(y), math.cos(p) * math.sin(y), math.sin(p)])
    right = np.array([-math.sin(y), math.cos(y), 0])
    up = np.array([-math.sin(p) * math.cos(y), -math.sin(p) * math.sin(y), math.cos(p)])
    r = math.radians(roll)  # positive tilts right: the right hand sinks, the top leans to the right
    right, up = math.cos(r) * right - math.sin(r) * up, math.cos(r) * up + math.sin(r) * right
    focal = painter.width / 2 / math.tan(math.radians(painter.fov_deg) / 2)
    u = (np.arange(painter.width) + 0.5 - painter.width / 2) / focal
    v = (painter.height / 2 - np.arange(painter.height) - 0.5) / focal
    return forward + u[None, :, None] * right + v[:, None, None] * up


def same(a, b):
    return all(np.array_equal(getattr(a, part), getattr(b, part)) for part in ("rgb", "ids", "depth"))
