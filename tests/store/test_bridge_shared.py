"""A world with one shopper for all who come: it goes on holding and walking, whatever becomes of a line."""

import pytest

from simulator_bridge.wire import Wire
from tests.store.oneshopper import OneShopper
from tests.store.tiny import AT_SHELF, act

pytestmark = pytest.mark.store


def at_hand(view):
    return next(s.entity for s in view.observation.visible if s.kind == "product" and s.reachable)


@pytest.mark.parametrize("on", ["object_mask", "/camera/0/location", "/unrealcv/echo"])
async def test_what_is_held_stays_in_the_hand_over_a_lost_line(market, way, on):
    async with OneShopper(market) as line:
        world = market.world(line.find, **way, own_shopper=False)
        await world.reset(pose=AT_SHELF)
        product = at_hand(await world.observe(number=0))
        assert (await world.execute(act("pick_up_item", product=product))).ok
        before = await world.observe(number=1)
        line.cut_at = on
        if on == "/unrealcv/echo":
            world._drop_session()
        assert (await world.observe(number=1)).user_frame == before.user_frame
        assert line.cuts == 1
        await world.close()


async def test_who_comes_after_one_who_left_with_something_finds_it_on_its_shelf(market, way):
    async with OneShopper(market) as line:
        first = market.world(line.find, **way, own_shopper=False)
        await first.reset(pose=AT_SHELF)
        full = await first.observe(number=0)
        await first.execute(act("pick_up_item", product=at_hand(full)))
        first.leave("the place ran out")
        second = market.world(line.find, **way, own_shopper=False)
        await second.reset(pose=AT_SHELF)
        assert (await second.observe(number=0)).user_frame == full.user_frame
        assert (await second.execute(act("pick_up_item", product=at_hand(full)))).ok
        await second.close()


@pytest.mark.parametrize("on", ["/show", "/location", "/unrealcv/echo"])
async def test_a_fresh_start_over_a_line_that_breaks_is_made_all_the_same(market, way, on):
    async with OneShopper(market) as line:
        world = market.world(line.find, **way, own_shopper=False)
        await world.reset(pose=AT_SHELF)
        full = await world.observe(number=0)
        await world.execute(act("pick_up_item", product=at_hand(full)))
        await world.execute(act("add_to_cart", product=at_hand(full)))
        line.cut_at = on
        await world.reset(pose=AT_SHELF)
        assert line.cuts == 1
        assert (await world.observe(number=0)).user_frame == full.user_frame
        await world.close()


async def test_whoever_comes_while_the_actor_is_still_busy_for_long_does_not_wait_for_it(market, way):
    async with OneShopper(market) as line:
        before = await Wire.connect(await line.find())
        await before.ask("vbp GEN_BP_Humanoid_0 TurnAround 60 90 1")
        before.close()
        world = market.world(line.find, **way, own_shopper=False)
        await world.reset(pose=AT_SHELF)
        assert world.recoveries == 0
        assert world.pose == AT_SHELF
        assert [asked for asked in line.asked if "slomo" in asked][-1] == "vrun slomo 1.000"
        await world.close()


async def test_a_world_with_an_error_for_an_empty_hand_is_used_all_the_same(market, way):
    async with OneShopper(market) as line:
        line.strict_hand = True
        world = market.world(line.find, **way, own_shopper=False)
        await world.reset(pose=AT_SHELF)
        product = at_hand(await world.observe(number=0))
        assert (await world.execute(act("pick_up_item", product=product))).ok
        assert (await world.execute(act("drop_item"))).ok
        await world.close()
