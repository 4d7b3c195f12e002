"""What a body can do in a world, and the moving frames a person sees on the way."""

import asyncio
import logging
import time
from typing import Protocol

from django.conf import settings

from simulator_bridge.session import Session
from siturec.protocol.messages import Pose
from siturec.protocol.ports import FrameSink

log = logging.getLogger(__name__)

FRAME_PERIOD_S = 0.07
"""Between moving frames: 14 a second leaves room above the 10 that are promised."""
LAST_FRAME_S = 1.0
LONGEST_WALK_S: float = settings.LONGEST_WALK_S
"""A person waits at most about this long for a walk; longer ones are walked faster."""


def walk_seconds(session: Session, length_m: float) -> float:
    """How long a walk takes that is made at a walking pace, or faster where that would take too long."""
    return 0.0 if session.instant else min(length_m / session.scene.sight.walk_mps, LONGEST_WALK_S)


class MovingFrames:
    """Sends small frames to a sink while a body moves; none is made while the last is still on its way."""

    def __init__(self, session: Session, sink: FrameSink | None) -> None:
        self._session, self._sink = session, sink
        self._sending: asyncio.Task[None] | None = None
        self._due = 0.0
        self.sent = self.dropped = 0

    @property
    def wanted(self) -> bool:
        """Whether anyone looks."""
        return self._sink is not None

    async def beat(self) -> None:
        """Send a frame if one is due and the line is free; return after at most one capture."""
        now = time.monotonic()
        if self._sink is None or now < self._due:
            return
        # By a timetable, not by when the last one went: who beats a little late would else miss every other.
        self._due = max(self._due, now - FRAME_PERIOD_S / 2) + FRAME_PERIOD_S
        if self._sending is not None and not self._sending.done():
            self.dropped += 1
            return
        frame = await self._session.moving_frame()
        if not frame:
            self.dropped += 1
            log.warning("%s sent no picture of the way that may be shown", self._session.wire.address)
            return
        self._sending = asyncio.create_task(self._send(self._sink, frame))

    async def _send(self, sink: FrameSink, frame: bytes) -> None:
        await sink(frame)
        self.sent += 1

    async def finish(self) -> None:
        """Let the last frame go out; what went wrong with the line is logged, the walk does not care."""
        if self._sending is None:
            return
        done, _ = await asyncio.wait([self._sending], timeout=LAST_FRAME_S)
        if not done:
            self._sending.cancel()
        for failed in await asyncio.gather(self._sending, return_exceptions=True):
            if isinstance(failed, Exception):
                log.info("moving frames stopped: %s", failed)


class Body(Protocol):
    """Ways of acting in a world. Lengths in metres, angles in degrees, clockwise and up positive."""

    async def prepare(self, session: Session) -> None:
        """Set speeds and the like on a fresh connection."""
        ...

    async def move(self, session: Session, forward_m: float, right_m: float, frames: MovingFrames) -> None:
        """Walk relative to the heading, sliding to a stop before obstacles."""
        ...

    async def turn(self, session: Session, clockwise_deg: float, frames: MovingFrames) -> None:
        """Turn on the spot."""
        ...

    async def look(self, session: Session, up_deg: float, frames: MovingFrames) -> None:
        """Raise or lower the eyes."""
        ...

    async def walk_to(self, session: Session, x_m: float, y_m: float, frames: MovingFrames) -> None:
        """Walk to a place round what stands between, keeping (in the end) the heading."""
        ...

    async def pick_up(self, session: Session, name: str) -> bool:
        """Take an object into the hand; whether it is there now."""
        ...

    async def put_back(self, session: Session, name: str) -> None:
        """Put the held object back where it was."""
        ...

    async def remove(self, session: Session, name: str) -> None:
        """Take the held object out of the hand and out of sight."""
        ...

    async def restore(self, session: Session, *, pose: Pose, held: str | None, gone: list[str]) -> None:
        """Bring a fresh connection to a known state."""
        ...
