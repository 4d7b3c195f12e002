"""Whether models answer: their latest calls in the log, and one sentence asked of those not known to."""

import asyncio
import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from django.utils import timezone

from agents import selectors
from agents.calls import ModelSpec
from agents.models import ModelCall
from agents.scripted.skill import SKILLS
from agents.services import Trial, model_try
from sessions.database import database_sync_to_async

FRESH = timedelta(minutes=10)
"""A model that has answered within this time need not be tried again."""
LOOKED_AT = 200
PATIENCE_S = 30.0
_SCRIPTED = frozenset({*SKILLS, "agenda", "rules"})
ADVICE = {
    "rate_limit": "The provider refuses more calls for now. Wait, or raise the longest wait.",
    "timeout": "No answer came in time. Is the address right, and the server up? Or raise the timeout.",
    "refused": "The provider refused to answer.",
    "too_long": "The prompt or the answer does not fit. Raise the answer tokens, or choose a larger context.",
    "bad_output": "It answered, but with nothing.",
    "provider_error": "The provider answered with an error. Check name, address, key and parameters.",
    "budget": "The budget of this model is used up.",
}


@dataclass(frozen=True)
class Health:
    """A model by its log: ``failing`` names the last call's failure and is empty where it answered.

    ``p95_s`` is how long 19 of 20 of its answers as an assistant took (None: never asked), ``asked`` how many
    those were, of the last 200 calls.
    """

    slug: str
    failing: str
    in_a_row: int
    p95_s: float | None
    asked: int


def models_among(slugs: Sequence[str]) -> list[str]:
    """Those names that stand for language models, each once; a judge with frames under its plain name."""
    plain = (slug.removesuffix("+frames") for slug in slugs)
    return [slug for slug in dict.fromkeys(plain) if slug and slug not in _SCRIPTED]


def model_health(slug: str) -> Health:
    """What the log says of a model's latest calls."""
    calls = ModelCall.objects.filter(model_slug=slug, asked_again=False).order_by("-started_at", "-id")
    rows = list(calls.values_list("outcome", "failure", "role", "duration_s")[:LOOKED_AT])
    failed = [failure or outcome for outcome, failure, _, _ in rows if outcome == "failed"]
    streak = next((at for at, row in enumerate(rows) if row[0] != "failed"), len(rows))
    times = sorted(
        seconds for outcome, _, role, seconds in rows if role == "assistant" and outcome != "failed"
    )
    p95 = times[min(len(times) - 1, int(0.95 * len(times)))] if times else None
    return Health(slug, failed[0] if streak else "", streak, p95, len(times))


def _answered_lately(slug: str) -> bool:
    calls = ModelCall.objects.filter(model_slug=slug, started_at__gte=timezone.now() - FRESH)
    last = calls.order_by("-started_at", "-id").first()
    return last is not None and last.outcome != ModelCall.Outcome.FAILED


async def models_try(
    slugs: Sequence[str], *, fresh: bool = False, patience_s: float = PATIENCE_S
) -> dict[str, Trial]:
    """Ask each model for one sentence, all at once and without a retry; what came of each.

    A model's own timeout holds, but for no longer than ``patience_s``. Without ``fresh``, who has answered
    within ten minutes is not asked. A name that is no model fails.
    """
    found = await asyncio.gather(*(_try(slug, fresh=fresh, patience_s=patience_s) for slug in slugs))
    return {slug: trial for slug, trial in zip(slugs, found, strict=True) if trial is not None}


async def _try(slug: str, *, fresh: bool, patience_s: float) -> Trial | None:
    if not fresh and await database_sync_to_async(_answered_lately)(slug):
        return None
    spec = await database_sync_to_async(selectors.model_spec)(slug)
    if spec is None:
        return Trial(None, "There is no such model, or it is not active.", "unknown")
    others = tuple(_patient(other, patience_s) for other in spec.fallbacks)
    return await model_try(spec=dataclasses.replace(_patient(spec, patience_s), fallbacks=others))


def _patient(spec: ModelSpec, patience_s: float) -> ModelSpec:
    return dataclasses.replace(spec, timeout_s=min(spec.timeout_s, patience_s), max_retries=0)


def trial_fault(slug: str, trial: Trial) -> str:
    """What is wrong with a model that did not answer, in words; empty for one that did."""
    if not trial.failure:
        return ""
    advice = ADVICE.get(trial.failure, "")
    return f"The model '{slug}' does not answer: {trial.text.rstrip('.')}. {advice}".strip()
