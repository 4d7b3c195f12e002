"""Where an episode's world comes from."""

from play.setting import Setting, WorldSource


def world_source(scene: str, setting: Setting, *, pictures: bool = True) -> WorldSource:
    """Worlds of a scene for one episode: moving in real time for a person, at once for a simulated user."""
    from simulator_bridge.pool import lease_world

    return lambda: lease_world(scene, holder=setting.public_id)
