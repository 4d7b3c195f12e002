"""Moving frames and the time a walk takes, in a world that is a pose, a wall and a clock."""

import asyncio
import math
from itertools import pairwise
from types import SimpleNamespace

import pytest

from simulator_bridge import blueprint, motion, session
from simulator_bridge.blueprint import BlueprintBody
from simulator_bridge.kinematic import KinematicBody
from simulator_bridge.mapping import SIMWORLD_FUNCTIONS, WorldMap
from simulator_bridge.motion import LONGEST_WALK_S, MovingFrames
from simulator_bridge.session import SETTLE_S, Session
from siturec.protocol.messages import Pose

ROUND_THREE_CORNERS = [(0.0, 0.0), (3.0, 0.0), (3.0, 3.0), (6.0, 3.0), (6.0, 6.0)]
ASKING_S, PICTURE_S = 0.004, 0.018


class Clock:
    """Seconds that pass only where someone sleeps or waits for a world."""

    def __init__(self):
        self.now = 100.0

    def monotonic(self):
        return self.now


@pytest.fixture
def clock(monkeypatch):
    clock, sleep = Clock(), asyncio.sleep

    async def pass_by(seconds, *_):
        clock.now += max(seconds, 0.0)
        await sleep(0)

    monkeypatch.setattr(asyncio, "sleep", pass_by)
    for module in (blueprint, motion, session):
        monkeypatch.setattr(module, "time", clock)
    monkeypatch.setattr("simulator_bridge.kinematic.time", clock)
    return clock


class Plan:
    """A floor on which every way is the same one."""

    def path(self, start, goal):
        return list(ROUND_THREE_CORNERS)


class Floor(Session):
    """A session with a floor behind it that ends at a wall; the wall itself may end too."""

    def __init__(self, clock, *, wall_x_m=math.inf, wall_ends_y_m=math.inf, **changes):
        sight = SimpleNamespace(frame_width=960, frame_height=540, walk_mps=1.4, eye_m=1.6, fov_deg=80)
        wire = SimpleNamespace(ask=self.ask, ask_all=self.ask_all, address="a floor")
        super().__init__(wire, WorldMap(**changes), SimpleNamespace(sight=sight))
        self.clock, self.wall_x_m, self.wall_ends_y_m = clock, wall_x_m, wall_ends_y_m
        self.stood, self.yaw_deg = [(0.0, 0.0)], 0.0
        self.read_at = []

    async def ask(self, command, **_):
        self.clock.now += ASKING_S
        verb, name, *words = command.split()
        (x, y), yaw = self.stood[-1], math.radians(self.yaw_deg)
        if name.endswith("/moveto"):
            self.stood.append(self.sweep(x, y, float(words[0]) / 100, float(words[1]) / 100))
        elif words[0] == "StepForward":
            far = float(words[1]) * 1.4
            self.stood.append((x + far * math.cos(yaw), y + far * math.sin(yaw)))
        elif words[0] == "TurnAround":
            self.yaw_deg += float(words[2])
        return "{}" if verb == "vbp" else "ok"

    def sweep(self, x, y, to_x, to_y):
        if to_x <= self.wall_x_m or y >= self.wall_ends_y_m:
            return to_x, to_y
        share = (self.wall_x_m - x) / (to_x - x)
        return x + share * (to_x - x), y + share * (to_y - y)

    async def ask_all(self, commands, **_):
        self.clock.now += ASKING_S
        self.read_at.append(self.clock.now)
        x, y = self.stood[-1]
        return [f"{x * 100:.3f} {y * 100:.3f} 160.000", f"0.000 {self.yaw_deg:.3f} 0.000"]

    async def moving_frame(self):
        self.clock.now += PICTURE_S
        return b"frame"


async def test_who_beats_a_little_late_every_time_misses_no_frame(clock):
    sent = []

    async def sink(frame):
        sent.append(clock.now)

    frames = MovingFrames(Floor(clock), sink)
    for late_ms in (0, 20, -10, 15, 5, -15, 25, 0, -5, 20, 10, -10):
        await frames.beat()
        await frames.finish()
        clock.now += 0.075 - PICTURE_S + late_ms / 1000
    assert len(sent) >= 11


async def test_a_stop_is_waited_for_as_long_as_ever_and_shown_meanwhile(clock):
    floor, shown = Floor(clock, acting="kinematic", own_shopper=False), []

    async def meanwhile():
        shown.append(await floor.moving_frame())

    await floor.still_pose(meanwhile)
    assert len(shown) == len(floor.read_at) - 1 == 1
    assert floor.read_at[1] - floor.read_at[0] >= SETTLE_S


async def test_a_slide_along_a_wall_is_shown_ten_times_a_second_and_is_no_slower_than_a_walk(clock):
    floor, sent = Floor(clock, wall_x_m=0.1, acting="kinematic", own_shopper=False), []

    async def sink(frame):
        sent.append(clock.now)

    frames, started = MovingFrames(floor, sink), clock.now
    await KinematicBody(Plan()).move(floor, 2.0, 2.0, frames)
    await frames.finish()
    assert floor.stood[-1] == (pytest.approx(0.1), pytest.approx(2.0, abs=0.02))
    assert len(sent) - 1 >= 10 * (sent[-1] - sent[0])
    assert max(after - before for before, after in pairwise(sent)) < 0.15
    assert clock.now - started < 1.3 * math.hypot(2.0, 2.0) / 1.4


async def test_who_walks_slowly_in_short_steps_gets_there_and_still_stops_at_walls(clock, monkeypatch):
    monkeypatch.setattr(motion, "LONGEST_WALK_S", 60.0)

    async def sink(frame):
        pass

    for wall_x_m, reached_m in ((math.inf, 1.0), (0.5, 0.5)):
        floor = Floor(clock, wall_x_m=wall_x_m, acting="kinematic")
        floor.scene.sight.walk_mps = 0.2
        frames = MovingFrames(floor, sink)
        await KinematicBody(Plan()).move(floor, 1.0, 0.0, frames)
        await frames.finish()
        assert floor.stood[-1][0] == pytest.approx(reached_m, abs=0.01)
        assert len(floor.stood) < 100


async def test_where_a_wall_ends_the_walk_goes_straight_on(clock):
    floor = Floor(clock, wall_x_m=0.1, wall_ends_y_m=1.0, acting="kinematic")
    await KinematicBody(Plan()).move(floor, 2.0, 2.0, MovingFrames(floor, None))
    assert floor.stood[-1] == (pytest.approx(1.1, abs=0.2), pytest.approx(2.0, abs=0.02))
    (x, y), (to_x, to_y) = floor.stood[-2:]
    assert to_x - x == pytest.approx(to_y - y, abs=0.01)


@pytest.mark.parametrize("way", ["kinematic", "SimWorld's functions"])
async def test_a_walk_round_corners_takes_no_longer_than_the_longest_walk(clock, monkeypatch, way):
    monkeypatch.setattr(blueprint, "TURN_S", 0.0)
    kinematic = way == "kinematic"
    floor = Floor(clock, acting="kinematic") if kinematic else Floor(clock, functions=SIMWORLD_FUNCTIONS)
    body = KinematicBody(Plan()) if kinematic else BlueprintBody(Plan())
    started = clock.now
    await body.walk_to(floor, *ROUND_THREE_CORNERS[-1], MovingFrames(floor, None))
    assert floor.stood[-1] == (pytest.approx(6.0, abs=0.02), pytest.approx(6.0, abs=0.02))
    assert clock.now - started < 1.6 * LONGEST_WALK_S


async def test_nobody_is_placed_while_the_actor_still_walks(clock):
    class Walking(Floor):
        """Its actor walks on until a moment, and wherever it is put goes on from there."""

        async def ask_all(self, commands, **_):
            x, y = self.stood[-1]
            if commands[0].startswith("vset"):
                x, y = (float(word) / 100 for word in commands[0].split()[2:4])
                self.placed_at = self.clock.now
            self.stood.append((x + 0.05 * (self.clock.now < 101.0), y))
            return await super().ask_all(commands)

    floor = Walking(clock, functions=SIMWORLD_FUNCTIONS, own_shopper=False)
    await BlueprintBody(Plan()).restore(floor, pose=Pose(x_m=2.0, y_m=1.0), held=None, gone=[])
    assert floor.placed_at >= 101.0
    assert floor.stood[-1] == (2.0, 1.0)
