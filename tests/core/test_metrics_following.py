"""The metrics page on following and visibility, a sentence each."""

from dataclasses import replace

import pytest

from siturec.metrics.facts import SceneFacts
from siturec.metrics.ledger import Ledger
from siturec.metrics.scoring import assistant_row, score_episodes
from tests.core.episode_maker import call, episode, turn
from tests.core.metric_samples import COOLER, HOME, MARKET, SHELF, cohort, value


def following(expected, actual, facts=MARKET, metric="AFR", scene="supermarket"):
    return value(episode([turn(0, expected=expected, call=actual)], scene=scene), metric, facts)


def test_following_compares_tool_names_only():
    assert following(call("turn", direction="left"), call("turn", direction="right")) == 100
    assert following(call("turn"), call("idle")) == 0
    assert following(call("turn"), None) == 0


def test_an_expected_tool_that_the_scene_lacks_is_not_eligible():
    assert following(call("move_to_store"), call("move_to_store")) is None
    assert following(call("fly"), call("fly")) is None
    assert following(None, call("turn")) is None
    assert following(call("pick_up_item"), call("pick_up_item"), HOME, scene="home_furnishings") is None
    assert following(call("move_to_store"), call("move_to_store"), HOME, scene="home_furnishings") == 100


def test_supermarket_has_twelve_legal_tools_and_home_thirteen():
    assert (len(MARKET.legal_tools), len(HOME.legal_tools)) == (12, 13)


@pytest.mark.parametrize("tool", ["pick_up_item", "add_to_cart", "idle", "drop_item"])
def test_every_turn_with_a_legal_expected_tool_counts_not_only_navigation(tool):
    record = episode([turn(0, expected=call(tool), call=call(tool), act="Recommend")])
    assert value(record, "AFR") == 100


def test_the_actual_action_is_the_first_call_of_the_turn():
    again = [turn(3, expected=call("turn"), call=call("turn")), turn(3, expected=None, call=call("idle"))]
    assert value(episode(again), "AFR") == 100


def test_following_is_averaged_over_episodes_with_an_eligible_event():
    half = episode(
        [
            turn(0, expected=call("turn"), call=call("turn")),
            turn(1, expected=call("turn"), call=call("idle")),
        ],
        episode_id="1",
    )
    none = episode([turn(0, expected=call("idle"), call=call("turn"))], episode_id="2")
    nothing = episode([turn(0)], episode_id="3")
    assert cohort(half, none, nothing).value("AFR") == 25


@pytest.mark.parametrize("tool", ["turn_and_move", "move_and_turn", "side_step", "turn"])
def test_directional_tools_compare_direction_never_size(tool):
    expected = call(tool, direction="left", angle=30, distance="short")
    assert following(expected, call(tool, direction="left", angle=90), metric="LNSR") == 100
    assert following(expected, call(tool, direction="right", angle=30), metric="LNSR") == 0
    assert following(expected, call(tool), metric="LNSR") == 0
    assert following(expected, call("idle", direction="left"), metric="LNSR") == 0
    assert following(expected, None, metric="LNSR") == 0


def test_looking_compares_up_and_down():
    expected = call("look_up_down", direction="up", angle=15)
    assert following(expected, call("look_up_down", direction="up"), metric="LNSR") == 100
    assert following(expected, call("look_up_down", direction="down"), metric="LNSR") == 0


@pytest.mark.parametrize("direction", [None, "", "sideways", 7, "up"])
def test_an_expected_action_without_a_usable_direction_is_left_out(direction):
    expected = call("turn", direction=direction)
    assert following(expected, call("turn", direction="left"), metric="LNSR") is None


def test_targets_are_compared_by_the_entity_across_both_alphabets():
    expected = call("move_to_fixture", target="7", resolved={"target": COOLER})
    same = call("move_to_fixture", target="C", approach="front", resolved={"target": COOLER})
    other = call("move_to_fixture", target="7", resolved={"target": SHELF})
    assert following(expected, same, metric="LNSR") == 100
    assert following(expected, other, metric="LNSR") == 0
    assert following(expected, call("move_to_fixture", target="7"), metric="LNSR") == 0


@pytest.mark.parametrize("resolved", [None, {}, {"target": None}, {"target": "product:sm-0001"}])
def test_an_expected_action_without_a_usable_target_is_left_out(resolved):
    expected = call("move_to_fixture", target="7", resolved=resolved)
    same = call("move_to_fixture", target="C", resolved={"target": COOLER})
    assert following(expected, same, metric="LNSR") is None


def store_call(approach=None, target="store:nest"):
    args = {} if approach is None else {"approach": approach}
    return call("move_to_store", target="2", resolved={"target": target, **args}, **args)


def test_a_store_compares_the_approach_only_when_the_expected_action_gives_it():
    given = {"facts": HOME, "metric": "LNSR", "scene": "home_furnishings"}
    assert following(store_call(), store_call("inside_doorway"), **given) == 100
    assert following(store_call("inside_doorway"), store_call("inside_doorway"), **given) == 100
    assert following(store_call("inside_doorway"), store_call("outside_doorway"), **given) == 0
    assert following(store_call("inside_doorway"), store_call(), **given) == 0
    assert following(store_call(), store_call(target="store:other"), **given) == 0


def test_an_area_compares_its_target():
    given = {"facts": HOME, "metric": "LNSR", "scene": "home_furnishings"}
    expected = call("move_to_area", target="1a", resolved={"target": "area:sofas"})
    assert following(expected, call("move_to_area", resolved={"target": "area:sofas"}), **given) == 100
    assert following(expected, call("move_to_area", resolved={"target": "area:beds"}), **given) == 0


def test_tools_without_a_local_parameter_do_not_count_for_alignment():
    assert following(call("move_forward", distance="short"), call("move_forward"), metric="LNSR") is None


def test_alignment_needs_a_tool_that_is_legal_in_the_scene():
    assert following(store_call(), store_call(), metric="LNSR") is None


# visibility ------------------------------------------------------------------------------------


def curve(*records, facts=MARKET):
    total = cohort(*records, facts=facts)
    return [total.value(f"CGV({h})") for h in ("0", "1", "2", "3", "4", "5", "End")]


def test_a_goal_counts_as_seen_from_the_turn_it_comes_into_view():
    turns = [turn(0, goal=COOLER, seen=[]), turn(1, seen=[SHELF]), turn(2, seen=[COOLER])]
    assert curve(episode(turns)) == [0, 0, 100, 100, 100, 100, 100]


def test_end_reaches_past_the_fifth_turn():
    turns = [turn(0, goal=COOLER, seen=[]), *(turn(i, seen=[]) for i in range(1, 8)), turn(8, seen=[COOLER])]
    assert curve(episode(turns)) == [0, 0, 0, 0, 0, 0, 100]


def test_all_horizons_share_one_denominator_pooled_over_events():
    one = episode(
        [turn(0, goal=COOLER, seen=[COOLER]), turn(1, goal=SHELF, seen=[]), turn(2, seen=[SHELF])],
        episode_id="1",
    )
    two = episode([turn(0, goal=COOLER, seen=[])], episode_id="2")
    assert curve(one, two) == pytest.approx([100 / 3, *[200 / 3] * 6])


def test_a_goal_is_checkable_only_if_its_own_observation_was_saved():
    turns = [turn(0, goal=COOLER, seen=None), turn(1, seen=[COOLER])]
    assert curve(episode(turns)) == [None] * 7


def test_a_later_observation_that_was_not_saved_only_shows_nothing():
    turns = [turn(0, goal=COOLER, seen=[]), turn(1, seen=None), turn(2, seen=[COOLER])]
    assert curve(episode(turns)) == [0, 0, 100, 100, 100, 100, 100]


def test_a_turn_recorded_twice_shows_its_goal_whichever_record_comes_first():
    blind, seeing = turn(3, goal=COOLER, seen=[]), turn(3, seen=[COOLER])
    assert value(episode([blind, seeing]), "CGV(0)") == 100
    assert value(episode([seeing, blind]), "CGV(0)") == 100


def test_having_been_seen_before_does_not_count():
    turns = [turn(0, seen=[COOLER]), turn(1, goal=COOLER, seen=[])]
    assert curve(episode(turns)) == [0] * 7


@pytest.mark.parametrize("goal", ["area:sofas", "store:nest"])
def test_in_home_a_visible_product_of_the_destination_counts(goal):
    turns = [turn(0, goal=goal, seen=["product:hf-1"])]
    assert curve(episode(turns, scene="home_furnishings"), facts=HOME)[0] == 100
    elsewhere = [turn(0, goal="area:beds", seen=["product:hf-1"])]
    assert curve(episode(elsewhere, scene="home_furnishings"), facts=HOME)[0] == 0


def test_in_a_supermarket_a_product_of_the_fixture_does_not_count():
    turns = [turn(0, goal=COOLER, seen=["product:sm-0001"])]
    facts = replace(MARKET, places={"sm-0001": frozenset({COOLER})})
    assert curve(episode(turns), facts=facts)[0] == 0


def test_in_home_without_the_pack_visibility_has_no_value_but_a_reason():
    facts = SceneFacts.unknown("home_furnishings")
    record = episode([turn(0, goal="area:sofas", seen=["area:sofas"])], scene="home_furnishings")
    row = assistant_row(Ledger.of(score_episodes([record], lambda slug: facts)), None)
    assert row["CGV"]["End"] is None
    assert row["CGV"]["reason"] == "the scene's pack is not at hand"


def test_gains_are_reported_over_current_visibility():
    turns = [turn(0, goal=COOLER, seen=[COOLER]), turn(1, goal=SHELF, seen=[]), turn(2, seen=[SHELF])]
    row = assistant_row(Ledger.of(score_episodes([episode(turns)], lambda slug: MARKET)), None)
    assert (row["CGV"]["n"], row["CGV"]["CGV(0)"], row["CGV"]["1"], row["CGV"]["End"]) == (2, 50, 50, 50)
