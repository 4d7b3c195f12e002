"""A world over the wire: seeing, acting, and coming back to where the record stands."""

import asyncio
import math
import time

import cv2
import numpy as np
import pytest

from simulator_bridge import session
from simulator_bridge.capture import Formats
from siturec.protocol.messages import Pose, ShopperState
from siturec.protocol.ports import WorldLied
from tests.store.proxy import Proxy, saying
from tests.store.tiny import AT_SHELF, OPEN_FLOOR, act

pytestmark = pytest.mark.store


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


@pytest.mark.parametrize("shared", [False, True], ids=["own", "shared"])
async def test_moving_frames_come_ten_a_second_and_small_while_walking(market, way, shared):
    world = market.world(**way, own_shopper=not shared)
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


async def test_a_mask_sent_for_a_moving_picture_is_left_out(market):
    bands = market.kit.markers.colours[np.arange(640 * 360) // 9000 % 3, ::-1]
    spoilt = np.dstack([bands.reshape(360, 640, 3), np.full((360, 640), 255, np.uint8)]).tobytes()
    arrived = []

    async def mask(frame):
        return frame[: -len(spoilt)] + spoilt

    async def sink(frame):
        arrived.append(cv2.imdecode(np.frombuffer(frame, np.uint8), cv2.IMREAD_COLOR))

    async with Proxy(market, mask, on="/lit", times=0) as proxy:
        session._formats[str(proxy.address)] = Formats("bmp", "bmp")
        world = market.world(proxy.find)
        await world.reset(pose=Pose(x_m=3.7, y_m=2.4, yaw_deg=0.0))
        proxy.times = 3
        outcome = await world.execute(act("move_forward", distance_m=2.0), moving=sink)
        assert proxy.times == 0
        assert outcome.displacement_m == pytest.approx(2.0, abs=0.1)
        assert world.recoveries == 0
        await world.close()
    of_mask = np.frombuffer(spoilt, np.uint8).reshape(360, 640, 4)[..., :3].astype(int)
    assert arrived
    assert min(np.abs(picture - of_mask).mean() for picture in arrived) > 20


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


@pytest.mark.parametrize("said", [b"370.0 420.0 -50000.0", b"3.7 4.2 1.6"], ids=["fallen", "in metres"])
async def test_nothing_is_shown_from_anywhere_but_the_eye_s_height(market, said):
    """A game's actor may fall through the floor of its level; put where it belongs it sees as before."""
    async with Proxy(market, saying(said), on="/location", times=0) as proxy:
        world = market.world(proxy.find)
        await world.reset(pose=AT_SHELF)
        right = await world.observe(number=0)
        proxy.times = 2
        assert (await world.observe(number=0)).user_frame == right.user_frame
        assert world.recoveries == 1
        proxy.times = 99
        with pytest.raises(WorldLied, match="above the floor"):
            await world.observe(number=0)
        await world.close()


@pytest.mark.parametrize("moving", [False, True], ids=["looking", "walking"])
async def test_a_world_that_comes_to_an_old_address_without_the_old_format_is_used_in_another(market, moving):
    """As after an update of the plugin."""

    async def sink(frame):
        pass

    async with Proxy(market, saying(b"error bmp is not supported"), on="bmp", times=0) as proxy:
        world = market.world(proxy.find)
        session._formats[str(proxy.address)] = Formats("bmp", "bmp")
        await world.reset(pose=AT_SHELF)
        right = await world.observe(number=0)
        proxy.times = 10_000
        if moving:
            assert (await world.execute(act("turn", direction="left", angle_deg=90.0), moving=sink)).ok
            await world.execute(act("turn", direction="right", angle_deg=90.0))
        assert (await world.observe(number=0)).user_frame == right.user_frame
        assert world.recoveries == 1
        await world.close()
