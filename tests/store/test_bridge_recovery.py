"""A world comes back from everything that can go wrong on the way to it."""

import asyncio
import struct

import pytest

from simulator_bridge.store import STORES
from simulator_bridge.wire import Address
from simulator_bridge.wire_frames import MAGIC
from simulator_bridge.world import WireWorld
from siturec.protocol.ports import WorldError, WorldLied, WorldUnavailable
from tests.store.proxy import Proxy, saying
from tests.store.tiny import AT_SHELF, OPEN_FLOOR, act

pytestmark = pytest.mark.store


async def other_id(frame):
    return frame[:8] + b"9" + frame[9:]


async def cut(frame):
    return "cut"


async def late(frame):
    await asyncio.sleep(0.15)
    return frame


text_instead = saying(b"ok")


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


@pytest.mark.parametrize(
    ("on", "lie"),
    [
        ("/location", b"(R=45,G=152,B=216,A=255)"),
        ("/location", b"100.000"),
        ("PickUp", b'{"Success":"false"}'),
    ],
    ids=["a colour for a place", "nothing for a place", "not taken"],
)
async def test_what_was_held_is_held_again_whatever_a_world_says_on_the_way(market, on, lie):
    async with Proxy(market) as proxy:
        world = market.world(proxy.find)
        await world.reset(pose=AT_SHELF)
        seen = (await world.observe(number=0)).observation.visible
        product = next(s.entity for s in seen if s.kind == "product" and s.reachable)
        await world.execute(act("pick_up_item", product=product))
        before = await world.observe(number=1)

        async def cut_then_lie(frame):
            proxy.spoil, proxy.on, proxy.times = saying(lie), on, 2
            return "cut"

        proxy.spoil, proxy.on, proxy.times = cut_then_lie, "/lit", 1
        after = await world.observe(number=1)
        assert after.user_frame == before.user_frame
        assert world.recoveries == 3
        await world.close()


LIES = (
    ("/camera/0/location", b"0.000 0.000 160.000"),
    ("/camera/0/rotation", b"0.000 150.000 0.000"),
    ("/camera/0/rotation", b"-81.000 0.000 0.000"),
)


@pytest.mark.parametrize("step", [act("turn", direction="left", angle_deg=30.0), act("idle")])
async def test_nobody_is_led_away_by_an_action_that_leads_nowhere(market, step):
    async with Proxy(market) as proxy:
        world = market.world(proxy.find)
        await world.reset(pose=OPEN_FLOOR)
        for lies, (on, lie) in enumerate(LIES, start=1):
            proxy.spoil, proxy.on, proxy.times = saying(lie), on, 1
            before = world.pose
            assert (await world.execute(step)).displacement_m == 0.0
            turned = before.yaw_deg - (step.angle_deg or 0.0)
            assert world.pose == before.model_copy(update={"yaw_deg": turned % 360.0})
            assert world.recoveries == lies
        await world.close()


def first_again(kept):
    """A line that answers with the first picture it has passed on since ``kept`` was empty."""

    async def again(frame):
        head, _, body = frame[8:].partition(b":")
        kept.append(body)
        payload = head + b":" + kept[0]
        return struct.pack("<II", 0x9E2B83C1, len(payload)) + payload

    return again


async def test_a_frozen_frame_is_retried_and_a_world_that_stays_frozen_has_lied(market):
    kept = []
    async with Proxy(market, first_again(kept), on="/lit", times=0) as proxy:
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


async def test_a_mask_that_alone_stays_behind_is_taken_again(market):
    async with Proxy(market, first_again([]), on="/object_mask", times=0) as proxy:
        world = market.world(proxy.find)
        await world.reset(pose=AT_SHELF)
        proxy.times = 2
        await world.observe(number=0)
        await world.execute(act("turn", direction="left", angle_deg=15.0))
        turned = await world.observe(number=1)
        assert proxy.times == 0
        plain = market.world()
        await plain.reset(pose=world.pose)
        assert turned.user_frame == (await plain.observe(number=1)).user_frame
        await plain.close()
        await world.close()


async def test_what_an_engine_shows_first_after_it_was_started_anew_is_not_shown_to_anyone(market):
    """Public issue 86 of unrealcv: the first depth of a new process is garbage of the right shape."""

    async def garbage(frame):
        return frame[:-4000] + bytes(4000)

    async with Proxy(market) as proxy:
        world = market.world(proxy.find, acting="kinematic", own_shopper=False)
        await world.reset(pose=AT_SHELF)
        right = await world.observe(number=1)

        async def cut_then_garbage(frame):
            proxy.spoil, proxy.on, proxy.times = garbage, "/depth", 1
            return "cut"

        proxy.spoil, proxy.on, proxy.times = cut_then_garbage, "/lit", 1
        again = await world.observe(number=1)
        assert again.observation == right.observation
        assert again.user_frame == right.user_frame
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


@pytest.mark.parametrize(
    ("for_lit", "for_mask"),
    [(1, 0), (1, 1), (0, 0)],
    ids=["exchanged", "mask twice", "picture twice"],
)
async def test_a_mask_sent_for_the_picture_or_a_picture_for_the_mask_is_shown_to_nobody(
    market, monkeypatch, for_lit, for_mask
):
    monkeypatch.setattr("simulator_bridge.capture.PICTURE_FORMATS", ("bmp",))
    late = []

    def frame(payload):
        return struct.pack("<II", MAGIC, len(payload)) + payload

    async def exchange(reply):
        late.append(reply[8:].partition(b":"))
        if len(late) == 1:
            return b""
        (first, _, _), (second, _, _) = late
        return frame(first + b":" + late[for_lit][2]) + frame(second + b":" + late[for_mask][2])

    plain = market.world()
    await plain.reset(pose=AT_SHELF)
    right = await plain.observe(number=0)
    async with Proxy(market, exchange, times=0) as proxy:
        world = market.world(proxy.find)
        await world.reset(pose=AT_SHELF)
        proxy.on, proxy.times = " bmp", 2
        shown = await world.observe(number=0)
        assert len(late) == 2
        assert shown.user_frame == right.user_frame
        assert shown.observation == right.observation
        await world.close()
    await plain.close()
