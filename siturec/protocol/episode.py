"""The episode as a pure state machine: which step comes next, and what each step leads to.

One turn goes observe -> assistant -> user -> execute -> (rules) -> moderate. The state is a function of
the recorded steps alone, so an episode resumes from its record at any of them.
"""

from typing import Literal

from siturec.protocol.endings import Tally, moderator_ending, rule_ending, tallied
from siturec.protocol.messages import ModeratorDecision, Outcome, Shape
from siturec.protocol.study import Limits
from siturec.protocol.vocabulary import DialogueAct, EndReason, ToolName

StepName = Literal["observe", "assistant", "user", "execute", "moderate", "ended"]


class IllegalStep(Exception):
    """A step was taken that is not the next one."""


class EpisodeState(Shape):
    """Where an episode stands. ``act`` and ``tool`` are those of the turn under way."""

    limits: Limits
    next: StepName = "observe"
    tally: Tally = Tally()
    act: DialogueAct | None = None
    tool: ToolName | None = None
    ended: EndReason | None = None

    @property
    def turn(self) -> int:
        """The index of the turn under way (from 0), or of the last one when the episode is over."""
        return self.tally.turns - (self.next in ("moderate", "ended") and self.tally.turns > 0)


def begin(limits: Limits) -> EpisodeState:
    """An episode of which nothing is recorded yet."""
    return EpisodeState(limits=limits)


def _expect(state: EpisodeState, step: StepName) -> None:
    if state.next != step:
        raise IllegalStep(f"turn {state.turn}: the next step is '{state.next}', not '{step}'")


def observed(state: EpisodeState) -> EpisodeState:
    """The view of this turn is recorded. Raises: IllegalStep."""
    _expect(state, "observe")
    return state.model_copy(update={"next": "assistant"})


def assistant_answered(state: EpisodeState, act: DialogueAct) -> EpisodeState:
    """The assistant's message is recorded. Raises: IllegalStep."""
    _expect(state, "assistant")
    return state.model_copy(update={"next": "user", "act": act})


def user_answered(state: EpisodeState, tool: ToolName) -> EpisodeState:
    """The user's reply and valid call are recorded. Raises: IllegalStep."""
    _expect(state, "user")
    return state.model_copy(update={"next": "execute", "tool": tool})


def executed(state: EpisodeState, outcome: Outcome, *, cart: tuple[str, ...]) -> EpisodeState:
    """The action was carried out: the turn counts, and the rules are checked. Raises: IllegalStep."""
    _expect(state, "execute")
    if state.act is None or state.tool is None:
        raise IllegalStep("an action was executed that nobody chose")
    tally = tallied(state.tally, act=state.act, tool=state.tool, outcome=outcome, cart=cart)
    ended = rule_ending(tally, state.limits)
    following: StepName = "moderate" if ended is None else "ended"
    return state.model_copy(
        update={"next": following, "tally": tally, "act": None, "tool": None, "ended": ended}
    )


def moderated(state: EpisodeState, decision: ModeratorDecision) -> EpisodeState:
    """The moderator has decided. Raises: IllegalStep."""
    _expect(state, "moderate")
    ended = moderator_ending(decision)
    return state.model_copy(update={"next": "ended" if ended else "observe", "ended": ended})


def stopped(state: EpisodeState, reason: EndReason) -> EpisodeState:
    """Ended from outside: abandoned, or a technical failure. An episode that is over stays as it ended."""
    if state.next == "ended":
        return state
    return state.model_copy(update={"next": "ended", "ended": reason})
