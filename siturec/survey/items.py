"""Instruments as data: what one looks like, and the one that ships, in English and German.

The seven dimensions are SituRecBench's (C.1, feature S53); titles, guidance and anchors are our own wording.
An instrument is only text and rules, so that a researcher's own scales are of the same kind as these.
"""

from pathlib import Path
from typing import Literal

from pydantic import Field

from siturec.protocol.messages import Shape
from siturec.protocol.vocabulary import DIMENSIONS

ItemKind = Literal["scale", "text", "check"]
POINTS = (1, 2, 3, 4, 5)
SEVEN = "siturecbench-7"


class Wording(Shape):
    """An item in one language. ``anchors`` label the five points of a scale, lowest first."""

    title: str
    text: str
    guidance: str = ""
    anchors: tuple[str, ...] = ()


class ItemSpec(Shape):
    """One question. ``dimension`` ties a scale to what is rated; ``expected`` is a check's right answer."""

    key: str = Field(pattern=r"^[a-z0-9]+([_-][a-z0-9]+)*$", max_length=60)
    kind: ItemKind = "scale"
    dimension: str = ""
    required: bool = True
    expected: int | None = Field(default=None, ge=1, le=5)
    words: dict[str, Wording]


class InstrumentSpec(Shape):
    """A named, versioned list of questions; ``shuffle`` deals a new order per episode."""

    slug: str = Field(pattern=r"^[a-z0-9]+([_-][a-z0-9]+)*$", max_length=60)
    version: str = "1"
    title: str
    shuffle: bool = False
    items: tuple[ItemSpec, ...]


SEVEN_ITEMS = InstrumentSpec.model_validate_json(Path(__file__).with_name(f"{SEVEN}.json").read_bytes())
INSTRUMENTS: dict[str, InstrumentSpec] = {SEVEN: SEVEN_ITEMS}


def rated_dimensions(instrument: InstrumentSpec) -> tuple[str, ...]:
    """The rated dimensions an instrument asks for, in the protocol's order."""
    asked = {item.dimension for item in instrument.items}
    return tuple(dimension for dimension in DIMENSIONS if dimension in asked)
