"""What passes between the roles in one turn, and what each role is given to answer from.

All shapes are frozen pydantic models, so that the web page, the models' JSON schemas, the scripted
policies and the record share one definition. Metres and degrees throughout; left-handed, Z up,
+X ahead at yaw 0, +Y to the right, yaw clockwise seen from above.
"""

import hashlib
from typing import Any, Literal

import orjson
from pydantic import Field

from siturec.protocol.knowledge import CatalogEntry as CatalogEntry
from siturec.protocol.knowledge import StoreKnowledge as StoreKnowledge
from siturec.protocol.knowledge import TargetEntry as TargetEntry
from siturec.protocol.shape import Approach as Approach
from siturec.protocol.shape import Hashed as Hashed
from siturec.protocol.shape import Shape as Shape
from siturec.protocol.shape import Side as Side
from siturec.protocol.vocabulary import Condition, DialogueAct, EntityKind, SceneKind, ToolName


class Pose(Shape):
    """Where the shopper's feet are and where the eyes look."""

    x_m: float
    y_m: float
    yaw_deg: float = 0.0
    pitch_deg: float = 0.0


class Sighting(Shape):
    """One visible thing, under both roles' markers.

    ``outlines`` are closed polygons in frame pixels (x, y), one per region for a product, one box for a
    building, the floor disc for an area: what a click is tested against. Empty when the thing is listed
    but too small or too far to be painted.
    """

    entity: str
    kind: EntityKind
    name: str
    user_marker: str
    assistant_marker: str
    distance_m: float
    side: Side = "ahead"
    reachable: bool | None = None
    approaches: tuple[Approach, ...] = ()
    outlines: tuple[tuple[tuple[int, int], ...], ...] = ()
    labelled: bool = True


class Observation(Shape):
    """What can be seen from one pose."""

    pose: Pose
    visible: tuple[Sighting, ...] = ()

    def by_marker(self, role: Literal["user", "assistant"], marker: str) -> Sighting | None:
        """The thing a role calls ``marker``, or None when it is not in view."""
        wanted = marker.strip().casefold()
        for seen in self.visible:
            own = seen.user_marker if role == "user" else seen.assistant_marker
            if own.casefold() == wanted:
                return seen
        return None

    def by_entity(self, entity: str) -> Sighting | None:
        """The sighting of an entity such as ``product:sm-0101``, or None when it is not in view."""
        return next((seen for seen in self.visible if seen.entity == entity), None)


class View(Shape):
    """An observation with the two painted frames, JPEG, of the same pixels; empty where nobody looks."""

    observation: Observation
    width: int
    height: int
    user_frame: bytes
    assistant_frame: bytes
    minimap_user: bytes | None = None
    minimap_assistant: bytes | None = None
    minimap_text: str = ""


class ShopperState(Shape):
    """What the shopper has in hand, has just checked, and has in the cart (product ids)."""

    held: str | None = None
    checked: str | None = None
    cart: tuple[str, ...] = ()


class ToolCall(Shape):
    """One tool call in the caller's own markers, as spoken; nothing about it is trusted yet."""

    tool: str
    args: dict[str, Any] = Field(default_factory=dict)


class ResolvedAction(Shape):
    """A validated call: markers replaced by entity ids, distances in metres, angles in degrees."""

    tool: ToolName
    target: str | None = None
    product: str | None = None
    approach: Approach | None = None
    direction: Literal["left", "right", "up", "down"] | None = None
    distance_m: float | None = None
    angle_deg: float | None = None


class Outcome(Shape):
    """What executing an action did. ``displacement_m`` is measured, never assumed."""

    ok: bool
    displacement_m: float = 0.0
    message: str = ""


class AssistantAction(Shape):
    """The one hidden annotation of an assistant's turn. Goals are entity ids once resolved."""

    type: DialogueAct
    display_name: str | None = None
    visible_now: bool | None = None
    reason: str | None = None
    navigation_goal: str | None = None
    next_waypoint: str | None = None
    target_approach: str | None = None


class ExpectedAction(Shape):
    """The user action an assistant expects, in its own markers; ``resolved`` holds the entities."""

    tool: str
    args: dict[str, Any] = Field(default_factory=dict)
    resolved: dict[str, Any] | None = None


class AssistantMessage(Shape):
    """An assistant's whole answer; the user ever sees only ``utterance``.

    ``ranking`` is kept as given, repeats and unknown ids included; None means no ranking was given.
    """

    utterance: str
    assistant_actions: tuple[AssistantAction, ...] = Field(min_length=1, max_length=1)
    ranking: tuple[str, ...] | None = None
    expected_user_action: ExpectedAction | None = None
    tool_calls: tuple[Any, ...] = ()

    @property
    def action(self) -> AssistantAction:
        """The single annotation."""
        return self.assistant_actions[0]


class UserMessage(Shape):
    """A user's answer: words (possibly none, for a person) and exactly one tool call."""

    reply: str
    tool_call: ToolCall


class ModeratorDecision(Shape):
    """A strict yes or no; None when the moderator's words could not be read as either."""

    stop: bool
    missing: bool = False
    raw: str = ""


class PastTurn(Hashed):
    """One finished turn as both roles may remember it: dialogue, the executed action, its outcome.

    ``visible`` is what could be seen *before* that turn's action; None where an ablation hides it.
    """

    turn: int
    utterance: str
    reply: str
    action: ResolvedAction | None
    outcome: Outcome | None
    visible: tuple[Sighting, ...] | None = None


class AssistantInput(Shape):
    """Everything an assistant is given in one turn; the same bytes for people and simulated users.

    Under ``no_ego_view`` the frame is None; under ``no_ego_view_no_caption`` ``observation`` is None too
    and past turns carry no ``visible``. ``correction`` names what was wrong with a first answer.
    """

    store: StoreKnowledge
    condition: Condition
    turn: int
    turn_limit: int
    pose: Pose
    observation: Observation | None
    frame: bytes | None
    minimap: bytes | None
    minimap_text: str
    history: tuple[PastTurn, ...]
    state: ShopperState
    held_details: dict[str, Any] | None = None
    seed: int
    correction: str | None = None

    def digest(self) -> str:
        """SHA-256 over everything the assistant was given; images, the store and past turns by their own."""
        body = self.model_dump(mode="python", exclude={"frame", "minimap", "store", "history"})
        body["store"] = self.store.digest
        body["history"] = [past.digest for past in self.history]
        body["frame"] = hashlib.sha256(self.frame).hexdigest() if self.frame is not None else None
        body["minimap"] = hashlib.sha256(self.minimap).hexdigest() if self.minimap is not None else None
        return hashlib.sha256(orjson.dumps(body, option=orjson.OPT_SORT_KEYS)).hexdigest()


class UserInput(Shape):
    """Everything a user (person or simulated) is given in one turn.

    ``known`` maps product ids to the attributes this user has learned by inspecting or asking.
    ``profile`` and ``task`` are the pack's own records, dumped; private to the user.
    """

    scene: str
    kind: SceneKind
    turn: int
    turn_limit: int
    utterance: str
    observation: Observation
    frame: bytes
    minimap: bytes | None
    history: tuple[PastTurn, ...]
    state: ShopperState
    known: dict[str, dict[str, Any]] = Field(default_factory=dict)
    profile: dict[str, Any]
    task: dict[str, Any]
    seed: int
    refusal: str | None = None


class ModeratorInput(Shape):
    """History, the latest two messages and the current action: what the moderator may see."""

    history: tuple[PastTurn, ...]
    utterance: str
    reply: str
    action: ResolvedAction | None
    outcome: Outcome | None
    seed: int


class JudgeInput(Shape):
    """A finished episode's textual record (``siturec.trajectory`` form); frames only in the second mode."""

    record: dict[str, Any]
    task: dict[str, Any]
    profile: dict[str, Any]
    catalog: tuple[CatalogEntry, ...] = ()
    frames: tuple[bytes, ...] = ()
    seed: int = 0


class JudgeScores(Shape):
    """Seven scores from 1 to 5; a dimension may be missing, which is never a low score."""

    scores: dict[str, int | None]
    evidence: dict[str, str] = Field(default_factory=dict)
