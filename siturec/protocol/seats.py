"""The plan of a study's seats: which tasks, and per task which order of assistants under which letters."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from string import ascii_uppercase

from siturec.protocol.ordering import dealt_rows
from siturec.protocol.study import StudyConfig, TaskChoice


@dataclass(frozen=True)
class TaskPlan:
    """One task of a seat: the order of assistants, and the row of the Williams square it is."""

    task: str
    order: tuple[str, ...]
    row: int

    def as_json(self) -> dict[str, object]:
        """The form in which a seat keeps it."""
        return {"task": self.task, "order": list(self.order), "row": self.row}


def chosen_tasks(choice: TaskChoice, bank: Sequence[str]) -> tuple[str, ...]:
    """The study's tasks in dealing order.

    ``bank`` holds the scene's task ids in their file's order. Sampling draws without replacement with
    ``choice.seed`` and keeps the drawn order, so that neighbours are drawn at random too.

    Raises: ValueError naming unknown ids, or when the bank is smaller than the sample.
    """
    if choice.mode == "fixed":
        unknown = [task for task in choice.ids if task not in set(bank)]
        if unknown:
            raise ValueError(f"tasks: not in this scene: {', '.join(unknown)}")
        return choice.ids
    if len(bank) < choice.sample:
        raise ValueError(f"tasks: {choice.sample} are to be sampled but the scene has {len(bank)}")
    source = random.Random(choice.seed)  # noqa: S311  (a design, not a secret)
    return tuple(source.sample(list(bank), choice.sample))


def seat_plans(config: StudyConfig, tasks: Sequence[str], count: int) -> list[tuple[TaskPlan, ...]]:
    """Plans of the first ``count`` seats.

    Seat i gets tasks i, i+1, … of ``tasks`` cyclically (``per_participant`` of them, never one twice), and
    consumes one dealt row per task; a longer plan begins with the shorter one.
    """
    each = min(config.tasks.per_participant, len(tasks))
    rows = dealt_rows(config.assistant_slugs, seed=config.seed)
    plans: list[tuple[TaskPlan, ...]] = []
    for seat in range(count):
        plan: list[TaskPlan] = []
        for step in range(each):
            row, order = next(rows)
            plan.append(TaskPlan(task=tasks[(seat + step) % len(tasks)], order=order, row=row))
        plans.append(tuple(plan))
    return plans


def letter(position: int) -> str:
    """The letter of the assistant met at ``position`` (from 0) of a task: A, B, … Each task starts anew."""
    return ascii_uppercase[position]
