"""Painting: outlines once for both roles, then each role's labels; JPEG."""

import threading
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from siturec.markers.sprites import label_sprite
from siturec.protocol.vocabulary import EntityKind

JPEG_QUALITY = 80
Bgr = NDArray[np.uint8]

# Bright and far apart in hue (BGR); neighbours get different ones because entity numbers differ.
PALETTE: tuple[tuple[int, int, int], ...] = (
    (80, 200, 255),
    (255, 160, 60),
    (120, 230, 90),
    (200, 110, 255),
    (255, 230, 90),
    (90, 130, 255),
    (230, 200, 255),
    (150, 255, 220),
)
BUILDING = (71, 209, 255)
AREA = (190, 220, 20)


class Mark(NamedTuple):
    """One thing to paint: its polygons (each (k, 1, 2) int32), and where its label goes, if anywhere."""

    number: int
    kind: EntityKind
    polygons: tuple[NDArray[np.int32], ...]
    corner: tuple[int, int] | None
    user: str
    assistant: str


def paint_outlines(frame: Bgr, marks: Sequence[Mark]) -> None:
    """Draw every mark's polygons into ``frame``, in place."""
    groups: dict[tuple[tuple[int, int, int], int], list[NDArray[np.int32]]] = {}
    for mark in marks:
        if mark.kind == "product":
            colour, width = PALETTE[mark.number % len(PALETTE)], 1
        else:
            colour, width = (AREA if mark.kind == "area" else BUILDING), 2
        groups.setdefault((colour, width), []).extend(mark.polygons)
    for (colour, width), polygons in groups.items():
        cv2.polylines(frame, polygons, True, colour, width, cv2.LINE_8)


def paint_labels(frame: Bgr, marks: Sequence[Mark], *, user: bool) -> None:
    """Put one role's labels into ``frame``, in place; each is centred where it was given room."""
    for mark in marks:
        if mark.corner is None:
            continue
        sprite = label_sprite(mark.user if user else mark.assistant, mark.kind)
        wide, high = sprite.size
        room, _ = label_size(mark.user, mark.assistant, mark.kind)
        x = mark.corner[0] + (room - wide) // 2
        y = mark.corner[1]
        place = frame[y : y + high, x : x + wide]
        cv2.copyTo(sprite.bgr, sprite.mask, place)


@lru_cache(maxsize=16384)
def label_size(user: str, assistant: str, kind: EntityKind) -> tuple[int, int]:
    """Room a label needs in pixels so that either role's marker fits: both frames share one layout."""
    first, second = label_sprite(user, kind).size, label_sprite(assistant, kind).size
    return max(first[0], second[0]), max(first[1], second[1])


def jpeg(frame: Bgr, quality: int = JPEG_QUALITY) -> bytes:
    """A frame as JPEG. Raises: ValueError when OpenCV cannot encode it."""
    done, data = cv2.imencode(".jpg", frame, [cv2.IMWRITE_JPEG_QUALITY, quality])
    if not done:
        raise ValueError(f"cannot encode a frame of shape {frame.shape}")
    return data.tobytes()


class _Canvases(threading.local):
    """Two canvases per thread, used again and again: fresh memory costs more than what is painted on it."""

    def __init__(self) -> None:
        self.shape: tuple[int, int] = (0, 0)
        self.user = self.assistant = np.empty((0, 0, 3), np.uint8)

    def of(self, height: int, width: int) -> tuple[Bgr, Bgr]:
        """This thread's canvases at a size; what is on them is old."""
        if self.shape != (height, width):
            self.shape = (height, width)
            self.user, self.assistant = (np.empty((height, width, 3), np.uint8) for _ in range(2))
        return self.user, self.assistant


_canvases = _Canvases()


def paint_both(frame: Bgr, marks: Sequence[Mark]) -> tuple[bytes, bytes]:
    """Both roles' painted frames as JPEG, user first; ``frame`` (BGR or BGRA) is left as it was."""
    user, assistant = _canvases.of(*frame.shape[:2])
    if frame.shape[2] == 4:
        cv2.cvtColor(frame, cv2.COLOR_BGRA2BGR, dst=user)
    else:
        np.copyto(user, frame)
    paint_outlines(user, marks)
    np.copyto(assistant, user)
    paint_labels(user, marks, user=True)
    paint_labels(assistant, marks, user=False)
    return jpeg(user), jpeg(assistant)
