"""How far a run is."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Q

from sessions.models import Episode, Run, Study

BROKEN = Q(end_reason="technical_failure")


@dataclass(frozen=True)
class RunProgress:
    """Items of the plan. ``failed`` items ended in a technical failure with no attempt left;
    ``rerolled`` counts attempts beyond the first; ``failures`` counts failed attempts by kind."""

    total: int
    done: int
    failed: int
    bought: int
    rerolled: int
    failures: dict[str, int]

    @property
    def left(self) -> int:
        """Items still to be played."""
        return self.total - self.done - self.failed


def run_by_name(name: str) -> Run | None:
    """The run of this name, or None."""
    return Run.objects.filter(name=name).first()


def run_unfinished(digest: str, *, study: Study | None, scenes: set[tuple[str, str]]) -> Run | None:
    """The newest unfinished run of this very plan, study and versions of scenes; None when there is none."""
    runs = Run.objects.filter(digest=digest, study=study).exclude(status=Run.Status.DONE)
    for run in runs.order_by("-created_at", "-pk"):
        planned = run.episodes.order_by().values_list("scene", "scene_version").distinct()
        if set(planned) == scenes:
            return run
    return None


def run_scenes(run: Run) -> list[tuple[str, str]]:
    """The scenes, each with its version, that what is left of a run was planned on."""
    left = run.episodes.filter(status__in=[Episode.Status.PLANNED, Episode.Status.RUNNING])
    return sorted(left.order_by().values_list("scene", "scene_version").distinct())


def run_unjudged(run_id: int, *, ended_before: datetime | None = None) -> list[int]:
    """Episodes that were to be judged when they ended, and were not."""
    rows = Episode.objects.filter(run_id=run_id, status=Episode.Status.ENDED, judged_at=None)
    if ended_before is not None:
        rows = rows.filter(ended_at__lt=ended_before)
    return list(rows.exclude(judge="").exclude(BROKEN).order_by("position").values_list("pk", flat=True))


def run_progress(run: Run, *, max_attempts: int) -> RunProgress:
    """Count the plan's items by what has become of them."""
    counts = run.episodes.aggregate(
        total=Count("pk", filter=Q(attempt=1)),
        done=Count("pk", filter=Q(status=Episode.Status.ENDED) & ~BROKEN),
        bought=Count("pk", filter=Q(end_reason="success_cart_added")),
        failed=Count("pk", filter=BROKEN & Q(status=Episode.Status.ENDED, attempt__gte=max_attempts)),
        rerolled=Count("pk", filter=Q(attempt__gt=1)),
    )
    kinds = run.episodes.filter(BROKEN).values_list("failure").annotate(n=Count("pk"))
    return RunProgress(**counts, failures={kind or "unknown": count for kind, count in kinds})
