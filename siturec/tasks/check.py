"""The faults of a pack's shoppers and tasks, recomputed from the catalog."""

import re
from collections.abc import Iterator

from siturec.scene.schema import Product, ScenePack, Task
from siturec.tasks.budget import budget_for
from siturec.tasks.conflicts import contradictions
from siturec.tasks.eligible import eligible, meets

TASKS_EACH = 4
MOST_ALIKE = 0.6
"""Two goals of a profile must share a smaller part of their words than this."""


def check_tasks(pack: ScenePack) -> Iterator[str]:
    """Faults of profiles and tasks, one readable line each."""
    products = {product.id: product for product in pack.products}
    profiles = {profile.id: profile for profile in pack.profiles}
    counts = dict.fromkeys(profiles, 0)
    texts: dict[str, list[tuple[int, str]]] = {}
    for number, task in enumerate(pack.tasks, start=1):
        where = f"tasks.json row {number}"
        if task.profile_id not in profiles:
            yield f"{where}, profile_id: there is no profile {task.profile_id}"
            continue
        counts[task.profile_id] += 1
        if task.id.split(".")[0] != task.profile_id:
            yield f"{where}, id: {task.id} is no task of profile {task.profile_id}"
        for other, goal in texts.setdefault(task.profile_id, []):
            if likeness(goal, task.goal) > MOST_ALIKE:
                yield f"{where}, goal: reads like row {other} of the same profile"
        texts[task.profile_id].append((number, task.goal))
        target = products.get(task.target_product)
        if target is None:
            yield f"{where}, target_product: there is no product {task.target_product}"
        else:
            yield from _task(where, task, target, pack.products)
            profile = profiles[task.profile_id]
            yield from (f"{where}, needs: {text}" for text in contradictions(profile, task, target))
    for number, profile in enumerate(pack.profiles, start=1):
        if counts[profile.id] != TASKS_EACH:
            yield f"profiles.json row {number}, id: {counts[profile.id]} tasks instead of {TASKS_EACH}"


def likeness(one: str, other: str) -> float:
    """Shared words as a part of all words of two texts (Jaccard), 0 to 1."""
    first, second = (set(re.findall(r"[a-z0-9$]+", text.casefold())) for text in (one, other))
    return len(first & second) / len(first | second) if first | second else 1.0


def _task(where: str, task: Task, target: Product, products: tuple[Product, ...]) -> Iterator[str]:
    for need in task.needs:
        if not meets(target, need):
            verb = "has" if need.avoid else "lacks"
            yield f"{where}, needs: the target {target.id} {verb} {need.key} {'/'.join(need.values)}"
    able = eligible(products, task.needs)
    prices = tuple(sorted(product.price for product in able))
    if task.eligible_prices != prices:
        yield f"{where}, eligible_prices: must be {list(prices)}, the prices of what meets the needs"
    budget, increment = budget_for(task.tier, target.price, prices)
    if task.budget != budget:
        yield f"{where}, budget: {task.budget} where the {task.tier} rule gives {budget}"
    if task.increment != increment:
        yield f"{where}, increment: {task.increment} where the price range has {increment}"
    expected = tuple(product.id for product in able if product.price <= task.budget)
    if task.reference_items != expected:
        yield f"{where}, reference_items: must be {list(expected)}, what meets needs and budget"
    if target.id not in task.reference_items:
        yield f"{where}, reference_items: the target {target.id} is missing"
    if not task.disclosure.details:
        yield f"{where}, disclosure: there is no detail to tell after the opening"
