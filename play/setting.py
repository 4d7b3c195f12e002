"""What an episode is played in and by: everything that does not change from turn to turn."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field

from siturec.protocol.messages import Pose, StoreKnowledge
from siturec.protocol.ports import AssistantPolicy, Moderator, UserPolicy, World
from siturec.protocol.study import Limits
from siturec.protocol.vocabulary import Condition, UserKind
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
    """How an episode is played. ``mind_retries`` is how often a failed mind is asked the same turn again."""

    limits: Limits = field(default_factory=Limits)
    reply_required: bool = True
    show_user_minimap: bool = False
    mind_retries: int = 0
    world_retries: int = 3
    keep_frames: bool = True


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
