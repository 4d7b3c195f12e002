"""``siturec.protocol.ports.World`` over the wire: one shopper in one store.

Every operation runs on a connection that is known to be in the state the last finished turn left behind.
When the connection, or the world behind it, fails on the way, a fresh one is brought to that same state
(pose, held, taken) and the operation runs again, so an action is never lost and never done twice.
"""

import asyncio
import logging
import math
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from simulator_bridge.acting import Acting, Hands
from simulator_bridge.blueprint import BlueprintBody
from simulator_bridge.capture import Capture
from simulator_bridge.errors import BROKEN, WrongReply
from simulator_bridge.floor_maps import FloorMaps
from simulator_bridge.kinematic import KinematicBody
from simulator_bridge.kit import SceneKit
from simulator_bridge.mapping import WorldMap
from simulator_bridge.motion import Body, MovingFrames
from simulator_bridge.session import Session
from simulator_bridge.suspicion import has_detail, has_edges, mixed_up
from simulator_bridge.wire import Address
from siturec.markers.seeing import Seen, see
from siturec.protocol.actions import apply_to_state
from siturec.protocol.messages import Outcome, Pose, ResolvedAction, ShopperState, View
from siturec.protocol.ports import FrameSink, WorldError, WorldLied, WorldUnavailable

log = logging.getLogger(__name__)
R = TypeVar("R")

ATTEMPTS = 4
BACK_OFF_S = (0.0, 0.1, 0.4)
STALE_TRIES, STALE_WAIT_S = 3, 0.05
SAME_POSE_M, SAME_POSE_DEG = 0.02, 0.5
FAR_M, FAR_DEG = 0.25, 5.0

Connect = Callable[[], Awaitable[Address]]
Report = Callable[[WorldError | None], Awaitable[None]]


@dataclass(frozen=True)
class Known:
    """The state a connection must be in: what the last finished operation left behind."""

    pose: Pose
    state: ShopperState
    hands: Hands


class WireWorld:
    """One shopper, however the world is reached.

    Args:
        kit: the scene.
        world_map: how this world is driven.
        connect: where to find the world now; asked again whenever it was lost.
        instant: motion never takes time; otherwise it does where moving frames are wanted.
        seed: with the observation's number, decides the products' markers.
        user_map: draw the user's floor plan, which a study may show.
        report: told when the world was reached, and when it could not be.
    """

    def __init__(
        self,
        kit: SceneKit,
        world_map: WorldMap,
        connect: Connect,
        *,
        instant: bool = False,
        seed: int = 0,
        user_map: bool = True,
        report: Report | None = None,
    ) -> None:
        self.instant, self.seed = instant, seed
        self.recoveries = 0
        self._report = report
        self._kit, self._map, self._connect = kit, world_map, connect
        body: Body = BlueprintBody(kit.plan) if world_map.acting == "blueprint" else KinematicBody(kit.plan)
        self._body = body
        self._acting = Acting(kit, world_map, body)
        self._session: Session | None = None
        self._left = ""
        self._known = Known(kit.pack.info.start, ShopperState(), Hands())
        self._shown: tuple[Pose, Capture] | None = None
        self._maps = FloorMaps(kit, user_map=user_map)
        self._lock = asyncio.Lock()

    @property
    def pose(self) -> Pose:
        """The last measured pose."""
        return self._known.pose

    @property
    def state(self) -> ShopperState:
        """What is held, checked and in the cart."""
        return self._known.state

    async def reset(
        self, *, pose: Pose, state: ShopperState | None = None, picked_at: Sequence[Pose] = ()
    ) -> None:
        """Place the shopper, empty-handed or as recorded, in a store with everything else in its place."""
        async with self._lock:
            wanted = state or ShopperState()
            self._known = Known(pose, wanted, self._acting.hands_for(wanted, pose, picked_at))
            self._shown = None
            # On a fresh connection all is put in its place, whatever became of the last one.
            self._drop_session()

            async def place(session: Session) -> None:
                self._known = replace(self._known, pose=await session.still_pose())

            await self._run(place)

    async def observe(self, *, number: int, pictures: bool = True) -> View:
        """Capture, find what is visible, paint both roles' frames where ``pictures`` are wanted."""

        async def capture(session: Session) -> tuple[Pose, Capture]:
            return await self._fresh_capture(session, pictures=pictures)

        async with self._lock:
            pose, captured = await self._run(capture)
            self._shown = (pose, captured)
        looking = asyncio.to_thread(self._see, pose, captured, number, pictures=pictures)
        if pictures:
            # Beside each other, for a person is waiting; the words alone are not worth a thread.
            seen, maps = await asyncio.gather(looking, asyncio.to_thread(self._maps.at, pose, pictures=True))
        else:
            seen, maps = await looking, self._maps.at(pose, pictures=False)
        height, width = captured.mask.shape[:2]
        return View(
            observation=seen.observation,
            width=width,
            height=height,
            user_frame=seen.user_frame,
            assistant_frame=seen.assistant_frame,
            minimap_user=maps.user,
            minimap_assistant=maps.assistant,
            minimap_text=maps.text,
        )

    async def _fresh_capture(self, session: Session, *, pictures: bool) -> tuple[Pose, Capture]:
        """A capture that belongs to one pose, and that is not the last one again after a move."""
        for attempt in range(STALE_TRIES + 1):
            if attempt:
                await asyncio.sleep(STALE_WAIT_S * attempt)
            before, capture, after = await session.capture(pictures=pictures)
            if mixed_up(capture, self._kit.markers.colour_table):
                raise WrongReply(
                    f"{session.wire.address} sent the mask for the picture, or that for the mask"
                )
            if _apart(before, after):
                continue
            if not self._stale(after, capture):
                return after, capture
            log.warning("%s showed the last frame again after a move", session.wire.address)
        raise WorldLied(f"{session.wire.address} keeps showing one frame while the shopper moves")

    def _stale(self, pose: Pose, capture: Capture) -> bool:
        if self._shown is None or not _apart(self._shown[0], pose):
            return False
        lit, depth, mask = self._shown[1].prints
        # A blank wall looks alike from two places, but it is not equally far and equally lit to the last bit.
        # A mask may be all one colour from many places, so without a picture the distances decide.
        detail = capture.lit is not capture.mask and has_detail(capture)
        if capture.prints[0] == lit and (capture.prints[1] == depth or detail):
            return True
        # Engines paint the mask by itself, and it may come late alone: labels would be where things were.
        far = _apart(self._shown[0], pose, FAR_M, FAR_DEG)
        return far and capture.prints[2] == mask and has_edges(capture, self._kit.markers.colour_table)

    def _see(self, pose: Pose, capture: Capture, number: int, *, pictures: bool) -> Seen:
        scene = self._kit.markers
        return see(
            frame_bgr=capture.lit if pictures else None,
            numbers=scene.colour_table.numbers(capture.mask, bgr=True),
            depth_m=capture.depth_m,
            pose=pose,
            scene=scene,
            observation=number,
            seed=self.seed,
        )

    async def execute(self, action: ResolvedAction, *, moving: FrameSink | None = None) -> Outcome:
        """Carry out a validated action and measure what it did."""
        async with self._lock:

            async def act(session: Session) -> tuple[Outcome, Pose, Hands]:
                frames = MovingFrames(session, None if self.instant else moving)
                await session.set_instant(not frames.wanted)
                try:
                    return await self._acting.perform(
                        session, action, self._known.pose, self._known.hands, frames
                    )
                finally:
                    await frames.finish()

            outcome, pose, hands = await self._run(act)
            self._known = Known(pose, apply_to_state(self._known.state, action, outcome), hands)
            return outcome

    def leave(self, reason: str) -> None:
        """Go at once, for the place is no longer ours: whatever is done or asked from now on is refused."""
        self._left = reason
        self._drop_session()

    async def close(self) -> None:
        """Give the shopper back. Never raises."""
        async with self._lock:
            if self._session is not None and not self._map.own_shopper:
                try:
                    await self._acting.tidy(self._session, self._known.hands)
                except WorldError as error:
                    log.warning("the store could not be tidied up: %s", error)
            self._drop_session()

    def _drop_session(self) -> None:
        if self._session is not None:
            self._session.close()
            self._session = None

    async def _run(self, operation: Callable[[Session], Awaitable[R]]) -> R:
        """Run an operation on a connection in the known state, on a fresh one where the last fails."""
        for attempt in range(ATTEMPTS):
            try:
                return await operation(await self._ready())
            except BaseException as error:
                # Whatever happened, half an operation may be done: this connection is not in a known state.
                self._drop_session()
                if not isinstance(error, (*BROKEN, WorldLied)) or attempt == ATTEMPTS - 1:
                    raise
                log.warning("attempt %d of %d: %s", attempt + 1, ATTEMPTS, error)
                self.recoveries += 1
                await asyncio.sleep(BACK_OFF_S[min(attempt, len(BACK_OFF_S) - 1)])
        raise AssertionError("unreachable")

    async def _ready(self) -> Session:
        session = self._session
        if session is None or not session.wire.usable:
            session = await self._opened()
        if self._left:
            raise WorldUnavailable(self._left)
        return session

    async def _opened(self) -> Session:
        """A fresh connection in the known state; none where there is no place any more."""
        if self._left:
            raise WorldUnavailable(self._left)
        try:
            address = await self._connect()
            session = await Session.open(address, self._map, self._kit.markers)
        except WorldError as error:
            await self._tell(error)
            raise
        await self._tell(None)
        self._session = session
        await self._body.prepare(session)
        if not self._map.own_shopper:
            await self._acting.show_all(session)
        hands = self._known.hands
        await self._body.restore(session, pose=self._known.pose, held=hands.held, gone=list(hands.gone))
        return session

    async def _tell(self, error: WorldError | None) -> None:
        if self._report is not None:
            await self._report(error)


def _apart(a: Pose, b: Pose, metres: float = SAME_POSE_M, degrees: float = SAME_POSE_DEG) -> bool:
    """Whether two poses show different pictures for certain."""
    turned = max(
        abs((a.yaw_deg - b.yaw_deg + 180.0) % 360.0 - 180.0),
        abs(a.pitch_deg - b.pitch_deg),
    )
    return math.hypot(a.x_m - b.x_m, a.y_m - b.y_m) > metres or turned > degrees
