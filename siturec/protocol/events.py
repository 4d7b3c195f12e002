"""What passes over a participant's socket: JSON shapes, and the two kinds of picture.

The server's side of the talk is a snapshot (all there is to draw) and small messages after it; every
one carries ``seq``, rising by one, so that a client that sees a gap asks for the snapshot again.
Nothing here may name an assistant: a participant knows a letter only, and the user's own markers only.
"""

import struct
from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter

from siturec.protocol.events_parts import Deed, Event, Goal, Item, Line, Thing, Tool
from siturec.protocol.given import Args, Words
from siturec.protocol.vocabulary import EndReason, SceneKind

__all__ = [
    "CLIENT_EVENT",
    "MAX_REPLY",
    "MINIMAP",
    "MOVING",
    "SERVER_EVENT",
    "STILL",
    "Accepted",
    "Act",
    "CallHelp",
    "ClientEvent",
    "ClientMessage",
    "Deed",
    "Draft",
    "Drafted",
    "Ended",
    "Event",
    "Goal",
    "Happened",
    "Item",
    "Line",
    "Note",
    "Phase",
    "Phased",
    "PictureKind",
    "Ping",
    "Refused",
    "Resume",
    "Said",
    "ServerEvent",
    "Shown",
    "Snapshot",
    "Superseded",
    "TakeOver",
    "Thing",
    "Tool",
    "Trouble",
    "pack_picture",
    "unpack_picture",
]

PictureKind = Literal[1, 2, 3]
STILL: PictureKind = 1
MOVING: PictureKind = 2
MINIMAP: PictureKind = 3
_HEAD = struct.Struct(">BI")

MAX_REPLY = 1000
"""Characters a reply may have; longer ones are refused before sending, with the text kept."""

Phase = Literal["preparing", "assistant", "user", "acting", "ended"]
"""Who is at work: the world is being set up, the assistant answers, the person, the action runs, over."""


class Snapshot(Event):
    """Everything the store page draws. ``frame`` numbers the still picture that ``things`` belong to."""

    type: Literal["snapshot"] = "snapshot"
    seq: int
    kind: SceneKind
    scene_name: str = ""
    letter: str
    turn: int
    turn_limit: int
    phase: Phase
    frame: int | None = None
    width: int = 960
    height: int = 540
    things: tuple[Thing, ...] = ()
    tools: tuple[Tool, ...] = ()
    lines: tuple[Line, ...] = ()
    held: Item | None = None
    checked: Item | None = None
    cart: tuple[Item, ...] = ()
    goal: Goal
    minimap: bool = False
    reply_required: bool = False
    draft: dict[str, Any] = Field(default_factory=dict)
    last_client_id: str | None = None
    marker_policy: Literal["warn", "block"] = "warn"
    notes: tuple[str, ...] = ()
    paused: bool = False
    practice: bool = False
    end_reason: EndReason | None = None
    waiting: str = ""
    queue: int | None = None
    next_url: str = ""


class Phased(Event):
    """Who is at work now; ``waiting`` says why it takes long, when something is the matter.

    ``queue`` is the place in the line for a store, 1 for next, while all stores are taken.
    """

    type: Literal["phase"] = "phase"
    seq: int
    phase: Phase
    turn: int
    waiting: str = ""
    queue: int | None = None


class Said(Event):
    """A line was added to the talk."""

    type: Literal["line"] = "line"
    seq: int
    line: Line


class Accepted(Event):
    """The person's turn was stored; a second sending of the same id gets this answer again."""

    type: Literal["accepted"] = "accepted"
    seq: int
    client_id: str


class Happened(Event):
    """What came of the person's action."""

    type: Literal["outcome"] = "outcome"
    seq: int
    turn: int
    deed: Deed


class Refused(Event):
    """Something sent could not be taken; nothing changed and the text is kept.

    ``code``: ``invalid`` (not understood), ``stale`` (chosen on an older frame), ``not_allowed`` (the tool's
    rule), ``too_long``, ``empty`` (the study wants words), ``busy`` (not the person's turn), ``ended``,
    ``superseded`` (a newer tab acts), ``sign_in`` (the seat is no longer this visitor's), ``says_marker``
    (the reply says a marker; under policy ``warn`` it may be sent again, ``confirmed``). ``rule`` is which of
    the tool's rules, ``values`` the names and numbers in ``reason``, for a page in another language.
    """

    type: Literal["refused"] = "refused"
    seq: int
    code: Literal[
        "invalid",
        "stale",
        "not_allowed",
        "too_long",
        "empty",
        "busy",
        "ended",
        "superseded",
        "sign_in",
        "says_marker",
    ]
    reason: str
    rule: str = ""
    values: dict[str, str | float] = Field(default_factory=dict)
    client_id: str | None = None


class Superseded(Event):
    """A newer tab has taken over; this one may take it back by ``take_over``."""

    type: Literal["superseded"] = "superseded"
    seq: int


class Drafted(Event):
    """The draft of this ``stamp`` is kept, or there is nothing any more to keep it for."""

    type: Literal["drafted"] = "drafted"
    seq: int
    stamp: str


class Ended(Event):
    """The interaction is over; ``next_url`` is the step that follows."""

    type: Literal["ended"] = "ended"
    seq: int
    end_reason: EndReason
    next_url: str


class Trouble(Event):
    """Something on our side failed; the turn is kept. ``final`` when this interaction cannot go on."""

    type: Literal["trouble"] = "trouble"
    seq: int
    text: str
    final: bool = False


class Note(Event):
    """A word from the study's team, or that the study is paused or goes on."""

    type: Literal["note"] = "note"
    seq: int
    text: str
    paused: bool = False


ServerEvent = (
    Snapshot | Phased | Said | Accepted | Happened | Refused | Superseded | Drafted | Ended | Trouble | Note
)


class Act(Event):
    """One reply and one action, chosen on ``frame``; sent twice with one ``client_id``, it counts once."""

    type: Literal["act"] = "act"
    client_id: str = Field(min_length=8, max_length=64, pattern=r"^[!-~]+$")
    frame: int = Field(strict=True, ge=0, lt=2**31)
    reply: Words = ""
    tool: str = Field(max_length=40)
    args: Args = Field(default_factory=dict)
    confirmed: bool = False


class Draft(Event):
    """What is typed and chosen but not sent, kept for a reload or another device; ``stamp`` is the page's."""

    type: Literal["draft"] = "draft"
    stamp: str = Field(default="", max_length=64)
    text: Words = Field(default="", max_length=4 * MAX_REPLY)
    tool: str | None = Field(default=None, max_length=40)
    args: Args = Field(default_factory=dict)


class Resume(Event):
    """Asks for the snapshot and, unless ``have_frame`` is current, the still picture."""

    type: Literal["resume"] = "resume"
    have_seq: int = 0
    have_frame: int | None = None


class TakeOver(Event):
    """This tab wants to be the one that acts."""

    type: Literal["take_over"] = "take_over"


class Ping(Event):
    """Still here; answered by nothing, it keeps the presence fresh."""

    type: Literal["ping"] = "ping"


class Shown(Event):
    """The moving picture of this number came, and more may; a page that shows none says nothing."""

    type: Literal["shown"] = "shown"
    number: int = Field(strict=True, ge=0, lt=2**32)


class CallHelp(Event):
    """The participant asks the study's team for help."""

    type: Literal["help"] = "help"
    text: Words = Field(default="", max_length=MAX_REPLY)


ClientMessage = Act | Draft | Resume | TakeOver | Ping | Shown | CallHelp
ClientEvent = Annotated[ClientMessage, Field(discriminator="type")]
CLIENT_EVENT: TypeAdapter[ClientMessage] = TypeAdapter(ClientEvent)
SERVER_EVENT: TypeAdapter[ServerEvent] = TypeAdapter(Annotated[ServerEvent, Field(discriminator="type")])


def pack_picture(kind: PictureKind, number: int, jpeg: bytes) -> bytes:
    """A binary message: one byte for the kind, four for the frame's number (big-endian), then the JPEG."""
    return _HEAD.pack(kind, number) + jpeg


def unpack_picture(data: bytes) -> tuple[int, int, bytes]:
    """The kind, number and JPEG of a binary message. Raises: ValueError when it is too short."""
    if len(data) < _HEAD.size:
        raise ValueError(f"a picture message has at least {_HEAD.size} bytes, got {len(data)}")
    kind, number = _HEAD.unpack_from(data)
    return kind, number, data[_HEAD.size :]
