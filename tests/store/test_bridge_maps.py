"""Worlds with other scenes, shoppers and colours than ours, and maps of them."""

import numpy as np
import pytest

from simulator_bridge.errors import CommandFailed
from simulator_bridge.mapping import SIMWORLD_FUNCTIONS, STORE_FUNCTIONS, MapError, read_map
from simulator_bridge.wire import Wire
from simulator_bridge.world import WireWorld
from siturec.protocol.ports import WorldLied
from tests.store.oneshopper import OneShopper
from tests.store.proxy import Proxy
from tests.store.tiny import AT_SHELF, act

pytestmark = pytest.mark.store


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


async def test_a_shared_worlds_time_runs_as_ever_for_whoever_comes_next(market):
    async with Proxy(market) as proxy:
        for _ in range(2):
            world = market.world(proxy.find, own_shopper=False)
            await world.reset(pose=AT_SHELF)
            await world.execute(act("turn", direction="left", angle_deg=30.0))
            await world.close()
        paces = [line.split()[-1] for line in proxy.commands if line.startswith("vrun slomo")]
    to_rest = ["1.000", "1000000.000", "1.000"]
    assert paces == [*to_rest, "1000000.000"] * 2


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


async def test_a_world_that_was_left_half_coloured_is_coloured_to_the_end(market):
    """The line breaks before the last object, one that is none of ours, has become black."""
    async with OneShopper(market) as line:
        wire = await Wire.connect(line.address)
        names = (await wire.ask("vget /objects")).split()
        mapped = {name: entity for name, entity in market.map().objects.items() if name != names[-1]}
        await wire.ask_all([f"vset /object/{name}/color 9 9 200" for name in (*list(mapped)[:1], names[-1])])
        wire.close()
        line.cut_at = f"vset /object/{names[-2]}/color"
        world = market.world(line.find, own_shopper=False, set_colours=True, objects=mapped)
        await world.reset(pose=AT_SHELF)
        assert line.cuts == 1
        await world.close()
        wire = await Wire.connect(line.address)
        assert await wire.ask(f"vget /object/{names[-1]}/color") == "(R=0,G=0,B=0,A=255)"
        wire.close()


async def test_a_mask_in_colours_that_nobody_set_is_refused_over_every_line(market, monkeypatch):
    """Objects may have the right colours by name while the mask shows others."""
    monkeypatch.setattr("simulator_bridge.capture.PICTURE_FORMATS", ("bmp",))

    async def noise(frame):
        return frame[:-500_000] + np.random.default_rng(3).bytes(500_000)

    async with Proxy(market, noise, on="object_mask", times=100) as proxy:
        world = market.world(proxy.find, own_shopper=False, set_colours=True)
        with pytest.raises(WorldLied, match="colours never set"):
            await world.reset(pose=AT_SHELF)
        assert proxy.connections > 1
        proxy.times = 0
        await world.reset(pose=AT_SHELF)
        await world.close()


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        ({"objects": {"A": "product:none"}}, "no 'product:none'"),
        ({"objects": {"A B": "product:t-001"}}, "cannot be named"),
        ({"functions": {"fly": "Fly"}}, "fly"),
        ({"acting": "magic"}, "acting"),
        ({"camera": -1}, "camera"),
        ({"acting": "kinematic", "camera": 1}, "camera: only the player's"),
        ({"objects": {"A\nB": "product:t-001"}}, "cannot be named"),
        ({"objects": {"": "product:t-001"}}, "cannot be named"),
        ({"functions": {"speed": "Pace {cm_per_s}", "step": "Walk {seconds}"}}, "none for turn"),
        (
            {"functions": {"speed": "Pace {cm_per_s}", "turn": "Turn {clockwise_deg}"}},
            "none for move or step",
        ),
        ({"functions": SIMWORLD_FUNCTIONS | {"step": "Walk {metres}"}}, "functions.step.*metres"),
        ({"functions": SIMWORLD_FUNCTIONS | {"step": "Walk {seconds:d}"}}, "functions.step"),
        ({"functions": SIMWORLD_FUNCTIONS | {"step": "Walk {}"}}, "functions.step"),
        ({"functions": SIMWORLD_FUNCTIONS | {"step": "Walk {seconds"}}, "functions.step"),
        ({"functions": SIMWORLD_FUNCTIONS | {"step": "Walk\n{seconds}"}}, "one line"),
    ],
)
def test_a_wrong_map_is_refused_with_its_field(market, raw, words):
    with pytest.raises(MapError, match=words):
        read_map(raw, market.pack, where="map.json")


def test_the_shipped_tables_are_different_ways(market):
    assert "walk_to" in STORE_FUNCTIONS
    assert "walk_to" not in SIMWORLD_FUNCTIONS
