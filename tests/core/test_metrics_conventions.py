"""Every convention of the metrics page, one sentence each, on records small enough to reckon by hand."""

from dataclasses import replace
from math import log2

import pytest

from siturec.metrics.dialogue import mean_answered
from siturec.metrics.episode import score_episode
from siturec.metrics.facts import SceneFacts
from siturec.metrics.ledger import Ledger
from siturec.metrics.recommendation import ndcg_at_10, recall_at_5, reciprocal_rank_at_10
from siturec.metrics.scoring import assistant_row, score_episodes, score_table
from siturec.metrics.subsets import PartitionError, over_subsets, partition
from siturec.trajectory import check_record
from tests.core.episode_maker import call, episode, person, scores, turn

MARKET = SceneFacts("supermarket", "supermarket", catalog=frozenset({"sm-0001", "sm-0002"}))
HOME = SceneFacts(
    "home_furnishings",
    "home",
    catalog=frozenset({"hf-1"}),
    places={"hf-1": frozenset({"area:sofas", "store:nest"})},
)
COOLER, SHELF = "fixture:cooler-2", "fixture:shelf-1"


def scored(record, facts=MARKET):
    return score_episode(check_record(record), facts)


def value(record, metric, facts=MARKET):
    return scored(record, facts).value(metric)


def cohort(*records, facts=MARKET):
    return Ledger.of(score_episodes([check_record(r) for r in records], lambda slug: facts)).total()


# outcome ---------------------------------------------------------------------------------------


def test_success_is_a_cart_that_is_not_empty_whatever_the_end_reason():
    assert value(episode(final_cart=["sm-0001"], end_reason="turn_limit"), "SR") == 100
    assert value(episode(final_cart=[], end_reason="success_cart_added"), "SR") == 0


def test_turns_are_distinct_recorded_turns():
    assert value(episode([turn(0), turn(1), turn(1), turn(4)]), "Turn") == 3


def test_the_success_curve_counts_purchases_made_by_each_turn():
    quick = episode([turn(0), turn(1)], episode_id="q", final_cart=["sm-0001"])
    slow = episode([turn(i) for i in range(7)], episode_id="s", final_cart=["sm-0001"])
    never = episode([turn(0)], episode_id="n")
    total = cohort(quick, slow, never, episode([turn(0)], episode_id="m"))
    curve = [total.value(f"SR({t})") for t in range(1, 21)]
    assert curve == [0, *[25] * 5, *[50] * 14]


def test_the_curve_ends_at_the_success_rate():
    record = episode([turn(i) for i in range(20)], final_cart=["sm-0001"])
    assert value(record, "SR(19)") == 0
    assert value(record, "SR(20)") == 100


# rankings --------------------------------------------------------------------------------------


def test_recall_is_the_share_of_the_cart_in_the_first_five():
    assert recall_at_5(["a", "b", "c", "d", "e", "f"], ["e", "f"]) == 0.5


def test_recall_counts_a_repeated_product_once():
    assert recall_at_5(["a", "a", "a", "a", "a", "b"], ["a", "b"]) == 0.5


def test_gain_is_discounted_by_rank_against_the_best_order():
    assert ndcg_at_10(["x", "a"], ["a"]) == pytest.approx(1 / log2(3))
    best = 1 + 1 / log2(3)
    assert ndcg_at_10(["a", "x", "b"], ["a", "b"]) == pytest.approx((1 + 1 / log2(4)) / best)


def test_a_repeat_gains_nothing_and_later_places_do_not_shift():
    assert ndcg_at_10(["a", "a", "b"], ["a", "b"]) == ndcg_at_10(["a", "x", "b"], ["a", "b"])


def test_the_ideal_is_over_at_most_ten_cart_products():
    cart = [f"p{i}" for i in range(12)]
    assert ndcg_at_10(cart, cart) == pytest.approx(1.0)


def test_places_past_the_cut_count_nothing():
    assert recall_at_5([*"vwxyz", "a"], ["a"]) == 0
    assert ndcg_at_10([*"0123456789", "a"], ["a"]) == 0
    assert reciprocal_rank_at_10([*"0123456789", "a"], {"a"}) == 0


@pytest.mark.parametrize("metric", ["R@5", "NDCG@10"])
def test_ranking_scores_are_the_mean_over_saved_rankings(metric):
    turns = [turn(0, ranking=["sm-0001"]), turn(1, ranking=[]), turn(2, ranking=None)]
    assert value(episode(turns, final_cart=["sm-0001"]), metric) == 50


@pytest.mark.parametrize("metric", ["R@5", "NDCG@10"])
def test_an_empty_cart_or_no_rankings_scores_zero_and_stays_in_the_mean(metric):
    assert value(episode([turn(0, ranking=["sm-0001"])], final_cart=[]), metric) == 0
    assert value(episode([turn(0, ranking=None)], final_cart=["sm-0001"]), metric) == 0
    good = episode([turn(0, ranking=["sm-0001"])], episode_id="g", final_cart=["sm-0001"])
    assert cohort(good, episode([turn(0)], episode_id="e")).value(metric) == 50


def test_a_product_twice_in_the_cart_is_one_product():
    record = episode([turn(0, ranking=["sm-0001"])], final_cart=["sm-0001", "sm-0001"])
    assert value(record, "R@5") == 100


# reference items -------------------------------------------------------------------------------


def test_reference_purchase_is_over_all_and_over_purchases():
    hit = episode(episode_id="1", final_cart=["sm-0001"])
    miss = episode(episode_id="2", final_cart=["sm-0002"])
    none, other = episode(episode_id="3"), episode(episode_id="4")
    total = cohort(hit, miss, none, other)
    assert (total.value("RPR"), total.value("RPR|Cart")) == (25, 50)


def test_no_purchase_leaves_rpr_given_cart_without_a_value():
    total = cohort(episode())
    assert total.value("RPR|Cart") is None
    assert total.reason("RPR|Cart") == "no_eligible"


def test_reciprocal_rank_is_averaged_over_rankings_then_episodes_with_one():
    two = episode(
        [turn(0, ranking=["x", "sm-0001"]), turn(1, ranking=[]), turn(2, ranking=None)], episode_id="1"
    )
    without = episode([turn(0, ranking=None)], episode_id="2")
    assert cohort(two, without).value("R-MRR@10") == 25


def test_catalog_validity_pools_ranked_entries_repeats_included():
    one = episode([turn(0, ranking=["sm-0001", "sm-0001", "made-up"])], episode_id="1")
    two = episode([turn(0, ranking=["sm-0002"])], episode_id="2")
    assert cohort(one, two).value("Catalog%") == 75


def test_without_the_scenes_pack_catalog_validity_has_no_value_but_a_reason():
    ledger = Ledger.of(score_episodes([episode([turn(0, ranking=["x"])])], SceneFacts.unknown))
    row = assistant_row(ledger, None)
    assert row["Catalog%"] is None
    assert row["reasons"]["Catalog%"] == "the scene's pack is not at hand"


# following -------------------------------------------------------------------------------------


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


# dialogue --------------------------------------------------------------------------------------


def test_people_answer_the_questionnaire_and_models_are_judged():
    answered = episode(user=person(1), questionnaire=scores(2), judge=scores(5))
    assert value(answered, "naturalness") == 2
    assert value(answered, "judge.naturalness") == 5
    assert value(episode(judge=scores(5)), "naturalness") == 5


def test_a_missing_rating_is_left_out_and_never_the_lowest():
    one = episode(episode_id="1", judge=scores(4))
    two = episode(episode_id="2", judge=scores(2, naturalness=None))
    none = episode(episode_id="3", judge=None)
    total = cohort(one, two, none)
    assert (total.value("naturalness"), total.value("informativeness")) == (4, 3)


def test_e8_means_of_answered_items():
    assert mean_answered([4, 4, None, 4, 4, 4, 4]) == 4.0
    assert mean_answered([None] * 7) is None


def rated(number, participant, score, task="1.1"):
    return episode(
        episode_id=str(number), user=person(participant), task_id=task, questionnaire=scores(score)
    )


def test_e8_balanced_means_weigh_participants_and_tasks_equally():
    records = [rated(i, 1, 5) for i in range(4)] + [rated(9, 2, 1)]
    ledger = Ledger.of(score_episodes(records, lambda slug: MARKET))
    assert ledger.total().value("naturalness") == pytest.approx(4.2)
    assert ledger.balanced("naturalness") == 3.0


def test_e8_balance_over_tasks_turns_an_unequal_sample_round():
    def ledger(easy, hard):
        records = [rated(f"e{i}", 1, score, "1.1") for i, score in enumerate(easy)]
        records += [rated(f"h{i}", 1, score, "1.2") for i, score in enumerate(hard)]
        return Ledger.of(score_episodes(records, lambda slug: MARKET))

    a, b = ledger([5, 5, 5], [2]), ledger([5], [2, 3])
    c = ledger([5, 5], [3, 2, 2, 3, 2, 3])
    assert (a.total().value("naturalness"), a.balanced("naturalness")) == (4.25, 3.5)
    assert b.balanced("naturalness") == 3.75
    assert (c.total().value("naturalness"), c.balanced("naturalness")) == (3.125, 3.75)


# cohorts ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("reason", ["abandoned", "technical_failure"])
def test_abandoned_and_failed_episodes_are_counted_but_measured_by_nothing(reason):
    lost = episode(episode_id="x", end_reason=reason, final_cart=["sm-0001"], judge=scores(1))
    kept = episode(episode_id="k", judge=scores(5))
    total = cohort(lost, kept)
    assert (total.episodes, total.excluded) == (1, {reason: 1})
    assert (total.value("SR"), total.value("naturalness")) == (0, 5)


def test_a_set_without_episodes_has_no_value_and_says_so():
    total = cohort(episode(end_reason="abandoned"))
    assert total.value("SR") is None
    assert total.reason("SR") == "no_episodes"


BANK = {str(profile): [f"{profile}.{task}" for task in range(1, 5)] for profile in range(1, 26)}


def test_each_subset_holds_every_profile_once():
    subset_of = partition(BANK)
    for subset in range(4):
        own = [task.partition(".")[0] for task, where in subset_of.items() if where == subset]
        assert sorted(own, key=int) == sorted(BANK, key=int)


def test_the_partition_depends_on_the_bank_and_the_seed_alone():
    shuffled = {profile: BANK[profile][::-1] for profile in reversed(BANK)}
    assert partition(shuffled) == partition(BANK)
    assert partition(BANK, seed=43) != partition(BANK)


def test_a_profile_without_four_tasks_has_no_partition():
    with pytest.raises(PartitionError, match="profile 7 has 3 different tasks"):
        partition({**BANK, "7": ["7.1", "7.2", "7.3"]})
    with pytest.raises(PartitionError, match="empty"):
        partition({})


def test_subsets_give_their_mean_and_sample_deviation():
    found = over_subsets([10.0, 20.0, 30.0, 40.0])
    assert found.mean == 25
    assert found.sd == pytest.approx(12.909944487)
    assert over_subsets([10.0, None, 30.0, 40.0]) is None


def test_subset_means_are_weighed_equally_whatever_their_sizes():
    records = []
    for subset, task in enumerate(sorted(BANK["1"])):
        for copy in range(subset + 1):
            cart = ["sm-0001"] if task == "1.1" else []
            records.append(episode(episode_id=f"{task}-{copy}", task_id=task, final_cart=cart))
    ledger = Ledger.of(score_episodes(records, lambda slug: MARKET))
    assert ledger.total().value("SR") == 10
    found = score_table(ledger, lambda slug: MARKET)["assistants"]["a"]["subsets"]["SR"]
    assert sorted(found["means"]) == [0, 0, 0, 100]
    assert (found["mean"], found["sd"]) == (25, 50)


def test_conditions_share_the_subsets_and_stand_apart_in_the_table():
    records = [
        episode(episode_id=f"{condition}{task}", task_id=f"1.{task}", condition=condition, final_cart=cart)
        for condition, cart in (("full", ["sm-0001"]), ("no_ego_view", []))
        for task in range(1, 5)
    ]
    table = score_table(Ledger.of(score_episodes(records, lambda slug: MARKET)), lambda slug: MARKET)
    by = table["by"]["condition"]
    assert (by["full"]["a"]["SR"], by["no_ego_view"]["a"]["SR"]) == (100, 0)
    assert by["full"]["a"]["subsets"]["n"] == by["no_ego_view"]["a"]["subsets"]["n"] == [1, 1, 1, 1]


def test_scores_name_the_rules_that_made_them():
    assert scored(episode()).version == "1"
    assert score_table(Ledger.of([scored(episode())]), lambda slug: MARKET)["scoring_version"] == "1"


# behaviour -------------------------------------------------------------------------------------


def test_action_shares_pool_one_act_per_turn():
    one = episode([turn(0, act="Greet"), turn(1, act="Navigate"), turn(2, act="Navigate")], episode_id="1")
    two = episode([turn(0, act="Recommend")], episode_id="2")
    total = cohort(one, two)
    assert (total.value("act:Navigate"), total.value("act:Greet"), total.value("act:Compare")) == (50, 25, 0)


def test_suggested_actions_are_counted_within_navigate_with_their_same_action_rate():
    turns = [
        turn(0, expected=call("turn"), call=call("turn")),
        turn(1, expected=call("turn"), call=call("idle")),
        turn(2, expected=call("idle"), call=call("idle")),
        turn(3, expected=call("turn"), call=call("turn"), act="Recommend"),
    ]
    total = cohort(episode(turns))
    assert total.value("suggested:turn") == pytest.approx(200 / 3)
    assert (total.value("same:turn"), total.value("same:idle")) == (50, 100)
    assert total.value("same:side_step") is None


def test_end_reasons_are_shares_of_the_counted_episodes():
    reasons = ["turn_limit", "turn_limit", "motion_stall", "abandoned"]
    total = cohort(*(episode(episode_id=str(i), end_reason=r) for i, r in enumerate(reasons)))
    assert total.value("end:turn_limit") == pytest.approx(200 / 3)
    assert total.value("end:motion_stall") == pytest.approx(100 / 3)


def test_words_are_counted_in_what_was_said_and_silence_apart():
    turns = [turn(0, reply="yes please, that one"), turn(1, reply="  ")]
    total = cohort(episode(turns))
    assert (total.value("user_words"), total.value("silent_replies")) == (4, 50)
