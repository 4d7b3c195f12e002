"""The closed word lists of the protocol: conditions, dialogue acts, tools, end reasons.

Source: SituRecBench, sections 3.3, B.2, B.3; C.1 for the tool counts (12 and 13).
"""

from enum import StrEnum
from typing import Literal, get_args

SceneKind = Literal["supermarket", "home"]
"""``supermarket`` navigates between fixtures; ``home`` between stores and their display areas."""

Role = Literal["user", "assistant"]
EntityKind = Literal["product", "fixture", "store", "area"]
Condition = Literal["full", "no_ego_view", "no_ego_view_no_caption"]
UserKind = Literal["human", "simulated"]

DialogueAct = Literal[
    "Greet",
    "AskPreference",
    "ClarifyNeed",
    "Navigate",
    "Recommend",
    "Explain",
    "AnswerQuestion",
    "Compare",
    "HandleRejection",
    "ConfirmPurchase",
]

ToolName = Literal[
    "move_forward",
    "move_backward",
    "side_step",
    "turn",
    "look_up_down",
    "turn_and_move",
    "move_and_turn",
    "move_to_fixture",
    "pick_up_item",
    "drop_item",
    "move_to_store",
    "move_to_area",
    "check_item",
    "add_to_cart",
    "do_not_add_to_cart",
    "idle",
]

SHARED_TOOLS: tuple[ToolName, ...] = (
    "move_forward",
    "move_backward",
    "side_step",
    "turn",
    "look_up_down",
    "turn_and_move",
    "move_and_turn",
    "add_to_cart",
    "idle",
)
TOOLS: dict[SceneKind, tuple[ToolName, ...]] = {
    "supermarket": (*SHARED_TOOLS, "move_to_fixture", "pick_up_item", "drop_item"),
    "home": (*SHARED_TOOLS, "move_to_store", "move_to_area", "check_item", "do_not_add_to_cart"),
}
"""The tools that exist in each kind of scene: 12 in a supermarket, 13 in a home furnishings store."""

TRANSLATIONAL: frozenset[ToolName] = frozenset(
    {
        "move_forward",
        "move_backward",
        "side_step",
        "turn_and_move",
        "move_and_turn",
        "move_to_fixture",
        "move_to_store",
        "move_to_area",
    }
)
"""Tools whose success is a displacement; three in a row without one end the episode."""


class EndReason(StrEnum):
    """Why an episode ended; the last two are ours and stay out of every metric."""

    SUCCESS_CART_ADDED = "success_cart_added"
    TURN_LIMIT = "turn_limit"
    RECOMMENDATION_EXHAUSTED = "recommendation_exhausted"
    MODERATOR_STOP = "moderator_stop"
    MOTION_STALL = "motion_stall"
    ABANDONED = "abandoned"
    TECHNICAL_FAILURE = "technical_failure"


OUT_OF_METRICS: frozenset[EndReason] = frozenset({EndReason.ABANDONED, EndReason.TECHNICAL_FAILURE})

DIALOGUE_ACTS: tuple[DialogueAct, ...] = get_args(DialogueAct)
CONDITIONS: tuple[Condition, ...] = get_args(Condition)

DIMENSIONS: tuple[str, ...] = (
    "informativeness",
    "naturalness",
    "groundedness",
    "preference_alignment",
    "proactiveness",
    "non_repetition",
    "overall_satisfaction",
)
"""The seven rated dimensions, in the order of the questionnaire and of the judge's answer."""
