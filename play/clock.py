"""The times in the record of one episode."""

import time
from datetime import datetime, timedelta

from django.utils import timezone


class EpisodeClock:
    """The wall's time, but never less after the last one than the seconds that have truly passed.

    A wall clock may be set back while somebody shops; what lasted must not read as negative then, nor as
    nothing. The next episode takes the wall's time as it is.
    """

    def __init__(self) -> None:
        self._last: tuple[datetime, float] | None = None

    def now(self) -> datetime:
        """The time to write down for what happens now."""
        moment, ticks = timezone.now(), time.monotonic()
        if self._last is not None:
            before, then = self._last
            moment = max(moment, before + timedelta(seconds=ticks - then))
        self._last = moment, ticks
        return moment

    def go_on_after(self, moment: datetime) -> None:
        """The record goes as far as this, written by another process perhaps: nothing may come before it."""
        if self._last is None or self._last[0] < moment:
            self._last = moment, time.monotonic()
