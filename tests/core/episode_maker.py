"""Seeded synthetic trajectories whose assistants differ in quality, for tests and benchmarks."""

import random
from collections.abc import Iterator
from typing import Any

from siturec.protocol.vocabulary import DIALOGUE_ACTS, DIMENSIONS, TOOLS

PRODUCTS = [f"sm-{number:04}" for number in range(1, 234)]
FIXTURES = [f"fixture:shelf-{number}" for number in range(1, 30)]
DIRECTIONS = {"look_up_down": ("up", "down")}


def turn(
    number: int = 0,
    *,
    expected: dict[str, Any] | None = None,
    call: dict[str, Any] | None = None,
    ranking: list[str] | None = None,
    goal: str | None = None,
    act: str = "Navigate",
    seen: list[str] | None = None,
    reply: str = "All right.",
    utterance: str = "This way.",
) -> dict[str, Any]:
    """One turn; ``seen`` lists entities, None for an observation that was not saved."""
    observation = None
    if seen is not None:
        observation = {
            "pose": {"x_m": 0.0, "y_m": 0.0, "yaw_deg": 0.0, "pitch_deg": 0.0},
            "visible": [
                {
                    "entity": entity,
                    "kind": entity.partition(":")[0],
                    "user_marker": "A",
                    "assistant_marker": "1",
                    "distance_m": 2.0,
                }
                for entity in seen
            ],
        }
    return {
        "turn": number,
        "observation": observation,
        "assistant": {
            "utterance": utterance,
            "action": {"type": act, "navigation_goal": goal},
            "ranking": ranking,
            "expected_user_action": expected,
        },
        "user": {"reply": reply, "tool_call": call, "outcome": {"ok": True, "displacement_m": 1.0}},
        "moderator": {"stop": False},
    }


def call(tool: str, *, resolved: dict[str, Any] | None = None, **args: Any) -> dict[str, Any]:
    """A tool call with its entities."""
    return {"tool": tool, "args": args, "resolved": resolved}


def episode(turns: list[dict[str, Any]] | None = None, **changes: Any) -> dict[str, Any]:
    """A supermarket episode of a simulated user; ``changes`` replace top-level keys."""
    record: dict[str, Any] = {
        "schema": "siturec.trajectory/1",
        "episode_id": "e-1",
        "scene": "supermarket",
        "task_id": "1.1",
        "profile_id": "1",
        "assistant": "a",
        "user": {"kind": "simulated", "policy": "agenda", "participant": None},
        "condition": "full",
        "started_at": "2026-11-30T10:00:00Z",
        "ended_at": "2026-11-30T10:03:10Z",
        "end_reason": "turn_limit",
        "final_cart": [],
        "reference_items": ["sm-0001"],
        "turns": turns if turns is not None else [turn()],
        "questionnaire": None,
        "judge": None,
    }
    return record | changes


def person(number: int) -> dict[str, Any]:
    """The ``user`` of a human's record."""
    return {"kind": "human", "policy": None, "participant": f"P{number:03}"}


def scores(value: int | None = 4, **changes: int | None) -> dict[str, int | None]:
    """Seven ratings."""
    return {**dict.fromkeys(DIMENSIONS, value), **changes}


def _random_turn(source: random.Random, number: int, skill: float) -> dict[str, Any]:
    tools = TOOLS["supermarket"]
    tool = "move_to_fixture" if source.random() < 0.5 else source.choice(tools)
    goal = source.choice(FIXTURES)
    direction = source.choice(DIRECTIONS.get(tool, ("left", "right")))
    resolved = {"target": goal} if tool == "move_to_fixture" else {}
    expected = call(tool, resolved=resolved, direction=direction)
    follows = source.random() < skill
    seen = source.sample(FIXTURES, 4) + [f"product:{name}" for name in source.sample(PRODUCTS, 12)]
    return turn(
        number,
        expected=expected,
        call=expected if follows else call(source.choice(tools), resolved={}),
        ranking=source.sample(PRODUCTS[:30], 10),
        goal=goal,
        act="Navigate" if source.random() < 0.5 else source.choice(DIALOGUE_ACTS),
        seen=seen,
    )


def random_episode(
    source: random.Random,
    episode_id: str,
    *,
    assistant: str,
    skill: float,
    profile: int,
    task: int,
    participant: int | None = None,
) -> dict[str, Any]:
    """One episode of an assistant whose ``skill`` in [0, 1] drives success, following and ratings."""
    turns = [_random_turn(source, number, skill) for number in range(source.randint(6, 14))]
    success = source.random() < skill
    cart = [source.choice(PRODUCTS[:8] if source.random() < skill else PRODUCTS[:30])] if success else []
    ratings = {name: min(5, max(1, round(1 + 4 * skill + source.gauss(0, 0.7)))) for name in DIMENSIONS}
    return episode(
        turns,
        episode_id=episode_id,
        assistant=assistant,
        profile_id=str(profile),
        task_id=f"{profile}.{task}",
        user=episode()["user"] if participant is None else person(participant),
        final_cart=cart,
        reference_items=PRODUCTS[:8],
        end_reason="success_cart_added" if success else source.choice(["turn_limit", "moderator_stop"]),
        questionnaire=ratings if participant is not None else None,
        judge={name: min(5, max(1, score + source.choice([-1, 0, 0]))) for name, score in ratings.items()},
    )


SKILLS = {"bad": 0.1, "hasty": 0.35, "plain": 0.5, "capable": 0.65, "expert": 0.85}


def simulated_cohort(seed: int = 1, profiles: int = 25) -> Iterator[dict[str, Any]]:
    """Five assistants over a whole bank of four tasks for each profile."""
    source = random.Random(seed)
    number = 0
    for assistant, skill in SKILLS.items():
        for profile in range(1, profiles + 1):
            for task in range(1, 5):
                number += 1
                yield random_episode(
                    source, f"s-{number:06}", assistant=assistant, skill=skill, profile=profile, task=task
                )


def human_cohort(seed: int = 2, participants: int = 5) -> Iterator[dict[str, Any]]:
    """Every participant meets the five assistants on two adjacent tasks, cyclically."""
    source = random.Random(seed)
    number = 0
    for participant in range(participants):
        for step in (0, 1):
            profile = (participant + step) % participants + 1
            for assistant, skill in SKILLS.items():
                number += 1
                yield random_episode(
                    source, f"h-{number:06}", assistant=assistant, skill=skill, profile=profile, task=1,
                    participant=participant + 1,
                )  # fmt: skip
