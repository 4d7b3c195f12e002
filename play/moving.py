"""Moving pictures at the pace of the line to a tab: few are on their way at once, the others are not sent."""

import time
from collections import deque
from collections.abc import Awaitable, Callable
from typing import NamedTuple

from siturec.protocol.events import MOVING, pack_picture

MOST = 4
"""Pictures on their way at most: ten a second reach a page that is 0.3 s away."""
NEAR_S, FAR_S, SLOW_S = 0.05, 0.12, 0.5


class _Sent(NamedTuple):
    number: int
    at: float
    full: bool
    """Whether with it as many were on their way as there was room for: only then it tells how many fit."""


class MovingPictures:
    """What one tab is sent of a walk; a sink for a world's moving frames.

    A socket takes what it is given and keeps it until the line has room, so on a slow line the marked view
    would wait behind pictures of a walk that is over. Therefore the page confirms every picture, and those
    that are not confirmed stay few: one at first, and one more where as many as there is room for were
    confirmed hardly later than the earliest ever was; one fewer where it took much longer, for then they
    queue. A page that shows no moving pictures confirms none, and is sent one.
    """

    def __init__(
        self, send: Callable[[bytes], Awaitable[None]], *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._send, self._clock = send, clock
        self._on_their_way: deque[_Sent] = deque()
        self._number, self._room = 0, 1
        self._best_s = float("inf")

    async def __call__(self, jpeg: bytes) -> None:
        """Send a picture if there is room on the line for it."""
        if len(self._on_their_way) >= self._room:
            return
        self._number += 1
        full = len(self._on_their_way) + 1 == self._room
        self._on_their_way.append(_Sent(self._number, self._clock(), full))
        await self._send(pack_picture(MOVING, self._number, jpeg))

    def confirmed(self, number: int) -> None:
        """The page has this picture, and with it all that were sent before; of others nothing is learned."""
        if not any(number == sent.number for sent in self._on_their_way):
            return
        while (sent := self._on_their_way.popleft()).number < number:
            pass
        took_s = self._clock() - sent.at
        self._best_s = min(self._best_s, took_s)
        if took_s > self._best_s + FAR_S:
            self._room = max(1, self._room - 1)
        elif sent.full and took_s < min(self._best_s + NEAR_S, SLOW_S):
            self._room = min(MOST, self._room + 1)
