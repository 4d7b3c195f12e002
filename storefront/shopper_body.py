"""A body that walks: pose, speed, and what it is doing, over simulated time. Metres and degrees."""

import math
from copy import copy

from storefront.planning import Planner
from storefront.shopper_things import turned
from storefront.walking import FloorPlan, Point
from storefront.walking_motion import Track, Walk, follow, look_along, shortest_turn, swing
from storefront.world_objects import Triple

TURN_RATE = 120.0
"""Degrees per second of a turn whose time is not given."""
LOOK_RATE = 90.0
STEEPEST_LOOK = 89.0
CAPSULE_M = 1.1
"""Height of the capsule's centre, where SimWorld places a humanoid's actor, below an eye at 1.6 m."""


class Body:
    """One humanoid on the floor plan.

    The wire's camera poses are read and set through it at once; motion is laid out when commanded and
    read by time. ``advance`` brings the pose up to a moment.
    """

    def __init__(self, name: str, index: int, planner: Planner, eye_m: float, speed: float) -> None:
        self.name = name
        self.index = index
        self.planner = planner
        self.plan: FloorPlan = planner.plan
        self.eye_m = eye_m
        self.x, self.y, self.eye_z = 0.0, 0.0, eye_m
        self.pitch, self.yaw, self.roll = 0.0, 0.0, 0.0
        self.speed = speed
        self.held: int | None = None
        self.collisions = 0
        self.planned: list[Point] = []
        self._walk: Walk | None = None
        self._path: Track | None = None
        self._turn: Track | None = None
        self._look: Track | None = None

    @property
    def eye(self) -> Triple:
        """Where the eyes are."""
        return self.x, self.y, self.eye_z

    @property
    def moving(self) -> bool:
        """Whether anything commanded is still going on."""
        return any(part is not None for part in (self._walk, self._path, self._turn, self._look))

    def advance(self, now: float) -> None:
        """Bring the pose up to a moment of simulated time."""
        if not self.moving:
            return
        if self._turn is not None:
            self.yaw = self._turn.at(now)[0]
            if now >= self._turn.end_s:
                self._turn = None
                self.yaw = shortest_turn(0.0, self.yaw)
        if self._look is not None:
            self.pitch = self._look.at(now)[0]
            if now >= self._look.end_s:
                self._look = None
        if self._walk is not None:
            self.x, self.y = self._walk.at(now)
            if self._walk.done(now):
                self.collisions += self._walk.blocked
                self._walk = None
        if self._path is not None:
            self.x, self.y = self._path.at(now)
            if now >= self._path.end_s:
                self._path = None
        if not self.moving:
            self._settle()

    def _settle(self) -> None:
        """Come to rest exactly where the wire says: whoever is put there again sees the same to the last bit.

        That is to a tenth of a millimetre and a thousandth of a degree.
        """
        self.x, self.y = round(self.x * 100.0, 2) / 100.0, round(self.y * 100.0, 2) / 100.0
        self.yaw, self.pitch = round(self.yaw, 3), round(self.pitch, 3)

    def left_s(self, now: float) -> float:
        """Seconds until everything that is going on has ended."""
        return self.end_s(now) - now

    def finish(self, now: float) -> None:
        """Take all motion to its end at once."""
        self.advance(self.end_s(now))

    def end_s(self, now: float) -> float:
        """When everything that is going on has ended; a walk is laid out to its end for that."""
        ends = [track.end_s for track in (self._path, self._turn, self._look) if track is not None]
        if self._walk is not None:
            self._walk.finish()
            ends.append(self._walk.track.end_s)
        return max([now, *ends])

    def ahead(self, moment: float) -> "Body":
        """This body as it will be at a later moment, if it is told nothing more."""
        other = copy(self)
        other.advance(moment)
        return other

    def teleport(self, now: float, x: float, y: float, eye_z: float) -> None:
        """Be somewhere else at once, without collision; ends walking."""
        self.advance(now)
        self._walk = self._path = None
        self.x, self.y, self.eye_z = x, y, eye_z

    def face(self, now: float, rotation: Triple) -> None:
        """Look somewhere else at once; ends turning."""
        self.advance(now)
        self._turn = self._look = None
        self.pitch, self.yaw, self.roll = rotation
        self._redirect(now)

    def stop(self, now: float) -> None:
        """Stand still, where and as the body is at this moment."""
        self.advance(now)
        self._walk = self._path = self._turn = self._look = None

    def walk(self, now: float, length_m: float, offset_deg: float, *, speed: float | None = None) -> None:
        """Walk ``length_m`` (possibly infinite) in a direction relative to the heading, sliding."""
        self.advance(now)
        self._path = None
        if not self.plan.free(self.x, self.y):
            self.x, self.y = self.plan.nearest_free(self.x, self.y)
        heading = self._turn or Track(now, (self.yaw, 0.0))
        self._walk = Walk(
            self.plan,
            (now, self.x, self.y),
            heading=heading,
            offset_deg=offset_deg,
            length_m=length_m,
            speed=self.speed if speed is None else speed,
        )

    def _redirect(self, now: float, speed: float | None = None) -> None:
        """Go on with the rest of a walk along a heading that has changed, or at another speed."""
        going = self._walk
        if going is not None:
            rest = going.length_m - going.asked_at(now)
            self.walk(now, rest, going.offset_deg, speed=going.speed if speed is None else speed)

    def set_speed(self, now: float, speed: float) -> None:
        """Walk this fast from now on, in metres per second."""
        self.advance(now)
        self.speed = speed
        self._redirect(now, speed)
        if self._path is not None:
            self._resume_path(now)

    def _resume_path(self, now: float) -> None:
        path = self._path
        if path is None or self.speed <= 0.0:
            self._path = None
            return
        ahead = [point for time_s, point in zip(path.times, path.values, strict=True) if time_s > now]
        self._path = follow(now, [(self.x, self.y), *ahead], self.speed)

    def turn(self, now: float, by_deg: float, seconds: float | None = None) -> None:
        """Turn clockwise by ``by_deg``, on top of a turn that is still going on."""
        self.advance(now)
        pending = 0.0 if self._turn is None else self._turn.last[0] - self.yaw
        by_deg += pending
        self._turn = swing(now, self.yaw, by_deg, abs(by_deg) / TURN_RATE if seconds is None else seconds)
        self._redirect(now)

    def look(self, now: float, up_deg: float) -> None:
        """Look further up (or down), on top of a look that is still going on, up to 89 degrees."""
        self.advance(now)
        goal = up_deg + (self.pitch if self._look is None else self._look.last[0])
        goal = min(max(goal, -STEEPEST_LOOK), STEEPEST_LOOK)
        self._look = swing(now, self.pitch, goal - self.pitch, abs(goal - self.pitch) / LOOK_RATE)

    def walk_to(self, now: float, x: float, y: float, *, end_yaw: float | None = None) -> bool:
        """Walk to a place by the shortest path, or as near to it as one can stand.

        Without ``end_yaw`` the gaze stays as it is; with it the body looks where it goes and ends facing it.
        Returns: False, and no motion, when there is no way.
        """
        self.advance(now)
        path = self.planner.path((self.x, self.y), (x, y))
        if path is None or self.speed <= 0.0:
            return False
        self.follow_path(now, path, end_yaw=end_yaw)
        return True

    def follow_path(self, now: float, path: list[Point], *, end_yaw: float | None = None) -> None:
        """Walk along a polyline of free places, from the first of them."""
        self.advance(now)
        if self.speed <= 0.0:
            return
        self._walk = None
        self._path = follow(now, path, self.speed)
        if end_yaw is not None:
            self._turn = look_along(self._path, self.yaw, end_deg=end_yaw, rate=2 * TURN_RATE)

    def hand(self, low: Triple, high: Triple) -> tuple[Triple, Triple]:
        """Where a held thing of this box is, and its (pitch, yaw, roll).

        Its middle is before the body, low and to the right, its front towards the eyes; bulky things are held
        further away.
        """
        height = high[2] - low[2]
        bulk = max(height, high[0] - low[0], high[1] - low[1])
        away = 0.62 + max(0.0, bulk - 0.3)
        to = turned((away, 0.24, -0.2), (self.pitch, self.yaw, 0.0))
        return (self.x + to[0], self.y + to[1], self.eye_z + to[2] - height / 2), (0.0, self.yaw + 180.0, 0.0)

    @property
    def capsule_z(self) -> float:
        """Height of the actor's location on the wire."""
        return self.eye_z - self.eye_m + CAPSULE_M

    def distance_to(self, x: float, y: float) -> float:
        """Metres on the floor plan."""
        return math.hypot(x - self.x, y - self.y)
