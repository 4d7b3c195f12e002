"""Reading models and their calls."""

import hashlib
from collections.abc import Iterable, Iterator
from typing import Any

import orjson
from django.conf import settings
from django.db.models import Avg, Count, Q, Sum

from agents.calls import ModelSpec, Spent
from agents.models import LanguageModel, ModelCall
from siturec.strict_json import BadJSON, read_json

SETTINGS_SLUG = "model"
ROLE_FIELDS = {
    "assistant": "as_assistant",
    "user": "as_user",
    "moderator": "as_moderator",
    "judge": "as_judge",
}
_OPTIONS = frozenset(
    {
        "parameters",
        "timeout_s",
        "max_retries",
        "max_wait_s",
        "max_tokens",
        "schema_mode",
        "schema_bounds",
        "vision",
        "image_px",
        "concurrency",
        "price_in",
        "price_out",
        "max_calls",
        "max_cost_usd",
        "catalog_limit",
        "identity_policy",
    }
)


class BadOptions(ValueError):
    """``SITUREC_MODEL_OPTIONS`` is not one JSON object of known options."""


def settings_spec() -> ModelSpec | None:
    """The model named by the settings, or None when none is. Raises: BadOptions."""
    if not settings.SITUREC_MODEL:
        return None
    return ModelSpec(
        slug=SETTINGS_SLUG,
        model=settings.SITUREC_MODEL,
        api_base=settings.SITUREC_MODEL_API_BASE,
        key_variable=settings.SITUREC_MODEL_KEY_VARIABLE,
        **_options(settings.SITUREC_MODEL_OPTIONS),
    )


def _options(text: str) -> dict[str, Any]:
    if not text:
        return {}
    try:
        options = read_json(text)
    except BadJSON as error:
        raise BadOptions(f"SITUREC_MODEL_OPTIONS: {error}") from None
    unknown = set(options) - _OPTIONS if isinstance(options, dict) else {"not an object"}
    if unknown:
        raise BadOptions(
            f"SITUREC_MODEL_OPTIONS: {', '.join(sorted(unknown))}; there are: {', '.join(sorted(_OPTIONS))}"
        )
    return dict(options)


def model_slugs(role: str) -> tuple[str, ...]:
    """The models that may take a role: the settings' own, then the active rows."""
    rows = LanguageModel.objects.filter(active=True, **{ROLE_FIELDS[role]: True}).values_list(
        "slug", flat=True
    )
    return (*((SETTINGS_SLUG,) if settings.SITUREC_MODEL else ()), *rows)


def model_label(slug: str) -> str:
    """A model's label for researchers."""
    if slug == SETTINGS_SLUG:
        return str(settings.SITUREC_MODEL)
    row = LanguageModel.objects.filter(slug=slug).first()
    return f"{row.label}: {row.model}" if row else slug


def model_spec(slug: str) -> ModelSpec | None:
    """A model by name with its fallbacks, or None when there is none of that name."""
    if slug == SETTINGS_SLUG:
        return settings_spec()
    row = LanguageModel.objects.filter(slug=slug, active=True).first()
    return row_spec(row) if row else None


def row_spec(row: LanguageModel) -> ModelSpec:
    """A row as the spec calls are made from; a fallback's own fallbacks follow, each once."""
    chain: list[LanguageModel] = []
    following = row.fallback
    while following is not None and following != row and following not in chain:
        chain.append(following)
        following = following.fallback
    return _spec(row, fallbacks=tuple(_spec(other) for other in chain if other.active))


def _spec(row: LanguageModel, *, fallbacks: tuple[ModelSpec, ...] = ()) -> ModelSpec:
    same = {name: getattr(row, name) for name in _OPTIONS - {"schema_bounds"}}
    named = {name: getattr(row, name) for name in ("slug", "model", "api_base", "key_variable", "label")}
    return ModelSpec(**named, **same, fallbacks=fallbacks)


def spent(slug: str) -> Spent:
    """Calls and money of one model so far; a call whose cost is unknown counts as a call only."""
    mine = Q(model_slug=slug) | Q(answered_slug=slug)
    totals = ModelCall.objects.filter(mine).aggregate(calls=Count("id"), cost=Sum("cost_usd"))
    return Spent(totals["calls"], totals["cost"] or 0.0)


def outcome_rates(*, episodes: Iterable[str] | None = None) -> list[dict[str, Any]]:
    """Per model, role and prompt version: answers by outcome and failure, money, tokens, mean seconds.

    ``episodes`` are public ids, or a query for them; None counts every call.
    An unusable reply that was asked about again is not an answer of its own; money and tokens count it.
    """
    calls = ModelCall.objects.all() if episodes is None else ModelCall.objects.filter(episode__in=episodes)
    kinds = {
        kind: Count("id", filter=Q(asked_again=False, outcome=kind)) for kind in ModelCall.Outcome.values
    }
    failures = ("rate_limit", "timeout", "refused", "too_long", "bad_output", "provider_error", "budget")
    typed = {f"failed_{kind}": Count("id", filter=Q(asked_again=False, failure=kind)) for kind in failures}
    rows = calls.values("model_slug", "role", "prompt_version").annotate(
        answers=Count("id", filter=Q(asked_again=False)),
        calls=Count("id"),
        unpriced=Count("id", filter=Q(cost_usd__isnull=True)),
        cost=Sum("cost_usd"),
        tokens_in_total=Sum("tokens_in"),
        tokens_out_total=Sum("tokens_out"),
        seconds=Avg("duration_s"),
        **kinds,
        **typed,
    )
    return [
        _with_shares(dict(row), failures) for row in rows.order_by("model_slug", "role", "prompt_version")
    ]


def _with_shares(row: dict[str, Any], failures: tuple[str, ...]) -> dict[str, Any]:
    """A rates row with shares in percent, and its failures in words."""
    answers = row["answers"]
    row["shares"] = [
        {"outcome": kind, "count": row[kind], "percent": 100 * row[kind] / answers if answers else None}
        for kind in ModelCall.Outcome.values
    ]
    counted = [(kind, row.pop(f"failed_{kind}")) for kind in failures]
    row["failures"] = ", ".join(f"{kind} {count}" for kind, count in counted if count) or "none"
    return row


def rates_of(slug: str) -> str:
    """One model's answers by outcome, in one line, such as ``12: 83 % answered, 17 % failed``."""
    answers = ModelCall.objects.filter(model_slug=slug, asked_again=False)
    counts = dict(answers.values_list("outcome").annotate(Count("id")).order_by())
    total = sum(counts.values())
    shares = [
        f"{100 * counts[kind] / total:.0f} % {kind}" for kind in ModelCall.Outcome.values if kind in counts
    ]
    return f"{total}: {', '.join(shares)}" if total else "none yet"


def calls_redacted(*, episodes: list[str] | None = None) -> Iterator[dict[str, Any]]:
    """The call log for export, in the order of the calls; see ``call_redacted``."""
    calls = ModelCall.objects.order_by("started_at", "id")
    if episodes is not None:
        calls = calls.filter(episode__in=episodes)
    yield from map(call_redacted, calls.iterator(chunk_size=200))


def call_redacted(call: ModelCall) -> dict[str, Any]:
    """A call for export: every number and outcome, but of prompt and reply only hash and length."""
    prompt = orjson.dumps(call.messages)
    return {
        "id": call.id,
        "model": call.model_slug,
        "answered_by": call.model,
        "role": call.role,
        "prompt_version": call.prompt_version,
        "episode": call.episode,
        "turn": call.turn,
        "started_at": call.started_at.isoformat(),
        "duration_s": round(call.duration_s, 3),
        "outcome": call.outcome,
        "failure": call.failure or None,
        "asked_again": call.asked_again,
        "attempts": [{"failure": a["failure"], "wait_s": a["wait_s"]} for a in call.attempts],
        "images": call.images,
        "tokens_in": call.tokens_in,
        "tokens_out": call.tokens_out,
        "cost_usd": call.cost_usd,
        "prompt_sha256": hashlib.sha256(prompt).hexdigest(),
        "prompt_bytes": len(prompt),
        "reply_sha256": hashlib.sha256(call.reply.encode()).hexdigest(),
        "reply_chars": len(call.reply),
    }
