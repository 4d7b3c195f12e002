"""A message from a participant's browser: how large, how often, and what it means."""

import time
from collections.abc import Callable

from pydantic import ValidationError

from siturec.protocol.events import CLIENT_EVENT, Act, ClientMessage, Refused
from siturec.protocol.given import is_blank

TOO_FAST = 4429
"""A socket's close code for a flood; the page opens it again after a pause."""
MAX_MESSAGE = 64 * 1024
REASON_LIMIT = 300


def read_message(raw: str | bytes, *, seq: int = 0) -> ClientMessage | Refused:
    """What was sent, or a refusal that says what is wrong with it. A reply with nothing to read is none."""
    if len(raw) > MAX_MESSAGE:
        reason = f"A message has at most {MAX_MESSAGE} bytes, not {len(raw)}."
        return Refused(seq=seq, code="invalid", reason=reason)
    try:
        message = CLIENT_EVENT.validate_json(raw)
    except ValidationError as error:
        problem = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in problem["loc"])
        reason = f"{where}: {problem['msg']}".strip(": ")
        return Refused(seq=seq, code="invalid", reason=reason[:REASON_LIMIT])
    if isinstance(message, Act) and is_blank(message.reply):
        return message.model_copy(update={"reply": ""})
    return message


class Pace:
    """How fast one participant may send, whichever way: a burst, then a steady rate. No person gets near."""

    def __init__(
        self, *, burst: int = 150, per_s: float = 15.0, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._burst, self._per_s, self._clock = float(burst), per_s, clock
        self._left, self._at = self._burst, clock()

    def allows(self) -> bool:
        """Count one message. False when there were too many."""
        now = self._clock()
        self._left = min(self._burst, self._left + (now - self._at) * self._per_s)
        self._at = now
        if self._left < 1.0:
            return False
        self._left -= 1.0
        return True
