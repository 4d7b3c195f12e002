"""Words from the study's team, written down first and then rung at the participant's open tab."""

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from django.db import transaction

from sessions.models import Participant, Study
from sessions.services import event_add


def participant_tell(participant: Participant, *, text: str, actor: str) -> None:
    """Leave a note for a participant; it is shown at once where they are connected, else on their return."""
    with transaction.atomic():
        event_add(kind="note", participant_id=participant.pk, payload={"text": text, "by": actor})
        transaction.on_commit(lambda: _ring(participant.pk, text, participant.study.paused))


def study_tell(study: Study, *, text: str, paused: bool) -> None:
    """Tell everyone who is inside that the study waits, or goes on."""
    for pk in study.participants.filter(state=Participant.State.ACTIVE).values_list("pk", flat=True):
        _ring(pk, text, paused)


def _ring(participant_id: int, text: str, paused: bool) -> None:
    layer = get_channel_layer()
    if layer is not None:
        message = {"type": "team.note", "text": text, "paused": paused}
        async_to_sync(layer.group_send)(f"play.{participant_id}", message)
