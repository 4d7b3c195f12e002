"""A study's life: drafted, opened (and so frozen), revised as a new version, closed."""

import secrets
from collections.abc import Collection

from django.db import transaction
from django.utils import timezone

from catalog.selectors import scene_pack
from catalog.services import scene_freeze
from sessions.errors import StudyError, StudyFrozen
from sessions.models import Seat, Study, StudyVersion
from sessions.services.seats import seats_lay_out
from siturec.protocol.seats import chosen_tasks
from siturec.protocol.study import CompletionCodes, StudyConfig
from siturec.scene.load import SceneError


@transaction.atomic
def study_create(*, config: StudyConfig) -> Study:
    """A new draft. Raises: StudyError when the slug is taken."""
    if Study.objects.filter(slug=config.slug).exists():
        raise StudyError(f"There is already a study '{config.slug}'.")
    return Study.objects.create(
        slug=config.slug, title=config.title, protocol=config.protocol, config=config.model_dump(mode="json")
    )


@transaction.atomic
def study_update(*, study: Study, config: StudyConfig) -> Study:
    """Change a draft. Raises: StudyFrozen once it has opened; StudyError when the new slug is taken."""
    row = Study.objects.select_for_update().get(pk=study.pk)
    if row.status != Study.Status.DRAFT:
        raise StudyFrozen("This study has opened: its design is frozen. A change makes a new version.")
    if Study.objects.filter(slug=config.slug).exclude(pk=row.pk).exists():
        raise StudyError(f"There is already a study '{config.slug}'.")
    row.slug, row.title, row.config = config.slug, config.title, config.model_dump(mode="json")
    row.save(update_fields=["slug", "title", "config"])
    return row


def study_faults(*, config: StudyConfig, known_assistants: Collection[str] | None = None) -> list[str]:
    """Why a study of this design could not be run here, each in one sentence; empty when it could."""
    faults: list[str] = []
    try:
        pack = scene_pack(config.scene, config.scene_version or None)
        chosen_tasks(config.tasks, [task.id for task in pack.tasks])
    except (LookupError, SceneError) as error:
        faults.append(f"scene: {error}")
    except ValueError as error:
        faults.append(str(error))
    if known_assistants is not None:
        faults += [
            f"assistants: there is no assistant '{slug}' here"
            for slug in config.assistant_slugs
            if slug not in known_assistants
        ]
    return faults


@transaction.atomic
def study_open(*, study: Study, known_assistants: Collection[str] | None = None) -> Study:
    """Freeze the design as a version, make its seats, and let people in.

    Raises: StudyError naming every fault of the design; or when the study is open already.
    """
    row = Study.objects.select_for_update().get(pk=study.pk)
    if row.status == Study.Status.OPEN:
        raise StudyError("This study is open already.")
    if row.status == Study.Status.CLOSED:
        row.status = Study.Status.OPEN
        row.closed_at = None
        row.save(update_fields=["status", "closed_at"])
        return row
    config = _with_codes(row.design)
    faults = study_faults(config=config, known_assistants=known_assistants)
    if faults:
        raise StudyError("; ".join(faults))
    row.config = config.model_dump(mode="json")
    row.status = Study.Status.OPEN
    row.opened_at = timezone.now()
    row.save(update_fields=["config", "status", "opened_at"])
    _freeze(row, config)
    return row


@transaction.atomic
def study_revise(
    *, study: Study, config: StudyConfig, known_assistants: Collection[str] | None = None
) -> Study:
    """Change an open study: a new version, with seats for the rest of the quota; who is inside stays.

    Raises: StudyError when the study is a draft, or for the design's faults.
    """
    row = Study.objects.select_for_update().get(pk=study.pk)
    if row.status == Study.Status.DRAFT:
        raise StudyError("A draft is changed directly; versions begin when a study opens.")
    if config.slug != row.slug:
        raise StudyError("A study that has opened keeps its slug: links carry it.")
    faults = study_faults(config=config, known_assistants=known_assistants)
    if faults:
        raise StudyError("; ".join(faults))
    Seat.objects.filter(study=row, version=row.version, status=Seat.Status.FREE).delete()
    taken = Seat.objects.filter(
        study=row, rehearsal=False, status__in=[Seat.Status.CLAIMED, Seat.Status.FINISHED]
    ).count()
    config = _with_codes(config)
    row.version += 1
    row.title, row.config = config.title, config.model_dump(mode="json")
    row.save(update_fields=["version", "title", "config"])
    _freeze(row, config, count=max(config.quota - taken, 0))
    return row


def study_close(*, study: Study) -> None:
    """Let nobody new in; who is inside may finish."""
    Study.objects.filter(pk=study.pk).update(status=Study.Status.CLOSED, closed_at=timezone.now())


def study_pause(*, study: Study, paused: bool) -> None:
    """Pause or go on: nobody new begins, who is inside waits."""
    Study.objects.filter(pk=study.pk).update(paused=paused)


def _with_codes(config: StudyConfig) -> StudyConfig:
    """Completion codes that nobody chose are made now, so that they are frozen with the rest."""
    given = config.codes
    made = {
        name: getattr(given, name) or secrets.token_hex(4).upper()
        for name in ("done", "screened_out", "returned")
    }
    return config.model_copy(update={"codes": CompletionCodes(**made, return_url=given.return_url)})


def _freeze(study: Study, config: StudyConfig, *, count: int | None = None) -> None:
    try:
        frozen = scene_freeze(config.scene, config.scene_version or None)
    except (LookupError, SceneError) as error:
        raise StudyError(f"scene: {error}") from error
    pack = scene_pack(config.scene, frozen.label)
    tasks = chosen_tasks(config.tasks, [task.id for task in pack.tasks])
    StudyVersion.objects.create(
        study=study,
        number=study.version,
        config=config.model_dump(mode="json"),
        digest=config.digest,
        scene_version=pack.info.version,
        tasks=list(tasks),
        opened_at=timezone.now(),
    )
    seats_lay_out(study=study, config=config, tasks=tasks, count=config.quota if count is None else count)
