"""Painting captures: a painter per thread and frame size, and the last few frames, shared by all."""

import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import fields, replace

from storefront.render import Frame, Painter, StoreWorld, View
from storefront.shopper_capture import Capture, Shot, parts_of

SMALL_PIXELS = 2_100_000
"""Frames up to this size (full HD) keep their painter and are remembered; larger ones are rare and let go."""
_PAINTERS_KEPT = 3
_STILL_PARTS: frozenset[View] = frozenset({"rgb", "ids", "depth"})


class Studio:
    """Paints the shots of all shoppers of one world. Safe to use from several threads.

    A client asks for colour, mask and depth one after the other: when the shopper stands still all three are
    painted at once, which costs little more than one, and the frame is kept for the next request.

    Args:
        frames_kept: how many frames are remembered in all.

    ``painted`` counts the frames that were not there yet.
    """

    def __init__(self, world: StoreWorld, frames_kept: int) -> None:
        self.world = world
        self.frames_kept = frames_kept
        self._painters = threading.local()
        self._frames: OrderedDict[Shot, Frame] = OrderedDict()
        self.painted = 0
        self._lock = threading.Lock()

    def pictures(self, captures: Sequence[Capture]) -> list[str | bytes]:
        """The replies to captures that are all of one shot."""
        frame = self._frame(captures[0].shot, set(parts_of(captures)), settled=captures[0].settled)
        return [capture.finish(frame) for capture in captures]

    def paint_still(self, shot: Shot) -> None:
        """Have a shot ready that will be asked for when the shopper stands still."""
        if shot.pixels <= SMALL_PIXELS:
            self._frame(shot, set(_STILL_PARTS), settled=True)

    def _frame(self, shot: Shot, wanted: set[View], *, settled: bool) -> Frame:
        with self._lock:
            known = self._frames.get(shot)
        missing = wanted - _parts(known)
        if known is not None and not missing:
            return known
        small = shot.pixels <= SMALL_PIXELS
        if settled and small and known is None and missing & _STILL_PARTS:
            missing |= _STILL_PARTS
        frame = self._paint(shot, missing)
        if known is not None:
            frame = replace(known, **{part: getattr(frame, part) for part in missing})
        if small and self.frames_kept:
            self._keep(shot, frame)
        return frame

    def _keep(self, shot: Shot, frame: Frame) -> None:
        with self._lock:
            self._frames[shot] = frame
            self._frames.move_to_end(shot)
            while len(self._frames) > self.frames_kept:
                self._frames.popitem(last=False)

    def _paint(self, shot: Shot, parts: set[View]) -> Frame:
        with self._lock:
            self.painted += 1
        return self._painter(shot).paint(
            shot.eye,
            shot.yaw_deg,
            shot.pitch_deg,
            roll_deg=shot.roll_deg,
            hidden=shot.hidden,
            extra=shot.extra,
            want=tuple(sorted(parts)),
        )

    def _painter(self, shot: Shot) -> Painter:
        if shot.pixels > SMALL_PIXELS:
            return Painter(self.world, shot.width, shot.height, shot.fov_deg)
        kept: OrderedDict[tuple[int, int, float], Painter] | None = getattr(self._painters, "kept", None)
        if kept is None:
            kept = self._painters.kept = OrderedDict()
        size = (shot.width, shot.height, shot.fov_deg)
        painter = kept.get(size)
        if painter is None:
            painter = kept[size] = Painter(self.world, *size)
        kept.move_to_end(size)
        while len(kept) > _PAINTERS_KEPT:
            kept.popitem(last=False)
        return painter


def _parts(frame: Frame | None) -> set[View]:
    if frame is None:
        return set()
    return {part.name for part in fields(frame) if getattr(frame, part.name) is not None}  # type: ignore[misc]
