"""Who gets which world: places are leased, kept up while in use, and waited for in order.

``lease_world`` is all the rest of the site needs. Where the place is in the embedded store, its process is
started on the way.
"""

import asyncio
import hashlib
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

from django.conf import settings
from django.db import Error as DatabaseError

from catalog.selectors import scene_pack
from sessions.database import database_sync_to_async
from simulator_bridge import services
from simulator_bridge.errors import HUNG
from simulator_bridge.kit import SceneKit
from simulator_bridge.mapping import MapError, WorldMap, read_map, store_map
from simulator_bridge.models import WorldServer
from simulator_bridge.selectors import embedded_for
from simulator_bridge.services import LeaseLost, Taken
from simulator_bridge.store import STORES
from simulator_bridge.wire import Address
from simulator_bridge.world import Connect, WireWorld
from siturec.protocol.ports import WorldError, WorldUnavailable
from siturec.scene.dump import dump_pack
from siturec.scene.schema import ScenePack

log = logging.getLogger(__name__)

WAIT_POLL_S = 1.0
RENEW_S, RENEW_AGAIN_S = 15.0, 3.0
Waiting = Callable[[int], Awaitable[None]]

Version = tuple[str, str]
"""A scene's slug and its version's label: studies and runs on several versions go on at the same time."""
KEPT_KITS = 4

_kits: dict[Version, SceneKit] = {}
_folders: dict[Version, tuple[ScenePack, Path]] = {}


@asynccontextmanager
async def lease_world(
    scene_slug: str,
    *,
    holder: str,
    version: str | None = None,
    instant: bool = False,
    user_map: bool = True,
    wait_s: float = 120.0,
    on_waiting: Waiting | None = None,
) -> AsyncIterator[WireWorld]:
    """A world of the scene for as long as the context lasts.

    Args:
        holder: who it is for, for instance an episode's public id; shown to admins.
        version: of the scene, for instance the one that an episode was planned on; None: the current.
        instant: never let motion take time. Without it, motion takes time where its frames are wanted.
        user_map: draw the user's floor plan too.
        wait_s: how long to wait for a place when all are taken.
        on_waiting: told the honest position in the queue whenever it changes: 1 for next, 0 for a place now.

    Raises: WorldUnavailable when there is no place within ``wait_s``, or no world for this scene at all, and
    from the world itself once its place has run out; UnknownScene when there is no such scene or version.
    """
    pack = await database_sync_to_async(scene_pack)(scene_slug, version)
    taken = await _take(scene_slug, holder, wait_s, on_waiting)
    keeper = asyncio.create_task(_keep(taken))
    world: WireWorld | None = None
    try:
        world = await _world(pack, taken.server, instant=instant, user_map=user_map)
        keeper.add_done_callback(partial(_show_out, world))
        yield world
    finally:
        keeper.cancel()
        try:
            if world is not None:
                await world.close()
        finally:
            await database_sync_to_async(services.lease_release)(token=taken.token)


async def warm_up(scene_slug: str) -> None:
    """Start the embedded store of a scene, where that is what its worlds are, before anyone waits for it.

    Raises: WorldUnavailable when it does not start.
    """
    pack = await database_sync_to_async(scene_pack)(scene_slug)
    await database_sync_to_async(services.servers_ensure)()
    if await database_sync_to_async(embedded_for)(scene_slug):
        await STORES.ready(await asyncio.to_thread(scene_folder, pack))
    await asyncio.to_thread(scene_kit, pack)


async def _take(scene: str, holder: str, wait_s: float, on_waiting: Waiting | None) -> Taken:
    """Wait for a place and take it; whoever is called off on the way has none and waits for none."""
    await database_sync_to_async(services.servers_ensure)()
    give_up, told = time.monotonic() + wait_s, 0
    taken: Taken | None = None
    try:
        while (taken := await _try_to_take(scene, holder)) is None:
            position, why = await database_sync_to_async(services.wait_standing)(scene=scene, holder=holder)
            if why or time.monotonic() >= give_up:
                raise WorldUnavailable(why or f"all worlds of {scene} are taken; {position} were waiting")
            if on_waiting is not None and position != told:
                told = position
                await on_waiting(position)
            await asyncio.sleep(WAIT_POLL_S)
        if on_waiting is not None and told:
            await on_waiting(0)
    except BaseException:
        if taken is None:
            await database_sync_to_async(services.wait_leave)(scene=scene, holder=holder)
        else:
            await database_sync_to_async(services.lease_release)(token=taken.token)
        raise
    return taken


async def _try_to_take(scene: str, holder: str) -> Taken | None:
    """Take a place, or none. Who is called off meanwhile leaves no place taken that nobody knows of."""
    taking = asyncio.ensure_future(database_sync_to_async(services.lease_take)(scene=scene, holder=holder))
    try:
        return await asyncio.shield(taking)
    except asyncio.CancelledError:
        taken = await taking
        if taken is not None:
            await database_sync_to_async(services.lease_release)(token=taken.token)
        raise


async def _keep(taken: Taken) -> str:
    """Keep a place up for as long as it is ours; the reason why it no longer is."""
    pause_s = RENEW_S
    while True:
        await asyncio.sleep(pause_s)
        try:
            await database_sync_to_async(services.lease_renew)(token=taken.token)
            pause_s = RENEW_S
        except LeaseLost as lost:
            log.warning("%s", lost)
            return str(lost)
        except DatabaseError as error:
            # The place lasts for some of these, and is asked for again well before it runs out.
            log.warning("place %s could not be kept up, trying again: %s", taken.token, error)
            pause_s = RENEW_AGAIN_S


def _show_out(world: WireWorld, keeper: asyncio.Task[str]) -> None:
    """A place that ran out may be someone else's now: whoever is still there has to leave."""
    if not keeper.cancelled():
        world.leave(keeper.result())


async def _world(pack: ScenePack, server: WorldServer, *, instant: bool, user_map: bool) -> WireWorld:
    kit = await asyncio.to_thread(scene_kit, pack)

    async def report(error: WorldError | None) -> None:
        fault = None if error is None else str(error)
        await database_sync_to_async(services.server_report)(server_id=server.pk, fault=fault)
        if server.kind == WorldServer.Kind.EMBEDDED and isinstance(error, HUNG):
            folder = await asyncio.to_thread(scene_folder, pack)
            await asyncio.to_thread(STORES.give_up, folder, (await STORES.ready(folder)).address)

    try:
        world_map, connect = await _way_in(pack, server)
    except WorldError as error:
        # Or everyone would be sent there again: where nobody gets in, it stays the emptiest world.
        await report(error)
        raise
    return WireWorld(kit, world_map, connect, instant=instant, user_map=user_map, report=report)


async def _way_in(pack: ScenePack, server: WorldServer) -> tuple[WorldMap, Connect]:
    """How a world is driven, and where it is to be found. Raises: WorldUnavailable."""
    if server.kind == WorldServer.Kind.EMBEDDED:
        folder = await asyncio.to_thread(scene_folder, pack)
        agent = (await STORES.ready(folder)).agent

        async def find() -> Address:
            return (await STORES.ready(folder)).address

        return store_map(pack, agent=agent), find

    try:
        address = Address.parse(server.address)
    except ValueError as error:
        raise WorldUnavailable(f"{server.name}: {error}") from None

    async def fixed() -> Address:
        return address

    if server.kind == WorldServer.Kind.STORE:
        return store_map(pack, agent=server.agent), fixed
    try:
        world_map = read_map(server.world_map, pack, where=f"map of {server.name}")
    except MapError as error:
        raise WorldUnavailable(str(error)) from None
    return world_map.model_copy(update={"own_shopper": False}), fixed


def scene_kit(pack: ScenePack) -> SceneKit:
    """What worlds of this pack share; built once per state of the scene."""
    key = _version(pack)
    kit = _kits.get(key)
    if kit is None or (kit.pack is not pack and kit.pack != pack):
        kit = _kits[key] = SceneKit.build(pack)
        for oldest in list(_kits)[:-KEPT_KITS]:
            _kits.pop(oldest, None)
    return kit


def _version(pack: ScenePack) -> Version:
    return pack.info.id, pack.info.version


def scene_folder(pack: ScenePack) -> Path:
    """The pack as a folder a store can read; edited scenes differ from their folder, so it is written out."""
    known = _folders.get(_version(pack))
    if known is not None and known[0] is pack:
        return known[1]
    files = dump_pack(pack)
    digest = hashlib.sha256(b"\0".join(files[name] for name in sorted(files))).hexdigest()[:16]
    folder = Path(settings.VAR_DIR) / "stores" / digest / pack.info.id
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        if not (folder / name).exists():
            (folder / name).write_bytes(content)
    _folders[_version(pack)] = (pack, folder)
    return folder
