"""What a participant's messages are made of: things in view, goods, tools, deeds, lines, the goal."""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from siturec.protocol.messages import Approach, Side
from siturec.protocol.vocabulary import EntityKind, ToolName


class Event(BaseModel):
    """Base of every socket message."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Thing(Event):
    """One visible thing as its user may know it: marker, name, place; outlines in frame pixels."""

    marker: str
    kind: EntityKind
    name: str
    distance_m: float
    side: Side = "ahead"
    reachable: bool | None = None
    approaches: tuple[Approach, ...] = ()
    outlines: tuple[tuple[tuple[int, int], ...], ...] = ()


class Item(Event):
    """A product in hand, being checked or in the cart; ``details`` only what the user has learned."""

    name: str
    marker: str | None = None
    price: float | None = None
    details: dict[str, Any] = Field(default_factory=dict)


class Tool(Event):
    """Whether a tool can be used now, and if not, why."""

    tool: ToolName
    enabled: bool = True
    reason: str = ""


class Deed(Event):
    """An action as carried out: the tool, its arguments as given, the target's name, and what came of it."""

    tool: ToolName
    args: dict[str, Any] = Field(default_factory=dict)
    name: str = ""
    ok: bool | None = None
    displacement_m: float | None = None
    message: str = ""


class Line(Event):
    """One line of the talk; ``index`` makes drawing it twice the same as once."""

    index: int
    turn: int
    speaker: Literal["assistant", "user"]
    text: str
    deed: Deed | None = None


class Goal(Event):
    """What the participant is shopping for."""

    text: str
    budget: float
    preferences: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
