"""What a capture itself tells of whether a world has sent what it was asked for."""

import numpy as np
from numpy.typing import NDArray

from simulator_bridge.capture import Capture, Picture
from siturec.markers.colours import ColourTable

EDGE_ROWS, EDGES = 16, 50
"""Between poses far apart, so many upright edges in a mask (in every sixteenth row) move by pixels."""
EXCHANGED_SHARE = 1 / 80
"""Mask colours in this share of the pixels are worth a closer look at whether a picture is a mask."""


FLAT_SHARE = 1 / 16
"""In a mask fewer neighbours than this differ; in a lit picture five times as many do."""


def mixed_up(capture: Capture, table: ColourTable) -> bool:
    """Whether the picture and the mask were exchanged, or one of them was sent for both."""
    if capture.lit is capture.mask:
        return False
    lit, mask = _codes(capture.lit), _codes(capture.mask)
    if np.array_equal(lit, mask):
        # In the dark both are black.
        return bool(lit.any())
    of_lit, of_mask = _share(capture.lit, table), _share(capture.mask, table)
    if of_lit <= EXCHANGED_SHARE or of_lit <= 4 * of_mask:
        return False
    # A lit wall may have the colour of some mask, but not that colour alone.
    return len(np.unique(mask)) > 4 * len(np.unique(lit))


def like_a_mask(picture: Picture, table: ColourTable) -> bool:
    """Whether a picture (H, W, 4) uint8 BGRA is as flat as a mask, in the colours of one.

    Nothing is there to compare it with, so this is no proof: enough to leave out one of many.
    """
    codes = _codes(picture)
    if np.count_nonzero(codes[:, 1:] != codes[:, :-1]) > FLAT_SHARE * codes.size:
        return False
    return _share(picture, table) > EXCHANGED_SHARE


def _codes(picture: Picture) -> NDArray[np.uint32]:
    """The colours in some of the rows, each as one number."""
    codes: NDArray[np.uint32] = np.ascontiguousarray(picture[::EDGE_ROWS]).view(np.uint32)[..., 0]
    return codes & np.uint32(0xFFFFFF)


def _share(picture: Picture, table: ColourTable) -> float:
    """How much of a picture has the colour of some entity."""
    return float(np.mean(table.numbers(picture[::EDGE_ROWS], bgr=True) >= 0))


def has_edges(capture: Capture, table: ColourTable) -> bool:
    """Whether a mask shows enough that it cannot stay the same where the eye is moved."""
    numbers = table.numbers(capture.mask[::EDGE_ROWS], bgr=True)
    return int(np.count_nonzero(np.diff(numbers, axis=1))) > EDGES


def has_detail(capture: Capture) -> bool:
    """Whether a picture has enough in it that two places cannot look the same."""
    return bool(capture.lit[::16, ::16, :3].std() > 2.0)
