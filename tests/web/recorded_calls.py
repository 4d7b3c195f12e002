"""Calls to models as the log keeps them."""

from datetime import UTC, datetime
from typing import Any

from agents.calls import CallRecord
from agents.models import ModelCall
from agents.services import call_record


def recorded_call(**more: Any) -> ModelCall:
    """A call of an assistant, kept in the log."""
    fields = {
        "model_slug": "m",
        "model": "openai/m",
        "role": "assistant",
        "prompt_version": "assistant@1:abc",
        "messages": [{"role": "user", "content": "My secret wish is fish."}],
        "started_at": datetime(2026, 11, 1, tzinfo=UTC),
        "reply": "Fish it is.",
    }
    return call_record(call=CallRecord(**{**fields, **more}))
