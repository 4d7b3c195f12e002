"""The episode's state machine and its endings."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from siturec.protocol import episode as machine
from siturec.protocol.endings import Tally, rule_ending, tallied
from siturec.protocol.messages import ModeratorDecision, Outcome
from siturec.protocol.study import Limits
from siturec.protocol.vocabulary import DIALOGUE_ACTS, TRANSLATIONAL, EndReason

GO_ON = ModeratorDecision(stop=False)
MOVED = Outcome(ok=True, displacement_m=1.0)
STUCK = Outcome(ok=True, displacement_m=0.049)


def play(turns, limits=None, moderator=GO_ON):
    """Drive the machine through (act, tool, outcome, cart) turns until it ends."""
    state = machine.begin(limits or Limits())
    for act, tool, outcome, cart in turns:
        state = machine.observed(state)
        state = machine.assistant_answered(state, act)
        state = machine.user_answered(state, tool)
        state = machine.executed(state, outcome, cart=cart)
        if state.next == "moderate":
            state = machine.moderated(state, moderator)
        if state.next == "ended":
            break
    return state


STEP = st.tuples(
    st.sampled_from(DIALOGUE_ACTS),
    st.sampled_from(["move_forward", "turn", "idle", "add_to_cart"]),
    st.sampled_from([MOVED, STUCK]),
    st.sampled_from([(), (), (), ("p-1",)]),
)


@given(st.lists(STEP, max_size=30), st.booleans())
def test_an_episode_ends_by_the_first_rule_that_holds_and_never_later(steps, stop):
    state = play(steps, moderator=ModeratorDecision(stop=stop))
    seen = steps[: state.tally.turns]
    if state.ended is EndReason.SUCCESS_CART_ADDED:
        assert seen[-1][3]
    elif state.ended is EndReason.TURN_LIMIT:
        assert len(seen) == 20
    elif state.ended is EndReason.RECOMMENDATION_EXHAUSTED:
        assert sum(act == "Recommend" for act, *_ in seen) == 3
    elif state.ended is EndReason.MOTION_STALL:
        assert all(tool in TRANSLATIONAL and out is STUCK for _, tool, out, _ in seen[-3:])
    elif state.ended is EndReason.MODERATOR_STOP:
        assert stop
        assert len(seen) == 1
    else:
        assert state.ended is None
        assert len(seen) == len(steps) < 20
    assert not any(cart for *_, cart in seen[:-1])


@given(st.integers(0, 30), st.integers(0, 5), st.integers(0, 5))
def test_a_purchase_wins_over_every_limit(turns, recommendations, stalled):
    tally = Tally(turns=turns, recommendations=recommendations, stalled=stalled, cart=("p-1",))
    assert rule_ending(tally, Limits()) is EndReason.SUCCESS_CART_ADDED


def test_the_limits_are_checked_in_the_protocols_order():
    everything = Tally(turns=20, recommendations=3, stalled=3)
    assert rule_ending(everything, Limits()) is EndReason.TURN_LIMIT
    assert (
        rule_ending(everything.model_copy(update={"turns": 19}), Limits())
        is EndReason.RECOMMENDATION_EXHAUSTED
    )
    assert rule_ending(Tally(turns=3, stalled=3), Limits()) is EndReason.MOTION_STALL


@pytest.mark.parametrize(("metres", "counted"), [(0.0499, 1), (0.05, 0)])
def test_five_centimetres_are_a_displacement_and_less_is_none(metres, counted):
    outcome = Outcome(ok=True, displacement_m=metres)
    tally = tallied(Tally(), act="Greet", tool="move_forward", outcome=outcome, cart=())
    assert tally.stalled == counted


def test_another_action_in_between_breaks_a_row_of_stalled_moves():
    stuck, look = ("Greet", "move_forward", STUCK, ()), ("Greet", "turn", STUCK, ())
    assert play([stuck, stuck, look, stuck, stuck]).ended is None
    assert play([stuck, stuck, stuck]).ended is EndReason.MOTION_STALL


def test_a_missing_moderator_answer_counts_as_no():
    state = play([("Greet", "idle", MOVED, ())], moderator=ModeratorDecision(stop=True, missing=True))
    assert state.ended is None


def test_steps_cannot_be_skipped_or_taken_twice():
    state = machine.observed(machine.begin(Limits()))
    with pytest.raises(machine.IllegalStep, match="next step is 'assistant', not 'observe'"):
        machine.observed(state)
    with pytest.raises(machine.IllegalStep):
        machine.executed(state, MOVED, cart=())


def test_an_episode_that_is_over_keeps_its_reason():
    bought = play([("Recommend", "add_to_cart", MOVED, ("p-1",))])
    assert machine.stopped(bought, EndReason.ABANDONED).ended is EndReason.SUCCESS_CART_ADDED
    assert machine.stopped(machine.begin(Limits()), EndReason.ABANDONED).ended is EndReason.ABANDONED
