"""When an episode ended, as it is written down: never before anything else of it, whatever the clock says."""

from datetime import datetime

from django.db.models import DateTimeField, F, OuterRef, Subquery, Value
from django.db.models.functions import Coalesce, Greatest

from sessions.models import Turn


def end_at(moment: datetime) -> Greatest:
    """For an update of episodes: ``moment``, or the last time in an episode's record where that is later."""
    now = Value(moment, output_field=DateTimeField())
    turns = Turn.objects.filter(episode=OuterRef("pk")).order_by("-index")
    last = Subquery(turns.values(last=Coalesce("executed_at", "observed_at"))[:1])
    return Greatest(now, Coalesce(F("started_at"), now), Coalesce(last, now))
