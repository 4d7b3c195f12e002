"""Step 1: roles and themes, and profiles sampled from them (SituRecBench A.3)."""

import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from siturec.scene.schema import BigFive, Demographics, Interaction, Level, Profile

GENDERS = ("woman", "man", "non-binary")
STYLES = ("direct", "exploratory", "cautious", "social")
LEVELS: tuple[Level, ...] = ("low", "medium", "high")


@dataclass(frozen=True)
class Role:
    """A kind of shopper: what is fixed about it, and the lists its profiles are sampled from.

    ``must`` are tags every product it buys has; ``never`` are categories, tags or allergens it does not buy.
    """

    role: str
    who: str
    cares: str
    themes: tuple[str, ...]
    age: tuple[str, ...]
    work: tuple[str, ...]
    job: tuple[str, ...]
    home: tuple[str, ...]
    housing: tuple[str, ...]
    transport: tuple[str, ...]
    storage: tuple[str, ...]
    price: tuple[Level, ...]
    must: tuple[str, ...] = ()
    never: tuple[str, ...] = ()


def roles_from(raw: list[Mapping[str, Any]]) -> tuple[Role, ...]:
    """Roles from a parsed data file.

    Raises: TypeError naming an unknown or a missing key.
    """
    made: list[Role] = []
    for row in raw:
        fields: dict[str, Any] = {
            key: tuple(value) if isinstance(value, list) else value for key, value in row.items()
        }
        made.append(Role(**fields))
    return tuple(made)


def sample_profile(role: Role, identity: str, rng: random.Random) -> Profile:
    """A profile of a role: gender, Big Five and behaviour style are free, living conditions are the role's,
    and the seven interaction settings lean towards the traits."""
    traits = BigFive.model_validate({name: rng.choice(LEVELS) for name in BigFive.model_fields})
    demographics = Demographics(
        gender=rng.choice(GENDERS),
        age_group=rng.choice(role.age),
        employment=rng.choice(role.work),
        occupation=rng.choice(role.job),
        household=rng.choice(role.home),
        housing=rng.choice(role.housing),
        transport=rng.choice(role.transport),
        storage=rng.choice(role.storage),
    )
    interaction = Interaction.model_validate(
        {
            "behavior_style": rng.choice(STYLES),
            "patience": _lean(traits.agreeableness, rng),
            "price_sensitivity": rng.choice(role.price),
            "explanation_seeking": _lean(traits.conscientiousness, rng),
            "substitute_willingness": _lean(traits.openness, rng),
            "navigation_following": _lean(traits.agreeableness, rng),
            "talkativeness": _lean(traits.extraversion, rng),
        }
    )
    return Profile(
        id=identity,
        role=role.role,
        persona=_persona(role, demographics),
        demographics=demographics,
        big_five=traits,
        interaction=interaction,
        themes=role.themes,
    )


def _lean(trait: Level, rng: random.Random) -> Level:
    """The trait's level two times out of three, else a neighbour of it."""
    place = LEVELS.index(trait)
    if rng.random() < 2 / 3:
        return trait
    return LEVELS[rng.choice([n for n in (place - 1, place + 1) if 0 <= n < len(LEVELS)])]


def _persona(role: Role, lives: Demographics) -> str:
    home = lives.household
    dwelling = f"{home[0].upper()}{home[1:]}" if home.startswith("lives") else f"Household: {home}"
    return (
        f"A shopper aged {lives.age_group} who {role.who}. Cares about {role.cares}. "
        f"{dwelling}; {lives.housing}; comes by {lives.transport.removeprefix('on ')}."
    )
