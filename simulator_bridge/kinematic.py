"""Acting in any UnrealCV build: the camera is swept (``moveto``) and turned, objects are hidden and shown."""

import asyncio
import math
import time
from itertools import pairwise
from typing import Literal

from simulator_bridge.floorplan import FloorPlan
from simulator_bridge.motion import MovingFrames, walk_seconds
from simulator_bridge.session import Session, sleep_until
from simulator_bridge.wire import numbers
from siturec.protocol.messages import Pose

SWEEP_M = 0.25
"""One sweep; a blocked one tells where the obstacle is to within the engine's own precision."""
BLOCKED_M, THERE_M = 0.02, 0.002
TURN_STEP_DEG = 12.0
STEP_S = 0.075
"""Between two steps that someone sees: more than ten a second, and time for a picture of each."""

Vector = tuple[float, float]
Axis = Literal["x", "y"]


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
        by = (forward_m * ahead[0] - right_m * ahead[1], forward_m * ahead[1] + right_m * ahead[0])
        takes_s = walk_seconds(session, math.hypot(*by))
        await self._sweep(session, pose, by, takes_s, frames)

    async def _sweep(
        self, session: Session, pose: Pose, by: Vector, takes_s: float, frames: MovingFrames
    ) -> Pose:
        """Sweep by a vector in short moves; where one is stopped, try its parts along the axes."""
        length = math.hypot(*by)
        # Where someone looks there is a picture after every sweep, so these are short.
        count = max(1, math.ceil(length / SWEEP_M), math.ceil(takes_s / STEP_S) if frames.wanted else 0)
        part = (by[0] / count, by[1] / count)
        # Who walks slowly makes steps that are shorter than what tells an obstacle.
        stopped_m = min(BLOCKED_M, length / count / 2)
        started = time.monotonic()
        along: Axis | None = None
        for step in range(1, count + 1):
            before = pose
            pose, along = await self._slide(session, pose, part, along, frames)
            await frames.beat()
            if math.hypot(pose.x_m - before.x_m, pose.y_m - before.y_m) < stopped_m:
                return pose
            await sleep_until(started + takes_s * step / count)
        return pose

    async def _slide(
        self, session: Session, pose: Pose, by: Vector, along: Axis | None, frames: MovingFrames
    ) -> tuple[Pose, Axis | None]:
        """One short move: straight, and where that is stopped by its parts; the pose, and what it slid along.

        Who slid ``along`` an axis before goes on along it first: every stopped sweep has to be waited for.
        """
        goal = (pose.x_m + by[0], pose.y_m + by[1])
        if along is None:
            pose = await self._moveto(session, pose, by, frames)
            if _left(pose, goal) < BLOCKED_M:
                return pose, None
        order: list[Axis] = ["x", "y"]
        order.sort(key=lambda axis: (axis != along, -abs(_part(pose, goal, axis))))
        slid: Axis | None = None
        for axis in order:
            part = _part(pose, goal, axis)
            if abs(part) > BLOCKED_M:
                pose = await self._moveto(session, pose, (part, 0.0) if axis == "x" else (0.0, part), frames)
                if abs(_part(pose, goal, axis)) < abs(part) - BLOCKED_M:
                    slid = slid or axis
        return pose, slid if _left(pose, goal) >= BLOCKED_M else None

    async def _moveto(self, session: Session, pose: Pose, by: Vector, frames: MovingFrames) -> Pose:
        camera, eye = session.map.camera, session.scene.sight.eye_m
        x_m, y_m = pose.x_m + by[0], pose.y_m + by[1]
        await session.wire.ask(f"vset /camera/{camera}/moveto {numbers(x_m * 100, y_m * 100, eye * 100)}")
        now = await session.pose()
        if math.hypot(now.x_m - x_m, now.y_m - y_m) < THERE_M:
            return now
        # Who is read to be elsewhere may have been stopped, or the engine may show the sweep a frame late.
        return await session.still_pose(frames.beat)

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
                await sleep_until(started + STEP_S * step)

    async def walk_to(self, session: Session, x_m: float, y_m: float, frames: MovingFrames) -> None:
        """Sweep along a path round what stands between; the heading stays."""
        pose = await session.still_pose()
        path = await asyncio.to_thread(self._plan.path, (pose.x_m, pose.y_m), (x_m, y_m))
        length = sum(math.dist(*leg) for leg in pairwise(path))
        takes_s = walk_seconds(session, length)
        for leg, (x, y) in zip(pairwise(path), path[1:], strict=True):
            share = math.dist(*leg) / length if length else 0.0
            pose = await self._sweep(session, pose, (x - pose.x_m, y - pose.y_m), takes_s * share, frames)

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


def _part(pose: Pose, goal: Vector, axis: Axis) -> float:
    """How much of the way to a goal is left along an axis, with its sign."""
    return goal[0] - pose.x_m if axis == "x" else goal[1] - pose.y_m


def _left(pose: Pose, goal: Vector) -> float:
    return math.hypot(goal[0] - pose.x_m, goal[1] - pose.y_m)
