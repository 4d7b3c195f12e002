"""What went wrong with one request, as one of our kinds. Knows litellm's errors without importing it."""

import contextlib
import re
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

from siturec.protocol.ports import FailureKind

_SHAPELESS = re.compile(r"response_format|json_schema|json schema|structured output", re.IGNORECASE)
_BLIND = re.compile(r"image|vision|multimodal|mmproj", re.IGNORECASE)
_SECRET_CHARS = 6
_KEYLIKE = re.compile(
    r"\b(?:(?:sk|pk|rk|gsk|xai)[-_][A-Za-z0-9*._-]{6,}|AIza[A-Za-z0-9_-]{8,}|Bearer\s+[^\s\"']{6,})"
)


class Trouble(Exception):
    """One request that failed.

    ``after_s`` is what the provider asks to wait; ``final`` says that asking again is useless, ``blind`` that
    the model may do without pictures, ``shapeless`` that it may do without a schema.
    """

    def __init__(
        self,
        kind: FailureKind,
        detail: str,
        *,
        after_s: float | None = None,
        final: bool = False,
        blind: bool = False,
        shapeless: bool = False,
    ) -> None:
        super().__init__(detail)
        self.kind, self.detail = kind, scrubbed(detail)
        self.after_s, self.final, self.blind, self.shapeless = after_s, final, blind, shapeless


def scrubbed(text: str) -> str:
    """A provider's words without anything that looks like a key: they are logged and shown."""
    return _KEYLIKE.sub("[key]", text)


def classified(litellm: Any, error: Exception, *, secret: str = "") -> Trouble:
    """A library's error as one of our kinds; ``secret`` is cut from its words."""
    errors, text = litellm.exceptions, str(error)[:400]
    text = text.replace(secret, "[key]") if len(secret) >= _SECRET_CHARS else text
    status = getattr(error, "status_code", None)
    if isinstance(error, errors.ContextWindowExceededError) or status == 413:
        return Trouble("too_long", text, final=True)
    if isinstance(error, errors.ContentPolicyViolationError):
        return Trouble("refused", text, final=True)
    if isinstance(error, errors.Timeout) or status == 408:
        return Trouble("timeout", text)
    if status == 429:
        return Trouble("rate_limit", text, after_s=_retry_after(error))
    refused = isinstance(status, int) and status >= 400
    return Trouble(
        "provider_error",
        text,
        after_s=_retry_after(error),
        final=isinstance(status, int) and 400 <= status < 500,
        blind=refused and _BLIND.search(text) is not None,
        shapeless=refused and _SHAPELESS.search(text) is not None,
    )


def _retry_after(error: Exception) -> float | None:
    """Seconds the provider asks to wait, if a header says so: a number, or a date (RFC 9110)."""
    headers = getattr(getattr(error, "response", None), "headers", None) or {}
    held = getattr(error, "litellm_response_headers", None) or {}
    value = headers.get("retry-after") or held.get("retry-after")
    if value is None:
        return None
    with contextlib.suppress(ValueError):
        return max(0.0, float(value))
    try:
        moment = parsedate_to_datetime(str(value))
    except ValueError:
        return None
    until = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return max(0.0, (until - datetime.now(UTC)).total_seconds())
