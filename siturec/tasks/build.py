"""Shoppers and their tasks for a scene, by the four steps of SituRecBench A.3: seeded, pure."""

import random

from siturec.scene.schema import Product, Profile, ScenePack, Task
from siturec.tasks.budget import budget_for
from siturec.tasks.eligible import values_of
from siturec.tasks.goals import Deck, acceptance_for, disclosure_for, goal_text, preferences_of, request_text
from siturec.tasks.needs import Labels, choose_needs
from siturec.tasks.roles import Role, sample_profile
from siturec.tasks.speech import Speech
from siturec.tasks.targets import Coverage, choose_targets
from siturec.tasks.tiers import Tier

TIERS_OF: dict[str, tuple[Tier, ...]] = {
    "high": ("strict", "strict", "moderate"),
    "medium": ("strict", "moderate", "flexible"),
    "low": ("moderate", "flexible", "flexible"),
}
"""Budget tiers to draw from, by price sensitivity: consistent with the role, never decided by it alone."""


def build_shoppers(
    pack: ScenePack, roles: tuple[Role, ...], speech: Speech, rng: random.Random, count: int
) -> tuple[tuple[Profile, ...], tuple[Task, ...]]:
    """``count`` profiles with four tasks each; roles come in a shuffled order and again when they run out.

    Raises: NoTarget or NoWish when the catalog has nothing for a role.
    """
    places = _first_places(pack)
    coverage, labels = Coverage(), Labels()
    serving: dict[str, list[Product]] = {theme: [] for theme in speech.themes}
    for product in pack.products:
        for theme in values_of(product, "use"):
            serving[theme].append(product)
    order: list[Role] = []
    while len(order) < count:
        order += rng.sample(roles, len(roles))
    profiles: list[Profile] = []
    tasks: list[Task] = []
    for number, role in enumerate(order[:count], start=1):
        profile = sample_profile(role, str(number), rng)
        profiles.append(profile)
        deck = Deck(rng, {})
        targets = choose_targets(role, profile, (serving, places), coverage, rng)
        for place, (theme, target) in enumerate(targets, start=1):
            tasks.append(_task((role, profile), theme, target, (pack.products, speech, labels), deck, place))
    return tuple(profiles), tuple(tasks)


def _task(
    shopper: tuple[Role, Profile],
    theme_id: str,
    target: Product,
    catalog: tuple[tuple[Product, ...], Speech, Labels],
    deck: Deck,
    number: int,
) -> Task:
    role, profile = shopper
    products, speech, labels = catalog
    theme = speech.themes[theme_id]
    wish = choose_needs(shopper, (theme_id, target), (products, speech), labels, deck.rng)
    cares = role.cares if theme_id == role.themes[0] else ""
    tier = deck.rng.choice(TIERS_OF[profile.interaction.price_sensitivity])
    prices = tuple(sorted(product.price for product in wish.eligible))
    budget, increment = budget_for(tier, target.price, prices)
    return Task(
        id=f"{profile.id}.{number}",
        profile_id=profile.id,
        theme=theme.name,
        goal=goal_text(theme, wish, cares, budget, deck),
        request=request_text(theme, wish),
        needs=wish.needs,
        preferences=preferences_of(wish, target, cares),
        budget=budget,
        tier=tier,
        increment=increment,
        disclosure=disclosure_for(profile, theme, wish, budget, deck),
        acceptance=acceptance_for(profile, deck.rng),
        target_product=target.id,
        reference_items=tuple(product.id for product in wish.eligible if product.price <= budget),
        eligible_prices=prices,
    )


def _first_places(pack: ScenePack) -> dict[str, str]:
    places: dict[str, str] = {}
    for instance in pack.instances:
        places.setdefault(instance.product, instance.target)
    return places
