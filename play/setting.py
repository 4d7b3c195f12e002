"""What an episode is played in and by: everything that does not change from turn to turn."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from agents.identity import IdentityPolicy
from siturec.markers.alphabets import fixed_markers
from siturec.protocol.messages import Pose, StoreKnowledge
from siturec.protocol.ports import AssistantPolicy, Moderator, UserPolicy, World
from siturec.protocol.study import Limits
from siturec.protocol.vocabulary import Condition, Role, UserKind
from siturec.scene.schema import Profile, ScenePack, Task

WorldSource = Callable[[], AbstractAsyncContextManager[World]]


@dataclass(frozen=True)
class Cast:
    """The minds of one episode."""

    assistant: AssistantPolicy
    user: UserPolicy
    moderator: Moderator


@dataclass(frozen=True)
class Rules:
    """How an episode is played. ``mind_retries`` is how often a failed mind is asked the same turn again.

    ``identity_policy`` says what becomes of words that tell who an assistant is; None leaves it to the
    model's. Without ``pictures`` no frame is painted: nobody sees one, and the record says so.
    """

    limits: Limits = field(default_factory=Limits)
    reply_required: bool = True
    show_user_minimap: bool = False
    mind_retries: int = 0
    world_retries: int = 3
    keep_frames: bool = True
    pictures: bool = True
    identity_policy: IdentityPolicy | None = None


@dataclass(frozen=True)
class Setting:
    """One episode: its row, its task and scene, and the rules; ``hidden`` words would name an assistant."""

    episode_id: int
    public_id: str
    pack: ScenePack
    knowledge: StoreKnowledge
    task: Task
    profile: Profile
    condition: Condition
    user_kind: UserKind
    seed: int
    rules: Rules = field(default_factory=Rules)
    owner: str = ""
    hidden: tuple[str, ...] = ()
    start: Pose = field(default_factory=lambda: Pose(x_m=0.0, y_m=0.0))

    @cached_property
    def profile_record(self) -> dict[str, Any]:
        """The shopper's profile as plain data; read, never changed."""
        return self.profile.model_dump(mode="json")

    @cached_property
    def task_record(self) -> dict[str, Any]:
        """The task as plain data; read, never changed."""
        return self.task.model_dump(mode="json")

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of every product and place."""
        known = self.knowledge
        return (*(entry.name for entry in known.catalog), *(target.name for target in known.targets))

    @cached_property
    def mapped(self) -> dict[Role, tuple[str, ...]]:
        """The places' markers on the map that each role has, whether the places are in view or not."""
        shown = fixed_markers(self.pack.targets, "user") if self.rules.show_user_minimap else {}
        own = tuple(target.assistant_marker for target in self.knowledge.targets)
        return {"assistant": own, "user": tuple(shown.values())}
