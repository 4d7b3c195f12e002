"""What the practice teaches, and that it was done."""

from django.utils import timezone
from django.utils.translation import gettext as _

from sessions.models import Participant
from siturec.protocol.events import Goal

STEPS = ("walk", "look", "mark", "take", "talk")


def practice_done(*, participant: Participant) -> None:
    """The practice was finished or skipped; the first time stays."""
    Participant.objects.filter(pk=participant.pk, practised_at=None).update(practised_at=timezone.now())


def practice_goal() -> Goal:
    """A goal to look at while practising."""
    return Goal(text=_("Just have a look around. Nothing here counts."), budget=20.0)
