"""From a validated action to what a body does, and how far it got."""

import asyncio
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from simulator_bridge.errors import WrongReply
from simulator_bridge.kit import SceneKit
from simulator_bridge.mapping import WorldMap
from simulator_bridge.motion import Body, MovingFrames
from simulator_bridge.session import Session
from siturec.protocol.messages import Outcome, Pose, ResolvedAction, ShopperState
from siturec.scene.schema import Instance, Target, Waypoint

ARRIVED_M = 0.35
SHORT_M = 0.1
FARTHER_M, FARTHER_SHARE, ASTRAY_DEG = 1.0, 1.25, 45.0
"""A body measured farther from its way, or turned more off it, was never there: no engine is so inexact."""
STANDING_TRIES = 3


@dataclass(frozen=True)
class Hands:
    """Which of the world's objects is in the hand, and which are in the cart."""

    held: str | None = None
    gone: tuple[str, ...] = ()


class Acting:
    """Performs actions of one scene with one kind of body."""

    def __init__(self, kit: SceneKit, world_map: WorldMap, body: Body) -> None:
        self._kit, self._map, self._body = kit, world_map, body
        self._waypoints = {waypoint.id: waypoint for waypoint in kit.pack.waypoints}
        self._targets = {target.entity: target for target in kit.pack.targets}
        self._instances = {instance.id: instance for instance in kit.pack.instances}
        self._held_kind = kit.pack.info.kind == "supermarket"

    async def perform(
        self, session: Session, action: ResolvedAction, start: Pose, hands: Hands, frames: MovingFrames
    ) -> tuple[Outcome, Pose, Hands]:
        """Do it; the outcome with the measured displacement, the pose after it, and what is in the hands.

        Raises: WrongReply for a pose that the action cannot have led to; other errors of the wire.
        """
        ok, message = True, ""
        if action.target is not None:
            ok, message = await self._go(session, action, start, frames)
        elif action.tool == "pick_up_item":
            held, message = await self._pick_up(session, str(action.product), start, hands)
            ok, hands = held is not None, Hands(held, hands.gone)
        elif action.tool == "drop_item" and hands.held is not None:
            await self._body.put_back(session, hands.held)
            hands = Hands(None, hands.gone)
        elif action.tool == "add_to_cart" and hands.held is not None:
            await self._body.remove(session, hands.held)
            hands = Hands(None, (*hands.gone, hands.held))
        else:
            await self._move(session, action, frames)
        pose = await session.still_pose()
        went = math.hypot(pose.x_m - start.x_m, pose.y_m - start.y_m)
        if astray := _astray(action, start, pose):
            raise WrongReply(f"{session.wire.address} says that {action.tool} {astray}")
        if pose != start and session.map.own_shopper:
            # A pose is recorded rounded. The shopper stands there exactly, so that whoever is put back there,
            # after a failure or for a replay, sees the same to the last bit.
            await session.place(pose)
        if action.distance_m is not None:
            message = f"Walked {went:.1f} m."
            if went < action.distance_m - SHORT_M:
                message = f"Walked {went:.1f} m and stopped: something is in the way."
        return Outcome(ok=ok, displacement_m=round(went, 3), message=message), pose, hands

    async def _move(self, session: Session, action: ResolvedAction, frames: MovingFrames) -> None:
        body, distance, angle = self._body, action.distance_m or 0.0, _angle(action)
        match action.tool:
            case "move_forward":
                await body.move(session, distance, 0.0, frames)
            case "move_backward":
                await body.move(session, -distance, 0.0, frames)
            case "side_step":
                right = distance if action.direction == "right" else -distance
                await body.move(session, 0.0, right, frames)
            case "turn":
                await body.turn(session, angle, frames)
            case "look_up_down":
                await body.look(session, angle, frames)
            case "turn_and_move":
                await body.turn(session, angle, frames)
                await body.move(session, distance, 0.0, frames)
            case "move_and_turn":
                await body.move(session, distance, 0.0, frames)
                await body.turn(session, angle, frames)

    async def _go(
        self, session: Session, action: ResolvedAction, start: Pose, frames: MovingFrames
    ) -> tuple[bool, str]:
        """Walk to a standing point; a fixed side or doorway is faced too, ``nearest`` keeps the heading."""
        target = self._targets[str(action.target)]
        facing = action.approach != "nearest"
        points = await asyncio.to_thread(self._standing, target, action.approach, start)
        for point in points[:STANDING_TRIES]:
            await self._body.walk_to(session, point.x_m, point.y_m, frames)
            pose = await session.still_pose()
            if math.hypot(pose.x_m - point.x_m, pose.y_m - point.y_m) > ARRIVED_M:
                continue
            if facing:
                await self._face(session, pose, point, frames)
            return True, f"Walked to {target.name}."
        return False, f"Could not get to {target.name}: something is in the way."

    def _standing(self, target: Target, approach: str | None, start: Pose) -> list[Waypoint]:
        """The standing points of an approach, nearest (on foot) first; an area without one has its middle."""
        points = [
            self._waypoints[standing.waypoint]
            for standing in target.standing
            if approach in (None, "nearest", standing.approach) and standing.waypoint in self._waypoints
        ]
        if not points and approach in (None, "nearest"):
            points = [Waypoint(id="", x_m=target.x_m, y_m=target.y_m, yaw_deg=start.yaw_deg)]
        if len(points) == 1:
            return points
        here = (start.x_m, start.y_m)
        return sorted(points, key=lambda p: (self._kit.plan.length(here, (p.x_m, p.y_m)), p.id))

    async def _face(self, session: Session, pose: Pose, point: Waypoint, frames: MovingFrames) -> None:
        await self._body.turn(session, (point.yaw_deg - pose.yaw_deg + 180.0) % 360.0 - 180.0, frames)
        await self._body.look(session, point.pitch_deg - pose.pitch_deg, frames)

    async def _pick_up(
        self, session: Session, product: str, pose: Pose, hands: Hands
    ) -> tuple[str | None, str]:
        for name in self._nearest(product, pose, hands.gone)[:STANDING_TRIES]:
            if await self._body.pick_up(session, name):
                return name, ""
        return None, "The product could not be picked up."

    def _nearest(self, product: str, pose: Pose, gone: Iterable[str] = ()) -> list[str]:
        """The world's objects that are this product, nearest first, those ahead before those behind."""

        def away(name: str) -> tuple[float, str]:
            placed = self._instances.get(name)
            return (math.inf if placed is None else _effort(placed, pose)), name

        taken = set(gone)
        return sorted((name for name in self._map.named(product) if name not in taken), key=away)

    def hands_for(self, state: ShopperState, pose: Pose, picked_at: Sequence[Pose] = ()) -> Hands:
        """The objects behind a recorded state: of each product the nearest to where it was picked up.

        Where that is not known (``picked_at`` is of the cart's things, then of what is held), the nearest to
        ``pose``.
        In a home store the goods stay on display; only the record says what is in the cart.
        """
        if not self._held_kind:
            return Hands()
        gone: list[str] = []
        stood = [*picked_at, *[pose] * (len(state.cart) + 1)]
        for product, there in zip(state.cart, stood, strict=False):
            gone += self._nearest(f"product:{product}", there, gone)[:1]
        there = stood[len(state.cart)]
        held = [] if state.held is None else self._nearest(f"product:{state.held}", there, gone)[:1]
        return Hands(held[0] if held else None, tuple(gone))

    async def tidy(self, session: Session, hands: Hands) -> None:
        """Leave a shared world as it was found."""
        if hands.held is not None:
            await self._body.put_back(session, hands.held)
        await session.each(f"vset /object/{name}/show" for name in hands.gone)

    async def show_all(self, session: Session) -> None:
        """Show every product: an earlier shopper may have left some hidden."""
        await session.each(
            f"vset /object/{name}/show"
            for name, entity in self._map.objects.items()
            if entity.startswith("product:")
        )


def _angle(action: ResolvedAction) -> float:
    """The angle of an action in degrees, clockwise or upwards positive; 0 where it has none."""
    return (action.angle_deg or 0.0) * (-1 if action.direction in ("left", "down") else 1)


def _astray(action: ResolvedAction, start: Pose, pose: Pose) -> str:
    """How a measured pose differs from all that an action can lead to; empty where it does not."""
    if action.target is not None:
        return ""
    went = math.hypot(pose.x_m - start.x_m, pose.y_m - start.y_m)
    if went > FARTHER_M + FARTHER_SHARE * (action.distance_m or 0.0):
        return f"led {went:.1f} m away"
    looked = pose.pitch_deg - start.pitch_deg
    turned = (pose.yaw_deg - start.yaw_deg + 180.0) % 360.0 - 180.0
    wanted = _angle(action)
    if action.tool == "look_up_down":
        looked -= wanted
    else:
        turned = (turned - wanted + 180.0) % 360.0 - 180.0
    return (
        f"led to {pose.yaw_deg:.0f}°, {pose.pitch_deg:.0f}°"
        if max(abs(turned), abs(looked)) > ASTRAY_DEG
        else ""
    )


def _effort(placed: Instance, pose: Pose) -> float:
    dx, dy = placed.x_m - pose.x_m, placed.y_m - pose.y_m
    away = math.hypot(dx, dy)
    yaw = math.radians(pose.yaw_deg)
    return away if dx * math.cos(yaw) + dy * math.sin(yaw) >= 0 else away + 2.0
