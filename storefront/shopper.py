"""A shopper: a body in the store, its cameras, its clock, and the store as it has left it.

One per connection. Nothing here waits or paints; what is to be painted is returned as a ``Capture``.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from storefront.shopper_body import Body
from storefront.shopper_capture import Capture, CaptureFolder, Kind, Shot
from storefront.shopper_clock import SimulatedClock
from storefront.shopper_objects import Objects
from storefront.shopper_scene import AGENT_NAME, Lut, Store, colour_lut
from storefront.shopper_things import Placement
from storefront.world_objects import Triple

MOST_BODIES = 32
BODY_SIZE: Triple = (0.3, 0.5, 1.7)
"""Another humanoid is shown as a block of this size, in metres."""
MOST_CAMERAS = 64


@dataclass
class Site:
    """What a shopper may know of the server: port, folder for captures, if only this machine reaches it."""

    port: int
    captures: CaptureFolder
    local: bool = True


@dataclass
class Camera:
    """A camera: at a body's eye, or fixed in the store. Degrees, metres, pixels."""

    name: str
    width: int
    height: int
    fov_deg: float
    body: Body | None = None
    position: Triple = (0.0, 0.0, 0.0)
    rotation: Triple = (0.0, 0.0, 0.0)


@dataclass
class Settings:
    """What is remembered and has no effect on captures."""

    viewmode: str = "lit"
    enable_input: bool = True


class Shopper:
    """One connection's part of the store.

    Args:
        store: shared by all.
        site: the server's.
        wall: a monotonic clock in seconds.
    """

    def __init__(self, store: Store, site: Site, wall: Callable[[], float]) -> None:
        self.store = store
        self.site = site
        self.clock = SimulatedClock(wall)
        self.settings = Settings()
        self.now = self.clock.now()
        self.reopen()

    def reopen(self) -> None:
        """The store as at opening time, and the shopper at its start."""
        sight, start = self.store.sight, self.store.pack.info.start
        self.objects = Objects(self.store)
        self.bodies: dict[str, Body] = {}
        self.cameras: list[Camera] = []
        body = self._embody(AGENT_NAME, self.store.agent_id)
        body.x, body.y, body.yaw, body.pitch = start.x_m, start.y_m, start.yaw_deg, start.pitch_deg
        for name in ("PawnSensor", "FusionCamSensor_1"):
            self.cameras.append(Camera(name, sight.frame_width, sight.frame_height, sight.fov_deg, body))
        self._lut: tuple[int, Lut] = (0, self.store.lut)

    def _embody(self, name: str, index: int) -> Body:
        sight = self.store.sight
        body = Body(name, index, self.store.planner, sight.eye_m, sight.walk_mps)
        self.bodies[name.casefold()] = body
        return body

    @property
    def body(self) -> Body:
        """The shopper's own body."""
        return self.bodies[AGENT_NAME.casefold()]

    def tick(self) -> None:
        """Bring everything up to this moment of simulated time."""
        self.now = self.clock.now()
        for body in self.bodies.values():
            body.advance(self.now)

    def settle(self) -> None:
        """Where motion takes no time, take it to its end."""
        if self.clock.instant:
            for body in self.bodies.values():
                if body.moving:
                    body.finish(self.now)

    def add_body(self, name: str) -> Body:
        """Another humanoid, at the store's start, with a camera of its own. Raises: NameTaken; TooMany."""
        thing = self.objects.spawn(name, look="cube", uclass="BP_Humanoid_C", colour=(0, 0, 0))
        body = self._embody(name, thing.index)
        start = self.store.pack.info.start
        body.x, body.y, body.yaw = start.x_m, start.y_m, start.yaw_deg
        sight = self.store.sight
        camera = f"FusionCamSensor_{len(self.cameras)}"
        self.cameras.append(Camera(camera, sight.frame_width, sight.frame_height, sight.fov_deg, body))
        return body

    def remove_body(self, body: Body) -> None:
        """Take a humanoid out of the store; its camera stays where its eye was."""
        del self.bodies[body.name.casefold()]
        for camera in self.cameras:
            if camera.body is body:
                camera.position, camera.rotation = self.camera_pose(camera)
                camera.body = None

    def camera_pose(self, camera: Camera) -> tuple[Triple, Triple]:
        """Where a camera is, and its (pitch, yaw, roll)."""
        if camera.body is None:
            return camera.position, camera.rotation
        body = camera.body
        return body.eye, (body.pitch, body.yaw, body.roll)

    def place_camera(self, camera: Camera, position: Triple | None, rotation: Triple | None) -> None:
        """Put a camera somewhere, and its body with it, at once."""
        if camera.body is None:
            camera.position = position or camera.position
            camera.rotation = rotation or camera.rotation
            return
        if position is not None:
            camera.body.teleport(self.now, *position)
        if rotation is not None:
            camera.body.face(self.now, rotation)

    def capture(
        self, camera: Camera, kind: Kind, form: Literal["png", "bmp", "npy"], file: Path | None = None
    ) -> Capture:
        """A picture from a camera as things are now."""
        shot = self._shot(camera)
        settled = camera.body is None or not camera.body.moving
        return Capture(shot, kind, form, self.lut(), settled, self.site.local, file)

    def left_s(self) -> float | None:
        """Seconds of real time until the shopper's body has come to rest; None where time stands still."""
        return None if self.clock.paused else self.body.left_s(self.now) / self.clock.rate

    def shot_at_rest(self, like: Shot) -> Shot:
        """What the shopper's eye will see, as large and as wide as ``like``, when its body comes to rest."""
        end = self.body.end_s(self.now)
        bodies = {body.index: body.ahead(end) for body in self.bodies.values()}
        eye = Camera("", like.width, like.height, like.fov_deg, bodies[self.body.index])
        return self._shot(eye, bodies.values())

    def _shot(self, camera: Camera, bodies: Iterable[Body] | None = None) -> Shot:
        """A camera's view of the store and of what bodies carry, the shopper's if no others are given."""
        eye, (pitch, yaw, roll) = self.camera_pose(camera)
        own = None if camera.body is None else camera.body.index
        hidden, extra = self.objects.shown(self.elsewhere(bodies), without=own)
        yaw = round(yaw % 360.0, 6)  # one number for one direction, however it was come by
        return Shot(eye, yaw, pitch, camera.width, camera.height, camera.fov_deg, roll, hidden, extra)

    def elsewhere(self, bodies: Iterable[Body] | None = None) -> dict[int, Placement]:
        """Where things are that bodies carry, and the bodies themselves but the shopper's own."""
        places: dict[int, Placement] = {}
        for body in self.bodies.values() if bodies is None else bodies:
            if body.index > self.store.agent_id:
                stand = (body.x, body.y, body.eye_z - body.eye_m)
                places[body.index] = Placement(stand, (0.0, body.yaw, 0.0), BODY_SIZE)
            if body.held is not None:
                thing = self.objects.get(body.held)
                places[body.held] = Placement(*body.hand(thing.low, thing.high), thing.home.scale)
        return places

    def lut(self) -> Lut:
        """Mask colours by object id, with this shopper's changes."""
        version, lut = self._lut
        if version != self.objects.version:
            changed = self.objects.changed
            first = self.store.agent_id
            same = all(i < first and t.colour == self.store.objects[i].colour for i, t in changed.items())
            lut = self.store.lut if same else self._changed_lut()
            self._lut = (self.objects.version, lut)
        return lut

    def _changed_lut(self) -> Lut:
        changed = self.objects.changed
        colours = [thing.colour for thing in self.store.objects] + [self.store.agent_colour]
        colours += [(0, 0, 0)] * (max(changed) - len(colours) + 1)
        for index, thing in changed.items():
            colours[index] = thing.colour
        return colour_lut(colours)
