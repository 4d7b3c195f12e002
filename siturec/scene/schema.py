"""The records of a scene pack, one class per file of the pack.

A pack is a folder: ``scene.json`` (one object), and ``products.json``, ``targets.json``,
``waypoints.json``, ``instances.json``, ``layout.json``, ``profiles.json``, ``tasks.json``. Metres and
degrees; left-handed, Z up, +X ahead at yaw 0, +Y to the right, yaw clockwise seen from above.
Prices are US dollars. Source of the fields: SituRecBench A.2, A.3 (feature list S01-S24).
"""

from typing import Any, Literal

from pydantic import ConfigDict, Field

from siturec.protocol.messages import Approach, Pose
from siturec.protocol.vocabulary import SceneKind
from siturec.scene.record import Record
from siturec.scene.shapes import ShapeKind
from siturec.scene.shoppers import (
    Acceptance,
    BigFive,
    Demographics,
    Disclosure,
    Interaction,
    Level,
    Need,
    Profile,
    Task,
)

__all__ = [
    "Acceptance",
    "BigFive",
    "Colour",
    "Demographics",
    "Disclosure",
    "FixtureType",
    "Instance",
    "Interaction",
    "Layout",
    "Level",
    "LightPanel",
    "Look",
    "Need",
    "Product",
    "Profile",
    "Prop",
    "Record",
    "Rect",
    "SceneInfo",
    "ScenePack",
    "ShapeKind",
    "Sight",
    "Sign",
    "Standing",
    "Storage",
    "Target",
    "Task",
    "Wall",
    "Waypoint",
]

Colour = tuple[int, int, int]
LOWEST_CHANNEL = 20
"""No channel of a segmentation colour is darker, so that none is taken for black, which means nothing."""
LEAST_APART = 8
"""So far two segmentation colours differ in one channel at least: a mask may be off by up to 3 in each."""
Storage = Literal["shelf", "chest_freezer", "upright_freezer", "open_cooler", "produce_stand", "display"]
FixtureType = Literal["shelf", "chest_freezer", "upright_freezer", "open_cooler", "produce_stand"]


class Look(Record):
    """How a product is built and printed: mesh kind, outer size (w, d, h) in metres, colours as #rrggbb."""

    shape: ShapeKind
    size_m: tuple[float, float, float]
    primary: str = Field(pattern=r"^#[0-9a-f]{6}$")
    accent: str = Field(pattern=r"^#[0-9a-f]{6}$")
    label: str = Field(default="", max_length=40, description="short text printed on the package")
    style: int = Field(default=0, ge=0, le=15, description="which of the label or mesh variants")


class Product(Record):
    """A catalog entry. ``details`` are the attributes inspection reveals (S31), besides the price."""

    id: str = Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")
    name: str = Field(min_length=1, max_length=80)
    category: str
    tags: tuple[str, ...] = ()
    price: float = Field(gt=0)
    colour: Colour
    storage: Storage
    look: Look
    details: dict[str, Any] = Field(default_factory=dict)


class Instance(Record):
    """One placed object: centre of its base, and the fixture (supermarket) or area (home) that holds it."""

    id: str = Field(pattern=r"^[A-Za-z0-9_-]+$", description="unique ignoring case; its name on the wire")
    product: str
    target: str
    x_m: float
    y_m: float
    z_m: float
    yaw_deg: float = 0.0


class Standing(Record):
    """A fixed pose of a target for one approach; refers to a waypoint."""

    approach: Approach
    waypoint: str


class Rect(Record):
    """An axis-aligned rectangle on the floor plan."""

    x0: float
    y0: float
    x1: float
    y1: float


class Target(Record):
    """A place one can navigate to. ``id`` is without its kind's prefix: ``cooler-2`` is ``fixture:cooler-2``.

    ``yaw_deg`` is where a fixture's front (or a store's entrance) faces. Fixtures and stores have a
    segmentation colour; areas have a floor point ``(x_m, y_m)`` and the store they belong to.
    """

    id: str = Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")
    kind: Literal["fixture", "store", "area"]
    name: str
    type: FixtureType | None = None
    colour: Colour | None = None
    footprint: Rect
    height_m: float = 0.0
    yaw_deg: float = 0.0
    x_m: float
    y_m: float
    store: str | None = None
    entrances: tuple[Rect, ...] = ()
    standing: tuple[Standing, ...] = ()
    products: tuple[str, ...] = ()

    @property
    def entity(self) -> str:
        """The id under which records name it, such as ``fixture:cooler-2``."""
        return f"{self.kind}:{self.id}"


class Waypoint(Record):
    """A fixed standing pose. ``pitch_deg`` (up is positive) brings what stands there into view."""

    id: str
    x_m: float
    y_m: float
    yaw_deg: float
    pitch_deg: float = 0.0


class Wall(Record):
    """A straight wall or partition from (x0, y0) to (x1, y1); ``owner`` is the store whose front it is.

    It stands from ``base_m`` to ``height_m`` above the floor. The building's outer walls come from the
    layout's size and are not listed.
    """

    x0: float
    y0: float
    x1: float
    y1: float
    height_m: float = 3.5
    thickness_m: float = 0.1
    colour: str = "#e6e2d6"
    owner: str | None = None
    base_m: float = Field(default=0.0, description="height of its lower edge; above 1.9 one walks under it")


class Sign(Record):
    """A hanging or wall sign: centre, facing yaw, size, text. ``owner`` as for a wall."""

    text: str
    x_m: float
    y_m: float
    z_m: float
    yaw_deg: float
    width_m: float
    height_m: float
    colour: str = "#1f4e4a"
    owner: str | None = None


class LightPanel(Record):
    """A ceiling light: centre and size in metres, and how bright it is (1 is a usual panel)."""

    x_m: float
    y_m: float
    z_m: float
    width_m: float
    depth_m: float
    power: float = 1.0


class Prop(Record):
    """Furniture that is no product: a platform, checkout, plinth, column. Collides if it is below 1.9 m.

    Its own height is ``height_m``, from ``base_m`` upwards.
    """

    kind: Literal["platform", "checkout", "column", "plinth", "wall_panel", "door"]
    footprint: Rect
    base_m: float = 0.0
    height_m: float
    colour: str = "#c9c4b8"
    solid: bool = True


class Layout(Record):
    """The building: floor rectangle from (0, 0), ceiling height, walls, lights, signs, props."""

    width_m: float
    depth_m: float
    height_m: float
    walls: tuple[Wall, ...] = ()
    lights: tuple[LightPanel, ...] = ()
    signs: tuple[Sign, ...] = ()
    props: tuple[Prop, ...] = ()
    floor: Literal["tiles", "wood", "concrete", "terrazzo"] = "tiles"


class Sight(Record):
    """What counts as seen and reachable (protocol.md, *Space and sight*).

    The bounds are those of a person, so that centimetres are not taken for metres, nor feet for either.
    """

    frame_width: int = Field(default=960, ge=160, le=3840)
    frame_height: int = Field(default=540, ge=90, le=2160)
    fov_deg: float = Field(default=80.0, ge=10, le=150)
    eye_m: float = Field(default=1.6, ge=0.3, le=2.5)
    min_pixels: int = Field(default=60, ge=1)
    product_m: float = Field(default=6.0, gt=0, le=1000)
    fixture_m: float = Field(default=15.0, gt=0, le=1000)
    store_m: float = Field(default=25.0, gt=0, le=1000)
    area_m: float = Field(default=15.0, gt=0, le=1000)
    reach_m: float = Field(default=2.5, gt=0, le=20)
    walk_mps: float = Field(default=1.4, ge=0.1, le=5)
    body_radius_m: float = Field(default=0.25, ge=0.05, le=0.6)


class SceneInfo(Record):
    """``scene.json``: what the scene is, where one starts, and what counts as seen."""

    schema_: Literal["siturec.scene/1"] = Field(alias="schema", default="siturec.scene/1")
    id: str = Field(pattern=r"^[a-z0-9]+(_[a-z0-9]+)*$")
    name: str
    kind: SceneKind
    version: str
    seed: int
    start: Pose
    sight: Sight = Sight()
    description: str = ""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)


class ScenePack(Record):
    """A whole scene in memory, as loaded from its folder."""

    info: SceneInfo
    products: tuple[Product, ...]
    targets: tuple[Target, ...]
    waypoints: tuple[Waypoint, ...]
    instances: tuple[Instance, ...]
    layout: Layout
    profiles: tuple[Profile, ...] = ()
    tasks: tuple[Task, ...] = ()
