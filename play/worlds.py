"""Where an episode's world comes from."""

from play.setting import Setting, WorldSource
from simulator_bridge.pool import lease_world


def world_source(scene: str, setting: Setting) -> WorldSource:
    """Worlds of a scene for one episode: moving in real time for a person, at once for a simulated user."""
    instant = setting.user_kind == "simulated"
    return lambda: lease_world(scene, holder=setting.public_id, instant=instant)
