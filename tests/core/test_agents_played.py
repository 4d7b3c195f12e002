"""Whole visits by planted assistants and the agenda-based shopper: graded, repeatable, true to the rules."""

import asyncio
import itertools
import json
import random
import re
from pathlib import Path

import pytest

from agents.scripted.moderator import RuleModerator
from agents.scripted.skill import SKILLS
from siturec.markers.leaks import leaked_markers
from siturec.protocol.actions_expected import resolve_expected
from siturec.protocol.actions_tools import ANGLES_DEG
from siturec.scene.load import load_pack
from tests.core.scripted_minds import agenda, assistant
from tests.core.text_knowledge import knowledge_of
from tests.core.textplay import play

SCENES = Path(__file__).resolve().parents[2] / "scenes"

GRADED = ("expert", "capable", "plain", "hasty", "bad")


@pytest.fixture(scope="module")
def supermarket():
    pack = load_pack(SCENES / "supermarket")
    return pack, knowledge_of(pack)


@pytest.fixture(scope="module")
def home():
    pack = load_pack(SCENES / "home_furnishings")
    return pack, knowledge_of(pack)


def played(scene, slug, count, *, condition="full"):
    """Some of a scene's tasks played by one assistant and the agenda; (task, episode) pairs."""
    pack, knowledge = scene
    tasks = random.Random(7).sample(pack.tasks, count)
    minds = assistant(slug), agenda(), RuleModerator(seed=1)

    episodes = []

    async def all_of_them():
        # Not returned: a loop that ends writes out its task's whole result, and throws it away.
        for n, task in enumerate(tasks):
            episodes.append(await play(pack, knowledge, task, *minds, seed=n, condition=condition))

    asyncio.run(all_of_them())
    return list(zip(tasks, episodes, strict=True))


def success(pairs):
    return sum(bool(episode.cart) for _, episode in pairs) / len(pairs)


@pytest.fixture(scope="module")
def graded(supermarket):
    """Twelve tasks by each graded assistant."""
    return {slug: played(supermarket, slug, 12) for slug in GRADED}


def test_the_planted_assistants_are_graded_by_success(graded):
    rates = [success(graded[slug]) for slug in GRADED]
    assert rates[0] >= 0.75
    assert rates[-1] <= 0.1
    assert rates[0] > rates[2] > rates[4]
    assert all(worse - better < 0.17 for better, worse in itertools.pairwise(rates))


def test_the_expert_finds_its_way_among_stores_and_areas(home):
    assert success(played(home, "expert", 10)) >= 0.6


def test_the_expert_manages_without_frame_and_marker_table(supermarket):
    pairs = played(supermarket, "expert", 10, condition="no_ego_view_no_caption")
    assert success(pairs) >= 0.1
    assert all(message.action.visible_now in (None, False) for _, e in pairs for message, *_ in e.turns)


def test_what_is_bought_meets_the_needs_within_the_budget(graded):
    for pairs in graded.values():
        for task, episode in pairs:
            assert set(episode.cart) <= set(task.reference_items) or task.acceptance.substitutes == "open"


def test_the_twin_says_exactly_what_the_expert_says(supermarket):
    expert, twin = played(supermarket, "expert", 2), played(supermarket, "expert-twin", 2)
    for (_, one), (_, other) in zip(expert, twin, strict=True):
        assert [t[0] for t in one.turns] == [t[0] for t in other.turns]
        assert SKILLS["expert"] == SKILLS["expert-twin"]


def test_episodes_are_the_same_for_the_same_seed_and_differ_for_another(supermarket):
    pack, knowledge = supermarket
    task = pack.tasks[0]

    def words(seed):
        episode = asyncio.run(
            play(pack, knowledge, task, assistant(), agenda(), RuleModerator(seed=1), seed=seed)
        )
        return [(message.utterance, said.reply) for message, said, *_ in episode.turns]

    assert words(3) == words(3)
    assert words(3) != words(4)


def test_nobody_says_a_marker_aloud(graded, supermarket):
    names = [t.name for t in supermarket[1].targets] + [e.name for e in supermarket[1].catalog]
    for slug, pairs in graded.items():
        for _, episode in pairs:
            for message, said, _, _, view in episode.turns:
                for text, role in ((message.utterance, "assistant"), (said.reply, "user")):
                    assert not leaked_markers(text, view.visible, roles=(role,), names=names), (
                        slug,
                        text,
                    )


def test_everybody_turns_by_angles_that_the_page_offers_people(graded):
    script = (SCENES.parent / "static" / "js" / "lib" / "actions.js").read_text()
    offered = json.loads(re.search(r"ANGLES = (\[.*?\])", script).group(1))
    assert tuple(offered) == ANGLES_DEG
    calls = [
        call
        for pairs in graded.values()
        for _, episode in pairs
        for message, said, *_ in episode.turns
        for call in (said.tool_call, message.expected_user_action)
    ]
    angles = {call.args["angle"] for call in calls if call is not None and "angle" in call.args}
    assert len(angles) > 2
    assert angles <= set(offered)


def test_at_most_one_new_detail_is_told_per_turn_and_the_opening_comes_first(graded):
    for pairs in graded.values():
        for task, episode in pairs:
            replies = [said.reply for _, said, *_ in episode.turns]
            assert task.disclosure.opening in replies[0]
            told = set()
            for reply in replies:
                new = {detail for detail in task.disclosure.details if detail in reply} - told
                assert len(new) <= 1
                told |= new


def test_every_expectation_can_be_resolved_and_nothing_out_of_view_is_expected(graded, supermarket):
    _, knowledge = supermarket
    for slug in ("expert", "capable", "plain"):
        for _, episode in graded[slug]:
            for message, _, _, _, view in episode.turns:
                found = resolve_expected(message.expected_user_action, observation=view, knowledge=knowledge)
                assert getattr(found, "resolved", None) is not None, (message, found)


def test_a_spoken_offer_always_carries_recommend_with_name_sight_and_reason(graded):
    for pairs in graded.values():
        for _, episode in pairs:
            for message, *_ in episode.turns:
                if re.search(r"\b(I'd recommend|My suggestion is|How about|Just take)\b", message.utterance):
                    assert message.action.type == "Recommend"
                    assert message.action.display_name in message.utterance
                    assert message.action.visible_now is not None
                    assert message.action.reason


def test_rankings_hold_ten_different_products_of_the_catalog(graded, supermarket):
    _, knowledge = supermarket
    ids = {entry.id for entry in knowledge.catalog}
    for pairs in graded.values():
        for _, episode in pairs:
            for ranking in episode.rankings:
                assert len(ranking) == len(set(ranking)) == 10
                assert set(ranking) <= ids
