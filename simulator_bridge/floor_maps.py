"""The floor plan for both roles as a shopper moves: drawn anew only where they are somewhere else."""

from dataclasses import dataclass, replace

from simulator_bridge.kit import SceneKit
from siturec.protocol.messages import Pose


@dataclass(frozen=True)
class Drawn:
    """The plan with the shopper at ``pose``: each role's JPEG, where one is wanted, and the words for it."""

    pose: Pose
    user: bytes | None
    assistant: bytes | None
    text: str


class FloorMaps:
    """One shopper's plans. Without ``user_map`` the user has none."""

    def __init__(self, kit: SceneKit, *, user_map: bool) -> None:
        self._kit, self._user_map = kit, user_map
        self._last: Drawn | None = None

    def at(self, pose: Pose, *, pictures: bool) -> Drawn:
        """The plans at a pose; without ``pictures`` the words only."""
        if not pictures:
            return Drawn(pose, None, None, self._kit.minimap_assistant.text(pose))
        drawn = self._last
        if drawn is None or drawn.pose != pose:
            drawn = self._last = replace(
                self.at(pose, pictures=False),
                user=self._kit.minimap_user.picture(pose) if self._user_map else None,
                assistant=self._kit.minimap_assistant.picture(pose),
            )
        return drawn
