"""Runs: the whole plan is stored first; an item that failed is rolled again as a new episode."""

from collections.abc import Iterable, Mapping

from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone

from sessions.errors import StudyError
from sessions.models import Episode, Run, Study
from siturec.protocol.runs import RunItem, RunSpec
from siturec.protocol.vocabulary import EndReason

_COPIED = (
    "run_id",
    "study_id",
    "study_version",
    "scene",
    "scene_version",
    "task_id",
    "profile_id",
    "reference_items",
    "assistant",
    "user_kind",
    "user_policy",
    "moderator",
    "judge",
    "condition",
    "seed",
    "position",
    "limits",
    "extra",
)


@transaction.atomic
def run_plan(
    *,
    name: str,
    spec: RunSpec,
    items: Iterable[RunItem],
    scene_versions: Mapping[str, str],
    study: Study | None = None,
) -> Run:
    """Store a run with one planned episode per item; the same name with the same spec is the same run.

    Raises: StudyError when the name belongs to another plan.
    """
    known = Run.objects.filter(name=name).first()
    if known is not None:
        if known.digest != spec.digest:
            raise StudyError(
                f"The run '{name}' exists with another plan; choose another name or repeat its options."
            )
        return known
    run = Run.objects.create(name=name, spec=spec.model_dump(mode="json"), digest=spec.digest, study=study)
    limits = spec.limits.model_dump(mode="json")
    Episode.objects.bulk_create(
        (
            Episode(
                run=run,
                study=study,
                study_version=study.version if study is not None else None,
                scene=item.scene,
                scene_version=scene_versions[item.scene],
                task_id=item.task_id,
                profile_id=item.profile_id,
                reference_items=list(item.reference_items),
                assistant=item.assistant,
                user_kind="simulated",
                user_policy=item.user,
                moderator=spec.moderator,
                judge=spec.judge,
                condition=item.condition,
                seed=item.seed,
                position=item.position,
                limits=limits,
                extra={} if spec.pictures else {"pictures": False},
            )
            for item in items
        ),
        batch_size=500,
    )
    return run


@transaction.atomic
def episode_reroll(*, episode: Episode) -> Episode:
    """Plan the item of a failed episode again; the failed one stays in the data.

    The same attempt is planned once only. Raises: ValueError for an episode that belongs to no run.
    """
    if episode.run_id is None:
        raise ValueError(f"{episode.public_id} belongs to no run")
    again = Episode.objects.filter(
        run_id=episode.run_id, position=episode.position, attempt=episode.attempt + 1
    ).first()
    if again is not None:
        return again
    fields = {name: getattr(episode, name) for name in _COPIED}
    return Episode.objects.create(attempt=episode.attempt + 1, **fields)


def episode_reroll_by_id(*, episode_id: int, max_attempts: int) -> Episode | None:
    """Plan a failed item again while attempts are left; None when there are none."""
    episode = Episode.objects.get(pk=episode_id)
    return episode_reroll(episode=episode) if episode.attempt < max_attempts else None


def run_mend(*, run_id: int, max_attempts: int) -> int:
    """Plan again what failed and was not planned again, for whoever played it was killed in between.

    Returns how many items those were; each attempt is planned once, whoever else does the same.
    """
    again = Episode.objects.filter(
        run_id=OuterRef("run_id"), position=OuterRef("position"), attempt__gt=OuterRef("attempt")
    )
    left = Episode.objects.filter(
        ~Exists(again),
        run_id=run_id,
        status=Episode.Status.ENDED,
        end_reason=EndReason.TECHNICAL_FAILURE,
        attempt__lt=max_attempts,
    )
    failed = list(left)
    for episode in failed:
        episode_reroll(episode=episode)
    return len(failed)


def run_finish(*, run: Run) -> None:
    """Every item is done or has failed for good."""
    Run.objects.filter(pk=run.pk).update(status=Run.Status.DONE, finished_at=timezone.now())
