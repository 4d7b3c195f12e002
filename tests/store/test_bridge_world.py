"""A world over the wire: seeing, acting, and coming back from everything that can go wrong on the way."""

import asyncio
import math
import struct
import time
from collections import deque
from pathlib import Path

import cv2
import numpy as np
import pytest

from simulator_bridge.errors import CommandFailed
from simulator_bridge.kit import SceneKit
from simulator_bridge.mapping import SIMWORLD_FUNCTIONS, STORE_FUNCTIONS, MapError, read_map, store_map
from simulator_bridge.store import STORES
from simulator_bridge.wire import Address
from simulator_bridge.world import WireWorld
from siturec.protocol.messages import Pose, ResolvedAction, ShopperState
from siturec.protocol.ports import WorldError, WorldLied, WorldUnavailable
from siturec.scene.load import load_pack

pytestmark = pytest.mark.store
HERE = Path(__file__).parent
OPEN_FLOOR = Pose(x_m=7.0, y_m=2.3, yaw_deg=0.0)
AT_SHELF = Pose(x_m=3.7, y_m=4.2, yaw_deg=180.0, pitch_deg=-10.0)


class Tiny:
    """A tiny store, running, and its kit."""

    def __init__(self, folder):
        self.folder = HERE / folder
        self.pack = load_pack(self.folder)
        self.kit = SceneKit.build(self.pack)

    async def find(self):
        return (await STORES.ready(self.folder)).address

    def map(self, **changes):
        return store_map(self.pack).model_copy(update=changes)

    def world(self, connect=None, **changes):
        return WireWorld(self.kit, self.map(**changes), connect or self.find)


@pytest.fixture(scope="module")
def market():
    yield Tiny("pack")
    STORES.stop()


@pytest.fixture(scope="module")
def home():
    return Tiny("pack_home")


WAYS = {
    "store's functions": {},
    "SimWorld's functions": {"functions": SIMWORLD_FUNCTIONS},
    "kinematic": {"acting": "kinematic"},
}


@pytest.fixture(params=WAYS.values(), ids=WAYS.keys())
def way(request):
    return request.param


def act(tool, **fields):
    return ResolvedAction(tool=tool, **fields)


async def test_walks_and_turns_come_out_as_asked(market, way):
    world = market.world(**way)
    await world.reset(pose=OPEN_FLOOR)
    ahead = await world.execute(act("move_forward", distance_m=1.0))
    assert ahead.displacement_m == pytest.approx(1.0, abs=0.03)
    assert world.pose.x_m == pytest.approx(8.0, abs=0.03)
    await world.execute(act("turn", direction="right", angle_deg=90.0))
    assert world.pose.yaw_deg == pytest.approx(90.0, abs=0.1)
    await world.execute(act("side_step", direction="right", distance_m=1.0))
    assert (world.pose.x_m, world.pose.y_m) == (pytest.approx(7.0, abs=0.05), pytest.approx(2.3, abs=0.05))
    assert world.pose.yaw_deg == pytest.approx(90.0, abs=0.1)
    await world.execute(act("look_up_down", direction="down", angle_deg=20.0))
    assert world.pose.pitch_deg == pytest.approx(-20.0, abs=0.1)
    await world.execute(act("move_backward", distance_m=1.0))
    assert world.pose.y_m == pytest.approx(1.3, abs=0.05)
    await world.close()


async def test_a_walk_into_a_shelf_stops_before_it_and_says_so(market, way):
    world = market.world(**way)
    await world.reset(pose=Pose(x_m=4.0, y_m=4.2, yaw_deg=180.0))
    outcome = await world.execute(act("move_forward", distance_m=4.0))
    assert outcome.displacement_m < 1.0
    assert world.pose.x_m > 2.9
    assert "in the way" in outcome.message
    await world.close()


async def test_walking_to_a_side_ends_at_its_pose_and_nearest_keeps_the_heading(market, way):
    world = market.world(**way)
    await world.reset(pose=OPEN_FLOOR)
    near = await world.execute(act("move_to_fixture", target="fixture:shelf-1", approach="nearest"))
    assert near.ok
    assert (world.pose.x_m, world.pose.y_m) == (pytest.approx(3.7, abs=0.1), pytest.approx(4.2, abs=0.1))
    assert world.pose.yaw_deg == pytest.approx(0.0, abs=0.2) or world.pose.yaw_deg > 359.8
    back = await world.execute(act("move_to_fixture", target="fixture:shelf-1", approach="back"))
    assert back.ok
    assert world.pose.x_m == pytest.approx(1.2, abs=0.1)
    assert math.cos(math.radians(world.pose.yaw_deg)) == pytest.approx(1.0, abs=0.01)
    await world.close()


async def test_a_product_goes_from_shelf_to_hand_to_shelf_to_cart(market, way):
    world = market.world(**way)
    await world.reset(pose=AT_SHELF)
    before = await world.observe(number=0)
    product = next(s.entity for s in before.observation.visible if s.kind == "product" and s.reachable)
    assert (await world.execute(act("pick_up_item", product=product))).ok
    assert world.state.held == product.removeprefix("product:")
    taken = await world.observe(number=1)
    assert taken.user_frame != before.user_frame
    await world.execute(act("drop_item", product=product))
    assert (await world.observe(number=0)).user_frame == before.user_frame
    await world.execute(act("pick_up_item", product=product))
    await world.execute(act("add_to_cart", product=product))
    assert world.state == ShopperState(cart=(product.removeprefix("product:"),))
    assert (await world.observe(number=0)).user_frame != before.user_frame
    await world.close()


async def test_home_tools_reach_doorways_areas_and_goods(home, way):
    world = home.world(**way)
    await world.reset(pose=home.pack.info.start)
    view = await world.observe(number=0)
    assert {"store:nook", "area:living"} <= {s.entity for s in view.observation.visible}
    for action, x_m in (
        (act("move_to_store", target="store:nook", approach="outside_doorway"), 6.4),
        (act("move_to_store", target="store:nook", approach="inside_doorway"), 4.6),
        (act("move_to_area", target="area:living"), 3.4),
    ):
        assert (await world.execute(action)).ok
        assert world.pose.x_m == pytest.approx(x_m, abs=0.35)
    await world.execute(act("check_item", product="product:h-001"))
    assert world.state.checked == "h-001"
    await world.execute(act("add_to_cart", product="product:h-001"))
    assert world.state.cart == ("h-001",)
    await world.close()


async def test_the_same_place_gives_the_same_bytes_over_every_connection(market):
    frames = []
    for _ in range(2):
        world = market.world()
        await world.reset(pose=AT_SHELF)
        view = await world.observe(number=3)
        frames.append((view.user_frame, view.assistant_frame, view.observation))
        await world.close()
    assert frames[0] == frames[1]


async def test_a_recorded_state_is_restored_with_the_same_view(market):
    world = market.world()
    await world.reset(pose=AT_SHELF)
    seen = await world.observe(number=0)
    products = [s.entity for s in seen.observation.visible if s.kind == "product" and s.reachable]
    for tool in ("pick_up_item", "add_to_cart"):
        await world.execute(act(tool, product=products[0]))
    await world.execute(act("pick_up_item", product=products[1]))
    here, pose, state = await world.observe(number=5), world.pose, world.state
    await world.close()
    again = market.world()
    await again.reset(pose=pose, state=state)
    assert again.state == state
    assert (await again.observe(number=5)).user_frame == here.user_frame
    await again.close()


async def test_of_several_alike_those_are_gone_that_were_taken_from_where_the_shopper_stood(market):
    world = market.world()
    await world.reset(pose=AT_SHELF)
    await world.execute(act("pick_up_item", product="product:t-001"))
    await world.execute(act("add_to_cart", product="product:t-001"))
    await world.execute(act("side_step", direction="right", distance_m=1.0))
    there = world.pose
    await world.execute(act("pick_up_item", product="product:t-003"))
    await world.execute(act("move_backward", distance_m=1.5))
    await world.execute(act("turn", direction="left", angle_deg=30.0))
    pose, state = world.pose, world.state
    here = await world.observe(number=0)
    await world.close()
    again = market.world()
    await again.reset(pose=pose, state=state, picked_at=(AT_SHELF, there))
    assert (await again.observe(number=0)).user_frame == here.user_frame
    await again.reset(pose=pose, state=state)
    assert (await again.observe(number=0)).user_frame != here.user_frame, (
        "the record's poses make no difference"
    )
    await again.close()


async def test_moving_frames_come_ten_a_second_and_small_while_walking(market):
    world = market.world()
    await world.reset(pose=Pose(x_m=3.7, y_m=2.4, yaw_deg=0.0))
    arrived = []

    async def sink(frame):
        arrived.append((time.monotonic(), frame))

    await world.execute(act("move_forward", distance_m=2.0), moving=sink)
    lasted = arrived[-1][0] - arrived[0][0]
    assert (len(arrived) - 1) / lasted >= 7.0  # ten on a machine of its own
    assert lasted > 1.0
    picture = cv2.imdecode(np.frombuffer(arrived[0][1], np.uint8), cv2.IMREAD_COLOR)
    assert picture.shape == (360, 640, 3)
    assert len({frame for _, frame in arrived}) > 5
    assert (await world.observe(number=0)).width == 960
    await world.close()


async def test_a_slow_line_drops_moving_frames_and_delays_nothing(market):
    world = market.world()
    await world.reset(pose=Pose(x_m=3.7, y_m=2.4, yaw_deg=0.0))
    arrived = []

    async def sink(frame):
        await asyncio.sleep(0.6)
        arrived.append(frame)

    async def broken(frame):
        raise ConnectionError("gone")

    started = time.monotonic()
    await world.execute(act("move_forward", distance_m=2.0), moving=sink)
    assert time.monotonic() - started < 4.0
    assert 1 <= len(arrived) <= 4
    assert (await world.execute(act("turn", direction="left", angle_deg=30.0), moving=broken)).ok
    await world.close()


class Proxy:
    """Passes frames between a client and a real store, and spoils the reply to a chosen command.

    ``spoil(command, frame)`` returns the bytes to send instead, None to drop them, or "cut" to send half
    and close; it is asked once per reply while ``times`` lasts.
    """

    def __init__(self, market, spoil=None, *, on="", times=1):
        self.market, self.spoil, self.on, self.times = market, spoil, on, times
        self.connections = 0
        self.commands, self.tasks = [], []

    async def __aenter__(self):
        self.server = await asyncio.start_server(self.serve, "127.0.0.1", 0)
        self.address = Address("127.0.0.1", self.server.sockets[0].getsockname()[1])
        return self

    async def __aexit__(self, *exc):
        self.server.close()
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)

    async def find(self):
        return self.address

    async def serve(self, reader, writer):
        self.connections += 1
        real = await self.market.find()
        up_reader, up_writer = await asyncio.open_connection(real.host, real.port)
        asked = deque()
        self.tasks.append(asyncio.create_task(self.pump_up(reader, up_writer, asked)))
        self.tasks.append(asyncio.current_task())
        try:
            await self.pump_down(up_reader, writer, asked)
        except (asyncio.IncompleteReadError, ConnectionError, asyncio.CancelledError):
            pass
        finally:
            writer.close()
            up_writer.close()

    async def pump_up(self, reader, up_writer, asked):
        try:
            while True:
                head = await reader.readexactly(8)
                body = await reader.readexactly(struct.unpack("<II", head)[1])
                asked.append(body.decode().partition(":")[2])
                self.commands.append(asked[-1])
                up_writer.write(head + body)
        except (asyncio.IncompleteReadError, ConnectionError):
            up_writer.close()

    async def pump_down(self, up_reader, writer, asked):
        greeted = False
        while True:
            head = await up_reader.readexactly(8)
            frame = head + await up_reader.readexactly(struct.unpack("<II", head)[1])
            command = asked.popleft() if greeted else ""
            greeted = True
            if self.spoil is not None and self.times > 0 and self.on in command and command:
                self.times -= 1
                frame = await self.spoil(frame)
                if frame == "cut":
                    writer.write(head + b"0:")
                    await writer.drain()
                    return
            if frame is not None:
                writer.write(frame)
                await writer.drain()


async def other_id(frame):
    return frame[:8] + b"9" + frame[9:]


async def cut(frame):
    return "cut"


async def late(frame):
    await asyncio.sleep(0.15)
    return frame


async def text_instead(frame):
    number = frame[8:].partition(b":")[0]
    body = number + b":ok"
    return struct.pack("<II", 0x9E2B83C1, len(body)) + body


async def shorter_picture(frame):
    body = frame[8:-4000]
    return struct.pack("<II", 0x9E2B83C1, len(body)) + body


FAULTS = {
    "another id": other_id,
    "half a frame": cut,
    "late": late,
    "text for bytes": text_instead,
    "a short picture": shorter_picture,
}


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS.keys())
@pytest.mark.parametrize("on", ["/lit", "/depth"])
async def test_no_spoilt_capture_is_ever_shown(market, fault, on):
    plain = market.world()
    await plain.reset(pose=AT_SHELF)
    right = await plain.observe(number=1)
    await plain.close()
    async with Proxy(market) as proxy:
        world = market.world(proxy.find)
        await world.reset(pose=AT_SHELF)
        proxy.spoil, proxy.on = fault, on
        assert (await world.observe(number=1)).user_frame == right.user_frame
        await world.close()


@pytest.mark.parametrize(
    "fault", [other_id, cut, text_instead], ids=["another id", "half a frame", "ok only"]
)
@pytest.mark.parametrize("on", ["MoveBy", "location"])
async def test_an_action_over_a_failing_line_is_done_exactly_once(market, fault, on):
    async with Proxy(market) as proxy:
        world = market.world(proxy.find)
        await world.reset(pose=OPEN_FLOOR)
        proxy.spoil, proxy.on = fault, on
        outcome = await world.execute(act("move_forward", distance_m=1.0))
        assert outcome.displacement_m == pytest.approx(1.0, abs=0.02)
        assert world.pose.x_m == pytest.approx(8.0, abs=0.02)
        await world.close()


async def test_held_and_taken_goods_survive_a_lost_connection(market):
    async with Proxy(market) as proxy:
        world = market.world(proxy.find)
        await world.reset(pose=AT_SHELF)
        seen = await world.observe(number=0)
        near = [s.entity for s in seen.observation.visible if s.kind == "product" and s.reachable]
        for tool in ("pick_up_item", "add_to_cart"):
            await world.execute(act(tool, product=near[0]))
        await world.execute(act("pick_up_item", product=near[1]))
        before = await world.observe(number=2)
        proxy.spoil, proxy.on, proxy.times = cut, "/lit", 2
        after = await world.observe(number=2)
        assert proxy.connections >= 3
        assert after.user_frame == before.user_frame
        assert world.recoveries == 2
        await world.close()


async def test_a_frozen_frame_is_retried_and_a_world_that_stays_frozen_has_lied(market):
    kept = {}

    async def frozen(frame):
        head, _, body = frame[8:].partition(b":")
        kept.setdefault("lit", body)
        payload = head + b":" + kept["lit"]
        return struct.pack("<II", 0x9E2B83C1, len(payload)) + payload

    async with Proxy(market, frozen, on="/lit bmp", times=0) as proxy:
        world = market.world(proxy.find)
        await world.reset(pose=AT_SHELF)
        proxy.times = 2
        await world.observe(number=0)
        await world.execute(act("turn", direction="left", angle_deg=90.0))
        turned = await world.observe(number=1)
        await world.execute(act("turn", direction="right", angle_deg=90.0))
        assert (await world.observe(number=1)).user_frame != turned.user_frame
        proxy.times = 10_000
        kept.clear()
        await world.observe(number=2)
        await world.execute(act("turn", direction="left", angle_deg=90.0))
        with pytest.raises(WorldLied, match="one frame"):
            await world.observe(number=3)
        await world.close()


async def test_a_store_that_dies_is_started_again_and_nothing_is_lost(market):
    world = market.world()
    await world.reset(pose=OPEN_FLOOR)
    await world.execute(act("move_forward", distance_m=1.0))
    before = await world.observe(number=4)
    process = (await STORES.ready(market.folder)).process
    process.kill()
    process.wait()
    assert (await world.observe(number=4)).user_frame == before.user_frame
    outcome = await world.execute(act("move_backward", distance_m=1.0))
    assert outcome.displacement_m == pytest.approx(1.0, abs=0.02)
    await world.close()


async def test_a_world_that_is_gone_for_good_is_said_to_be(market):
    async def nowhere():
        return Address("127.0.0.1", 9)

    told = []

    async def report(error):
        told.append(error)

    world = WireWorld(market.kit, market.map(), nowhere, report=report)
    with pytest.raises(WorldUnavailable, match="cannot connect"):
        await world.reset(pose=OPEN_FLOOR)
    assert told
    assert all(isinstance(error, WorldError) for error in told)
    await world.close()


async def test_a_store_with_another_scene_is_refused(home, market):
    world = WireWorld(home.kit, home.map(), market.find)
    with pytest.raises(CommandFailed, match="does not serve scene tiny_home"):
        await world.reset(pose=home.pack.info.start)
    await world.close()


async def test_a_shared_world_is_left_as_it_was_found(market):
    async with Proxy(market) as proxy:
        world = market.world(proxy.find, own_shopper=False, acting="kinematic")
        await world.reset(pose=AT_SHELF)
        view = await world.observe(number=0)
        near = [s.entity for s in view.observation.visible if s.kind == "product" and s.reachable]
        for tool in ("pick_up_item", "add_to_cart"):
            await world.execute(act(tool, product=near[0]))
        await world.execute(act("pick_up_item", product=near[1]))
        hidden = {c.split("/")[2] for c in proxy.commands if c.endswith("/hide")}
        proxy.commands.clear()
        await world.close()
        assert {c.split("/")[2] for c in proxy.commands if c.endswith("/show")} == hidden
        assert len(hidden) == 2


async def test_colours_are_set_where_the_world_has_others(market):
    """Recolour every product first, as a fresh Unreal build would have it; the mask must still resolve."""
    plain = market.world()
    await plain.reset(pose=AT_SHELF)
    right = await plain.observe(number=0)
    await plain.close()
    world = market.world(own_shopper=False, set_colours=True)
    original = world._body.prepare

    async def strange_colours(session):
        await original(session)
        names = list(market.map().objects)
        await session.each(f"vset /object/{name}/color 9 9 {i % 200 + 20}" for i, name in enumerate(names))
        await session._set_colours()

    world._body.prepare = strange_colours
    await world.reset(pose=AT_SHELF)
    view = await world.observe(number=0)
    assert view.observation == right.observation
    await world.close()


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        ({"objects": {"A": "product:none"}}, "no 'product:none'"),
        ({"objects": {"A B": "product:t-001"}}, "cannot be named"),
        ({"functions": {"fly": "Fly"}}, "fly"),
        ({"acting": "magic"}, "acting"),
        ({"camera": -1}, "camera"),
    ],
)
def test_a_wrong_map_is_refused_with_its_field(market, raw, words):
    with pytest.raises(MapError, match=words):
        read_map(raw, market.pack, where="map.json")


def test_the_shipped_tables_are_different_ways(market):
    assert "walk_to" in STORE_FUNCTIONS
    assert "walk_to" not in SIMWORLD_FUNCTIONS
