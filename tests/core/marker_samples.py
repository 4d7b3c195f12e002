"""Small packs and masks for tests of marks."""

import numpy as np

from siturec.markers.seeing import see
from siturec.protocol.messages import Pose
from siturec.scene.schema import (
    Layout,
    Look,
    Product,
    Rect,
    SceneInfo,
    ScenePack,
    Sight,
    Target,
)

W, H = 960, 540

LOOK = Look(shape="box", size_m=(0.2, 0.1, 0.3), primary="#112233", accent="#445566")


def product(number, colour):
    return Product(
        id=f"p-{number}",
        name=f"Product {number}",
        category="c",
        price=1.0,
        colour=colour,
        storage="shelf",
        look=LOOK,
    )


def fixture(number, x=2.0, y=2.0, **more):
    return Target(
        id=f"f-{number}",
        kind="fixture",
        name=f"Fixture {number}",
        type="shelf",
        colour=more.pop("colour", (200, number, 40)),
        footprint=Rect(x0=x - 0.5, y0=y - 1, x1=x + 0.5, y1=y + 1),
        x_m=x,
        y_m=y,
        **more,
    )


def pack(products=3, targets=(), kind="supermarket", **sight):
    goods = tuple(product(n, (10 * (n % 25) + 5, 100 + n // 25 * 10, 60)) for n in range(products))
    info = SceneInfo(
        id="s", name="S", kind=kind, version="1", seed=1, start=Pose(x_m=0, y_m=0), sight=Sight(**sight)
    )
    layout = Layout(width_m=10, depth_m=8, height_m=3)
    return ScenePack(
        info=info, products=goods, targets=tuple(targets), waypoints=(), instances=(), layout=layout
    )


def empty():
    return np.full((H, W), -1, np.int16), np.full((H, W), np.inf, np.float32)


def look(scene, numbers, depth, *, pose=None, observation=0):
    frame = np.full((H, W, 3), 128, np.uint8)
    pose = pose or Pose(x_m=0, y_m=0)
    return see(
        frame_bgr=frame, numbers=numbers, depth_m=depth, pose=pose, scene=scene, observation=observation
    )
