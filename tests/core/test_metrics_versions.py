"""Results never mix versions unasked: each version of an assistant is a system of its own."""

from siturec.metrics.episode import score_episode
from siturec.metrics.facts import SceneFacts
from siturec.metrics.ledger import Ledger
from siturec.metrics.versions import apart_json, kept_apart
from tests.core.episode_maker import episode, person, turn

FACTS = SceneFacts.unknown("supermarket")


def ledger(*parts):
    """A ledger of (how many, versions, more) triples."""
    made = []
    for part, (count, versions, more) in enumerate(parts):
        for number in range(count):
            record = episode([turn()], episode_id=f"e{part}-{number}", **more)
            record["versions"] = versions
            made.append(score_episode(record, FACTS))
    return Ledger.of(made)


def counts(found):
    return {
        slug: found.where(lambda key, slug=slug: key.assistant == slug).total().episodes
        for slug in found.distinct("assistant")
    }


OLD, NEW = {"assistant": "m#1 assistant@1:a"}, {"assistant": "m#1 assistant@2:b"}


def test_two_prompt_versions_of_one_assistant_are_two_rows_and_the_more_frequent_keeps_the_name():
    people, simulated, legend = kept_apart(
        ledger((2, OLD, {"user": person(1)}), (1, NEW, {"user": person(2)})), ledger((4, NEW, {}))
    )
    name = next(iter(people.cells)).assistant.partition(",")[0]
    assert counts(people) == {name: 1, f"{name}, version 2": 2}
    assert counts(simulated) == {name: 4}
    assert [(row["version"], row["people"], row["simulated"]) for row in apart_json(legend)] == [
        (NEW["assistant"], 1, 4),
        (OLD["assistant"], 2, 0),
    ]


def test_one_version_and_records_that_name_none_change_nothing():
    people, simulated, legend = kept_apart(ledger((2, OLD, {"user": person(1)})), ledger((3, {}, {})))
    assert legend == []
    assert len(counts(people)) == len(counts(simulated)) == 1
    assert list(counts(people)) == list(counts(simulated))


def test_another_version_of_the_simulated_user_is_kept_apart_and_another_simulated_user_is_none():
    first, second = OLD | {"user": "user@1"}, OLD | {"user": "user@2"}
    _, mixed, legend = kept_apart(ledger(), ledger((3, first, {}), (1, second, {})))
    assert sorted(counts(mixed).values()) == [1, 3]
    assert {one.role for one in legend} == {"user"}
    other = {"user": {"kind": "simulated", "policy": "model", "participant": None}}
    _, two_users, legend = kept_apart(ledger(), ledger((3, first, {}), (1, second, other)))
    assert legend == []
    assert list(counts(two_users).values()) == [4]


def test_an_episode_that_ended_before_the_moderator_spoke_is_no_other_version():
    spoke = OLD | {"moderator": "rules@1"}
    _, simulated, legend = kept_apart(ledger(), ledger((3, spoke, {}), (2, OLD, {})))
    assert legend == []
    assert list(counts(simulated).values()) == [5]


def test_an_episode_begun_under_one_version_and_ended_under_another_is_counted_with_neither():
    both = {"assistant": f"{OLD['assistant']}, {NEW['assistant']}"}
    _, simulated, _ = kept_apart(ledger(), ledger((3, OLD, {}), (2, NEW, {}), (1, both, {})))
    assert sorted(counts(simulated).values()) == [1, 2, 3]


def test_scores_of_two_judges_are_never_averaged_together():
    rules, model = OLD | {"judge": "rules scripted@1"}, OLD | {"judge": "m judge@1:a"}
    _, simulated, legend = kept_apart(ledger(), ledger((3, rules, {}), (1, model, {})))
    assert sorted(counts(simulated).values()) == [1, 3]
    assert {one.role for one in legend} == {"judge"}
