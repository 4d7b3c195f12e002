"""Erasing a participant's data on their own wish: everything of them goes, the seat is dealt again."""

from django.db import transaction

from sessions.models import AuditLog, Frame, Participant, Turn
from sessions.services.codes import ERASED
from sessions.services.people import participant_exclude

_FRAME_COLUMNS = ("user_frame", "assistant_frame", "user_minimap", "assistant_minimap")


@transaction.atomic
def participant_erase(*, participant: Participant) -> None:
    """Delete the participant, their visits, answers and pictures; only that an erasure took place remains.

    A finished seat becomes free again too: without its data it counts for nothing.
    """
    study, code = participant.study, participant.code
    participant_exclude(participant=participant, reason="erased")
    digests = {
        digest
        for row in Turn.objects.filter(episode__participant=participant).values_list(*_FRAME_COLUMNS)
        for digest in row
        if digest
    }
    participant.delete()
    AuditLog.objects.create(actor_name="the participant", action=ERASED, study=study, subject=code)
    transaction.on_commit(lambda: _drop_pictures(digests))


def _drop_pictures(digests: set[str]) -> None:
    """Pictures are stored once by content: only those nobody else's turn shows are deleted."""
    for column in _FRAME_COLUMNS:
        digests -= set(Turn.objects.filter(**{f"{column}__in": digests}).values_list(column, flat=True))
    for row in Frame.objects.filter(digest__in=digests):
        row.path.unlink(missing_ok=True)
        row.delete()
