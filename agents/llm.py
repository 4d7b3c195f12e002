"""Calls to language models: the one file that imports litellm, and only when the first call is made.

Retries, waiting, fallbacks and budgets are ours and visible; litellm and the SDK under it retry nothing.
Source of the rules: decision 0050, docs/guides/models.md.
"""

import asyncio
import logging
import os
import time
import weakref
from typing import Any

from agents.calls import (
    Attempt,
    CallRecord,
    Ledger,
    MindRole,
    ModelSpec,
    Waiting,
    call_context,
    tell,
)
from agents.images import image_count, redacted, without_images
from agents.llm_trouble import Trouble, classified
from siturec.protocol.ports import FailureKind

_SPARE_S = 5.0
_RETRYABLE: frozenset[FailureKind] = frozenset({"rate_limit", "timeout", "provider_error"})


class CallFailed(Exception):
    """A model could not be made to answer; ``kind`` says why, ``call`` is the log entry's id."""

    def __init__(self, kind: FailureKind, detail: str, call: str) -> None:
        super().__init__(f"{kind}: {detail}")
        self.kind = kind
        self.call = call


class LanguageModel:
    """One model behind a ledger. Safe for many tasks at once; holds no answer between calls."""

    def __init__(self, spec: ModelSpec, ledger: Ledger) -> None:
        self.spec = spec
        self._ledger = ledger

    async def ask(
        self,
        messages: list[dict[str, Any]],
        *,
        role: MindRole,
        prompt_version: str,
        schema: dict[str, Any] | None = None,
        seed: int | None = None,
    ) -> CallRecord:
        """Ask once, with retries and fallbacks inside.

        The call comes back unrecorded, for the reader to say what became of it; then ``keep`` it.
        Raises: CallFailed, with the failed call already recorded.
        """
        where = call_context()
        call = CallRecord(
            self.spec.slug, self.spec.model, role, prompt_version, redacted(messages), episode=where.episode
        )
        call.turn, call.images = where.turn, image_count(messages)
        await asyncio.to_thread(_litellm)
        began = time.monotonic()
        try:
            await self._check_budget(self.spec)
            call.reply = await self._first_answer(messages, schema, seed, call)
        except Trouble as trouble:
            call.outcome, call.failure = "failed", trouble.kind
            call.fault = trouble.detail
            call.duration_s = time.monotonic() - began
            await self.keep(call)
            raise CallFailed(trouble.kind, trouble.detail, call.id) from None
        except asyncio.CancelledError:
            call.outcome, call.failure, call.fault = "failed", "timeout", "cancelled by the one who asked"
            call.duration_s = time.monotonic() - began
            await asyncio.shield(self.keep(call))
            raise
        call.duration_s = time.monotonic() - began
        return call

    async def keep(self, call: CallRecord) -> None:
        """Record a call in the ledger."""
        await self._ledger.record(call)

    async def _check_budget(self, spec: ModelSpec) -> None:
        """Raises: Trouble once a model's calls or money are used up; what it answered for others counts."""
        if spec.max_calls is None and spec.max_cost_usd is None:
            return
        spent = await self._ledger.spent(spec.slug)
        if spec.max_calls is not None and spent.calls >= spec.max_calls:
            raise Trouble("budget", f"all {spec.max_calls} calls of {spec.slug} are used up", final=True)
        if spec.max_cost_usd is not None and spent.cost_usd >= spec.max_cost_usd:
            raise Trouble("budget", f"the ${spec.max_cost_usd:g} of {spec.slug} are spent", final=True)

    async def _first_answer(
        self,
        messages: list[dict[str, Any]],
        schema: dict[str, Any] | None,
        seed: int | None,
        call: CallRecord,
    ) -> str:
        """The answer of the first model that gives one: the spec's own, then its fallbacks in order."""
        trouble: Trouble | None = None
        for number, spec in enumerate((self.spec, *self.spec.fallbacks)):
            if number:
                await tell(Waiting("fallback", reason=trouble.kind if trouble else ""))
            call.model, call.answered_slug = spec.model, spec.slug
            try:
                if number:
                    await self._check_budget(spec)
                async with _gate(spec):
                    return await _persist(spec, messages, schema, seed, call)
            except Trouble as failed:
                trouble = failed
        if trouble is None:
            raise AssertionError("a spec always has at least itself to ask")
        raise trouble


_gates: "weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, dict[str, asyncio.Semaphore]]" = (
    weakref.WeakKeyDictionary()
)


def _gate(spec: ModelSpec) -> asyncio.Semaphore:
    """At most ``concurrency`` requests of one model at a time in this loop; the others queue."""
    gates = _gates.setdefault(asyncio.get_running_loop(), {})
    return gates.setdefault(spec.slug, asyncio.Semaphore(spec.concurrency))


async def _persist(
    spec: ModelSpec,
    messages: list[dict[str, Any]],
    schema: dict[str, Any] | None,
    seed: int | None,
    call: CallRecord,
) -> str:
    """Ask one model until it answers, its retries are used up, or it fails for good."""
    sent = messages if spec.vision else without_images(messages)
    tries, tokens = 0, spec.max_tokens
    while True:
        await tell(Waiting("asking"))
        call.images = image_count(sent)
        try:
            text, cut_off = await _request(spec, sent, schema, seed, tokens, call)
        except Trouble as trouble:
            if trouble.blind and image_count(sent):
                call.attempts.append(Attempt(spec.model, "text_only", trouble.detail))
                sent = without_images(sent)
                continue
            if trouble.shapeless and schema is not None:
                # The prompt asks for the shape as well; the reply is read and checked in any case.
                call.attempts.append(Attempt(spec.model, "no_schema", trouble.detail))
                schema = None
                continue
            if trouble.final or trouble.kind not in _RETRYABLE or tries >= spec.max_retries:
                call.attempts.append(Attempt(spec.model, trouble.kind, trouble.detail))
                raise
            wait = trouble.after_s if trouble.after_s is not None else min(2.0**tries, spec.max_wait_s)
            if wait > spec.max_wait_s:
                call.attempts.append(Attempt(spec.model, trouble.kind, f"asks to wait {wait:g} s; too long"))
                raise
            tries += 1
            call.attempts.append(Attempt(spec.model, trouble.kind, trouble.detail, wait))
            await tell(Waiting("retrying", wait, trouble.kind))
            await asyncio.sleep(wait)
            continue
        if not cut_off:
            return text
        if tokens > spec.max_tokens:
            call.reply = text
            raise Trouble("too_long", f"cut off after {tokens} tokens, twice", final=True)
        call.attempts.append(Attempt(spec.model, "cut_off", f"cut off after {tokens} tokens"))
        tokens = spec.max_tokens * 2


def _arguments(
    spec: ModelSpec,
    messages: list[dict[str, Any]],
    schema: dict[str, Any] | None,
    seed: int | None,
    tokens: int,
) -> dict[str, Any]:
    given: dict[str, Any] = {"model": spec.model, "messages": messages, "max_tokens": tokens}
    given |= {"timeout": spec.timeout_s, "max_retries": 0, "drop_params": True, **spec.parameters}
    if spec.api_base:
        given["api_base"] = spec.api_base
    key = os.environ.get(spec.key_variable, "") if spec.key_variable else ""
    if key or spec.api_base:
        given["api_key"] = key or "none"
    if seed is not None and "seed" not in given:
        given["seed"] = seed % 2**31
    if schema is not None and spec.schema_mode == "schema":
        body = {"name": schema.get("title", "answer"), "schema": schema, "strict": True}
        given["response_format"] = {"type": "json_schema", "json_schema": body}
    elif schema is not None and spec.schema_mode == "object":
        given["response_format"] = {"type": "json_object"}
    return given


async def _request(
    spec: ModelSpec,
    messages: list[dict[str, Any]],
    schema: dict[str, Any] | None,
    seed: int | None,
    tokens: int,
    call: CallRecord,
) -> tuple[str, bool]:
    """One request: its text, and whether it was cut off; counted in the call. Raises: Trouble."""
    litellm = await asyncio.to_thread(_litellm)
    given = _arguments(spec, messages, schema, seed, tokens)
    try:
        async with asyncio.timeout(spec.timeout_s + _SPARE_S):
            response = await litellm.acompletion(**given)
    except TimeoutError:
        raise Trouble("timeout", f"no answer in {spec.timeout_s:g} s") from None
    except (litellm.exceptions.openai.OpenAIError, ValueError, KeyError, OSError) as error:
        raise classified(litellm, error, secret=given.get("api_key") or "") from None
    if not response.choices:
        raise Trouble("bad_output", "the answer holds no choice", final=True)
    _count(litellm, spec, response, call)
    choice = response.choices[0]
    if choice.finish_reason == "content_filter" or getattr(choice.message, "refusal", None):
        raise Trouble("refused", str(getattr(choice.message, "refusal", "") or "filtered"), final=True)
    return choice.message.content or "", choice.finish_reason == "length"


def _litellm() -> Any:
    """litellm, imported on first use and told to stay silent; the import takes seconds."""
    os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
    os.environ.setdefault("LITELLM_OFFLINE_MODE", "True")
    import litellm

    litellm.suppress_debug_info = True
    logging.getLogger("LiteLLM").setLevel(logging.CRITICAL)
    return litellm


def _count(litellm: Any, spec: ModelSpec, response: Any, call: CallRecord) -> None:
    """Add a response's tokens and cost to its call; what a provider does not say stays unknown."""
    usage = getattr(response, "usage", None)
    if usage is None:
        return
    tokens_in, tokens_out = int(usage.prompt_tokens or 0), int(usage.completion_tokens or 0)
    call.tokens_in = (call.tokens_in or 0) + tokens_in
    call.tokens_out = (call.tokens_out or 0) + tokens_out
    if spec.price_in is not None and spec.price_out is not None:
        cost: float | None = (tokens_in * spec.price_in + tokens_out * spec.price_out) / 1e6
    else:
        cost = (getattr(response, "_hidden_params", None) or {}).get("response_cost")
    if cost is not None:
        call.cost_usd = (call.cost_usd or 0.0) + float(cost)
