"""Whatever fails on the way to a world, and however often: never a wrong frame, never a lost turn."""

import asyncio
import contextlib
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from simulator_bridge import capture, session, wire, world
from simulator_bridge.capture import Formats
from simulator_bridge.kit import SceneKit
from simulator_bridge.mapping import store_map
from simulator_bridge.store import STORES
from siturec.protocol.messages import Pose, ShopperState
from siturec.protocol.ports import WorldError
from siturec.scene.load import load_pack
from tests.store.faultyline import SPOILT, Fault, FaultyLine
from tests.store.tiny import AT_SHELF, WAYS, act

pytestmark = [pytest.mark.store, pytest.mark.timeout(300)]
FOLDER = Path(__file__).parent / "pack"
TRIES = 6


@pytest.fixture(scope="module", autouse=True)
def one_store(market):
    STORES.ready_now(FOLDER)  # a line waits for no store to be built
    shopping()


@pytest.fixture(autouse=True)
def impatient(monkeypatch):
    """Deadlines a test can wait for; answers of this store take some hundredths of them."""
    monkeypatch.setattr(wire, "TEXT_S", 0.7)
    monkeypatch.setattr(capture, "SECONDS", 0.7)
    monkeypatch.setattr(capture, "SECONDS_PER_MEGAPIXEL", 0.5)
    monkeypatch.setattr(world, "BACK_OFF_S", (0.0,))


@cache
def kit():
    return SceneKit.build(load_pack(FOLDER))


@cache
def shopping():
    """A visit with everything in it: two products, a purchase, a walk, turns and looks."""
    first, second = sorted(near_products())[:2]
    return (
        None,
        act("pick_up_item", product=first),
        None,
        act("look_up_down", direction="down", angle_deg=15.0),
        act("drop_item", product=first),
        None,
        act("pick_up_item", product=second),
        act("turn", direction="right", angle_deg=30.0),
        None,
        act("add_to_cart", product=second),
        act("move_backward", distance_m=1.0),
        None,
    )


def near_products():
    view = asyncio.run(undisturbed((None,)))[0]
    return [s.entity for s in view.observation.visible if s.kind == "product" and s.reachable]


async def real():
    return (await STORES.ready(FOLDER)).address


async def kill():
    store = await STORES.ready(FOLDER)
    await asyncio.to_thread(STORES.give_up, FOLDER, store.address)


def new_world(way, find=real):
    return world.WireWorld(kit(), store_map(kit().pack).model_copy(update=WAYS[way]), find, instant=True)


async def do(one, step, number):
    return await (one.observe(number=number) if step is None else one.execute(step))


async def undisturbed(steps, way="store's functions"):
    one = new_world(way)
    await one.reset(pose=AT_SHELF)
    results = [await do(one, step, number) for number, step in enumerate(steps)]
    await one.close()
    return results


@cache
def right(way):
    """What each step gives on a line that holds."""
    return asyncio.run(undisturbed(shopping(), way))


def same(step, got, wanted):
    if step is None:
        return (got.user_frame, got.assistant_frame, got.observation, got.minimap_user) == (
            wanted.user_frame,
            wanted.assistant_frame,
            wanted.observation,
            wanted.minimap_user,
        )
    return got.ok == wanted.ok and abs(got.displacement_m - wanted.displacement_m) < 0.01


async def played(way, faults):
    """The whole visit over a line that fails at these places: {step: faults}; every result and the end.

    Where a world gives up it says so by a typed error, and the visit goes on in a new one that is placed
    where the record stands, as episodes do.
    """
    results: list[Any] = []
    picked_at: list[Pose] = []
    async with FaultyLine(real, kill) as line:
        session._formats[str(line.address)] = Formats()

        async def find():
            await real()  # as the pool does: a store that ended is started again before anyone connects
            return await line.find()

        one = new_world(way, find)
        await one.reset(pose=AT_SHELF)
        for number, step in enumerate(shopping()):
            line.arm(faults.get(number, ()))
            for _ in range(TRIES):
                pose, state = one.pose, one.state
                with contextlib.suppress(WorldError):
                    results.append(await do(one, step, number))
                    if step is not None and step.tool in ("pick_up_item", "drop_item"):
                        picked_at = [pose] if step.tool == "pick_up_item" else []
                    break
                assert (one.pose, one.state) == (pose, state)
                line.arm(())
                await one.close()
                one = new_world(way, find)
                await one.reset(pose=pose, state=state, picked_at=picked_at)
        state = one.state
        await one.close()
        return results, state, line.done


def holds(way, faults):
    results, state, _ = asyncio.run(played(way, faults))
    assert len(results) == len(shopping())
    for number, (step, got, wanted) in enumerate(zip(shopping(), results, right(way), strict=True)):
        assert same(step, got, wanted), f"step {number} ({step.tool if step else 'look'}) differs"
    bought = shopping()[9].product.removeprefix("product:")
    assert state == ShopperState(cart=(bought,))


KINDS = sorted(SPOILT.keys() - {"the store dies"})


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("kinds", [KINDS[n::6] for n in range(6)], ids=", ".join)
def test_a_failure_of_every_kind_in_taking_looking_and_walking_changes_nothing(way, kinds):
    turned = list(WAYS).index(way)  # so that over the ways every kind hits every step
    hit = zip((1, 2, 10), kinds[turned:] + kinds[:turned], (0, 3, 1), strict=True)
    holds(way, {step: [Fault(kind, skip)] for step, kind, skip in hit})


@pytest.mark.parametrize("way", WAYS)
def test_a_store_that_dies_while_someone_takes_looks_or_walks_changes_nothing(way):
    holds(
        way, {1: [Fault("the store dies", 1)], 5: [Fault("the store dies", 3)], 10: [Fault("the store dies")]}
    )


ACTIONS = (
    act("move_forward", distance_m=1.0),
    act("move_backward", distance_m=2.0),
    act("side_step", direction="left", distance_m=1.0),
    act("turn_and_move", direction="right", angle_deg=45.0, distance_m=1.0),
    act("move_and_turn", direction="left", angle_deg=120.0, distance_m=1.0),
    act("turn", direction="right", angle_deg=90.0),
    act("look_up_down", direction="up", angle_deg=15.0),
    act("idle"),
    "pick up",
    "pick up",
    "drop_item",
    "add_to_cart",
)


async def walked(steps, dies):
    """Every step and what is seen round it; ``dies``: at which, and after how many replies, a store ends."""
    seen = []
    async with FaultyLine(real, kill) as line:
        session._formats[str(line.address)] = Formats()

        async def find():
            await real()
            return await line.find()

        one = new_world("store's functions", find)
        await one.reset(pose=AT_SHELF)
        for number, step in enumerate(steps):
            view = await one.observe(number=number)
            line.arm([Fault("the store dies", skip) for at, skip in dies if at == number])
            action = possible(step, view, one.state)
            outcome = None if action is None else await one.execute(action)
            seen.append((view.observation, view.user_frame, action, outcome, one.pose, one.state))
        seen.append(await one.observe(number=len(steps)))
        await one.close()
    return seen


def possible(step, view, state):
    """A step as an action the rules allow here; None where they allow none."""
    if not isinstance(step, str):
        return step
    if step == "pick up":
        near = (s.entity for s in view.observation.visible if s.kind == "product" and s.reachable)
        product = None if state.held is not None else next(near, None)
        return None if product is None else act("pick_up_item", product=product)
    return None if state.held is None else act(step, product=f"product:{state.held}")


@given(
    steps=st.lists(st.sampled_from(ACTIONS), min_size=1, max_size=7),
    dies=st.lists(st.tuples(st.integers(0, 6), st.integers(0, 12)), min_size=1, max_size=2),
)
@settings(
    max_examples=6,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
def test_a_store_that_is_started_anew_in_any_visit_goes_on_where_it_was(steps, dies):
    assert asyncio.run(walked(steps, dies)) == asyncio.run(walked(steps, ()))


MORE_THAN_OUTLIVED = world.ATTEMPTS + 1
"""So many failures of one step are not outlived within it: the visit goes on from its record."""
FAULTS = st.builds(Fault, st.sampled_from(sorted(SPOILT)), st.integers(0, 9))


@pytest.mark.parametrize("way", WAYS)
@given(
    plan=st.dictionaries(
        st.integers(0, 11), st.lists(FAULTS, min_size=1, max_size=MORE_THAN_OUTLIVED), max_size=3
    )
)
@settings(
    max_examples=4,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
def test_no_sequence_of_failures_shows_a_wrong_frame_or_loses_a_turn(way, plan):
    holds(way, plan)


@pytest.mark.parametrize("way", WAYS)
def test_a_world_that_fails_for_good_says_so_and_stays_where_it_was(way):
    """More failures in a row than there are tries: a typed error, and the record's state untouched."""

    async def doomed():
        async with FaultyLine(real) as line:
            session._formats[str(line.address)] = Formats()
            one = new_world(way, line.find)
            await one.reset(pose=AT_SHELF)
            before = one.pose, one.state
            line.arm([Fault("cut before")] * 50)
            with pytest.raises(WorldError):
                await one.execute(shopping()[1])
            assert (one.pose, one.state) == before
            line.arm(())
            assert same(None, await one.observe(number=0), right(way)[0])
            await one.close()

    asyncio.run(doomed())
