"""What a camera is asked for: a view, a kind of picture, a format. Asked for here, painted elsewhere."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from storefront import wire_images
from storefront.render import Frame, Placed, View
from storefront.shopper_scene import Lut
from storefront.world_objects import Triple

T = TypeVar("T", bound=np.generic)
Kind = Literal["lit", "object_mask", "depth", "normal", "base_color"]
PARTS: dict[Kind, View] = {
    "lit": "rgb",
    "object_mask": "ids",
    "depth": "depth",
    "normal": "normal",
    "base_color": "base_color",
}
_FILE_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,119}")


@dataclass(frozen=True)
class Shot:
    """A view of the store as one shopper has it: what decides every pixel."""

    eye: Triple
    yaw_deg: float
    pitch_deg: float
    width: int
    height: int
    fov_deg: float
    roll_deg: float = 0.0
    hidden: frozenset[int] = frozenset()
    extra: tuple[Placed, ...] = ()

    @property
    def pixels(self) -> int:
        """Width times height."""
        return self.width * self.height


@dataclass(frozen=True)
class Capture:
    """One picture of a shot.

    ``settled``: the camera stands still. ``near``: the client is on this machine, where sending is cheaper
    than packing. ``file``: where the picture is to be saved instead of being sent.
    """

    shot: Shot
    kind: Kind
    format: Literal["png", "bmp", "npy"]
    lut: Lut = field(repr=False, compare=False)
    settled: bool = True
    near: bool = True
    file: Path | None = None

    def encode(self, frame: Frame) -> bytes:
        """The picture in its format."""
        if self.kind == "depth":
            return wire_images.npy_depth(_given(frame.depth))
        if self.kind == "object_mask":
            picture = wire_images.mask_bgra(_given(frame.ids), self.lut)
        else:
            colours = {"lit": frame.rgb, "normal": frame.normal, "base_color": frame.base_color}[self.kind]
            picture = wire_images.bgra(_given(colours))
        if self.format == "bmp":
            return wire_images.bmp(picture)
        packing: wire_images.Packing = "flat"
        if self.kind in ("lit", "base_color"):
            packing = "stored" if self.near and self.file is None else "photo"
        return wire_images.png(picture, packing)

    def finish(self, frame: Frame) -> str | bytes:
        """The reply: the bytes, or the absolute path of the file they were saved to."""
        raw = self.encode(frame)
        if self.file is None:
            return raw
        self.file.write_bytes(raw)
        return str(self.file)


def _given(part: NDArray[T] | None) -> NDArray[T]:
    if part is None:
        raise ValueError("the frame was painted without the part asked for")
    return part


def parts_of(captures: Sequence[Capture]) -> tuple[View, ...]:
    """The parts of a frame that some captures of one shot need."""
    return tuple(dict.fromkeys(PARTS[capture.kind] for capture in captures))


class CaptureFolder:
    """The one folder captures may be saved to; nothing leaves it.

    Args:
        folder: an existing folder.
        most: how many files it may hold.
    """

    def __init__(self, folder: Path, most: int = 4096) -> None:
        self.folder = folder.resolve()
        self.most = most

    @property
    def config_path(self) -> Path:
        """The ``Config file:`` of the status: clients look for captures beside it."""
        return self.folder / "unrealcv.ini"

    def place(self, name: str) -> Path | None:
        """Where a file of this name goes; None when the name leads elsewhere or the folder is full."""
        given = Path(name)
        if given.is_absolute() and given.parent == self.folder:
            name = given.name
        if not _FILE_NAME.fullmatch(name):
            return None
        path = self.folder / name
        if path.is_symlink() or path == self.config_path:
            return None
        if not path.exists() and sum(1 for _ in self.folder.iterdir()) >= self.most:
            return None
        return path
