"""Shoppers and tasks: the budget rule recomputed another way, reference items, conflicts, how goals read."""

import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from siturec.scene.load import load_pack
from siturec.tasks.budget import budget_for
from siturec.tasks.check import likeness
from siturec.tasks.conflicts import contradictions

SCENES = Path(__file__).resolve().parents[2] / "scenes"
PRICES = st.integers(50, 300_000).map(lambda cents: cents / 100)


@pytest.fixture(scope="module", params=["supermarket", "home_furnishings"])
def pack(request):
    return load_pack(SCENES / request.param)


def independent_budget(tier, target, prices):
    """The rule as written in the paper, in whole cents and without the code under test."""
    above = sorted(round(100 * price) for price in prices if price > target)
    amount = round(100 * target)
    if tier != "strict" and above:
        share = {"moderate": 1, "flexible": 2}[tier]
        amount = above[(share * len(above) + 2) // 3 - 1]
    step = 100
    for bound, wider in ((2000, 500), (5000, 1000), (20000, 5000), (100000, 10000)):
        if amount >= bound:
            step = wider
    budget = amount + (-amount) % step
    return (budget + step if budget <= round(100 * target) else budget) / 100


@given(
    tier=st.sampled_from(["strict", "moderate", "flexible"]),
    target=PRICES,
    others=st.lists(PRICES, max_size=12),
)
def test_budgets_follow_the_tier_rule(tier, target, others):
    prices = sorted([target, *others])
    budget, increment = budget_for(tier, target, prices)
    assert budget == independent_budget(tier, target, prices)
    assert budget > target
    assert math.isclose(budget / increment, round(budget / increment))
    assert increment in {1, 5, 10, 50, 100}


@given(target=PRICES, others=st.lists(PRICES, min_size=1, max_size=12))
def test_a_looser_tier_never_gives_a_smaller_budget(target, others):
    prices = sorted([target, *others])
    strict, moderate, flexible = (
        budget_for(t, target, prices)[0] for t in ("strict", "moderate", "flexible")
    )
    assert strict <= moderate <= flexible


def test_a_price_that_is_a_multiple_already_goes_up_by_one_increment():
    assert budget_for("strict", 12.0, [12.0]) == (13.0, 1.0)
    assert budget_for("strict", 12.49, [12.49]) == (13.0, 1.0)
    assert budget_for("strict", 50.0, [50.0]) == (60.0, 10.0)


def test_every_shipped_budget_and_reference_item_follows_from_the_catalog(pack):
    for task in pack.tasks:
        target = next(product for product in pack.products if product.id == task.target_product)
        able = []
        for product in pack.products:
            met = True
            for need in task.needs:
                value = {"category": product.category, "tag": product.tags}.get(
                    need.key, product.details.get(need.key, ())
                )
                own = {str(value)} if isinstance(value, str) else {str(one) for one in value}
                met = met and (own.isdisjoint(need.values) if need.avoid else not own.isdisjoint(need.values))
            if met:
                able.append(product)
        assert list(task.eligible_prices) == sorted(product.price for product in able)
        assert task.budget == independent_budget(task.tier, target.price, task.eligible_prices)
        assert set(task.reference_items) == {p.id for p in able if p.price <= task.budget}
        assert target.id in task.reference_items


def test_no_task_contradicts_its_shopper(pack):
    profiles = {profile.id: profile for profile in pack.profiles}
    products = {product.id: product for product in pack.products}
    for task in pack.tasks:
        assert contradictions(profiles[task.profile_id], task, products[task.target_product]) == []


def test_goals_never_name_a_product_and_always_name_the_budget(pack):
    names = [product.name.casefold() for product in pack.products]
    for task in pack.tasks:
        text = task.goal.casefold()
        assert not any(name in text for name in names)
        assert f"${task.budget:,.0f}" in task.goal
        assert "_" not in task.goal
        assert "{" not in task.goal


def test_no_two_tasks_of_a_profile_read_alike(pack):
    for profile in pack.profiles:
        goals = [task.goal for task in pack.tasks if task.profile_id == profile.id]
        for number, goal in enumerate(goals):
            assert all(likeness(goal, other) < 0.6 for other in goals[:number])


def test_details_come_one_at_a_time_after_a_broad_opening(pack):
    for task in pack.tasks:
        details = task.disclosure.details
        assert len(set(details)) == len(details) >= 2
        assert f"${task.budget:,.0f}" not in task.disclosure.opening
        assert sum(f"${task.budget:,.0f}" in detail for detail in details) == 1
        finer = [need.text.rstrip(".").casefold() for need in task.needs[1:]]
        for need in finer:
            assert sum(need in detail.casefold() for detail in details) == 1
            assert need not in task.disclosure.opening.casefold()


def test_targets_cover_the_catalog_widely(pack):
    targets = {task.target_product for task in pack.tasks}
    assert len(targets) >= 90
    categories = {product.category for product in pack.products if product.id in targets}
    assert len(categories) >= 0.85 * len({product.category for product in pack.products})
    first = {}
    for instance in pack.instances:
        first.setdefault(instance.product, instance.target)
    assert len({first[target] for target in targets}) >= 20
    for profile in pack.profiles:
        own = [task.target_product for task in pack.tasks if task.profile_id == profile.id]
        assert len({next(p.category for p in pack.products if p.id == product) for product in own}) >= 3


def test_vegan_shoppers_are_given_vegan_goods_and_careful_ones_what_is_safe():
    pack = load_pack(SCENES / "supermarket")
    products = {product.id: product for product in pack.products}
    for profile in pack.profiles:
        for task in pack.tasks:
            if task.profile_id == profile.id:
                accepted = [products[item] for item in task.reference_items]
                if profile.role == "Vegan cook":
                    assert all("vegan" in product.tags for product in accepted)
                if profile.role == "Coeliac newcomer":
                    assert all("gluten" not in product.details["allergens"] for product in accepted)
