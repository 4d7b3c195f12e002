"""A run over Celery workers: the same plan, the same loop, one task an episode."""

import time
from datetime import timedelta

from django.utils import timezone

from play.reporting import Bar
from play.simulating import Playing, run_cost
from play.tasks import episode_play
from sessions.models import Episode, Run
from sessions.selectors.runs import run_progress, run_unjudged
from sessions.services.claims import free
from sessions.services.leases import LEASE_S
from sessions.services.runs import run_mend
from siturec.protocol.runs import RunSpec

LOOK_S = 1.0
SEND_AGAIN_S = 60.0


def spread_run(run: Run, spec: RunSpec, playing: Playing, bar: Bar) -> None:
    """Hand every open item to the workers and wait until none is left.

    A worker that dies leaves a stale lease; its item is sent again then, as are re-rolls and what ended
    without its judgement.
    """
    sent: dict[int, float] = {}
    while True:
        run_mend(run_id=run.pk, max_attempts=spec.max_attempts)
        progress = run_progress(run, max_attempts=spec.max_attempts)
        bar.moved(progress, cost_usd=run_cost(run.pk))
        unjudged = run_unjudged(run.pk) if playing.judge else []
        if not progress.left and not unjudged:
            return
        now = time.monotonic()
        for episode_id in _waiting(run, judged=bool(playing.judge)):
            if now - sent.get(episode_id, -SEND_AGAIN_S) >= SEND_AGAIN_S:
                episode_play.delay(
                    episode_id,
                    keep_frames=playing.keep_frames,
                    max_attempts=playing.max_attempts,
                    judge=playing.judge,
                    show_user_minimap=playing.show_user_minimap,
                )
                sent[episode_id] = now
        time.sleep(LOOK_S)


def _waiting(run: Run, *, judged: bool) -> list[int]:
    """What nobody is at: not ended and not leased, or ended a while ago and still to be judged."""
    going = run.episodes.filter(free(), status__in=[Episode.Status.RUNNING, Episode.Status.PLANNED])
    found = list(going.order_by("attempt", "position").values_list("pk", flat=True))
    if judged:
        found += run_unjudged(run.pk, ended_before=timezone.now() - timedelta(seconds=LEASE_S))
    return found
