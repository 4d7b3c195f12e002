"""A run's plan: what to simulate, spelled out item by item before the first is played."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence

import orjson
from pydantic import Field

from siturec.protocol.messages import Shape
from siturec.protocol.seeds import derive_seed
from siturec.protocol.study import Limits
from siturec.protocol.vocabulary import Condition
from siturec.scene.schema import Task


class RunSpec(Shape):
    """Everything that decides a run's records. ``tasks`` are ids per scene, already chosen.

    Without ``pictures`` no frame is painted, for minds that look at none; its records say so.
    """

    scenes: tuple[str, ...] = Field(min_length=1)
    tasks: dict[str, tuple[str, ...]]
    assistants: tuple[str, ...] = Field(min_length=1)
    users: tuple[str, ...] = Field(min_length=1)
    conditions: tuple[Condition, ...] = ("full",)
    seeds: tuple[int, ...] = Field(default=(0,), min_length=1)
    moderator: str = "rules"
    judge: str = ""
    limits: Limits = Limits()
    show_user_minimap: bool = False
    max_attempts: int = Field(default=2, ge=1, le=10)
    pictures: bool = True

    @property
    def digest(self) -> str:
        """SHA-256 of the whole spec."""
        # Left out where it is as ever: plans stored before there was a choice keep their digest.
        left_out = {"pictures"} if self.pictures else None
        body = orjson.dumps(self.model_dump(mode="json", exclude=left_out), option=orjson.OPT_SORT_KEYS)
        return hashlib.sha256(body).hexdigest()


class RunItem(Shape):
    """One episode to play."""

    position: int
    scene: str
    task_id: str
    profile_id: str
    reference_items: tuple[str, ...]
    assistant: str
    user: str
    condition: Condition
    seed: int


def run_items(spec: RunSpec, tasks: Mapping[str, Mapping[str, Task]]) -> Iterator[RunItem]:
    """The plan's items in order: scene, seed, condition, user, task, assistant.

    An item's seed is made of its names alone, so that adding an assistant changes no other episode.
    Raises: KeyError for a task that its scene does not have.
    """
    position = 0
    for scene in spec.scenes:
        for seed in spec.seeds:
            for condition in spec.conditions:
                for user in spec.users:
                    for task_id in spec.tasks[scene]:
                        task = tasks[scene][task_id]
                        for assistant in spec.assistants:
                            yield RunItem(
                                position=position,
                                scene=scene,
                                task_id=task_id,
                                profile_id=task.profile_id,
                                reference_items=task.reference_items,
                                assistant=assistant,
                                user=user,
                                condition=condition,
                                seed=derive_seed(seed, scene, task_id, assistant, user, condition),
                            )
                            position += 1


def first_tasks(wanted: str, bank: Sequence[str]) -> tuple[str, ...]:
    """Tasks named on a command line: ``all``, a number (the first so many), or ids parted by commas.

    Raises: ValueError naming unknown ids, or when there are fewer tasks than wanted.
    """
    if wanted == "all":
        return tuple(bank)
    if wanted.isdigit():
        if not 1 <= int(wanted) <= len(bank):
            raise ValueError(f"tasks: {wanted} are wanted but the scene has {len(bank)}")
        return tuple(bank[: int(wanted)])
    ids = tuple(part.strip() for part in wanted.split(",") if part.strip())
    unknown = [task for task in ids if task not in set(bank)]
    if unknown or not ids:
        raise ValueError(f"tasks: not in this scene: {', '.join(unknown) or '(none named)'}")
    return ids
