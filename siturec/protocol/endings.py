"""When an episode ends: purchase, turn limit, recommendation limit, motion stall, and last the moderator.

Source: SituRecBench B.3; the order is docs/protocol.md's, a purchase wins over every limit.
"""

from siturec.protocol.actions import NEGLIGIBLE_M
from siturec.protocol.messages import ModeratorDecision, Outcome, Shape
from siturec.protocol.study import Limits
from siturec.protocol.vocabulary import TRANSLATIONAL, DialogueAct, EndReason, ToolName


class Tally(Shape):
    """What the endings look at, after some number of recorded turns."""

    turns: int = 0
    recommendations: int = 0
    stalled: int = 0
    cart: tuple[str, ...] = ()


def tallied(
    tally: Tally, *, act: DialogueAct, tool: ToolName, outcome: Outcome, cart: tuple[str, ...]
) -> Tally:
    """The tally after one more executed turn.

    Stalled moves count only in a row: any other action, and any move of 5 cm or more, starts anew.
    """
    stalled = tool in TRANSLATIONAL and outcome.displacement_m < NEGLIGIBLE_M
    return Tally(
        turns=tally.turns + 1,
        recommendations=tally.recommendations + (act == "Recommend"),
        stalled=tally.stalled + 1 if stalled else 0,
        cart=cart,
    )


def rule_ending(tally: Tally, limits: Limits) -> EndReason | None:
    """The first rule that ends the episode here, the moderator aside."""
    if tally.cart:
        return EndReason.SUCCESS_CART_ADDED
    if tally.turns >= limits.turns:
        return EndReason.TURN_LIMIT
    if tally.recommendations >= limits.recommendations:
        return EndReason.RECOMMENDATION_EXHAUSTED
    if tally.stalled >= limits.stalls:
        return EndReason.MOTION_STALL
    return None


def moderator_ending(decision: ModeratorDecision) -> EndReason | None:
    """A yes ends the episode; a no, and a missing answer, does not."""
    return EndReason.MODERATOR_STOP if decision.stop and not decision.missing else None
