"""The shape of a trajectory record: plain dicts, typed and checked strictly, extra keys kept.

Distances in metres, angles in degrees, times in ISO 8601 with an offset, scores whole numbers 1 to 5.
"""

from datetime import datetime
from typing import Annotated, Any, Literal, NotRequired

from pydantic import AfterValidator, ConfigDict, Field, with_config
from typing_extensions import TypedDict

from siturec.protocol.messages import Approach
from siturec.protocol.vocabulary import Condition, DialogueAct, EntityKind, UserKind

SCHEMA = "siturec.trajectory/1"
_KEEP = ConfigDict(extra="allow", strict=True, allow_inf_nan=False)

EndReasonName = Literal[
    "success_cart_added",
    "turn_limit",
    "recommendation_exhausted",
    "moderator_stop",
    "motion_stall",
    "abandoned",
    "technical_failure",
]


def _moment(value: str) -> str:
    try:
        moment = datetime.fromisoformat(value)
    except ValueError:
        raise ValueError("expected a time in ISO 8601, such as 2026-11-30T10:00:00Z") from None
    if moment.tzinfo is None:
        raise ValueError("expected a time with its offset from UTC, such as 2026-11-30T10:00:00Z")
    return value


def _bare_product(value: str) -> str:
    if value.startswith("product:"):
        raise ValueError("expected a product id as in the catalog, without 'product:'")
    return value


Slug = Annotated[str, Field(min_length=1)]
Moment = Annotated[str, AfterValidator(_moment)]
ProductId = Annotated[str, Field(min_length=1), AfterValidator(_bare_product)]
EntityId = Annotated[str, Field(pattern=r"^(product|fixture|store|area):.")]
CodedId = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,40}$")]
Score = Annotated[int, Field(ge=1, le=5)]


@with_config(_KEEP)
class PoseRecord(TypedDict):
    """Where the shopper stood and looked."""

    x_m: float
    y_m: float
    yaw_deg: float
    pitch_deg: float


@with_config(_KEEP)
class SightingRecord(TypedDict):
    """One visible entity under both roles' markers."""

    entity: EntityId
    kind: EntityKind
    user_marker: str
    assistant_marker: str
    distance_m: float
    reachable: NotRequired[bool | None]
    approaches: NotRequired[list[Approach]]


@with_config(_KEEP)
class ObservationRecord(TypedDict):
    """What could be seen before the turn's action."""

    pose: PoseRecord
    visible: list[SightingRecord]


@with_config(_KEEP)
class ResolvedRecord(TypedDict, total=False):
    """The entities behind a call's markers."""

    target: str | None
    product: str | None
    approach: str | None
    direction: str | None


@with_config(_KEEP)
class CallRecord(TypedDict):
    """A tool call, expected or made, in the caller's own markers; ``resolved`` holds the entities."""

    tool: str
    args: dict[str, Any]
    resolved: NotRequired[ResolvedRecord | None]


@with_config(_KEEP)
class ActionRecord(TypedDict):
    """The assistant's one annotation; a goal is an entity id, or as given where nothing was behind it."""

    type: DialogueAct
    navigation_goal: NotRequired[str | None]
    reason: NotRequired[str | None]


@with_config(_KEEP)
class AssistantRecord(TypedDict):
    """The assistant's half of a turn; a null ranking was not saved, an empty one was."""

    utterance: str
    action: ActionRecord | None
    ranking: list[str] | None
    expected_user_action: CallRecord | None


@with_config(_KEEP)
class OutcomeRecord(TypedDict):
    """What the executed action did."""

    ok: bool
    displacement_m: NotRequired[float | None]
    message: NotRequired[str]


@with_config(_KEEP)
class UserTurnRecord(TypedDict):
    """The user's half of a turn."""

    reply: str
    tool_call: CallRecord | None
    outcome: OutcomeRecord | None


@with_config(_KEEP)
class ModeratorRecord(TypedDict):
    """The moderator's decision; null where its words could not be read."""

    stop: bool | None


@with_config(_KEEP)
class TurnRecord(TypedDict):
    """One turn."""

    turn: Annotated[int, Field(ge=0)]
    observation: ObservationRecord | None
    assistant: AssistantRecord
    user: UserTurnRecord
    moderator: ModeratorRecord | None


@with_config(_KEEP)
class ScoresRecord(TypedDict):
    """Seven ratings; null where a rater skipped the dimension or an answer did not parse."""

    informativeness: Score | None
    naturalness: Score | None
    groundedness: Score | None
    preference_alignment: Score | None
    proactiveness: Score | None
    non_repetition: Score | None
    overall_satisfaction: Score | None


@with_config(_KEEP)
class UserRecord(TypedDict):
    """Who shopped: a coded participant or a simulated user's policy."""

    kind: UserKind
    policy: str | None
    participant: CodedId | None


@with_config(_KEEP)
class Trajectory(TypedDict):
    """One finished episode."""

    schema: Literal["siturec.trajectory/1"]
    episode_id: Slug
    scene: Slug
    task_id: Slug
    profile_id: Slug
    assistant: Slug
    user: UserRecord
    condition: Condition
    started_at: Moment
    ended_at: Moment
    end_reason: EndReasonName
    final_cart: list[ProductId]
    reference_items: list[ProductId]
    turns: list[TurnRecord]
    questionnaire: ScoresRecord | None
    judge: ScoresRecord | None
