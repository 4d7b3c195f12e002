"""Which episodes a result is about, as a canonical key and as a query."""

from dataclasses import asdict, dataclass, fields
from datetime import date, datetime, time
from typing import Any, Self
from urllib.parse import urlencode

from django.db.models import Q, QuerySet
from django.utils import timezone

from play.exporting import latest
from sessions.models import Episode, Participant, Study

YES, NO = ("1", "on", "true"), ("", "0", "off", "false")


class FilterError(ValueError):
    """A filter's value makes no sense; the message names the filter."""


@dataclass(frozen=True)
class Filters:
    """Empty means any. ``excluded``: also people who were excluded, sent back, or still inside.

    ``versions``: ``together`` counts all versions of an assistant as one; else each is a system of its own.

    ``since`` and ``until`` are days (UTC) on which episodes began, both included.
    """

    scene: str = ""
    condition: str = ""
    simulator: str = ""
    since: str = ""
    until: str = ""
    excluded: str = ""
    versions: str = ""

    @classmethod
    def of(cls, values: Any) -> Self:
        """Read filters from query parameters. Raises: FilterError for what makes no sense."""
        given = {field.name: str(values.get(field.name, "") or "").strip() for field in fields(cls)}
        for name in ("since", "until"):
            if given[name]:
                try:
                    date.fromisoformat(given[name])
                except ValueError:
                    raise FilterError(f"{name}: {given[name]!r} is not a day such as 2026-11-30") from None
        if given["excluded"].lower() not in (*YES, *NO):
            raise FilterError(f"excluded: {given['excluded']!r} is neither true nor false")
        given["excluded"] = "1" if given["excluded"].lower() in YES else ""
        if given["versions"] not in ("", "together"):
            raise FilterError(f"versions: {given['versions']!r} is not 'together', or nothing")
        if max(len(value) for value in given.values()) > 60:
            raise FilterError("a filter's value is longer than any name can be")
        return cls(**given)

    @property
    def query(self) -> str:
        """The filters as a query string, only those that are set; the same for the same filters."""
        return urlencode({name: value for name, value in asdict(self).items() if value})

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """The filters that are set, by name."""
        return [(name, value) for name, value in asdict(self).items() if value]

    def human(self, study: Study) -> QuerySet[Episode]:
        """The study's finished episodes with people."""
        chosen = self._common(study).filter(user_kind="human", participant__kind=Participant.Kind.HUMAN)
        if not self.excluded:
            out = (Participant.State.EXCLUDED, Participant.State.RETURNED, Participant.State.SCREENED_OUT)
            chosen = chosen.exclude(participant__state__in=out)
        return chosen

    def simulated(self, study: Study) -> QuerySet[Episode]:
        """The finished simulated episodes of the study's runs; of an item played again only the last."""
        chosen = self._common(study).filter(user_kind="simulated", participant=None)
        if self.simulator:
            chosen = chosen.filter(user_policy=self.simulator)
        return latest(chosen)

    def public_ids(self, study: Study) -> list[str]:
        """All finished episodes of the filters by public id; attempts that were played again are among them.

        Calls to models are counted over these: a failed attempt is no result, but its calls were made.
        """
        mine = self._common(study)
        simulated = mine.filter(user_kind="simulated", participant=None)
        if self.simulator:
            simulated = simulated.filter(user_policy=self.simulator)
        chosen = (self.human(study), simulated)
        return [public_id for rows in chosen for public_id in rows.values_list("public_id", flat=True)]

    def _common(self, study: Study) -> QuerySet[Episode]:
        chosen = Episode.objects.filter(study=study, status=Episode.Status.ENDED).order_by("pk")
        if self.scene:
            chosen = chosen.filter(scene=self.scene)
        if self.condition:
            chosen = chosen.filter(condition=self.condition)
        if self.since:
            chosen = chosen.filter(Q(started_at__gte=_moment(self.since, time.min)))
        if self.until:
            chosen = chosen.filter(Q(started_at__lte=_moment(self.until, time.max)))
        return chosen


def _moment(day: str, at: time) -> datetime:
    return datetime.combine(date.fromisoformat(day), at, tzinfo=timezone.get_default_timezone())
