"""Whose scores stand in the judge's columns, and what kind of judge each is."""

from collections import Counter
from typing import Any

from django.db.models import QuerySet

from agents.registry import judge_kind
from questionnaire.selectors import judges_by_episode
from sessions.models import Episode


def judges_of(people: QuerySet[Episode], simulated: QuerySet[Episode]) -> list[dict[str, Any]]:
    """Each judge whose scores count, with its kind and the number of episodes on either side."""
    sides = [Counter(judges_by_episode(episodes).values()) for episodes in (people, simulated)]
    return [
        {"judge": slug, "kind": judge_kind(slug), "people": sides[0][slug], "simulated": sides[1][slug]}
        for slug in sorted({*sides[0], *sides[1]})
    ]


def judges_sentence(judges: list[dict[str, Any]]) -> str:
    """Who judged, in words; empty where nobody did."""
    if not judges:
        return ""
    names = ", ".join(f"{row['judge']} ({row['kind']})" for row in judges)
    return f"Judge{'s' if len(judges) > 1 else ''}: {names}."
