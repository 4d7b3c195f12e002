"""Where an episode's world comes from."""

from collections.abc import Iterable

from catalog.selectors import scene_pack
from play.setting import Setting, WorldSource
from simulator_bridge.pool import Waiting, lease_world, scene_folder
from simulator_bridge.selectors import embedded_for
from simulator_bridge.services import servers_ensure
from simulator_bridge.store import STORES

WAIT_S = 120.0
PERSON_WAIT_S = 3600.0
"""A person who waits in line is told their place, and must not lose it to a time limit."""


def world_source(scene: str, setting: Setting, *, on_waiting: Waiting | None = None) -> WorldSource:
    """Worlds of a scene for one episode: moving in real time for a person, at once for a simulated user.

    ``on_waiting`` is told the place in the line while all are taken, and 0 when the wait is over.
    """
    instant = setting.user_kind == "simulated"
    wait_s = WAIT_S if instant else PERSON_WAIT_S
    return lambda: lease_world(
        scene,
        version=setting.pack.info.version,
        holder=setting.public_id,
        instant=instant,
        user_map=setting.rules.show_user_minimap,
        wait_s=wait_s,
        on_waiting=on_waiting,
    )


def scenes_check(scenes: Iterable[tuple[str, str]]) -> None:
    """Make sure that these versions of scenes are here. Raises: UnknownScene naming it and what there is."""
    for slug, version in scenes:
        scene_pack(slug, version)


def stores_start(scenes: Iterable[tuple[str, str | None]]) -> None:
    """Start the embedded stores of these scenes' versions, where that is what their worlds are, and wait.

    In the calling thread, so that an interrupt is heard while a store is being built for the first time.
    Raises: WorldUnavailable with what a store said instead; UnknownScene for a version that is not here.
    """
    servers_ensure()
    for slug, version in scenes:
        if embedded_for(slug):
            STORES.ready_now(scene_folder(scene_pack(slug, version)))
