"""Every message between a participant's browser and the server, one class each.

Nothing here can name an assistant: a participant meets a letter, the user's own markers and names of
things. Every message about a step carries ``seq``, which only grows within an episode; a client that sees
a gap, or comes back, sends ``resume`` and is given a ``snapshot``.

Binary messages are one byte of kind, four bytes (big-endian, unsigned) of number, then a JPEG:
a *still* carries the number of its observation (``frame_id``), a *moving* frame a counter of its own.
"""

import struct
from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter

from siturec.protocol.messages import Approach, Shape, Side
from siturec.protocol.vocabulary import EntityKind, ToolName

STILL, MOVING, MINIMAP = 1, 2, 3
BINARY_HEADER = struct.Struct(">BI")

Phase = Literal["waiting", "looking", "assistant", "user", "acting", "deciding", "ended"]
"""What is going on: waiting for a world, taking the view, the assistant answering, the participant's
turn, the action being carried out, the moderator deciding, over."""

Step = Literal[
    "consent", "profile", "goal", "store", "questionnaire", "done", "screened_out", "returned", "closed"
]
"""Where a participant is; ``store`` is the only step with a socket."""


class ThingOffer(Shape):
    """One thing that can, or cannot now, be done with a marked thing."""

    tool: ToolName
    approach: Approach | None = None
    enabled: bool
    reason: str = ""


class Thing(Shape):
    """A visible thing as the participant may know it; ``outlines`` are polygons in frame pixels."""

    marker: str
    kind: EntityKind
    name: str
    distance_m: float
    side: Side
    reachable: bool | None = None
    outlines: tuple[tuple[tuple[int, int], ...], ...] = ()
    labelled: bool = True
    offers: tuple[ThingOffer, ...] = ()


class ToolOffer(Shape):
    """One tool of this kind of scene, and if it cannot be used now, why."""

    tool: ToolName
    enabled: bool
    reason: str = ""


class Item(Shape):
    """A product in hand, just checked, or in the cart; price and details once they are known."""

    name: str
    price: float | None = None
    details: dict[str, Any] = Field(default_factory=dict)


class ChatLine(Shape):
    """One thing said. ``turn`` and ``speaker`` together are unique: shown twice is shown once."""

    turn: int
    speaker: Literal["assistant", "user"]
    text: str


class Scene(Shape):
    """The view of one turn: its frame comes as a binary *still* with the same ``frame_id``."""

    frame_id: int
    width: int
    height: int
    things: tuple[Thing, ...]
    tools: tuple[ToolOffer, ...]
    held: Item | None = None
    checked: Item | None = None
    cart: tuple[Item, ...] = ()
    minimap: bool = False


class Result(Shape):
    """What came of the participant's action, in one line under the frame."""

    turn: int
    tool: ToolName
    ok: bool
    displacement_m: float
    text: str


class Ending(Shape):
    """The interaction is over: said in words that fit a participant, and where to go on."""

    bought: bool
    text: str
    next_url: str


class ServerMessage(Shape):
    """Base of what the server sends; ``seq`` 0 marks a message that is no step of the episode."""

    seq: int = 0


class Snapshot(ServerMessage):
    """Everything needed to draw the page from nothing."""

    type: Literal["snapshot"] = "snapshot"
    step: Step
    next_url: str = ""
    letter: str = ""
    position: int = 0
    of: int = 0
    turn: int = 0
    turn_limit: int = 0
    phase: Phase = "waiting"
    goal: str = ""
    budget: float | None = None
    reply_required: bool = False
    marker_policy: Literal["warn", "block"] = "warn"
    show_minimap: bool = False
    chat: tuple[ChatLine, ...] = ()
    scene: Scene | None = None
    result: Result | None = None
    draft: str = ""
    paused: bool = False
    notes: tuple[str, ...] = ()
    ending: Ending | None = None


class PhaseMessage(ServerMessage):
    """The phase changed; ``text`` is a line to show, such as "The assistant is looking around"."""

    type: Literal["phase"] = "phase"
    phase: Phase
    turn: int
    text: str = ""


class SceneMessage(ServerMessage):
    """A new view."""

    type: Literal["scene"] = "scene"
    turn: int
    scene: Scene


class AssistantSaid(ServerMessage):
    """The assistant's utterance; it is the participant's turn now."""

    type: Literal["assistant"] = "assistant"
    line: ChatLine


class UserSaid(ServerMessage):
    """The participant's own message, accepted and saved. ``client_id`` is that of the ``act``."""

    type: Literal["accepted"] = "accepted"
    client_id: str
    line: ChatLine
    tool: ToolName


class OutcomeMessage(ServerMessage):
    """The action was carried out."""

    type: Literal["outcome"] = "outcome"
    result: Result


class Refused(ServerMessage):
    """A message was not accepted and cost nothing. ``code`` lets the page offer the right way on."""

    type: Literal["refused"] = "refused"
    code: Literal[
        "not_allowed", "stale_frame", "not_your_turn", "says_marker", "empty_reply", "malformed", "elsewhere"
    ]
    reason: str
    client_id: str = ""


class EndedMessage(ServerMessage):
    """The interaction is over."""

    type: Literal["ended"] = "ended"
    ending: Ending


class Trouble(ServerMessage):
    """Something on our side failed; the turn is kept. ``final`` when the interaction cannot go on."""

    type: Literal["trouble"] = "trouble"
    text: str
    final: bool = False


class Elsewhere(ServerMessage):
    """The participant opened another tab; this one rests until ``take_over`` is sent."""

    type: Literal["elsewhere"] = "elsewhere"
    text: str


class Note(ServerMessage):
    """A note from the study's team, or the word that the study is paused or goes on."""

    type: Literal["note"] = "note"
    text: str
    paused: bool = False


class Act(Shape):
    """One reply and one action. ``client_id`` is made by the page: sent twice, it counts once.

    ``confirmed`` is set when the participant was told that the reply says a marker, and sends it anyway.
    """

    type: Literal["act"] = "act"
    client_id: str = Field(min_length=1, max_length=64)
    frame_id: int
    reply: str = Field(default="", max_length=2000)
    tool: str = Field(max_length=40)
    args: dict[str, Any] = Field(default_factory=dict)
    confirmed: bool = False


class Draft(Shape):
    """What stands in the reply box, so that a reload loses nothing."""

    type: Literal["draft"] = "draft"
    text: str = Field(max_length=2000)


class Resume(Shape):
    """Asks for a snapshot."""

    type: Literal["resume"] = "resume"
    have_seq: int = 0


class TakeOver(Shape):
    """ "Continue here": this tab becomes the one that plays."""

    type: Literal["take_over"] = "take_over"


class CallHelp(Shape):
    """The participant asks the study's team for help."""

    type: Literal["help"] = "help"
    text: str = Field(default="", max_length=1000)


ClientMessage = Annotated[Act | Draft | Resume | TakeOver | CallHelp, Field(discriminator="type")]
CLIENT_MESSAGE: TypeAdapter[Act | Draft | Resume | TakeOver | CallHelp] = TypeAdapter(ClientMessage)

AnyServerMessage = Annotated[
    Snapshot
    | PhaseMessage
    | SceneMessage
    | AssistantSaid
    | UserSaid
    | OutcomeMessage
    | Refused
    | EndedMessage
    | Trouble
    | Elsewhere
    | Note,
    Field(discriminator="type"),
]
SERVER_MESSAGE: TypeAdapter[ServerMessage] = TypeAdapter(AnyServerMessage)


def pack_binary(kind: int, number: int, jpeg: bytes) -> bytes:
    """A binary message: one byte of kind, four of number, then the picture."""
    return BINARY_HEADER.pack(kind, number) + jpeg
