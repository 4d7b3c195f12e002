"""Laws that hold for any records: bounds, order, duplicates, and the identities of the paper's tables."""

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from siturec.agreement.build import humans_and_simulated, questionnaire_and_judge
from siturec.agreement.simulators import compare_simulators
from siturec.metrics.facts import SceneFacts
from siturec.metrics.ledger import Ledger
from siturec.metrics.recommendation import ndcg_at_10, recall_at_5, reciprocal_rank_at_10
from siturec.metrics.registry import HEADLINE, INDEX, QUANTITIES
from siturec.metrics.scoring import bank_partition, score_episodes, score_table
from tests.core.episode_maker import PRODUCTS, human_cohort, random_episode, simulated_cohort

FACTS = SceneFacts("supermarket", "supermarket", catalog=frozenset(PRODUCTS[:20]))


def facts_of(slug):
    return FACTS


def ledger_of(records):
    return Ledger.of(score_episodes(records, facts_of))


@st.composite
def cohorts(draw):
    source = random.Random(draw(st.integers(0, 10**6)))
    return [
        random_episode(
            source, f"e-{number}", assistant="a", skill=draw(st.floats(0, 1)), profile=number % 3, task=1
        )
        for number in range(draw(st.integers(1, 6)))
    ]


rankings = st.lists(st.sampled_from("abcdefghijklmnop"), max_size=14)
carts = st.sets(st.sampled_from("abcdefghijklmnop"), max_size=12)


@given(ranking=rankings, cart=carts)
def test_ranking_scores_stay_between_nothing_and_all(ranking, cart):
    for score in (recall_at_5, ndcg_at_10, reciprocal_rank_at_10):
        assert 0 <= score(ranking, cart) <= 1 + 1e-12


@given(ranking=rankings, cart=carts, extra=st.integers(0, 13))
def test_a_repeat_in_place_of_a_stranger_changes_nothing(ranking, cart, extra):
    if not ranking:
        return
    at = 1 + extra % len(ranking)
    with_repeat = [*ranking[:at], ranking[0], *ranking[at:]]
    with_stranger = [*ranking[:at], "stranger", *ranking[at:]]
    assert ndcg_at_10(with_repeat, cart) == pytest.approx(ndcg_at_10(with_stranger, cart))
    assert recall_at_5(with_repeat, cart) == recall_at_5(with_stranger, cart)


@given(cart=carts.filter(bool))
def test_the_cart_ranked_first_is_the_best_ranking(cart):
    assert ndcg_at_10(sorted(cart), cart) == pytest.approx(1.0)


@settings(max_examples=30, deadline=None)
@given(records=cohorts())
def test_percentages_stay_between_0_and_100(records):
    total = ledger_of(records).total()
    for quantity in QUANTITIES:
        value = total.value(quantity.key)
        assert value is None or value >= 0
        if quantity.unit == "%" and value is not None:
            assert value <= 100 + 1e-9


@settings(max_examples=20, deadline=None)
@given(records=cohorts(), seed=st.integers(0, 100))
def test_the_order_of_episodes_and_of_their_turns_does_not_matter(records, seed):
    before = ledger_of(records).total()
    source = random.Random(seed)
    shuffled = [
        {**record, "turns": source.sample(record["turns"], len(record["turns"]))} for record in records
    ]
    source.shuffle(shuffled)
    after = ledger_of(shuffled).total()
    np.testing.assert_allclose(after.num, before.num, atol=1e-9)
    np.testing.assert_array_equal(after.den, before.den)


@settings(max_examples=20, deadline=None)
@given(records=cohorts())
def test_every_episode_twice_gives_the_same_values(records):
    once, twice = ledger_of(records).total(), ledger_of([*records, *records]).total()
    for quantity in QUANTITIES:
        assert twice.value(quantity.key) == pytest.approx(once.value(quantity.key))


@settings(max_examples=30, deadline=None)
@given(records=cohorts())
def test_the_identities_of_the_papers_tables_hold(records):
    total = ledger_of(records).total()
    success, reference = total.value("SR"), total.value("RPR")
    assert reference <= success + 1e-9
    if success:
        assert total.value("RPR|Cart") == pytest.approx(100 * reference / success)
    assert total.value("R@5") <= success + 1e-9
    assert total.value("NDCG@10") <= success + 1e-9
    curve = [total.value(f"SR({t})") for t in range(1, 21)]
    assert curve == sorted(curve)
    assert curve[-1] <= success + 1e-9
    seen = [total.value(f"CGV({h})") for h in ("0", "1", "2", "3", "4", "5", "End")]
    assert seen == sorted(seen, key=lambda value: -1 if value is None else value)
    if total.value("AFR") is not None:
        assert sum(total.value(q.key) for q in QUANTITIES if q.key.startswith("act:")) == pytest.approx(100)
    assert sum(total.value(q.key) for q in QUANTITIES if q.key.startswith("end:")) == pytest.approx(100)


@pytest.fixture(scope="module")
def people_and_models():
    return ledger_of(human_cohort()), ledger_of(simulated_cohort(profiles=6))


def test_subset_means_of_a_whole_bank_average_to_the_cohorts_mean(people_and_models):
    _, simulated = people_and_models
    for row in score_table(simulated, facts_of)["assistants"].values():
        for metric in ("SR", "Turn", "R@5", "NDCG@10", "RPR"):
            assert row["subsets"][metric]["mean"] == pytest.approx(row[metric])


def test_agreement_does_not_depend_on_the_order_of_records(people_and_models):
    human, simulated = people_and_models
    subset_of = bank_partition(simulated, facts_of)
    turned = Ledger(dict(reversed(human.cells.items()))), Ledger(dict(reversed(simulated.cells.items())))
    one = humans_and_simulated(human, simulated, subset_of)
    other = humans_and_simulated(*turned, subset_of)
    for metric in HEADLINE:
        left, right = one.metrics[metric], other.metrics[metric]
        assert left.undefined == right.undefined
        if left.coefficients is not None:
            assert right.coefficients.pearson == pytest.approx(left.coefficients.pearson)
            assert right.coefficients.p == left.coefficients.p


def test_people_against_themselves_agree_entirely(people_and_models):
    human, _ = people_and_models
    report = humans_and_simulated(human, human, None)
    found = report.metrics["overall_satisfaction"]
    assert found.coefficients.spearman == found.coefficients.pearson == 1.0
    assert (found.pairs.accuracy, found.soft_pairwise_accuracy, found.level.mae) == (1.0, 1.0, 0.0)


def test_an_assistant_that_only_one_side_met_is_dropped_and_named(people_and_models):
    human, simulated = people_and_models
    fewer = human.where(lambda key: key.assistant != "bad")
    report = humans_and_simulated(fewer, simulated, bank_partition(simulated, facts_of))
    found = report.metrics["SR"]
    assert (found.n, found.dropped) == (4, {"bad": "no value from human"})
    assert report.absent == {"bad": "no episodes with people"}
    assert found.coefficients.p is None
    assert found.no_interval == "fewer than 5 systems"


def test_questionnaire_and_judge_are_resampled_together(people_and_models):
    human, _ = people_and_models
    found = questionnaire_and_judge(human).metrics["informativeness"]
    assert found.intervals["pearson"].low <= found.coefficients.pearson <= found.intervals["pearson"].high
    assert set(found.holm) == {"pearson", "spearman", "kendall"}
    assert found.holm["pearson"] >= found.coefficients.p.pearson


def test_a_participant_without_a_value_is_neither_counted_nor_drawn(people_and_models):
    _, simulated = people_and_models
    subset_of = bank_partition(simulated, facts_of)
    everyone, silent, gone = list(human_cohort()), [], []
    for record in everyone:
        first = record["user"]["participant"] == "P001"
        silent.append({**record, "questionnaire": None} if first else record)
        gone.append({**record, "end_reason": "abandoned"} if first else record)
    four = [record for record in everyone if record["user"]["participant"] != "P001"]
    without = humans_and_simulated(ledger_of(four), simulated, subset_of)

    found = humans_and_simulated(ledger_of(gone), simulated, subset_of)
    assert (found.left.participants, found.left.excluded[0]) == (4, {"abandoned": 2})
    for metric in ("SR", "AFR", "overall_satisfaction"):
        assert found.metrics[metric] == without.metrics[metric]
        assert found.metrics[metric].intervals["pearson"].resamples == 4**4

    found = humans_and_simulated(ledger_of(silent), simulated, subset_of)
    assert (found.metrics["SR"].participants, found.metrics["SR"].episodes) == (5, (50, 120))
    rated = found.metrics["overall_satisfaction"]
    assert (rated.participants, rated.episodes) == (4, (40, 120))
    assert rated.intervals == without.metrics["overall_satisfaction"].intervals
    assert rated.more_participants == without.metrics["overall_satisfaction"].more_participants


def test_a_coefficient_rests_on_the_episodes_that_have_a_value(people_and_models):
    human, simulated = people_and_models
    found = humans_and_simulated(human, simulated, None).metrics
    compared = set(found["RPR|Cart"].systems)
    bought = [
        int(ledger.where(lambda key: key.assistant in compared).total().den[INDEX["RPR|Cart"]])
        for ledger in people_and_models
    ]
    assert list(found["RPR|Cart"].episodes) == bought
    assert found["Catalog%"].episodes == found["SR"].episodes


means = st.lists(st.integers(0, 6), min_size=5, max_size=7)


@settings(max_examples=60, deadline=None)
@given(values=means, seed=st.integers(0, 1000), scale=st.floats(0.1, 10), shift=st.floats(-5, 5))
def test_coefficients_ignore_scale_shift_and_the_systems_order(values, seed, scale, shift):
    from siturec.agreement.correlation import kendall, pearson, rounded, spearman
    from siturec.agreement.permutation import permutation_p

    source = random.Random(seed)
    other = [source.randint(0, 6) for _ in values]
    if len(set(values)) == 1 or len(set(other)) == 1:
        return
    order = source.sample(range(len(values)), len(values))
    x, y = rounded(values), rounded(other)
    for coefficient in (pearson, spearman, kendall):
        assert -1 <= coefficient(x, y) <= 1
        assert coefficient(y, x) == pytest.approx(float(coefficient(x, y)))
        assert coefficient(x * scale + shift, y) == pytest.approx(float(coefficient(x, y)), abs=1e-9)
        assert coefficient(x[order], y[order]) == pytest.approx(float(coefficient(x, y)))
    p, again = permutation_p(x, y), permutation_p(x[order], y[order])
    assert 0 < p.pearson <= 1
    assert (again.pearson, again.spearman, again.kendall) == (p.pearson, p.spearman, p.kendall)


def test_a_simulated_user_that_sees_what_people_see_beats_one_that_does_not(people_and_models):
    human, good = people_and_models
    upside_down = {"bad": "expert", "hasty": "capable", "plain": "plain", "capable": "hasty", "expert": "bad"}
    poor = ledger_of({**r, "assistant": upside_down[r["assistant"]]} for r in simulated_cohort(5, profiles=6))
    found = compare_simulators(human, good, poor)["overall_satisfaction"]
    assert (found.systems, found.tasks) == (5, 24)
    assert found.found.first > 0.8 > 0 > found.found.second
    assert found.found.p < 0.01
    assert found.williams.p < 0.05


def test_a_simulated_user_does_not_beat_itself(people_and_models):
    human, simulated = people_and_models
    found = compare_simulators(human, simulated, simulated)["overall_satisfaction"]
    assert (found.found.difference, found.found.p, found.williams) == (0.0, 1.0, None)


def test_simulated_users_without_a_common_task_are_not_compared(people_and_models):
    human, simulated = people_and_models
    others = simulated.where(lambda key: key.profile_id in ("1", "2"))
    rest = simulated.where(lambda key: key.profile_id not in ("1", "2"))
    found = compare_simulators(human, others, rest)["SR"]
    assert (found.tasks, found.found) == (0, None)
