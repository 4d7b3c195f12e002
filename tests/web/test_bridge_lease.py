"""A leased world, from the pool's row to a walk in the store, as the runner gets it."""

import asyncio
import os
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from asgiref.sync import sync_to_async
from django.db import InterfaceError, OperationalError

from catalog.selectors import UnknownScene, scene_pack
from catalog.services import scene_fork, scene_freeze, scene_import
from play.loading import knowledge_of
from play.setting import Setting
from play.worlds import world_source
from simulator_bridge import services
from simulator_bridge.models import WorldLease, WorldServer
from simulator_bridge.pool import lease_world, scene_folder, scene_kit, warm_up
from simulator_bridge.store import STORES
from siturec.protocol.messages import ResolvedAction
from siturec.protocol.ports import WorldUnavailable

pytestmark = [pytest.mark.store, pytest.mark.django_db(transaction=True)]
ROOT = Path(__file__).resolve().parent.parent.parent


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("lease")
    (folder / "tiny_market").symlink_to(ROOT / "tests" / "store" / "pack", target_is_directory=True)
    STORES.stop()  # other modules' stores, so that what runs here is this module's
    yield folder
    STORES.stop()


@pytest.fixture
def tiny(settings, folder):
    settings.SCENES_DIR = settings.VAR_DIR = folder
    settings.SITUREC_WORLD = ""
    return "tiny_market"


async def leases():
    return await asyncio.to_thread(lambda: list(WorldLease.objects.values_list("holder", flat=True)))


async def test_a_store_can_be_warmed_up_before_anyone_comes(tiny):
    await warm_up(tiny)
    assert [store.alive for store in STORES._running.values()] == [True]


async def test_two_shoppers_share_one_store_and_do_not_disturb_each_other(tiny):
    async with lease_world(tiny, holder="e-1") as one, lease_world(tiny, holder="e-2") as two:
        assert sorted(await leases()) == ["e-1", "e-2"]
        for world in (one, two):
            await world.reset(pose=world._kit.pack.info.start)
        still = await two.observe(number=0)
        await one.execute(ResolvedAction(tool="turn", direction="left", angle_deg=90.0))
        turned = await one.observe(number=0)
        again = await two.observe(number=0)
        assert again.user_frame == still.user_frame
        assert turned.user_frame != still.user_frame
        assert len(STORES._running) == 1
    assert await leases() == []
    server = await asyncio.to_thread(WorldServer.objects.get)
    assert (server.kind, server.health) == ("embedded", "up")


async def test_a_place_is_given_back_when_playing_fails(tiny):
    with pytest.raises(RuntimeError):
        async with lease_world(tiny, holder="e-1"):
            raise RuntimeError("the episode broke")
    assert await leases() == []


async def test_a_place_is_given_back_when_whoever_had_it_is_called_off_twice(tiny):
    inside = asyncio.Event()

    async def slow_close():
        await asyncio.Event().wait()

    async def play():
        async with lease_world(tiny, holder="e-1") as world:
            world.close = slow_close
            inside.set()
            await asyncio.Event().wait()

    playing = asyncio.create_task(play())
    await inside.wait()
    assert await leases() == ["e-1"]
    for _ in range(2):
        playing.cancel()
        await asyncio.sleep(0.05)
    with pytest.raises(asyncio.CancelledError):
        await playing
    assert await leases() == []


async def test_who_has_gone_when_a_place_comes_free_leaves_it_to_others(tiny, monkeypatch):
    take, full = services.lease_take, [None]

    async def page_is_closed(position):
        if position == 0:
            raise ConnectionError("the page was closed")

    monkeypatch.setattr("simulator_bridge.pool.WAIT_POLL_S", 0.01)
    monkeypatch.setattr(services, "lease_take", lambda **who: full.pop() if full else take(**who))
    with pytest.raises(ConnectionError):
        async with lease_world(tiny, holder="e-1", on_waiting=page_is_closed):
            pass
    assert await leases() == []


async def test_who_lost_the_place_has_to_leave_and_says_so(tiny, monkeypatch):
    monkeypatch.setattr("simulator_bridge.pool.RENEW_S", 0.2)
    async with lease_world(tiny, holder="e-1") as world:
        await world.reset(pose=world._kit.pack.info.start)
        await asyncio.to_thread(WorldLease.objects.all().delete)
        await asyncio.sleep(0.6)
        with pytest.raises(WorldUnavailable, match="has run out"):
            await world.observe(number=0)
    async with lease_world(tiny, holder="e-1") as world:
        await world.reset(pose=world._kit.pack.info.start)


async def test_who_lost_the_place_while_coming_in_does_nothing_there(tiny):
    async with lease_world(tiny, holder="e-1") as world:

        async def lose(error):
            world.leave("the place has run out")

        world._report = lose  # told when a connection stands, before anything is done over it
        with pytest.raises(WorldUnavailable, match="has run out"):
            await world.reset(pose=world._kit.pack.info.start)
        assert world._session is None


async def test_a_database_that_fails_for_a_moment_costs_nobody_the_place(tiny, monkeypatch):
    monkeypatch.setattr("simulator_bridge.pool.RENEW_S", 0.1)
    monkeypatch.setattr("simulator_bridge.pool.RENEW_AGAIN_S", 0.1)
    failing = [OperationalError("database is locked"), InterfaceError("connection already closed")]
    renewed = []

    def renew(*, token):
        if failing:
            raise failing.pop()
        renewed.append(token)

    monkeypatch.setattr("simulator_bridge.services.lease_renew", renew)
    async with lease_world(tiny, holder="e-1") as world:
        await asyncio.sleep(0.8)
        assert renewed
        await world.reset(pose=world._kit.pack.info.start)


async def test_a_world_that_cannot_be_reached_is_marked_down(tiny):
    def add():
        WorldServer.objects.create(name="gone", kind="store", address="127.0.0.1:9", capacity=4)

    await asyncio.to_thread(add)
    with pytest.raises(WorldUnavailable, match="cannot connect"):
        async with lease_world(tiny, holder="e-1") as world:
            await world.reset(pose=world._kit.pack.info.start)
    server = await asyncio.to_thread(WorldServer.objects.get)
    assert server.health == "down"
    assert "cannot connect" in server.health_note
    with pytest.raises(WorldUnavailable, match="are taken"):
        async with lease_world(tiny, holder="e-1", wait_s=0):
            pass


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ({"kind": "store", "address": "nowhere"}, "'nowhere' is not an address"),
        (
            {"kind": "unreal", "address": "[::1]:9", "world_map": {"objects": {"A": "product:x"}}},
            "no 'product:x'",
        ),
    ],
    ids=["no address", "a map of another scene"],
)
async def test_a_world_set_up_wrongly_is_marked_down_and_the_next_shopper_gets_another(tiny, row, words):
    """Rows come from settings and outlive the scenes they were checked against."""

    def add():
        WorldServer.objects.create(name="a wrong one", scene=tiny, capacity=1, **row)
        WorldServer.objects.create(name="embedded store", kind="embedded", capacity=4)

    await asyncio.to_thread(add)
    with pytest.raises(WorldUnavailable, match=words):
        async with lease_world(tiny, holder="e-1"):
            pass
    wrong = await asyncio.to_thread(WorldServer.objects.get, name="a wrong one")
    assert wrong.health == "down"
    async with lease_world(tiny, holder="e-2", wait_s=0) as world:
        assert world.pose == world._kit.pack.info.start


async def test_a_store_that_is_stuck_is_replaced(tiny, monkeypatch):
    monkeypatch.setattr("simulator_bridge.wire.CONNECT_S", 1.0)
    async with lease_world(tiny, holder="e-1") as world:
        (stuck,) = STORES._running.values()
        os.kill(stuck.process.pid, signal.SIGSTOP)
        start = world._kit.pack.info.start
        await world.reset(pose=start)
        assert (world.pose.x_m, world.pose.y_m) == (start.x_m, start.y_m)
        (fresh,) = STORES._running.values()
        assert fresh.process.pid != stuck.process.pid


async def test_a_scene_without_any_world_says_so_at_once(tiny):
    def add():
        WorldServer.objects.create(name="other", kind="store", address="127.0.0.1:9", scene="elsewhere")

    await asyncio.to_thread(add)
    with pytest.raises(WorldUnavailable, match="no world is set up for the scene tiny_market"):
        async with lease_world(tiny, holder="e-1", wait_s=60):
            pass


@sync_to_async
def two_versions(folder):
    """The scene as imported, frozen, and a newer version in which one starts with another look."""
    first = scene_import(folder=folder).version
    scene_freeze(first.scene.slug)
    second = scene_fork(version=first)
    start = second.info["start"]
    second.info = second.info | {"start": start | {"yaw_deg": (start["yaw_deg"] + 90.0) % 360.0}}
    second.count_up()
    second.save()
    return [scene_pack(first.scene.slug, label) for label in (first.label, second.label)]


async def test_a_world_is_of_the_version_it_is_wanted_for_while_others_walk_in_a_newer_one(tiny, folder):
    old, new = await two_versions(folder / tiny)
    setting = Setting(
        episode_id=0,
        public_id="e-1",
        pack=old,
        knowledge=knowledge_of(old),
        task=None,
        profile=None,
        condition="full",
        user_kind="simulated",
        seed=0,
    )
    async with world_source(tiny, setting)() as one, lease_world(tiny, holder="e-2") as two:
        assert (one._kit.pack, two._kit.pack) == (old, new)
        assert one._kit is scene_kit(old)
        await one.reset(pose=old.info.start)
        await two.reset(pose=new.info.start)
        assert (await one.observe(number=0)).user_frame != (await two.observe(number=0)).user_frame
    assert {folder.name for folder in STORES._running} == {tiny}
    assert len(STORES._running) == 2
    with pytest.raises(UnknownScene, match="scene tiny_market has no version 7 here; there is: 2, 1"):
        async with lease_world(tiny, holder="e-3", version="7"):
            pass


def test_an_edited_scene_gets_a_folder_of_its_own(tiny):
    pack = scene_pack(tiny)
    first = scene_folder(pack)
    assert first == scene_folder(pack)
    dearer = pack.products[0].model_copy(update={"price": 99.0})
    edited = pack.model_copy(update={"products": (dearer, *pack.products[1:])})
    assert scene_folder(edited) != first
    assert scene_kit(edited) is not scene_kit(pack)


def test_the_store_ends_with_the_process_that_started_it(tiny):
    """Killed outright, as by the kernel: no handler of ours gets to run."""
    script = (
        "import sys, time\nfrom pathlib import Path\nfrom simulator_bridge.store import start_store\n"
        "store = start_store(Path(sys.argv[1]))\nprint(store.process.pid, flush=True)\ntime.sleep(60)\n"
    )
    parent = subprocess.Popen(
        [sys.executable, "-c", script, str(ROOT / "tests" / "store" / "pack")],
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    )
    child = int(parent.stdout.readline())
    watched = os.pidfd_open(child)  # readable once the process has ended, reaped or not
    try:
        parent.kill()
        parent.wait()
        parent.stdout.close()
        ended, _, _ = select.select([watched], [], [], 20)
        assert ended, "the store still runs though nobody is left to use it"
    finally:
        os.close(watched)
