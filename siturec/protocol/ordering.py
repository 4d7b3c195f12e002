"""Who meets which assistant when: Williams squares, balanced for position and for who follows whom.

Source: E. J. Williams (1949), Experimental designs balanced for the estimation of residual effects of
treatments. For even n one square of n rows suffices; for odd n a square and its mirror image, 2n rows.
"""

import random
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TypeVar

T = TypeVar("T")


def williams_square(n: int) -> tuple[tuple[int, ...], ...]:
    """The rows of a Williams design for treatments 0 … n-1.

    Every treatment stands equally often in every position, and every ordered pair of different
    treatments is adjacent equally often (once for even n, twice for odd n > 1).

    Raises: ValueError when n < 1.
    """
    if n < 1:
        raise ValueError(f"a design needs at least one treatment, got {n}")
    zigzag = [0]
    low, high = 1, n - 1
    while len(zigzag) < n:
        zigzag.append(low)
        low += 1
        if len(zigzag) < n:
            zigzag.append(high)
            high -= 1
    square = tuple(tuple((place + shift) % n for place in zigzag) for shift in range(n))
    if n % 2 == 0 or n == 1:
        return square
    return square + tuple(tuple(reversed(row)) for row in square)


def dealt_rows(items: Sequence[T], *, seed: int) -> Iterator[tuple[int, tuple[T, ...]]]:
    """Rows of the items' Williams design without end: ``(row number, order)``.

    Which item is which treatment, and the order of rows within each full block, come from ``seed``; each
    block holds every row once, so that any number of whole blocks is balanced.
    """
    source = random.Random(seed)  # noqa: S311  (a design, not a secret)
    names = list(items)
    source.shuffle(names)
    square = williams_square(len(names))
    while True:
        block = list(range(len(square)))
        source.shuffle(block)
        for number in block:
            yield number, tuple(names[treatment] for treatment in square[number])


def position_counts(orders: Sequence[Sequence[T]], items: Sequence[T]) -> dict[T, list[int]]:
    """How often each item stood in each position."""
    width = max((len(order) for order in orders), default=0)
    counts = {item: [0] * width for item in items}
    for order in orders:
        for place, item in enumerate(order):
            counts[item][place] += 1
    return counts


def carry_over_counts(orders: Sequence[Sequence[T]], items: Sequence[T]) -> dict[T, dict[T, int]]:
    """``counts[a][b]``: how often ``b`` came directly after ``a``."""
    counts = {first: {second: 0 for second in items if second != first} for first in items}
    for order in orders:
        for first, second in pairwise(order):
            counts[first][second] += 1
    return counts
