"""Crowded views of the supermarket, painted by the embedded store's own renderer."""

from dataclasses import replace
from pathlib import Path

import numpy as np

from siturec.markers.scene import MarkerScene, marker_scene
from siturec.protocol.messages import Pose
from siturec.scene.load import load_pack
from storefront.render import Painter, StoreWorld

SCENES = Path(__file__).resolve().parent.parent / "scenes"
View = tuple[Pose, np.ndarray, np.ndarray, np.ndarray]


def crowded_views(limit_m: float, count: int = 5) -> tuple[MarkerScene, list[View]]:
    """The views with the most products within ``limit_m``: pose, BGR frame, entity numbers, depth in m."""
    pack = load_pack(SCENES / "supermarket")
    world = StoreWorld.load(pack, None)
    scene = marker_scene(pack)
    limits = np.where(np.array(scene.kinds) == "product", limit_m, scene.limits_m).astype(np.float32)
    scene = replace(scene, limits_m=limits)
    number_of = {entity: number for number, entity in enumerate(scene.entities)}
    lut = np.full(len(world.objects) + 1, -1, np.int16)
    for place, thing in enumerate(world.objects):
        lut[place] = number_of.get(f"product:{thing.product}" if thing.product else str(thing.entity), -1)
    painter = Painter(
        world, pack.info.sight.frame_width, pack.info.sight.frame_height, pack.info.sight.fov_deg
    )
    poses = [pack.info.start]
    for column in np.arange(1.5, pack.layout.width_m, 3.5):
        poses += [
            Pose(x_m=float(column), y_m=y, yaw_deg=yaw, pitch_deg=-8.0)
            for y in (2.0, 7.0, 12.5)
            for yaw in (45.0, 90.0, 225.0, 270.0)
        ]
    views: list[View] = []
    for pose in poses:
        shot = painter.paint(
            (pose.x_m, pose.y_m, pack.info.sight.eye_m),
            pose.yaw_deg,
            pose.pitch_deg,
            want=("rgb", "ids", "depth"),
        )
        if (shot.depth < 0.6).mean() < 0.05:
            views.append((pose, np.ascontiguousarray(shot.rgb[..., ::-1]), lut[shot.ids], shot.depth.copy()))
    views.sort(key=lambda view: -len(np.unique(view[2][view[3] < limit_m])))
    return scene, views[:count]
