"""What a model is, what one call to it leaves behind, and where that is kept. No Django, no litellm."""

import contextlib
import hashlib
import uuid
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Literal, Protocol

import orjson

from agents.identity import IdentityPolicy
from siturec.protocol.ports import CallOutcome, FailureKind

SchemaMode = Literal["schema", "object", "none"]
MindRole = Literal["assistant", "user", "moderator", "judge", "judge_frames", "trial"]


@dataclass(frozen=True)
class ModelSpec:
    """A language model with its settings.

    ``model`` is litellm's name (``openai/gpt-x``, ``anthropic/...``; ``openai/NAME`` with ``api_base`` for
    any OpenAI-compatible server). ``key_variable`` names the environment variable that holds the key; the key
    itself is never here. Prices are US dollars per million tokens; times are seconds; ``image_px`` is the
    longest side. ``catalog_limit`` gives a model with a small context only so many products, the best keyword
    matches.
    """

    slug: str
    model: str
    api_base: str = ""
    key_variable: str = ""
    parameters: Mapping[str, Any] = field(default_factory=dict)
    label: str = ""
    timeout_s: float = 60.0
    max_retries: int = 2
    max_wait_s: float = 30.0
    max_tokens: int = 900
    schema_mode: SchemaMode = "schema"
    schema_bounds: bool | None = None
    vision: bool = True
    image_px: int = 960
    concurrency: int = 4
    price_in: float | None = None
    price_out: float | None = None
    max_calls: int | None = None
    max_cost_usd: float | None = None
    catalog_limit: int | None = None
    identity_policy: IdentityPolicy = "mask"
    fallbacks: tuple["ModelSpec", ...] = ()

    @property
    def bounded(self) -> bool:
        """Whether string lengths go into the schema: grammar servers need them, OpenAI refuses them."""
        return bool(self.api_base) if self.schema_bounds is None else self.schema_bounds

    def fingerprint(self) -> str:
        """A short hash of all that can change an answer; no secret is part of it."""
        body = [self.model, self.api_base, dict(self.parameters), self.max_tokens, self.schema_mode]
        body += [self.vision, self.image_px, self.catalog_limit, [f.fingerprint() for f in self.fallbacks]]
        return hashlib.sha256(orjson.dumps(body, option=orjson.OPT_SORT_KEYS)).hexdigest()[:8]


@dataclass(frozen=True)
class Attempt:
    """One request that did not simply succeed: what went wrong and how long was waited after it."""

    model: str
    failure: FailureKind | Literal["text_only", "no_schema", "cut_off"]
    detail: str
    wait_s: float = 0.0


@dataclass
class CallRecord:
    """One call as the log keeps it; images are kept as their hash and size only.

    ``fault`` says why the reply could not be used, or what the provider said; ``asked_again`` marks an
    unusable reply that was followed by a second call, which then carries the outcome of the answer.
    ``answered_slug`` is the model that was asked last: the call's own, or one of its fallbacks.
    """

    model_slug: str
    model: str
    role: MindRole
    prompt_version: str
    messages: list[dict[str, Any]]
    id: str = field(default_factory=lambda: uuid.uuid4().hex)
    started_at: datetime = field(default_factory=lambda: datetime.now(UTC))
    duration_s: float = 0.0
    reply: str = ""
    outcome: CallOutcome = "answered"
    failure: FailureKind | None = None
    attempts: list[Attempt] = field(default_factory=list)
    tokens_in: int | None = None
    tokens_out: int | None = None
    cost_usd: float | None = None
    images: int = 0
    fault: str = ""
    asked_again: bool = False
    episode: str = ""
    turn: int | None = None
    answered_slug: str = ""


@dataclass(frozen=True)
class Spent:
    """What a model has used up so far."""

    calls: int = 0
    cost_usd: float = 0.0


class Ledger(Protocol):
    """Where calls are recorded and budgets are read from."""

    async def spent(self, slug: str) -> Spent:
        """Calls and money of one model so far, its answers in the place of others among them."""
        ...

    async def record(self, call: CallRecord) -> None:
        """Keep one finished call, whatever its outcome."""
        ...


class MemoryLedger:
    """A ledger of this process only: for tests, scripts, and wherever there is no database."""

    def __init__(self) -> None:
        self.calls: list[CallRecord] = []

    async def spent(self, slug: str) -> Spent:
        """Calls and money of one model so far."""
        own = [call for call in self.calls if slug in (call.model_slug, call.answered_slug)]
        return Spent(len(own), sum(call.cost_usd or 0.0 for call in own))

    async def record(self, call: CallRecord) -> None:
        """Keep one finished call."""
        self.calls.append(call)


@dataclass(frozen=True)
class Waiting:
    """News while a mind is being waited for: shown to a person as it is."""

    kind: Literal["queued", "asking", "retrying", "fallback", "repairing"]
    seconds: float = 0.0
    reason: str = ""


Progress = Callable[[Waiting], Awaitable[None]]


@dataclass(frozen=True)
class CallContext:
    """What the calls of this task belong to, and who wants to hear of waiting."""

    episode: str = ""
    turn: int | None = None
    progress: Progress | None = None


_context: ContextVar[CallContext] = ContextVar("call_context", default=CallContext())  # noqa: B039 - frozen


@contextlib.contextmanager
def calling(
    *, episode: str = "", turn: int | None = None, progress: Progress | None = None
) -> Iterator[None]:
    """Mark every call made inside as belonging to an episode's turn; waiting is told to ``progress``."""
    token = _context.set(CallContext(episode, turn, progress))
    try:
        yield
    finally:
        _context.reset(token)


def call_context() -> CallContext:
    """What the current task's calls belong to."""
    return _context.get()


async def tell(news: Waiting) -> None:
    """Report waiting to whoever listens."""
    progress = _context.get().progress
    if progress is not None:
        await progress(news)
