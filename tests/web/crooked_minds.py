"""Minds of a language model behind a provider that misbehaves."""

import json

from agents.calls import MemoryLedger, ModelSpec
from agents.llm import LanguageModel

GOOD_USER = json.dumps({"reply": "I'd like some fish.", "tool_call": {"tool": "idle", "args": {}}})

GOOD_ASSISTANT = {
    "utterance": "Hello! What are you looking for?",
    "assistant_actions": [{"type": "Greet"}],
    "ranking": ["sm-1", "sm-1", "unknown"],
    "expected_user_action": {"tool": "idle", "args": {}},
}


def spec(server, **more):
    return ModelSpec("m", "openai/crooked", api_base=server.base, **{"timeout_s": 5, "max_wait_s": 2, **more})


def mind(kind, server, ledger=None, **more):
    ledger = ledger if ledger is not None else MemoryLedger()
    model = LanguageModel(spec(server, **more), ledger)

    async def source():
        return model

    made = kind("m", source, seed=1)
    made.ledger = ledger
    return made
