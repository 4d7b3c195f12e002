"""The metrics page on outcome and rankings, a sentence each, on records small enough to reckon by hand."""

from math import log2

import pytest

from siturec.metrics.facts import SceneFacts
from siturec.metrics.ledger import Ledger
from siturec.metrics.recommendation import ndcg_at_10, recall_at_5, reciprocal_rank_at_10
from siturec.metrics.scoring import assistant_row, score_episodes
from tests.core.episode_maker import episode, turn
from tests.core.metric_samples import cohort, value


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
