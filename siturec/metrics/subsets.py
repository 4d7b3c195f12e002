"""The four disjoint subsets of a task bank. Source: SituRecBench C.1 (S55).

For each profile its four tasks are shuffled and one goes to each subset, so each subset holds every
profile once. The partition is a pure function of the bank: the same for all assistants and ablations.
"""

import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, stdev

SUBSETS = 4
SEED = 42


class PartitionError(ValueError):
    """A task bank cannot be cut into the four subsets; the message names the profile."""


@dataclass(frozen=True)
class SubsetMean:
    """Mean and sample standard deviation (n - 1) of the four subset means, in the metric's unit."""

    mean: float
    sd: float


def partition(tasks: Mapping[str, Sequence[str]], *, seed: int = SEED) -> dict[str, int]:
    """Assign each task id to a subset, 0 to 3; ``tasks`` maps a profile id to its four task ids.

    The order in which profiles and tasks are given does not matter.
    Raises: PartitionError when a profile has not exactly four different tasks or a task has two profiles.
    """
    if not tasks:
        raise PartitionError("the task bank is empty")
    source = random.Random(seed)  # noqa: S311  (a repeatable shuffle, no secret)
    subset_of: dict[str, int] = {}
    for profile in sorted(tasks, key=natural):
        own = sorted(set(tasks[profile]), key=natural)
        if len(own) != SUBSETS or len(tasks[profile]) != SUBSETS:
            raise PartitionError(f"profile {profile} has {len(own)} different tasks; four are needed")
        source.shuffle(own)
        for subset, task in enumerate(own):
            if task in subset_of:
                raise PartitionError(f"task {task} belongs to two profiles")
            subset_of[task] = subset
    return subset_of


def over_subsets(means: Sequence[float | None]) -> SubsetMean | None:
    """The mean of the four subset means with their sample SD; None unless all four have a value."""
    known = [mean for mean in means if mean is not None]
    if len(known) != SUBSETS or len(means) != SUBSETS:
        return None
    return SubsetMean(mean=fmean(known), sd=stdev(known))


def natural(text: str) -> tuple[tuple[int, int, str], ...]:
    """Sort key under which task 9.1 comes before task 10.1."""
    parts = re.findall(r"\d+|\D+", text)
    return tuple((0, int(part), "") if part.isdigit() else (1, 0, part) for part in parts)
