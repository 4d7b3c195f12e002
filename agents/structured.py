"""From a model's words to a checked value: parse, one repair, then missing - never a default."""

import re
from collections.abc import Callable
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from agents.calls import CallRecord, MindRole, Waiting, tell
from agents.llm import CallFailed, LanguageModel
from agents.prompting import Prompt
from siturec.protocol.ports import Answer
from siturec.strict_json import BadJSON, RepeatedKey, read_json

G = TypeVar("G", bound=BaseModel)
V = TypeVar("V")
_FENCE = re.compile(r"```(?:json)?\s*(.*?)```", re.DOTALL)
_SHOWN = 1500


class Unusable(ValueError):
    """An answer that cannot be used; the message says why, for the model that gave it."""


def parse_json(text: str) -> tuple[dict[str, Any], bool]:
    """The JSON object in a text, and whether anything stood around it. Raises: Unusable."""
    if not text.strip():
        raise Unusable("the answer was empty")
    fenced = _FENCE.search(text)
    candidates = [text.strip()]
    candidates += [fenced.group(1).strip()] if fenced else []
    start, end = text.find("{"), text.rfind("}")
    candidates += [text[start : end + 1]] if 0 <= start < end else []
    for number, candidate in enumerate(candidates):
        try:
            value = read_json(candidate)
        except RepeatedKey as error:
            raise Unusable(str(error)) from None
        except BadJSON:
            continue
        if isinstance(value, dict):
            return value, number > 0
    cut = text.count("{") > text.count("}")
    raise Unusable("the JSON object was cut off" if cut else "the answer was not one JSON object")


def checked(shape: type[G], value: dict[str, Any]) -> G:
    """A parsed object as its shape. Raises: Unusable naming every wrong field."""
    try:
        return shape.model_validate(value)
    except ValidationError as error:
        faults = [
            f"{'.'.join(str(part) for part in problem['loc']) or 'answer'}: {problem['msg']}"
            for problem in error.errors()
        ]
        raise Unusable("; ".join(faults[:5])) from None


async def ask_structured(
    model: LanguageModel,
    messages: list[dict[str, Any]],
    read: Callable[[str], tuple[V, bool]],
    *,
    role: MindRole,
    prompt: Prompt,
    schema: dict[str, Any] | None,
    seed: int,
    tries: int = 2,
) -> Answer[V]:
    """Ask, read, and where reading fails ask once more with the reason.

    ``read`` returns the value and whether it had to be dug out, and raises ``Unusable``. The outcome is
    *answered*, *repaired*, *missing* (with the raw text) or *failed*; an answer that stays empty is *failed*
    with ``bad_output``.
    """
    version = f"{model.spec.model}#{model.spec.fingerprint()} {prompt.version}"
    calls: list[str] = []
    raw = ""
    for attempt in range(tries):
        try:
            call = await model.ask(
                messages, role=role, prompt_version=prompt.version, schema=schema, seed=seed
            )
        except CallFailed as failed:
            return Answer(None, "failed", failed.kind, raw, version, (*calls, failed.call))
        calls.append(call.id)
        raw = call.reply
        try:
            value, dug = read(raw)
        except Unusable as fault:
            _judge_call(call, str(fault), last=attempt == tries - 1)
            await model.keep(call)
            if attempt == tries - 1:
                break
            messages = [*messages, *complaint(raw, str(fault))]
            await tell(Waiting("repairing", reason=str(fault)))
            continue
        call.outcome = "repaired" if dug or attempt else "answered"
        await model.keep(call)
        return Answer(value, call.outcome, None, raw, version, tuple(calls))
    if not raw.strip():
        return Answer(None, "failed", "bad_output", raw, version, tuple(calls))
    return Answer(None, "missing", None, raw, version, tuple(calls))


def _judge_call(call: CallRecord, fault: str, *, last: bool) -> None:
    """Say of an unusable reply what became of it."""
    call.fault, call.asked_again = fault, not last
    if call.reply.strip():
        call.outcome = "missing"
    else:
        call.outcome, call.failure = "failed", "bad_output"


def complaint(said: str, fault: str) -> list[dict[str, Any]]:
    """An unusable reply and what is wrong with it, as messages that ask again."""
    shown = said[:_SHOWN] if said.strip() else "(nothing)"
    again = f"That answer cannot be used: {fault}. Answer again, with nothing but what was asked for."
    return [{"role": "assistant", "content": shown}, {"role": "user", "content": again}]
