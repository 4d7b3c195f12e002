"""The budget rule (SituRecBench A.3, step 4)."""

import math
from collections.abc import Sequence

from siturec.tasks.tiers import Tier

INCREMENTS: tuple[tuple[float, float], ...] = ((20.0, 1.0), (50.0, 5.0), (200.0, 10.0), (1000.0, 50.0))
"""(below this amount, round up to a multiple of this), in US dollars; at 1,000 and above: 100."""
HIGHEST_INCREMENT = 100.0


def increment_for(amount: float) -> float:
    """The rounding increment of the price range an amount lies in."""
    return next((step for below, step in INCREMENTS if amount < below), HIGHEST_INCREMENT)


def starting_amount(tier: Tier, target_price: float, eligible_prices: Sequence[float]) -> float:
    """The amount before rounding: the target's price when strict; else the price about one third (moderate)
    or two thirds (flexible) of the way up the eligible prices above the target's, or the target's if none is.

    The n prices above, ascending, have places 1 to n; the place taken is the ceiling of n/3 or 2n/3.
    """
    above = sorted(price for price in eligible_prices if price > target_price)
    if tier == "strict" or not above:
        return target_price
    thirds = 1 if tier == "moderate" else 2
    return above[math.ceil(len(above) * thirds / 3) - 1]


def budget_for(tier: Tier, target_price: float, eligible_prices: Sequence[float]) -> tuple[float, float]:
    """(budget, increment): the starting amount rounded up to a multiple of its range's increment, and one
    increment more where that does not exceed the target's price."""
    amount = starting_amount(tier, target_price, eligible_prices)
    increment = increment_for(amount)
    # Cents, so that 12.00 is a multiple of 1 and not a hair above or below it.
    steps = math.ceil(round(amount * 100) / round(increment * 100))
    budget = steps * increment
    if budget <= target_price:
        budget += increment
    return budget, increment
