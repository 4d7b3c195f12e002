"""Results without a wait: at once where that is quick, else by a process of its own, and the page says so."""

import subprocess
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from analysis.filters import Filters
from analysis.models import Computing
from analysis.selectors.versions import RESULTS_VERSION, data_version
from analysis.services.computing import kept_json
from analysis.services.results import results_key, study_results
from analysis.services.scoring import scores_complete, scores_missing
from sessions.models import Episode, Study

QUICK = 2_500
"""What a request may do itself, in units of an episode's share of the tables: about two seconds."""
SCORING_COSTS = 5
"""Scoring an episode takes about five times as long as its share of the tables."""
SILENT = timedelta(minutes=3)
"""A process that has not been heard of for so long is taken for dead, and another may begin."""
AGAIN = timedelta(minutes=1)
"""What failed is not tried again sooner, however often the page is looked at."""


@dataclass(frozen=True)
class AtHand:
    """Results to show now, if there are any, and how far newer ones are, if there will be any."""

    results: dict[str, Any] | None
    newer: Computing | None = None


def results_at_hand(*, study: Study, filters: Filters) -> AtHand:
    """The results of this state of the data; where they would take long, the last ones, and newer to come."""
    kept = kept_json(study=study, key=results_key(filters))
    if kept is not None and kept[0].get("shape") != RESULTS_VERSION:
        # Made before an upgrade: today's pages would look for what it does not have.
        kept = None
    if kept is not None and kept[1] == data_version(study):
        return AtHand(kept[0])
    episodes = _all_of(study)
    unscored = scores_missing(episodes).count()
    if SCORING_COSTS * unscored + episodes.count() <= QUICK:
        return AtHand(study_results(study=study, filters=filters))
    newer = computing_start(study=study, filters=filters, unscored=unscored)
    return AtHand(kept[0] if kept is not None else None, newer)


def _all_of(study: Study) -> QuerySet[Episode]:
    return Episode.objects.filter(study=study, status=Episode.Status.ENDED)


@transaction.atomic
def computing_start(*, study: Study, filters: Filters, unscored: int) -> Computing:
    """Begin working out these results unless somebody is at it, or has just failed at it."""
    now = timezone.now()
    row, _ = Computing.objects.get_or_create(study=study, key=results_key(filters))
    idle = Q(beat_at=None) | Q(beat_at__lt=now - SILENT)
    rested = Q(failed_at=None) | Q(failed_at__lt=now - AGAIN)
    mine = Computing.objects.filter(idle, rested, pk=row.pk).update(
        beat_at=now, done=0, total=unscored, fault="", failed_at=None
    )
    if mine:
        transaction.on_commit(lambda: launch(study, filters))
    row.refresh_from_db()
    return row


def launch(study: Study, filters: Filters) -> None:
    """Work out results in a process of its own, so that no page and no shopper waits for this one."""
    command = [sys.executable, str(settings.BASE_DIR / "manage.py"), "compute", study.slug, "--behind"]
    process = subprocess.Popen(  # noqa: S603 - our own words; the filters are checked and go in as one word
        [*command, f"--filters={filters.query}"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL
    )
    # Else an ended child would stay in the table of processes until the next one is started.
    threading.Thread(target=process.wait, name="computing", daemon=True).start()


def results_compute(*, study: Study, filters: Filters, tell: Callable[[Computing], None]) -> None:
    """Score what is not scored yet and keep the results, telling how far it has come.

    Raises: whatever goes wrong, after it has been written down for those who wait.
    """
    row, _ = Computing.objects.get_or_create(study=study, key=results_key(filters))

    def scored(count: int) -> None:
        row.done += count
        row.beat_at = timezone.now()
        row.save(update_fields=["done", "beat_at"])
        tell(row)

    try:
        episodes = _all_of(study)
        row.done, row.total = 0, scores_missing(episodes).count()
        row.beat_at = timezone.now()
        row.save()
        scores_complete(episodes=episodes, scored=scored)
        study_results(study=study, filters=filters)
    except Exception as error:
        row.fault = f"{type(error).__name__}: {error}"[:300]
        row.beat_at, row.failed_at = None, timezone.now()
        row.save()
        raise
    row.delete()
