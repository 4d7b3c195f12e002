"""Painting ahead: the view in which a motion will end, shortly before it does.

A motion is laid out when it begins, so where it ends is known, and a client asks for that view as soon as the
shopper has come to rest. Painted during the last steps it is there when it is asked for.
"""

import asyncio
import logging

from storefront.server_painting import Studio
from storefront.server_pool import FairPool, Share
from storefront.shopper import Shopper
from storefront.shopper_capture import Capture, Shot

logger = logging.getLogger(__name__)

SAME_S = 0.02
"""Ends no further apart than this are of one motion, reckoned twice."""
LEAD_S = 0.1
"""How long before the end: painting is done by then, and the client has hardly thought of something else."""


class Foresight:
    """One connection's; only a client that looks about while it stands still has anything painted for it.

    Args:
        share: a claim of its own: what is painted ahead must not hold up what was asked for.
    """

    def __init__(self, shopper: Shopper, studio: Studio, pool: FairPool) -> None:
        self.shopper, self.studio, self.pool = shopper, studio, pool
        self.share = Share()
        self._seen: Capture | None = None
        self._end: float | None = None
        self._due: asyncio.TimerHandle | None = None
        self._painting: asyncio.Task[None] | None = None
        self._shot: Shot | None = None

    def looked(self, capture: Capture) -> None:
        """The client looked about: as it did this time it will look the next time."""
        if capture.settled:
            self._seen = capture

    def moved(self) -> None:
        """After a command: be there in time if the shopper is in motion now, and on another than before."""
        if self._seen is None or self.shopper.clock.instant:
            return
        left = self.shopper.left_s()
        if not left:
            return
        loop = asyncio.get_running_loop()
        end = loop.time() + left
        if self._end is not None and abs(end - self._end) < SAME_S:
            return
        if self._due is not None:
            self._due.cancel()
        self._end = end
        self._due = loop.call_at(end - LEAD_S, self._arrive, self._seen.shot)

    def _arrive(self, like: Shot) -> None:
        self.shopper.tick()
        if self.shopper.left_s() and self.pool.idle:
            self._shot = self.shopper.shot_at_rest(like)
            self._painting = asyncio.create_task(self._paint(self._shot))

    async def ready(self, shot: Shot) -> None:
        """Wait while this very view is being painted: whoever asks early would have it painted twice."""
        if self._painting is not None and shot == self._shot:
            await asyncio.wait({self._painting})

    async def _paint(self, shot: Shot) -> None:
        try:
            await self.pool.run(self.share, lambda: self.studio.paint_still(shot))
        except (ValueError, MemoryError) as failed:  # whoever asks for the view will be told
            logger.debug("nothing could be painted ahead: %s", failed)

    def close(self) -> None:
        """Nobody is going to look any more."""
        for going in (self._due, self._painting):
            if going is not None:
                going.cancel()
