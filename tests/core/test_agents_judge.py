"""The rule-based judge: transparent, evidence beside every score, and nothing invented."""

import pytest

from agents.identity import identity_check, identity_words
from agents.model_minds import occurs, read_scores
from agents.scripted.judge import RuleJudge
from agents.structured import Unusable
from siturec.protocol.vocabulary import DIMENSIONS
from tests.core.agent_samples import GOOD_VISIT, judge_input, record

BAD_VISIT = (
    ("Buy something.", {"type": "Greet"}, "I'm looking for fish for dinner.", "idle", "idle"),
    *(
        (
            "Just take the Nut Granola, it's our best seller.",
            {
                "type": "Recommend",
                "display_name": "Nut Granola",
                "visible_now": True,
                "reason": "best seller",
            },
            "No.",
            "idle",
            "add_to_cart",
        ),
    )
    * 3,
)


async def scores(*visit, **more):
    given = judge_input(record(*visit, **more))
    return (await RuleJudge(seed=1).score(given)).value


async def test_a_good_visit_scores_above_a_bad_one_in_what_differs():
    good = (await scores(*GOOD_VISIT)).scores
    bad = (await scores(*BAD_VISIT, cart=(), end="recommendation_exhausted")).scores
    assert set(good) == set(DIMENSIONS)
    for name in (
        "informativeness",
        "groundedness",
        "preference_alignment",
        "proactiveness",
        "non_repetition",
    ):
        assert good[name] > bad[name], name
    assert (good["overall_satisfaction"], bad["overall_satisfaction"]) == (5, 2)


async def test_every_score_names_the_turns_it_was_read_from_and_says_it_is_rule_based():
    value = await scores(*GOOD_VISIT)
    for name in DIMENSIONS:
        assert value.evidence[name].startswith("rule-based:")
    assert "T2" in value.evidence["groundedness"]
    assert "$7.50" in value.evidence["informativeness"] + value.evidence["groundedness"]


async def test_a_wrong_price_is_held_against_groundedness():
    wrong = list(GOOD_VISIT)
    wrong[2] = ("I'd recommend the Cod Fillets: it costs $1.00.", *GOOD_VISIT[2][1:])
    right, false = await scores(*GOOD_VISIT), await scores(*wrong)
    assert false.scores["groundedness"] < right.scores["groundedness"]
    assert "$1.00" in false.evidence["groundedness"]


async def test_a_dimension_with_nothing_to_count_is_missing_not_low():
    value = await scores(("Hello!", {"type": "Greet"}, "Bye.", "idle", "idle"), cart=())
    assert value.scores["groundedness"] is None
    assert value.scores["informativeness"] is None


async def test_a_record_without_turns_is_missing():
    answer = await RuleJudge(seed=1).score(judge_input(record()))
    assert (answer.value, answer.outcome) == (None, "missing")


def test_a_judges_bare_number_counts_as_a_score_and_a_truth_value_does_not():
    value = read_scores({"naturalness": 4, "groundedness": True, "proactiveness": {"score": "high"}}, "words")
    assert value.scores["naturalness"] == 4
    assert value.scores["groundedness"] is None
    assert value.scores["proactiveness"] is None


def test_an_object_without_one_score_is_unusable():
    with pytest.raises(Unusable):
        read_scores({"naturalness": 0, "overall": 5}, "words")


def test_quotations_are_found_whatever_their_case_and_quotes():
    words = "T2 Assistant: I'd recommend the Cod Fillets, and it costs $7.50."
    assert occurs('T2: "i\u2019d recommend the cod fillets"'.replace("\u2019", "'"), words)
    assert not occurs("T2: I adore the Cod Fillets", words)


@pytest.mark.parametrize(
    "said",
    [
        "I'm ChatGPT, your helper.",
        "As a model by OpenAI I can help.",
        "This is GPT-5 mini speaking.",
        "I am qwen-coder-0.5b.",
        "Claude Opus here.",
        "You talk to Shop Helper Nine.",
    ],
)
def test_a_models_own_names_and_vendors_are_masked(said):
    own = identity_words("openai/qwen-coder-0.5b", "Shop Helper Nine", "helper-9")
    check = identity_check(said, own=own)
    assert check.leaks
    assert "this assistant" in check.text
    assert not identity_check(check.text, own=own).leaks


@pytest.mark.parametrize(
    "said",
    [
        "The expert choice is the plain yogurt, a bad one is not among them.",
        "Take the Gemini Star Lamp from the shelf.",
        "A metal lamp, a llama-shaped toy and a cohesive set.",
        "This model costs less than the other.",
    ],
)
def test_ordinary_words_and_products_names_are_no_leak(said):
    own = identity_words("expert", "plain", "bad", "model")
    assert identity_check(said, own=own, product_names=["Gemini Star Lamp"]).leaks == ()


def test_the_flag_policy_reports_and_changes_nothing():
    check = identity_check("I'm ChatGPT.", policy="flag")
    assert (check.text, check.leaks) == ("I'm ChatGPT.", ("ChatGPT",))
