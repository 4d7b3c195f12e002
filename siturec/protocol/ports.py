"""The ports an episode is played through: a world, and the minds that answer.

People and simulated users differ by the object behind ``UserPolicy``, and by nothing else.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Generic, Literal, Protocol, TypeVar

from siturec.protocol.messages import (
    AssistantInput,
    AssistantMessage,
    JudgeInput,
    JudgeScores,
    ModeratorDecision,
    ModeratorInput,
    Outcome,
    Pose,
    ResolvedAction,
    ShopperState,
    UserInput,
    UserMessage,
    View,
)

T = TypeVar("T", covariant=True)

CallOutcome = Literal["answered", "repaired", "missing", "failed"]
FailureKind = Literal[
    "rate_limit", "timeout", "refused", "too_long", "bad_output", "provider_error", "budget"
]


@dataclass(frozen=True)
class Answer(Generic[T]):
    """What a mind gave back. ``value`` is None exactly when the outcome is missing or failed."""

    value: T | None
    outcome: CallOutcome = "answered"
    failure: FailureKind | None = None
    raw: str = ""
    policy_version: str = ""
    calls: tuple[str, ...] = field(default=())


class AssistantPolicy(Protocol):
    """A system under evaluation."""

    slug: str

    async def respond(self, given: AssistantInput) -> Answer[AssistantMessage]:
        """Answer one turn."""
        ...


class UserPolicy(Protocol):
    """A person at a browser, an agenda, or a model."""

    slug: str

    async def respond(self, given: UserInput) -> Answer[UserMessage]:
        """Reply in words and choose exactly one tool."""
        ...


class Moderator(Protocol):
    """Decides whether an interaction that is still active has come to its end."""

    slug: str

    async def decide(self, given: ModeratorInput) -> Answer[ModeratorDecision]:
        """Answer a strict yes or no."""
        ...


class Judge(Protocol):
    """Scores a finished episode on the seven dimensions."""

    slug: str

    async def score(self, given: JudgeInput) -> Answer[JudgeScores]:
        """Score one episode."""
        ...


FrameSink = Callable[[bytes], Awaitable[None]]


class World(Protocol):
    """One shopper in one store, however it is reached. Every failure is a ``WorldError`` subclass."""

    @property
    def pose(self) -> Pose:
        """The last measured pose."""
        ...

    @property
    def state(self) -> ShopperState:
        """What is held, checked and in the cart."""
        ...

    async def reset(
        self, *, pose: Pose, state: ShopperState | None = None, picked_at: Sequence[Pose] = ()
    ) -> None:
        """Place the shopper, empty-handed or as recorded, in a store with everything else in its place.

        ``picked_at``: where the shopper stood when picking up each thing in the cart, in its order, then what
        is held: of several alike that tells which are gone. Without it the nearest to ``pose`` are.
        """
        ...

    async def observe(self, *, number: int, pictures: bool = True) -> View:
        """Capture, find what is visible, paint both roles' frames. ``number`` counts observations from 0.

        Without ``pictures`` the observation is the same, and every frame and map of the view is empty.
        """
        ...

    async def execute(self, action: ResolvedAction, *, moving: FrameSink | None = None) -> Outcome:
        """Carry out a validated action; ``moving`` gets unmarked JPEG frames on the way."""
        ...

    async def close(self) -> None:
        """Give the shopper back. Never raises."""
        ...


class WorldError(Exception):
    """A world could not do what was asked; nothing of the turn was consumed."""


class WorldUnavailable(WorldError):
    """No world answers, or all are taken."""


class WorldTimeout(WorldError):
    """A world did not answer in time, even over a fresh connection."""


class WorldLied(WorldError):
    """A world answered what cannot be true: a wrong frame, shape or id, or a frame that never changes."""
