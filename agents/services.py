"""Writing the call log, and trying a model out."""

import dataclasses

from django.db import transaction

from agents.calls import CallRecord, ModelSpec, Spent
from agents.llm import CallFailed, LanguageModel
from agents.models import ModelCall
from agents.selectors import spent
from sessions.database import database_sync_to_async

TRIAL = "In one short sentence, greet a customer who has just come into a shop."


@transaction.atomic
def call_record(*, call: CallRecord) -> ModelCall:
    """Keep one finished call."""
    fields = {field.name: getattr(call, field.name) for field in dataclasses.fields(call)}
    fields["attempts"] = [dataclasses.asdict(attempt) for attempt in call.attempts]
    fields["failure"] = call.failure or ""
    return ModelCall.objects.create(**fields)


class DatabaseLedger:
    """The call log as the ledger of models; budgets are read from it, whichever process spent them."""

    async def spent(self, slug: str) -> Spent:
        """Calls and money of one model so far."""
        return await database_sync_to_async(spent)(slug)

    async def record(self, call: CallRecord) -> None:
        """Keep one finished call."""
        await database_sync_to_async(call_record)(call=call)


@dataclasses.dataclass(frozen=True)
class Trial:
    """What came of trying a model: its log entry, and in words what it said or why it could not."""

    call: CallRecord | None
    text: str
    failure: str = ""


class _Remembering(DatabaseLedger):
    """The database ledger, remembering the call it kept last."""

    last: CallRecord | None = None

    async def record(self, call: CallRecord) -> None:
        self.last = call
        await super().record(call)


async def model_try(*, spec: ModelSpec) -> Trial:
    """Ask a model for one sentence; the call is logged like any other, under the role ``trial``."""
    ledger = _Remembering()
    model = LanguageModel(spec, ledger)
    messages = [{"role": "user", "content": TRIAL}]
    try:
        call = await model.ask(messages, role="trial", prompt_version="trial@1")
    except CallFailed as failed:
        return Trial(ledger.last, str(failed), failed.kind)
    if not call.reply.strip():
        call.outcome, call.failure = "failed", "bad_output"
    await model.keep(call)
    return Trial(call, call.reply, call.failure or "")
