"""One prepared connection: camera set up, colours checked, formats chosen; poses and captures from it."""

import asyncio
import math
import re
import time
from collections.abc import Awaitable, Callable, Iterable, Sequence
from functools import partial
from typing import TypeVar

import cv2
import numpy as np

from simulator_bridge.capture import (
    Capture,
    Formats,
    capture_commands,
    capture_deadline_s,
    decode_picture,
    measure_formats,
    read_capture,
)
from simulator_bridge.errors import BadCapture, CommandFailed, WrongReply
from simulator_bridge.mapping import WorldMap
from simulator_bridge.suspicion import like_a_mask
from simulator_bridge.wire import Address, Wire, numbers
from siturec.markers.colours import TOLERANCE, ColourTable, foreign_pixels
from siturec.markers.scene import MarkerScene
from siturec.protocol.messages import Pose

R = TypeVar("R")

MOVING_SIZE = (640, 360)
MOVING_QUALITY = 70
CHUNK = 64
"""Text commands sent together: enough to hide the round trip, few enough for a slow game loop."""
SETTLE_TRIES, SETTLE_S = 20, 0.05
INSTANT_RATE = 1e6
COLOUR_SAMPLE = 24
EYE_OFF_M = 0.5
"""Bodies differ by less; who fell through the floor, or says metres for centimetres, is off by more."""
STRANGE_SHARE = 0.01
"""So much of a mask may be in colours that nobody has set: where two things meet, some engines mix theirs."""

_formats: dict[str, Formats] = {}


class Session:
    """A wire and what was found out about the world behind it."""

    def __init__(self, wire: Wire, world_map: WorldMap, scene: MarkerScene) -> None:
        self.wire, self.map, self.scene, self.instant = wire, world_map, scene, False
        self.formats, self._address = Formats(), ""
        self.size = (scene.sight.frame_width, scene.sight.frame_height)
        self.pace = 1.0

    @classmethod
    async def open(cls, address: Address, world_map: WorldMap, scene: MarkerScene) -> "Session":
        """Connect and prepare. Raises: WorldError subclasses; the connection is closed on any of them."""
        session = cls(await Wire.connect(address), world_map, scene)
        try:
            await session._prepare(str(address))
        except BaseException:
            session.close()
            raise
        return session

    async def _prepare(self, address: str) -> None:
        self._address = address
        camera, (width, height) = self.map.camera, self.size
        cameras = (await self.wire.ask("vget /cameras")).split()
        if len(cameras) <= camera:
            raise CommandFailed(f"{address} has {len(cameras)} cameras, so none with the number {camera}")
        await self.wire.ask_all(
            [
                f"vset /camera/{camera}/size {width} {height}",
                f"vset /camera/{camera}/fov {numbers(self.scene.sight.fov_deg)}",
            ]
        )
        ready = await self._coloured(address)
        if not self.map.own_shopper:
            # Whoever was here before may have let time run faster.
            await self.wire.ask(f"vrun slomo {numbers(self.pace)}")
        known = _formats.get(address)
        if known is None:
            known = await measure_formats(self.wire, camera=camera, width=width, height=height)
            _formats[address] = known
        elif not self.map.own_shopper:
            # The engine may have been started anew at its old address, and its first captures may be garbage.
            first = capture_commands(camera, known)
            await self.wire.exchange(first, deadline_s=capture_deadline_s(width, height))
        self.formats = known
        if self.map.set_colours and (not ready or await self._strange()):
            await self._set_colours()
            if strange := await self._strange():
                raise WrongReply(f"{address}: {strange}")

    async def set_pace(self, rate: float) -> None:
        """Let the world's time pass ``rate`` times as fast."""
        if rate != self.pace:
            await self.wire.ask(f"vrun slomo {numbers(rate)}")
            self.pace = rate

    async def set_instant(self, instant: bool) -> None:
        """Whether motion shall take no time from now on."""
        self.instant = instant
        if instant:
            await self.set_pace(INSTANT_RATE)

    async def each(self, commands: Iterable[str]) -> list[str]:
        """Many text commands, a few together at a time."""
        waiting, replies = list(commands), []
        for start in range(0, len(waiting), CHUNK):
            replies += await self.wire.ask_all(waiting[start : start + CHUNK])
        return replies

    async def _set_colours(self) -> None:
        """Give mapped objects the scene's colours and, before them, all others black.

        Whoever finds the scene's colours later can so be sure that nobody was interrupted here.
        """
        colours, ours = self._colours(), set(map(str.casefold, self.map.objects))
        others = [
            name for name in (await self.wire.ask("vget /objects")).split() if name.casefold() not in ours
        ]
        commands = [f"vset /object/{name}/color 0 0 0" for name in others]
        for name, entity in self.map.objects.items():
            red, green, blue = colours[entity]
            commands.append(f"vset /object/{name}/color {red} {green} {blue}")
        await self.each(commands)

    async def _strange(self) -> str:
        """What the mask shows now in colours that nobody set; empty where that is next to nothing."""
        _, capture, _ = await self.capture(pictures=False)
        table = self.scene.colour_table.numbers(capture.mask, bgr=True)
        rgb = np.ascontiguousarray(capture.mask[..., 2::-1])
        strange = foreign_pixels(table, rgb, {0})
        if strange <= STRANGE_SHARE * table.size:
            return ""
        row, column = np.argwhere((table < 0) & rgb.any(axis=2))[0]
        return f"the mask shows {strange} pixels in colours never set, such as {rgb[row, column].tolist()}"

    def _colours(self) -> dict[str, tuple[int, ...]]:
        return {e: tuple(c.tolist()) for e, c in zip(self.scene.entities, self.scene.colours, strict=True)}

    async def _coloured(self, address: str) -> bool:
        """Whether mapped objects have the scene's colours: another scene, or another version, shows here.

        Of worlds that must have them by themselves some are asked. Raises: CommandFailed where they have not.
        """
        colours, every = self._colours(), list(self.map.objects.items())
        step = 1 if self.map.set_colours else max(1, len(every) // COLOUR_SAMPLE)
        some = every[::step]
        try:
            replies = await self.each(f"vget /object/{name}/color" for name, _ in some)
            for (name, entity), reply in zip(some, replies, strict=True):
                shown = tuple(int(value) for value in re.findall(r"[RGB]=(\d+)", reply))
                if len(shown) != 3 or any(
                    abs(a - b) > TOLERANCE for a, b in zip(shown, colours[entity], strict=True)
                ):
                    raise CommandFailed(
                        f"{name} is {reply} in the mask, the scene has {colours[entity]} for {entity}"
                    )
        except CommandFailed as error:
            if self.map.set_colours:
                return False
            raise CommandFailed(f"{address} does not serve scene {self.scene.slug}: {error}") from None
        return True

    async def pose(self) -> Pose:
        """Where the camera is now."""
        return _pose(await self.wire.ask_all(self._pose_commands()))

    def _pose_commands(self) -> list[str]:
        return [f"vget /camera/{self.map.camera}/{what}" for what in ("location", "rotation")]

    async def still_pose(self, meanwhile: Callable[[], Awaitable[None]] | None = None) -> Pose:
        """The pose once two readings in a row agree: a real engine shows a change a frame late.

        ``meanwhile`` is done between two readings, which may then be farther apart but never closer.
        """
        last = await self.pose()
        if self.map.own_shopper:
            return last
        for _ in range(SETTLE_TRIES):
            again = time.monotonic() + SETTLE_S
            if meanwhile is not None:
                await meanwhile()
            await sleep_until(again)
            now = await self.pose()
            if now == last:
                return now
            last = now
        return last

    async def object_at(self, name: str) -> tuple[float, float]:
        """Where an object is on the floor plan, in metres. Raises: WrongReply."""
        x, y, _ = _triple(await self.wire.ask(f"vget /object/{name}/location"))
        return x / 100, y / 100

    async def place(self, pose: Pose) -> None:
        """Put the camera somewhere at once: for starts and restored states, never for walking."""
        camera, eye = self.map.camera, self.scene.sight.eye_m
        await self.wire.ask_all(
            [
                f"vset /camera/{camera}/location {numbers(pose.x_m * 100, pose.y_m * 100, eye * 100)}",
                f"vset /camera/{camera}/rotation {numbers(pose.pitch_deg, pose.yaw_deg, 0.0)}",
            ]
        )

    async def capture(self, *, pictures: bool = True) -> tuple[Pose, Capture, Pose]:
        """All captures of this moment (lit only with ``pictures``), with the poses before and after them.

        Raises: WrongReply where the eye is not at its height: the floor is looked for from there.
        """
        width, height = self.size
        pose = self._pose_commands()
        commands = [*pose, *capture_commands(self.map.camera, self.formats, pictures=pictures), *pose]
        replies = await self.wire.exchange(commands, deadline_s=capture_deadline_s(width, height))
        texts = [bytes(reply).decode(errors="replace") for reply in (*replies[:2], *replies[-2:])]
        for place in (texts[0], texts[2]):
            eye_m = _triple(place)[2] / 100
            if abs(eye_m - self.scene.sight.eye_m) > EYE_OFF_M:
                raise WrongReply(
                    f"{self.wire.address}: the eye is {eye_m:.2f} m above the floor, "
                    f"{self.scene.sight.eye_m:.2f} m were wanted"
                )
        capture = await self._read(partial(read_capture, replies[2:-2], width=width, height=height))
        return _pose(texts[:2]), capture, _pose(texts[2:])

    async def moving_frame(self) -> bytes:
        """A small unmarked picture of this moment, as JPEG; the capture size is put back after it.

        Empty where the world seems to have sent a mask instead: what one sees next is looked at closer.
        """
        camera, (width, height) = self.map.camera, MOVING_SIZE
        replies = await self.wire.exchange(
            [
                f"vset /camera/{camera}/size {width} {height}",
                f"vget /camera/{camera}/lit {self.formats.lit}",
                f"vset /camera/{camera}/size {self.size[0]} {self.size[1]}",
            ],
            deadline_s=capture_deadline_s(width, height),
        )
        return await self._read(partial(_small_jpeg, replies[1], self.scene.colour_table))

    async def _read(self, reading: Callable[[], R]) -> R:
        """Read replies beside the loop. Raises: BadCapture, after which formats are measured anew."""
        try:
            return await asyncio.to_thread(reading)
        except BadCapture:
            # Perhaps another world has come to this address, one that lacks the format.
            _formats.pop(self._address, None)
            raise

    def close(self) -> None:
        """Give the connection back; never raises."""
        self.wire.close()


def _small_jpeg(reply: memoryview, table: ColourTable) -> bytes:
    width, height = MOVING_SIZE
    picture = decode_picture(reply, width=width, height=height, what="lit")
    if like_a_mask(picture, table):
        return b""
    done, data = cv2.imencode(
        ".jpg", np.ascontiguousarray(picture[..., :3]), [cv2.IMWRITE_JPEG_QUALITY, MOVING_QUALITY]
    )
    return data.tobytes() if done else b""


def _triple(reply: str) -> tuple[float, float, float]:
    """A location or a rotation as it is said on the wire. Raises: WrongReply."""
    try:
        x, y, z = (float(word) for word in reply.split())
    except ValueError:
        x = y = z = math.nan
    if not math.isfinite(x + y + z):
        raise WrongReply(f"a place or a direction was answered with '{reply[:80]}'")
    return x, y, z


def _pose(replies: Sequence[str]) -> Pose:
    (x, y, _), (pitch, yaw, _) = map(_triple, replies)
    return Pose(
        x_m=round(x / 100, 4),
        y_m=round(y / 100, 4),
        yaw_deg=round(yaw % 360.0, 3) % 360.0,
        pitch_deg=round((pitch + 180.0) % 360.0 - 180.0, 3),
    )


async def sleep_until(moment: float) -> None:
    """Sleep up to a moment of the steady clock: what was done before it is not waited for again."""
    left = moment - time.monotonic()
    if left > 0.0:
        await asyncio.sleep(left)
