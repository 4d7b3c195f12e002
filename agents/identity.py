"""Keeping hidden who an assistant is: names of models and vendors in an utterance are masked or flagged."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

IdentityPolicy = Literal["mask", "flag"]
MASK = "this assistant"
VENDORS = (
    "openai",
    "chatgpt",
    "gpt",
    "anthropic",
    "claude",
    "google",
    "gemini",
    "deepmind",
    "meta ai",
    "llama",
    "mistral",
    "mixtral",
    "qwen",
    "alibaba",
    "tongyi",
    "deepseek",
    "cohere",
    "xai",
    "grok",
    "kimi",
    "moonshot ai",
    "zhipu",
    "glm",
    "phi-3",
    "phi-4",
    "gemma",
    "smollm",
    "copilot",
)
_VERSION = (
    r"(?:[-\s]?v?\d+(?:\.\d+)*[a-z]?)?"
    r"(?:[-\s](?:turbo|mini|nano|pro|flash|opus|sonnet|haiku|plus|instruct|coder|sol))*"
)


@dataclass(frozen=True)
class IdentityCheck:
    """An utterance after the check: the text to show, and the words that would have told who speaks."""

    text: str
    leaks: tuple[str, ...]


def identity_words(*names: str) -> tuple[str, ...]:
    """The words that would give away a model: its full name, and the telling parts of it."""
    words: set[str] = set()
    for name in names:
        whole = name.strip().lower()
        if len(whole) >= 3:
            words.add(whole)
        for part in re.split(r"[/:@]", whole):
            if len(part) >= 3 and any(char.isalpha() for char in part):
                words.add(part)
    return tuple(
        sorted(words - {"openai", "expert", "plain", "bad", "model"} | {"openai"}, key=lambda w: (-len(w), w))
    )


def identity_check(
    text: str, *, own: Iterable[str] = (), product_names: Iterable[str] = (), policy: IdentityPolicy = "mask"
) -> IdentityCheck:
    """Find a model's own names and known vendors; ``mask`` replaces them, ``flag`` only reports.

    ``product_names`` are catalog names: a word inside one of them, where it is said, is no leak.
    """
    shielded = [
        match.span()
        for name in product_names
        if name
        for match in re.finditer(re.escape(name), text, flags=re.IGNORECASE)
    ]
    words = sorted({*own, *VENDORS}, key=lambda word: (-len(word), word))
    pattern = re.compile(
        rf"(?<![\w-])(?:{'|'.join(re.escape(word) for word in words)}){_VERSION}(?![\w-])", re.IGNORECASE
    )
    found = [
        match
        for match in pattern.finditer(text)
        if not any(start <= match.start() and match.end() <= end for start, end in shielded)
    ]
    leaks = tuple(match.group(0) for match in found)
    if policy == "flag" or not found:
        return IdentityCheck(text, leaks)
    for match in reversed(found):
        text = f"{text[: match.start()]}{MASK}{text[match.end() :]}"
    return IdentityCheck(text, leaks)
