"""Cameras: poses, sizes, captures. Centimetres and degrees on the wire; camera 0 is the shopper's eye."""

from pathlib import Path
from typing import Literal

from storefront.commands import ARGUMENT_INVALID, OK, CommandError, CommandTable, Reply, numbers
from storefront.shopper import MOST_CAMERAS, Camera, Shopper
from storefront.shopper_capture import Kind

LONGEST_SIDE = 8192
MOST_PIXELS = 1 << 24
FARTHEST_CM = 1e7
"""Coordinates beyond 100 km are refused: they are a mistake, and single precision cannot show them."""

table = CommandTable()


def camera_of(shopper: Shopper, number: int) -> Camera:
    """A camera by its number. Raises: CommandError."""
    if number >= len(shopper.cameras):
        raise CommandError("Invalid sensor id")
    return shopper.cameras[number]


def metres(*cm: float) -> tuple[float, float, float]:
    """A location from the wire. Raises: CommandError when it is absurdly far away."""
    if any(abs(value) > FARTHEST_CM for value in cm):
        raise CommandError(ARGUMENT_INVALID)
    x, y, z = cm
    return x / 100.0, y / 100.0, z / 100.0


def centimetres(point: tuple[float, float, float]) -> tuple[float, float, float]:
    """A location for the wire."""
    x, y, z = point
    return x * 100.0, y * 100.0, z * 100.0


def rotation_of(*degrees: float) -> tuple[float, float, float]:
    """(pitch, yaw, roll) from the wire. Raises: CommandError."""
    if any(abs(value) > 1e6 for value in degrees):
        raise CommandError(ARGUMENT_INVALID)
    pitch, yaw, roll = degrees
    return pitch, yaw, roll


@table.add("vget /cameras", "Names of the cameras; a camera's number is its place")
def cameras(shopper: Shopper) -> Reply:
    """Separated and ended by a space, as the plugin writes them."""
    return "".join(f"{camera.name} " for camera in shopper.cameras)


@table.add("vset /cameras/spawn", "Add a camera that stays where it is put")
def spawn_camera(shopper: Shopper) -> Reply:
    """The new camera's name; it starts at the shopper's eye."""
    if len(shopper.cameras) >= MOST_CAMERAS:
        raise CommandError(f"No more than {MOST_CAMERAS} cameras")
    fixed = sum(camera.body is None for camera in shopper.cameras)
    first = shopper.cameras[0]
    position, rotation = shopper.camera_pose(first)
    name = f"FusionCameraActor_{fixed}"
    shopper.cameras.append(
        Camera(name, first.width, first.height, first.fov_deg, position=position, rotation=rotation)
    )
    return name


@table.add("vget /camera/[uint]/location", "Location x y z")
def get_location(shopper: Shopper, number: int) -> Reply:
    """Centimetres."""
    return numbers(centimetres(shopper.camera_pose(camera_of(shopper, number))[0]))


@table.add("vset /camera/[uint]/location [float] [float] [float]", "Put the camera there, without collision")
def set_location(shopper: Shopper, number: int, x: float, y: float, z: float) -> Reply:
    """At once."""
    shopper.place_camera(camera_of(shopper, number), metres(x, y, z), None)
    return OK


@table.add("vset /camera/[uint]/moveto [float] [float] [float]", "Go there, as far as nothing is in the way")
def moveto(shopper: Shopper, number: int, x: float, y: float, z: float) -> Reply:
    """Stops at the first obstacle; camera 0 only."""
    camera = camera_of(shopper, number)
    if number != 0:
        raise CommandError("MoveTo only supports the player camera with id 0")
    to_x, to_y, to_z = metres(x, y, z)
    (at_x, at_y, _), _ = shopper.camera_pose(camera)
    move = to_x - at_x, to_y - at_y
    share = shopper.store.plan.sweep(at_x, at_y, *move).share
    shopper.place_camera(camera, (at_x + share * move[0], at_y + share * move[1], to_z), None)
    return OK


@table.add("vget /camera/[uint]/rotation", "Rotation pitch yaw roll")
def get_rotation(shopper: Shopper, number: int) -> Reply:
    """Degrees."""
    return numbers(shopper.camera_pose(camera_of(shopper, number))[1])


@table.add("vset /camera/[uint]/rotation [float] [float] [float]", "Turn the camera: pitch yaw roll")
def set_rotation(shopper: Shopper, number: int, pitch: float, yaw: float, roll: float) -> Reply:
    """At once."""
    shopper.place_camera(camera_of(shopper, number), None, rotation_of(pitch, yaw, roll))
    return OK


@table.add("vget /camera/[uint]/pose", "Location and rotation: x y z pitch yaw roll")
def get_pose(shopper: Shopper, number: int) -> Reply:
    """Six numbers."""
    position, rotation = shopper.camera_pose(camera_of(shopper, number))
    return numbers((*centimetres(position), *rotation))


@table.add("vset /camera/[uint]/pose" + " [float]" * 6, "Put the camera there: x y z pitch yaw roll")
def set_pose(shopper: Shopper, number: int, *values: float) -> Reply:
    """At once."""
    camera = camera_of(shopper, number)
    shopper.place_camera(camera, metres(*values[:3]), rotation_of(*values[3:]))
    return OK


@table.add("vget /camera/[uint]/fov", "Horizontal field of view")
def get_fov(shopper: Shopper, number: int) -> Reply:
    """Degrees."""
    return f"{camera_of(shopper, number).fov_deg:f}"


@table.add("vset /camera/[uint]/fov [float]", "Set the horizontal field of view, 1 to 170 degrees")
def set_fov(shopper: Shopper, number: int, fov: float) -> Reply:
    """For captures to come."""
    camera = camera_of(shopper, number)
    if not 1.0 <= fov <= 170.0:
        raise CommandError(ARGUMENT_INVALID)
    camera.fov_deg = fov
    return OK


@table.add("vget /camera/[uint]/size", "Width and height of captures")
def get_size(shopper: Shopper, number: int) -> Reply:
    """Pixels."""
    camera = camera_of(shopper, number)
    return f"{camera.width} {camera.height}"


@table.add("vset /camera/[uint]/size [uint] [uint]", "Set the size of captures")
def set_size(shopper: Shopper, number: int, width: int, height: int) -> Reply:
    """Refused beyond 8192 a side or 16 megapixels."""
    camera = camera_of(shopper, number)
    if not (1 <= width <= LONGEST_SIDE and 1 <= height <= LONGEST_SIDE and width * height <= MOST_PIXELS):
        raise CommandError(ARGUMENT_INVALID)
    camera.width, camera.height = width, height
    return OK


_FORMATS: dict[Kind, tuple[Literal["png", "bmp", "npy"], ...]] = {
    "lit": ("png", "bmp"),
    "object_mask": ("png", "bmp"),
    "normal": ("png", "bmp"),
    "base_color": ("png", "bmp"),
    "depth": ("npy",),
}


def take(shopper: Shopper, number: int, kind: Kind, wanted: str) -> Reply:
    """A capture in a format, or saved under a name with that ending. Raises: CommandError."""
    camera = camera_of(shopper, number)
    ending = wanted.rpartition(".")[2].casefold()
    form = next((known for known in _FORMATS[kind] if known == ending), None)
    if form is None:
        raise CommandError(f"Invalid filename type, filename {wanted[:200]}")
    file: Path | None = None
    if "." in wanted:
        file = shopper.site.captures.place(wanted)
        if file is None:
            raise CommandError(
                f"Can not save to '{wanted[:200]}': give a bare file name, it goes beside 'Config file'"
            )
    return shopper.capture(camera, kind, form, file)


@table.add("vget /camera/[uint]/lit [str]", "Picture: png, bmp, or a file name")
def lit(shopper: Shopper, number: int, wanted: str) -> Reply:
    """Colour."""
    return take(shopper, number, "lit", wanted)


@table.add("vget /camera/[uint]/object_mask [str]", "Mask colours: png, bmp, or a file name")
def object_mask(shopper: Shopper, number: int, wanted: str) -> Reply:
    """One flat colour per object."""
    return take(shopper, number, "object_mask", wanted)


@table.add("vget /camera/[uint]/seg [str]", "The same as object_mask")
def seg(shopper: Shopper, number: int, wanted: str) -> Reply:
    """One flat colour per object."""
    return take(shopper, number, "object_mask", wanted)


@table.add("vget /camera/[uint]/depth [str]", "Planar depth in centimetres: npy, or a file name")
def depth(shopper: Shopper, number: int, wanted: str) -> Reply:
    """Along the camera's axis; nothing is 65504."""
    return take(shopper, number, "depth", wanted)


@table.add("vget /camera/[uint]/normal [str]", "Surface normals: png, bmp, or a file name")
def normal(shopper: Shopper, number: int, wanted: str) -> Reply:
    """In the world's axes."""
    return take(shopper, number, "normal", wanted)


@table.add("vget /camera/[uint]/base_color [str]", "Colour without light: png, bmp, or a file name")
def base_color(shopper: Shopper, number: int, wanted: str) -> Reply:
    """Textures only."""
    return take(shopper, number, "base_color", wanted)


@table.add("vget /screenshot [str]", "Picture from the shopper's eye")
def screenshot(shopper: Shopper, wanted: str) -> Reply:
    """As camera 0's lit."""
    return take(shopper, 0, "lit", wanted)


def _accept(shopper: Shopper, number: int, *args: object) -> Reply:
    camera_of(shopper, number)
    return OK


for _rest in (
    "lit_source [str]",
    "reflection [str]",
    "illumination [str]",
    "exposure_method [str]",
    "exposure_bias [float]",
    "auto_speed [float] [float]",
    "auto_brightness [float] [float]",
    "physical_exposure [uint]",
    "motion_blur [float] [float] [float] [uint]",
    "focal [float] [float]",
):
    table.add(f"vset /camera/[uint]/{_rest}", "Accepted; light and lens are the scene's own")(_accept)


@table.add("vset /camera/[uint]/projection_type [str]", "perspective is the only one")
def projection_type(shopper: Shopper, number: int, kind: str) -> Reply:
    """Perspective."""
    camera_of(shopper, number)
    if kind != "perspective":
        raise CommandError("Not Implemented" if kind == "orthographic" else ARGUMENT_INVALID)
    return OK
