"""What is painted shortly before a motion ends is the view that is asked for then, and nothing besides."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable

import pytest

from storefront.server import Options, StoreServer
from storefront.server_ahead import Foresight
from storefront.shopper import Shopper
from tests.store.walker import Walker
from tests.store.wireclient import PACK, Address

pytestmark = pytest.mark.store
VIEW = "vget /camera/0/lit bmp", "vget /camera/0/object_mask bmp", "vget /camera/0/depth npy"


@pytest.fixture
async def server(light_cache) -> AsyncIterator[StoreServer]:
    async with StoreServer(Options(scene=PACK, cache=light_cache)) as server:
        yield server


def visit(server: StoreServer, does: Callable[[Walker], None]) -> None:
    with Walker(Address("127.0.0.1", server.port, "agent")) as walker:
        walker.agent = walker.text("vget /objects").split()[-1]
        does(walker)


def look(walker: Walker) -> list[bytes]:
    return [walker.ask(command) for command in VIEW]


MOTIONS = {
    "a turn": ("TurnBy 60",),
    "a look up": ("LookBy 20",),
    "a step": ("StepForward 0.4 0",),
    "a step into a wall": ("StepForward 60 0",),
    "a turn while stepping": ("StepForward 0.5 0", "TurnBy -40"),
}


@pytest.mark.parametrize("commands", MOTIONS.values(), ids=MOTIONS)
async def test_the_view_a_motion_ends_in_is_there_when_it_ends(server, commands, monkeypatch):
    monkeypatch.setattr("storefront.server_ahead.LEAD_S", 0.25)  # a busy machine comes late to it

    def does(walker: Walker) -> None:
        walker.stand(700, 250, 0)
        look(walker)
        for command in commands:
            walker.call(command)
        walker.still()
        before = server.studio.painted
        seen = look(walker)
        place, turned = walker.floats("vget /camera/0/location"), walker.floats("vget /camera/0/rotation")
        walker.text("vset /camera/0/location {} {} {}".format(*place))
        walker.text(f"vset /camera/0/rotation {turned[0]} {turned[1] % 360:.3f} 0")
        assert look(walker) == seen
        assert server.studio.painted == before
        with Walker(Address("127.0.0.1", server.port, walker.agent)) as other:
            for yaw in range(server.studio.frames_kept):
                other.stand(700, 250, 10 + yaw)
                other.mask()
        before = server.studio.painted
        assert look(walker) == seen
        assert server.studio.painted == before + 1

    await asyncio.to_thread(visit, server, does)


async def test_what_is_carried_is_painted_where_it_will_be(server):
    def does(walker: Walker) -> None:
        assert walker.call("PickUp item_030") == {"Success": "true"}
        look(walker)
        walker.call("TurnBy 50")
        walker.still()
        before = server.studio.painted
        look(walker)
        assert server.studio.painted == before

    await asyncio.to_thread(visit, server, does)


async def test_nothing_is_painted_ahead_for_who_never_looks_or_no_longer_moves(server):
    def does(walker: Walker) -> None:
        before = server.studio.painted
        walker.call("TurnBy 50")
        walker.still()
        assert server.studio.painted == before
        look(walker)
        before = server.studio.painted
        walker.call("StepForward 0.5 0")
        walker.call("StopAgent")
        time.sleep(0.7)
        assert server.studio.painted == before

    await asyncio.to_thread(visit, server, does)


async def test_a_motion_that_another_follows_is_painted_where_that_one_ends(server):
    def does(walker: Walker) -> None:
        walker.stand(700, 250, 0)
        look(walker)
        before = server.studio.painted
        walker.call("TurnBy 50")
        time.sleep(0.1)
        walker.call("TurnBy -20")
        walker.still()
        look(walker)
        assert server.studio.painted == before + 1

    await asyncio.to_thread(visit, server, does)


async def test_who_asks_while_the_view_is_being_painted_waits_for_it_and_it_is_painted_once(
    server, monkeypatch
):
    paint = server.studio._paint

    def slow_paint(shot, parts):
        time.sleep(0.4)  # longer than the lead: the motion is over before the picture is
        return paint(shot, parts)

    def does(walker: Walker) -> None:
        look(walker)
        before = server.studio.painted
        walker.call("TurnBy 60")
        walker.still()
        assert len({len(picture) for picture in look(walker)}) > 1
        assert server.studio.painted == before + 1

    monkeypatch.setattr(server.studio, "_paint", slow_paint)
    await asyncio.to_thread(visit, server, does)


async def test_others_are_foreseen_where_they_will_be_when_the_shopper_comes_to_rest(server):
    wall = [0.0]
    shopper = Shopper(server.store, server.site, lambda: wall[0])
    shopper.add_body("other").walk(shopper.now, 30.0, 0.0)
    shopper.body.turn(shopper.now, 60.0)
    eye = shopper.cameras[0]
    foreseen = shopper.shot_at_rest(shopper.capture(eye, "lit", "bmp").shot)
    wall[0] = shopper.body.end_s(shopper.now)
    shopper.tick()
    assert not shopper.body.moving
    assert shopper.capture(eye, "lit", "bmp").shot == foreseen


async def test_what_is_reckoned_ahead_for_one_is_paid_back_to_the_others(server, monkeypatch):
    costly: list[Shopper] = []

    def moved(self):
        costly.extend([self.shopper] * (not costly or self.shopper is costly[0]))
        if self.shopper is costly[0]:
            time.sleep(0.05)

    def does(greedy: Walker) -> None:
        with Walker(Address("127.0.0.1", server.port, greedy.agent)) as other:
            greedy.send(*["vget /camera/0/location"] * 30)
            for _ in range(15):
                other.text("vget /camera/0/location")
        assert len(costly) < 10

    monkeypatch.setattr(Foresight, "moved", moved)
    await asyncio.to_thread(visit, server, does)
