"""Simulated time: real time at a settable rate, which can be paused and held still."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

INSTANT_RATE = 1e6
"""From this rate on motion is over when its reply is sent."""
_SLOWEST = 1e-4


class SimulatedClock:
    """Simulated seconds since the shopper came in.

    Args:
        wall: a monotonic clock in seconds.
    """

    def __init__(self, wall: Callable[[], float]) -> None:
        self._wall = wall
        self._anchor_wall = wall()
        self._anchor_s = 0.0
        self.rate = 1.0
        self.paused = False

    @property
    def instant(self) -> bool:
        """Whether motion takes no time."""
        return self.rate >= INSTANT_RATE and not self.paused

    def now(self) -> float:
        """Simulated seconds."""
        if self.paused:
            return self._anchor_s
        return self._anchor_s + (self._wall() - self._anchor_wall) * self.rate

    def _settle(self) -> None:
        self._anchor_s, self._anchor_wall = self.now(), self._wall()

    def set_rate(self, rate: float) -> None:
        """Let time pass ``rate`` times as fast; kept within 0.0001 and INSTANT_RATE as Unreal keeps slomo."""
        self._settle()
        self.rate = min(max(rate, _SLOWEST), INSTANT_RATE)

    def pause(self, paused: bool) -> None:
        """Hold simulated time, or let it go on."""
        self._settle()
        self.paused = paused

    @contextmanager
    def still(self) -> Iterator[None]:
        """Hold simulated time for a while and lose none of it, as one tick of a game does."""
        wall, moment = self._wall, self._wall()
        self._wall = lambda: moment
        try:
            yield
        finally:
            self._wall = wall
