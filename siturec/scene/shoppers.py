"""Shoppers and their tasks: the records of ``profiles.json`` and ``tasks.json``.

Source of the fields: SituRecBench A.2, A.3 (feature list S14-S24).
"""

from typing import Literal

from pydantic import Field

from siturec.scene.record import Record

Level = Literal["low", "medium", "high"]


class BigFive(Record):
    """Big Five traits in three levels."""

    openness: Level
    conscientiousness: Level
    extraversion: Level
    agreeableness: Level
    neuroticism: Level


class Demographics(Record):
    """Demographic and living conditions (S15, S18)."""

    gender: str
    age_group: str
    employment: str
    occupation: str
    household: str
    housing: str
    transport: str
    storage: str


class Interaction(Record):
    """The seven interaction settings (S15)."""

    behavior_style: Literal["direct", "exploratory", "cautious", "social"]
    patience: Level
    price_sensitivity: Level
    explanation_seeking: Level
    substitute_willingness: Level
    navigation_following: Level
    talkativeness: Level


class Profile(Record):
    """A shopper."""

    id: str = Field(pattern=r"^[0-9]+$")
    role: str
    persona: str
    demographics: Demographics
    big_five: BigFive
    interaction: Interaction
    themes: tuple[str, ...]


class Need(Record):
    """One attribute a product must (or must not) have: a key of the product record and accepted values.

    ``key`` is ``category``, ``tag``, or a key of ``details``; a product meets the need when its value (or
    any of its values) is among ``values``, or with ``avoid`` when none is.
    """

    key: str
    values: tuple[str, ...]
    avoid: bool = False
    text: str = Field(description="how the shopper says it: one key detail of the disclosure policy")


class Disclosure(Record):
    """What is said first, and the key details that follow, at most one new one per turn (S23)."""

    opening: str
    details: tuple[str, ...]


class Acceptance(Record):
    """How much explanation is wanted, whether substitutes are taken, how a bad offer is met (S24)."""

    explanation: Literal["little", "some", "much"]
    substitutes: Literal["none", "close", "open"]
    rejection: Literal["reason", "question", "comparison"]


class Task(Record):
    """A shopping goal of one profile: q, z, b, d, a, with its target and reference items.

    ``goal`` is the text a participant reads. ``eligible_prices`` are the prices, ascending, of products
    that meet all needs, the target's included, from which the budget rule is recomputed.
    """

    id: str = Field(pattern=r"^[0-9]+\.[1-4]$")
    profile_id: str
    theme: str
    goal: str
    request: str
    needs: tuple[Need, ...]
    preferences: tuple[str, ...]
    budget: float
    tier: Literal["strict", "moderate", "flexible"]
    increment: float
    disclosure: Disclosure
    acceptance: Acceptance
    target_product: str
    reference_items: tuple[str, ...]
    eligible_prices: tuple[float, ...]
