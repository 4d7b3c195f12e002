"""Pictures of a scene's products and targets, taken in the store as any shopper would see them."""

import io
import math
from collections.abc import Iterator
from dataclasses import dataclass

from PIL import Image

from simulator_bridge.store import StoreProcess
from simulator_bridge.wire import Wire
from siturec.scene.geometry import Geometry
from siturec.scene.schema import Instance, Product, ScenePack, Waypoint

FILLS = 0.62
"""How much of the picture's height a product takes up."""
NEAREST_M, FARTHEST_M = 0.32, 3.2
ABOVE_DEG = 8.0
PRODUCT_PX, VIEW_PX, QUALITY = 320, (640, 360), 82
CAPTURE_S = 30.0


@dataclass(frozen=True)
class Shot:
    """One picture to take: of what, and the camera's place (metres) and angles (degrees)."""

    kind: str
    code: str
    eye: tuple[float, float, float]
    yaw_deg: float
    pitch_deg: float


def shots(pack: ScenePack) -> Iterator[Shot]:
    """A picture of every product from before its front, and of every target from its first standing point."""
    geometry = Geometry(pack)
    rows: dict[str, list[Instance]] = {}
    for instance in pack.instances:
        row = rows.setdefault(instance.product, [])
        if not row or (instance.target, instance.z_m) == (row[0].target, row[0].z_m):
            row.append(instance)
    for product in pack.products:
        # The middle one of those that stand together has its like on both sides.
        row = rows[product.id]
        yield _product_shot(product, row[len(row) // 2], geometry)
    waypoints: dict[str, Waypoint] = {waypoint.id: waypoint for waypoint in pack.waypoints}
    for target in pack.targets:
        if target.standing:
            point = waypoints[target.standing[0].waypoint]
            eye = (point.x_m, point.y_m, pack.info.sight.eye_m)
            yield Shot("target", target.id, eye, point.yaw_deg, point.pitch_deg)


async def take_all(store: StoreProcess, wanted: list[Shot]) -> list[tuple[Shot, bytes]]:
    """Take many pictures over one connection, in order."""
    wire = await Wire.connect(store.address)
    try:
        return [(shot, await _take(wire, shot)) for shot in wanted]
    finally:
        wire.close()


async def _take(wire: Wire, shot: Shot) -> bytes:
    x, y, z = (round(100 * value, 1) for value in shot.eye)
    await wire.ask_all(
        [
            f"vset /camera/0/location {x} {y} {z}",
            f"vset /camera/0/rotation {shot.pitch_deg:.1f} {shot.yaw_deg:.1f} 0",
        ]
    )
    (picture,) = await wire.exchange(["vget /camera/0/lit png"], deadline_s=CAPTURE_S)
    return _jpeg(picture, square=shot.kind == "product")


def _product_shot(product: Product, instance: Instance, geometry: Geometry) -> Shot:
    """From before its front, a little above, so far away that it fills most of the picture."""
    width, depth, height = product.look.size_m
    layout, sight = geometry.pack.layout, geometry.pack.info.sight
    # The picture is cut square, so one angle serves both ways.
    half = math.tan(math.radians(sight.fov_deg / 2)) * sight.frame_height / sight.frame_width
    away = min(FARTHEST_M, max(NEAREST_M, max(width, height) / FILLS / 2 / half))
    yaw = math.radians(instance.yaw_deg)
    middle = instance.z_m + height / 2
    x = instance.x_m + math.cos(yaw) * (depth / 2 + away)
    y = instance.y_m + math.sin(yaw) * (depth / 2 + away)
    x, y = min(max(x, 0.1), layout.width_m - 0.1), min(max(y, 0.1), layout.depth_m - 0.1)
    eye = (x, y, middle + away * math.tan(math.radians(ABOVE_DEG)))
    return Shot("product", product.id, eye, (instance.yaw_deg + 180) % 360, -ABOVE_DEG)


def _jpeg(png: bytes | memoryview, *, square: bool) -> bytes:
    image = Image.open(io.BytesIO(png)).convert("RGB")
    if square:
        side = min(image.size)
        left, top = (image.width - side) // 2, (image.height - side) // 2
        image = image.crop((left, top, left + side, top + side)).resize((PRODUCT_PX, PRODUCT_PX))
    else:
        image = image.resize(VIEW_PX)
    made = io.BytesIO()
    image.save(made, "JPEG", quality=QUALITY)
    return made.getvalue()
