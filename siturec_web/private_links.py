"""Whoever has a participant's or an invitation's link is that person, so no log may hold one.

``/p/TOKEN/``, ``/ws/p/TOKEN/``, ``/ws/play/TOKEN/`` and ``/research/invitation/TOKEN/`` are written with the
token's first four characters only: enough to tell two visitors apart in a log, too few to get in. What a
recruiting service appends to a study's link names a person too, and is left out.
"""

import logging
import re
from datetime import datetime
from typing import Any

from daphne.access import AccessLogGenerator

_END = r"/\s?#%&\"'"
_LINK = re.compile(rf"((?:/|%2F)(?:p|play|invitation)(?:/|%2F))([^{_END}]{{4}})[^{_END}]+", re.IGNORECASE)
_PERSON = re.compile(
    r"((?:PROLIFIC_PID|workerId|SONA_ID|participant|pid|SESSION_ID)=)[^&\s\"']+", re.IGNORECASE
)
_PAGES = ("words.js",)


def without_links(text: str) -> str:
    """The same text with every personal link cut short. Twice is once."""

    def cut(found: re.Match[str]) -> str:
        whole = found.group(0)
        return whole if whole.endswith(_PAGES) else f"{found.group(1)}{found.group(2)}…"

    return _PERSON.sub(r"\1…", _LINK.sub(cut, text))


class PrivateFormatter(logging.Formatter):
    """A log line, and the traceback below it, without personal links."""

    def format(self, record: logging.LogRecord) -> str:
        return without_links(super().format(record))


def keep_access_log_private() -> None:
    """Let Daphne's own access log, which is written past Python's logging, cut links short too."""
    written = AccessLogGenerator.write_entry
    if getattr(written, "private", False):
        return

    def write_entry(log: Any, host: str, date: datetime, request: str, *rest: Any, **named: Any) -> None:
        written(log, host, date, without_links(request), *rest, **named)

    write_entry.private = True  # type: ignore[attr-defined]
    AccessLogGenerator.write_entry = write_entry
