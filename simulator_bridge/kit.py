"""What all worlds of one scene share."""

from dataclasses import dataclass

from simulator_bridge.floorplan import FloorPlan
from siturec.markers.minimap import Minimap
from siturec.markers.scene import MarkerScene, marker_scene
from siturec.scene.schema import ScenePack


@dataclass(frozen=True, eq=False)
class SceneKit:
    """What all worlds of one scene share; building it costs a second and 40 MB, so it is kept."""

    pack: ScenePack
    markers: MarkerScene
    minimap_user: Minimap
    minimap_assistant: Minimap
    plan: FloorPlan

    @classmethod
    def build(cls, pack: ScenePack) -> "SceneKit":
        """Lay a pack out for seeing and walking."""
        scene = marker_scene(pack)
        return cls(
            pack=pack,
            markers=scene,
            minimap_user=Minimap(pack.layout, scene, "user"),
            minimap_assistant=Minimap(pack.layout, scene, "assistant"),
            plan=FloorPlan(pack),
        )
