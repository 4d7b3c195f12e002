"""Tiny stores, running, and the ways to act in them."""

from pathlib import Path

from simulator_bridge.kit import SceneKit
from simulator_bridge.mapping import SIMWORLD_FUNCTIONS, store_map
from simulator_bridge.store import STORES
from simulator_bridge.world import WireWorld
from siturec.protocol.messages import Pose, ResolvedAction
from siturec.scene.load import load_pack

HERE = Path(__file__).parent
OPEN_FLOOR = Pose(x_m=7.0, y_m=2.3, yaw_deg=0.0)
AT_SHELF = Pose(x_m=3.7, y_m=4.2, yaw_deg=180.0, pitch_deg=-10.0)


class Tiny:
    """A tiny store, running, and its kit."""

    def __init__(self, folder):
        self.folder = HERE / folder
        self.pack = load_pack(self.folder)
        self.kit = SceneKit.build(self.pack)

    async def find(self):
        return (await STORES.ready(self.folder)).address

    def map(self, **changes):
        return store_map(self.pack).model_copy(update=changes)

    def world(self, connect=None, **changes):
        return WireWorld(self.kit, self.map(**changes), connect or self.find)


WAYS = {
    "store's functions": {},
    "SimWorld's functions": {"functions": SIMWORLD_FUNCTIONS},
    "kinematic": {"acting": "kinematic"},
}


def act(tool, **fields):
    return ResolvedAction(tool=tool, **fields)
