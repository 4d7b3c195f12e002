"""Acting through blueprint functions of an actor, by a table of names (``mapping.STORE_FUNCTIONS``).

Functions answer when they are called, not when the motion ends, so the end is found by asking ``moving``
where the actor can say so, or else by watching the pose. What the table lacks is put together from the rest.
"""

import asyncio
import logging
import math
import time
from itertools import pairwise
from typing import Any

import orjson

from simulator_bridge.errors import CommandFailed, ReplyTimeout, WrongReply
from simulator_bridge.floorplan import FloorPlan
from simulator_bridge.motion import LONGEST_WALK_S, MovingFrames
from simulator_bridge.session import INSTANT_RATE, Session
from simulator_bridge.wire import numbers
from siturec.protocol.messages import Pose

log = logging.getLogger(__name__)

POLL_S = 0.01
NEARLY_S = 0.05
"""So shortly before a walk ends no small picture is worth its time: the marked one follows."""
TURN_S = 1.0
SPARE_S = 10.0
STILL_POLLS = 3


class BlueprintBody:
    """One actor driven by the functions its map names."""

    def __init__(self, plan: FloorPlan) -> None:
        self._plan = plan

    async def prepare(self, session: Session) -> None:
        """Set the walking speed, and that the actor exists."""
        await self._call(session, "speed", cm_per_s=session.scene.sight.walk_mps * 100)

    async def move(self, session: Session, forward_m: float, right_m: float, frames: MovingFrames) -> None:
        """Walk relative to the heading, sliding to a stop before obstacles."""
        length = math.hypot(forward_m, right_m)
        if "move" in session.map.functions:
            expected = await self._set_off(session, length)
            await self._call(session, "move", forward_cm=forward_m * 100, right_cm=right_m * 100)
            await self._arrive(session, expected, frames)
            return
        if right_m:
            side = math.degrees(math.atan2(right_m, forward_m))
            await self.turn(session, side, frames)
            await self._step(session, length, frames)
            await self.turn(session, -side, frames)
            return
        await self._step(session, forward_m, frames)

    async def _step(
        self, session: Session, length_m: float, frames: MovingFrames, *, whole_m: float = 0.0
    ) -> None:
        expected = await self._set_off(session, abs(length_m), whole_m=whole_m)
        seconds = abs(length_m) / session.scene.sight.walk_mps
        await self._call(session, "step", seconds=seconds, backward=int(length_m < 0))
        await self._arrive(session, expected, frames)

    async def _set_off(self, session: Session, length_m: float, *, whole_m: float = 0.0) -> float:
        """Choose the pace of a walk, or of a leg of a ``whole_m`` long one; how many seconds it will take."""
        if session.instant:
            return 0.0
        speed = session.scene.sight.walk_mps
        pace = max(1.0, max(length_m, whole_m) / speed / LONGEST_WALK_S)
        await session.set_pace(pace)
        return length_m / speed / pace

    async def turn(self, session: Session, clockwise_deg: float, frames: MovingFrames) -> None:
        """Turn on the spot."""
        if abs(clockwise_deg) < 0.01:
            return
        if not session.instant:
            await session.set_pace(1.0)
        await self._call(
            session,
            "turn",
            clockwise_deg=clockwise_deg,
            seconds=TURN_S,
            turn_sign=1 if clockwise_deg > 0 else -1,
        )
        await self._arrive(session, 0.0 if session.instant else TURN_S, frames)

    async def look(self, session: Session, up_deg: float, frames: MovingFrames) -> None:
        """Raise or lower the eyes; through the camera where the actor has no function for it."""
        if abs(up_deg) < 0.01:
            return
        if "look" in session.map.functions:
            await self._call(session, "look", up_deg=up_deg)
            await self._arrive(session, 0.0, frames)
            return
        now = await session.still_pose()
        rotation = numbers(now.pitch_deg + up_deg, now.yaw_deg, 0.0)
        await session.wire.ask(f"vset /camera/{session.map.camera}/rotation {rotation}")

    async def walk_to(self, session: Session, x_m: float, y_m: float, frames: MovingFrames) -> None:
        """Walk to a place round what stands between, keeping (in the end) the heading."""
        start = await session.still_pose()
        here = (start.x_m, start.y_m)
        if "walk_to" in session.map.functions:
            length = 0.0 if session.instant else await asyncio.to_thread(self._plan.length, here, (x_m, y_m))
            expected = await self._set_off(session, length)
            await self._call(session, "walk_to", x_cm=x_m * 100, y_cm=y_m * 100)
            await self._arrive(session, expected, frames)
            return
        path = await asyncio.to_thread(self._plan.path, here, (x_m, y_m))
        whole_m = sum(math.dist(*leg) for leg in pairwise(path))
        for x, y in path[1:]:
            pose = await session.still_pose()
            towards = math.degrees(math.atan2(y - pose.y_m, x - pose.x_m))
            await self.turn(session, _shortest(towards - pose.yaw_deg), frames)
            await self._step(session, math.hypot(x - pose.x_m, y - pose.y_m), frames, whole_m=whole_m)
        pose = await session.still_pose()
        await self.turn(session, _shortest(start.yaw_deg - pose.yaw_deg), frames)

    async def pick_up(self, session: Session, name: str) -> bool:
        """Take an object into the hand; whether the actor says it is there now."""
        return str((await self._call(session, "pick_up", object=name)).get("Success", "")) == "true"

    async def put_back(self, session: Session, name: str) -> None:
        """Put the held object back where it was."""
        await self._call(session, "drop")

    async def remove(self, session: Session, name: str) -> None:
        """Take the held object out of the hand and out of sight."""
        await self._call(session, "drop")
        await session.wire.ask(f"vset /object/{name}/hide")

    async def restore(self, session: Session, *, pose: Pose, held: str | None, gone: list[str]) -> None:
        """Bring a fresh connection to a known state; a held object is fetched from where it lies.

        Raises: WrongReply where the world does not give it; ReplyTimeout where the actor does not rest.
        """
        if not session.map.own_shopper:
            await self._end_what_was_begun(session)
        await session.each(f"vset /object/{name}/hide" for name in gone)
        if held is not None:
            x_m, y_m = await session.object_at(held)
            await session.place(pose.model_copy(update={"x_m": x_m, "y_m": y_m}))
            if not await self.pick_up(session, held):
                raise WrongReply(f"{session.wire.address} did not give {held} into the hand again")
        await session.place(pose)

    async def _end_what_was_begun(self, session: Session) -> None:
        """Let a shared world's actor, left walking and holding by whoever was here, rest and let go."""
        pace = session.pace
        await session.set_pace(INSTANT_RATE)
        await self._arrive(session, 0.0, MovingFrames(session, None))
        await session.set_pace(pace)
        if "drop" not in session.map.functions:
            return
        try:
            await self._call(session, "drop")
        except CommandFailed as error:
            # Most likely the hand was empty, for which a world may have an error.
            log.info("nothing was dropped: %s", error)

    async def _call(self, session: Session, function: str, **values: Any) -> dict[str, Any]:
        """Call a function of the table; its out-parameters, all of them text.

        Raises: WrongReply for anything but a JSON object, which even a function without outputs answers.
        """
        template = session.map.functions.get(function)
        if template is None:
            raise CommandFailed(f"the world's map has no function for '{function}'")
        command = f"vbp {session.map.agent} {template.format(**values)}"
        reply = await session.wire.ask(command)
        try:
            out = orjson.loads(reply)
        except orjson.JSONDecodeError:
            out = None
        if not isinstance(out, dict):
            raise WrongReply(
                f"{session.wire.address} answered '{command}' with '{reply[:60]}', not with JSON"
            )
        return out

    async def _arrive(self, session: Session, expected_s: float, frames: MovingFrames) -> None:
        """Wait for the end of a motion, sending frames on the way. Raises: ReplyTimeout."""
        if session.instant and session.map.own_shopper:
            # There the motion has ended when the call has returned.
            return
        started = time.monotonic()
        limit = 3 * expected_s + SPARE_S
        still, last = 0, None
        while time.monotonic() - started < limit:
            left = started + expected_s - time.monotonic()
            if "moving" in session.map.functions:
                told = await self._call(session, "moving")
                if told.get("Moving") != "true":
                    return
                left = _seconds(told.get("Left"), left) / session.pace
            else:
                pose = await session.pose()
                still = still + 1 if pose == last else 0
                last = pose
                if still >= STILL_POLLS and time.monotonic() - started >= expected_s:
                    return
            if not 0.0 < left < NEARLY_S:
                await frames.beat()
            await asyncio.sleep(min(POLL_S, left) if left > 0.0 else POLL_S)
        raise ReplyTimeout(f"{session.wire.address}: a motion did not end within {limit:.0f} s")


def _seconds(told: object, otherwise: float) -> float:
    """What an actor says about a time, where it says it."""
    try:
        return float(str(told))
    except ValueError:
        return otherwise


def _shortest(turn_deg: float) -> float:
    return (turn_deg + 180.0) % 360.0 - 180.0
