"""The metrics page on dialogue, cohorts and behaviour, a sentence each."""

import pytest

from siturec.metrics.dialogue import mean_answered
from siturec.metrics.ledger import Ledger
from siturec.metrics.scoring import score_episodes, score_table
from siturec.metrics.subsets import PartitionError, over_subsets, partition
from tests.core.episode_maker import call, episode, person, scores, turn
from tests.core.metric_samples import MARKET, cohort, scored, value


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
