"""How far a run is."""

from dataclasses import dataclass

from django.db.models import Count, Q

from sessions.models import Episode, Run


@dataclass(frozen=True)
class RunProgress:
    """Items of the plan. ``failed`` items ended in a technical failure with no attempt left;
    ``rerolled`` counts attempts beyond the first; ``failures`` counts failed attempts by kind."""

    total: int
    done: int
    failed: int
    rerolled: int
    failures: dict[str, int]

    @property
    def left(self) -> int:
        """Items still to be played."""
        return self.total - self.done - self.failed


def run_by_name(name: str) -> Run | None:
    """The run of this name, or None."""
    return Run.objects.filter(name=name).first()


def run_progress(run: Run, *, max_attempts: int) -> RunProgress:
    """Count the plan's items by what has become of them."""
    broken = Q(end_reason="technical_failure")
    counts = run.episodes.aggregate(
        total=Count("pk", filter=Q(attempt=1)),
        done=Count("pk", filter=Q(status=Episode.Status.ENDED) & ~broken),
        failed=Count("pk", filter=broken & Q(status=Episode.Status.ENDED, attempt__gte=max_attempts)),
        rerolled=Count("pk", filter=Q(attempt__gt=1)),
    )
    kinds = run.episodes.filter(broken).values_list("failure").annotate(n=Count("pk"))
    return RunProgress(**counts, failures={kind or "unknown": count for kind, count in kinds})
