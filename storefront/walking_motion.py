"""Motion over simulated time: tracks that say where a body is at any moment, laid out when it starts.

A track depends on where and when it began, never on how often it is looked at, so two shoppers who do the
same end at the same place to the last bit.
"""

import math
from bisect import bisect_right
from collections.abc import Sequence
from itertools import pairwise

from storefront.walking import FloorPlan, Point, walk_legs

CHUNK_M = 5.0
"""A long walk is laid out this far ahead at a time."""
LONGEST_WALK_M = 1000.0
"""A walk without an end ends here, if nothing stops it before."""
CURVE_S = 1 / 30
"""While the body turns as it walks, its course is laid out in steps of this many simulated seconds."""


class Track:
    """Values joined by straight lines over simulated seconds; outside the times given they hold."""

    def __init__(self, start_s: float, value: Point) -> None:
        self.times = [start_s]
        self.values = [value]

    def to(self, time_s: float, value: Point) -> None:
        """Go on to ``value``, reached at ``time_s``, which must not lie before the last time given."""
        self.times.append(max(time_s, self.times[-1]))
        self.values.append(value)

    @property
    def end_s(self) -> float:
        """When the track comes to rest."""
        return self.times[-1]

    @property
    def last(self) -> Point:
        """Where the track comes to rest."""
        return self.values[-1]

    def at(self, time_s: float) -> Point:
        """The value at a moment."""
        after = bisect_right(self.times, time_s)
        if after == 0:
            return self.values[0]
        if after == len(self.times):
            return self.values[-1]
        t0, t1 = self.times[after - 1], self.times[after]
        share = (time_s - t0) / (t1 - t0)
        (a, b), (c, d) = self.values[after - 1], self.values[after]
        return a + (c - a) * share, b + (d - b) * share


def swing(start_s: float, start_deg: float, by_deg: float, seconds: float) -> Track:
    """An even turn of ``by_deg`` degrees that takes ``seconds``."""
    track = Track(start_s, (start_deg, 0.0))
    track.to(start_s + max(0.0, seconds), (start_deg + by_deg, 0.0))
    return track


class Walk:
    """A walk of a given length in a direction, over the floor plan, at a constant speed.

    Args:
        offset_deg: direction of the walk relative to the heading.
        heading: degrees, clockwise seen from above, over time; constant after its last time.
        length_m: how far is asked for, at most LONGEST_WALK_M. Sliding along a wall uses it up too.
    """

    def __init__(
        self,
        plan: FloorPlan,
        start: tuple[float, float, float],
        *,
        heading: Track,
        offset_deg: float,
        length_m: float,
        speed: float,
    ) -> None:
        start_s, x, y = start
        self.plan = plan
        self.heading = heading
        self.offset_deg = offset_deg
        self.length_m = min(length_m, LONGEST_WALK_M)
        self.speed = speed
        self.track = Track(start_s, (x, y))
        self.finished = length_m <= 0.0 or speed <= 0.0
        self.blocked = False
        self._asked = 0.0

    def asked_at(self, time_s: float) -> float:
        """How much of the length has been used up at a moment, in metres."""
        return min(self.length_m, max(0.0, (time_s - self.track.times[0]) * self.speed))

    def at(self, time_s: float) -> Point:
        """Where the body is at a moment."""
        while not self.finished and self.track.end_s < time_s:
            self._lay()
        return self.track.at(time_s)

    def done(self, time_s: float) -> bool:
        """Whether the walk has come to its end by a moment."""
        self.at(time_s)
        return self.finished and self.track.end_s <= time_s

    def finish(self) -> None:
        """Lay out the rest."""
        while not self.finished:
            self._lay()

    def _direction(self, time_s: float) -> Point:
        yaw = math.radians(self.heading.at(time_s)[0] + self.offset_deg)
        return math.cos(yaw), math.sin(yaw)

    def _lay(self) -> None:
        now, (x, y) = self.track.end_s, self.track.last
        left = self.length_m - self._asked
        if now < self.heading.end_s:
            asked = min(left, self.speed * CURVE_S)
            ux, uy = self._direction(now + 0.5 * asked / self.speed)
            self._asked += asked
            self.track.to(now + asked / self.speed, self.plan.step(x, y, ux * asked, uy * asked))
            self.finished = self._asked >= self.length_m
            return
        wanted = min(left, CHUNK_M)
        ux, uy = self._direction(now)
        legs = walk_legs(self.plan, x, y, ux, uy, wanted)
        for leg in legs:
            self.track.to(now + leg.asked_m / self.speed, (leg.x, leg.y))
        got = legs[-1].asked_m if legs else 0.0
        self._asked += got
        self.blocked = wanted - got > 1e-9
        self.finished = self.blocked or self._asked >= self.length_m - 1e-9


def follow(start_s: float, path: Sequence[Point], speed: float) -> Track:
    """A walk along a polyline at a constant speed (metres per second)."""
    track = Track(start_s, path[0])
    time_s = start_s
    for before, after in pairwise(path):
        time_s += math.dist(before, after) / speed
        track.to(time_s, after)
    return track


def look_along(path: Track, yaw_deg: float, *, end_deg: float, rate: float) -> Track:
    """Turn towards each leg of a path as it begins, and to ``end_deg`` at its end; ``rate`` is degrees/s."""
    yaw = Track(path.times[0], (yaw_deg, 0.0))
    legs = list(zip(path.times, path.values, path.times[1:], path.values[1:], strict=False))
    for t0, (x0, y0), t1, (x1, y1) in legs:
        if math.hypot(x1 - x0, y1 - y0) < 1e-6:
            continue
        _turn_within(yaw, t0, t1, math.degrees(math.atan2(y1 - y0, x1 - x0)), rate)
    here = yaw.last[0]
    by = shortest_turn(here, end_deg)
    start = max(path.end_s - abs(by) / rate / 2, yaw.end_s)
    yaw.to(start, (here, 0.0))
    yaw.to(start + abs(by) / rate, (here + by, 0.0))
    return yaw


def _turn_within(yaw: Track, t0: float, t1: float, towards_deg: float, rate: float) -> None:
    here = yaw.last[0]
    by = shortest_turn(here, towards_deg)
    yaw.to(t0, (here, 0.0))
    begin = yaw.end_s
    if begin >= t1:
        return
    part = min(1.0, (t1 - begin) * rate / abs(by)) if by else 1.0
    yaw.to(begin + abs(by) * part / rate, (here + by * part, 0.0))


def shortest_turn(from_deg: float, to_deg: float) -> float:
    """Degrees to turn, in (-180, 180], positive clockwise."""
    by = (to_deg - from_deg) % 360.0
    return by - 360.0 if by > 180.0 else by
