"""Recommendation utility of saved rankings against a final cart or reference items.

Rankings are lists of product ids, best first, repeats and unknown ids kept. A repeated product gets credit
once, at its first place, and later places do not shift. All scores are in [0, 1].
Source: SituRecBench C.1 (S47, S51, S52).
"""

from collections.abc import Collection, Iterable, Sequence
from math import log2

from siturec.trajectory_schema import Trajectory

_DISCOUNT = tuple(1 / log2(rank + 1) for rank in range(1, 11))
_IDEAL = tuple(sum(_DISCOUNT[:size]) for size in range(11))


def recall_at_5(ranking: Sequence[str], cart: Collection[str]) -> float:
    """Share of the cart's distinct products among the first five entries; 0 for an empty cart."""
    wanted = set(cart)
    return len(wanted.intersection(ranking[:5])) / len(wanted) if wanted else 0.0


def ndcg_at_10(ranking: Sequence[str], cart: Collection[str]) -> float:
    """DCG over ideal DCG of ten entries, gain 1 at a cart product's first place; 0 for an empty cart."""
    waiting = set(cart)
    if not waiting:
        return 0.0
    ideal = _IDEAL[min(10, len(waiting))]
    gained = 0.0
    for discount, product in zip(_DISCOUNT, ranking, strict=False):
        if product in waiting:
            waiting.discard(product)
            gained += discount
    return gained / ideal


def reciprocal_rank_at_10(ranking: Sequence[str], reference: Collection[str]) -> float:
    """1 / rank of the first reference item in the first ten entries, else 0."""
    return next((1 / rank for rank, product in enumerate(ranking[:10], 1) if product in reference), 0.0)


def saved_rankings(record: Trajectory) -> list[list[str]]:
    """The rankings that were saved, empty ones included; a null ranking was not saved."""
    rankings = (turn["assistant"]["ranking"] for turn in record["turns"])
    return [ranking for ranking in rankings if ranking is not None]


def mean_or_zero(values: Iterable[float]) -> float:
    """Mean over an episode's rankings; one without any scores 0 (the paper's rule for R@5, NDCG@10)."""
    collected = list(values)
    return sum(collected) / len(collected) if collected else 0.0


def reference_bought(record: Trajectory) -> bool:
    """Whether what was bought is among the task's reference items (any of it, should a cart hold several)."""
    return not set(record["final_cart"]).isdisjoint(record["reference_items"])


def catalog_entries(rankings: Iterable[Sequence[str]], catalog: Collection[str]) -> tuple[int, int]:
    """How many ranked entries are in the catalog, and how many there are."""
    entries = [product for ranking in rankings for product in ranking]
    return sum(product in catalog for product in entries), len(entries)
