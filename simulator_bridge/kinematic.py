"""Acting in any UnrealCV build: the camera is swept (``moveto``) and turned, objects are hidden and shown."""

import asyncio
import math
import time

from simulator_bridge.floorplan import FloorPlan
from simulator_bridge.motion import LONGEST_WALK_S, MovingFrames
from simulator_bridge.session import Session
from simulator_bridge.wire import numbers
from siturec.protocol.messages import Pose

SWEEP_M = 0.25
"""One sweep; a blocked one tells where the obstacle is to within the engine's own precision."""
BLOCKED_M, THERE_M = 0.02, 0.002
TURN_STEP_DEG = 12.0
STEP_S = 0.075
"""Between two steps that someone sees: more than ten a second, and time for a picture of each."""


class KinematicBody:
    """A shopper that is nothing but a camera."""

    def __init__(self, plan: FloorPlan) -> None:
        self._plan = plan

    async def prepare(self, session: Session) -> None:
        """There is nothing to set up."""

    async def move(self, session: Session, forward_m: float, right_m: float, frames: MovingFrames) -> None:
        """Sweep relative to the heading, sliding along what is in the way."""
        pose = await session.still_pose()
        yaw = math.radians(pose.yaw_deg)
        ahead = (math.cos(yaw), math.sin(yaw))
        await self._sweep(
            session,
            pose,
            forward_m * ahead[0] - right_m * ahead[1],
            forward_m * ahead[1] + right_m * ahead[0],
            frames,
        )

    async def _sweep(
        self, session: Session, pose: Pose, dx_m: float, dy_m: float, frames: MovingFrames
    ) -> Pose:
        """Sweep by a vector in short moves; where one is stopped, try its parts along the axes."""
        length = math.hypot(dx_m, dy_m)
        takes = 0.0 if session.instant else min(length / session.scene.sight.walk_mps, LONGEST_WALK_S)
        # Where someone looks there is a picture after every sweep, so these are short.
        count = max(1, math.ceil(length / SWEEP_M), math.ceil(takes / STEP_S) if frames.wanted else 0)
        step_x, step_y = dx_m / count, dy_m / count
        started = time.monotonic()
        for step in range(1, count + 1):
            before = pose
            pose = await self._moveto(session, pose, step_x, step_y)
            went = math.hypot(pose.x_m - before.x_m, pose.y_m - before.y_m)
            if went < length / count - BLOCKED_M:
                left_x = step_x - (pose.x_m - before.x_m)
                left_y = step_y - (pose.y_m - before.y_m)
                for part in sorted(((left_x, 0.0), (0.0, left_y)), key=lambda p: -abs(p[0] + p[1])):
                    if abs(part[0] + part[1]) > BLOCKED_M:
                        pose = await self._moveto(session, pose, *part)
            await frames.beat()
            if math.hypot(pose.x_m - before.x_m, pose.y_m - before.y_m) < BLOCKED_M:
                return pose
            await _until(started + takes * step / count)
        return pose

    async def _moveto(self, session: Session, pose: Pose, dx_m: float, dy_m: float) -> Pose:
        camera, eye = session.map.camera, session.scene.sight.eye_m
        x_m, y_m = pose.x_m + dx_m, pose.y_m + dy_m
        await session.wire.ask(f"vset /camera/{camera}/moveto {numbers(x_m * 100, y_m * 100, eye * 100)}")
        now = await session.pose()
        # Who is read to be at the goal is there; anything else may be an engine that shows it a frame late.
        return now if math.hypot(now.x_m - x_m, now.y_m - y_m) < THERE_M else await session.still_pose()

    async def turn(self, session: Session, clockwise_deg: float, frames: MovingFrames) -> None:
        """Turn on the spot, in steps where someone looks."""
        pose = await session.still_pose()
        await self._rotate(session, pose, 0.0, clockwise_deg, frames)

    async def look(self, session: Session, up_deg: float, frames: MovingFrames) -> None:
        """Raise or lower the eyes."""
        pose = await session.still_pose()
        await self._rotate(session, pose, up_deg, 0.0, frames)

    async def _rotate(
        self, session: Session, pose: Pose, up_deg: float, clockwise_deg: float, frames: MovingFrames
    ) -> None:
        count = 1
        if frames.wanted and not session.instant:
            count = max(1, math.ceil(max(abs(up_deg), abs(clockwise_deg)) / TURN_STEP_DEG))
        started = time.monotonic()
        for step in range(1, count + 1):
            share = step / count
            rotation = numbers(
                pose.pitch_deg + up_deg * share, (pose.yaw_deg + clockwise_deg * share) % 360.0, 0.0
            )
            await session.wire.ask(f"vset /camera/{session.map.camera}/rotation {rotation}")
            if count > 1:
                await frames.beat()
                await _until(started + STEP_S * step)

    async def walk_to(self, session: Session, x_m: float, y_m: float, frames: MovingFrames) -> None:
        """Sweep along a path round what stands between; the heading stays."""
        pose = await session.still_pose()
        path = await asyncio.to_thread(self._plan.path, (pose.x_m, pose.y_m), (x_m, y_m))
        for x, y in path[1:]:
            pose = await self._sweep(session, pose, x - pose.x_m, y - pose.y_m, frames)

    async def pick_up(self, session: Session, name: str) -> bool:
        """Hide the object: nothing is shown in a hand that is not there."""
        await session.wire.ask(f"vset /object/{name}/hide")
        return True

    async def put_back(self, session: Session, name: str) -> None:
        """Show the object again where it stands."""
        await session.wire.ask(f"vset /object/{name}/show")

    async def remove(self, session: Session, name: str) -> None:
        """It is out of sight already."""

    async def restore(self, session: Session, *, pose: Pose, held: str | None, gone: list[str]) -> None:
        """Hide what is held or taken, and place the camera."""
        hidden = [*gone, held] if held is not None else gone
        await session.each(f"vset /object/{name}/hide" for name in hidden)
        await session.place(pose)


async def _until(moment: float) -> None:
    """Sleep up to a moment of the steady clock: what a step itself took is not waited for again."""
    left = moment - time.monotonic()
    if left > 0.0:
        await asyncio.sleep(left)
