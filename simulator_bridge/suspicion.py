"""What a capture itself tells of whether a world has sent what it was asked for."""

import numpy as np

from simulator_bridge.capture import Capture
from siturec.markers.colours import ColourTable

EDGE_ROWS, EDGES = 16, 50
"""Between poses far apart, so many upright edges in a mask (in every sixteenth row) move by pixels."""
EXCHANGED_SHARE = 1 / 80
"""Mask colours in this share of the pixels are worth a closer look at whether a picture is a mask."""


def exchanged(capture: Capture, table: ColourTable) -> bool:
    """Whether the picture shows the mask's few colours, and the mask the many of a lit picture."""
    if capture.lit is capture.mask:
        return False
    both = capture.lit[::EDGE_ROWS], capture.mask[::EDGE_ROWS]
    lit, mask = (float(np.mean(table.numbers(shown, bgr=True) >= 0)) for shown in both)
    if lit <= EXCHANGED_SHARE or lit <= 4 * mask:
        return False
    # A lit wall may have the colour of some mask, but not that colour alone.
    of_lit, of_mask = (
        len(np.unique(np.ascontiguousarray(shown).view(np.uint32) & 0xFFFFFF)) for shown in both
    )
    return of_mask > 4 * of_lit


def has_edges(capture: Capture, table: ColourTable) -> bool:
    """Whether a mask shows enough that it cannot stay the same where the eye is moved."""
    numbers = table.numbers(capture.mask[::EDGE_ROWS], bgr=True)
    return int(np.count_nonzero(np.diff(numbers, axis=1))) > EDGES


def has_detail(capture: Capture) -> bool:
    """Whether a picture has enough in it that two places cannot look the same."""
    return bool(capture.lit[::16, ::16, :3].std() > 2.0)
