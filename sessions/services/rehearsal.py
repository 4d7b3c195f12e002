"""Visits that never count: a researcher's look at their own study, and bots; also before it opens."""

from django.db import transaction
from django.utils import timezone

from catalog.selectors import scene_pack
from sessions.errors import StudyError
from sessions.models import Participant, Study, StudyVersion
from sessions.services.codes import next_code
from sessions.services.studies import study_faults
from siturec.protocol.seats import chosen_tasks

DRAFT_VERSION = 0
"""The version of visits to a draft; real versions begin at 1 when a study opens."""


@transaction.atomic
def participant_rehearse(*, study: Study, kind: str = Participant.Kind.TEST) -> Participant:
    """A test visit or a bot, whatever the study's state. It takes no seat of the plan.

    Raises: StudyError for humans, who join by the study's link, or for a draft's faults.
    """
    if kind not in (Participant.Kind.TEST, Participant.Kind.BOT):
        raise StudyError("Only test visits and bots rehearse; people join by the study's link.")
    row = Study.objects.select_for_update().get(pk=study.pk)
    version = _draft_version(row) if row.status == Study.Status.DRAFT else row.version
    return Participant.objects.create(study=row, version=version, kind=kind, code=next_code(row, kind))


def _draft_version(study: Study) -> int:
    config = study.design
    faults = study_faults(config=config)
    if faults:
        raise StudyError("; ".join(faults))
    pack = scene_pack(config.scene, config.scene_version or None)
    StudyVersion.objects.update_or_create(
        study=study,
        number=DRAFT_VERSION,
        defaults={
            "config": config.model_dump(mode="json"),
            "digest": config.digest,
            "scene_version": pack.info.version,
            "tasks": list(chosen_tasks(config.tasks, [task.id for task in pack.tasks])),
            "opened_at": timezone.now(),
        },
    )
    return DRAFT_VERSION
