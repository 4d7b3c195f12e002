"""Where an episode's world comes from."""

from collections.abc import Iterable

from catalog.selectors import scene_pack
from play.setting import Setting, WorldSource
from simulator_bridge.pool import lease_world, scene_folder
from simulator_bridge.selectors import embedded_for
from simulator_bridge.services import servers_ensure
from simulator_bridge.store import STORES


def world_source(scene: str, setting: Setting) -> WorldSource:
    """Worlds of a scene for one episode: moving in real time for a person, at once for a simulated user."""
    instant = setting.user_kind == "simulated"
    return lambda: lease_world(scene, holder=setting.public_id, instant=instant)


def stores_start(scenes: Iterable[str]) -> None:
    """Start the embedded stores of these scenes, where that is what their worlds are, and wait for them.

    In the calling thread, so that an interrupt is heard while a store is being built for the first time.
    Raises: WorldUnavailable with what a store said instead.
    """
    servers_ensure()
    for slug in scenes:
        if embedded_for(slug):
            STORES.ready_now(scene_folder(scene_pack(slug)))
