"""Where an episode's world comes from."""

from play.setting import WorldSource


def world_source(scene: str, holder: str) -> WorldSource:
    """Worlds of a scene for one episode."""
    from simulator_bridge.pool import lease_world

    return lambda: lease_world(scene, holder=holder)
