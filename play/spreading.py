"""A run over Celery workers: the same plan, the same loop, one task an episode."""

import time

from play.reporting import Bar
from play.simulating import Playing
from play.tasks import episode_play
from sessions.models import Episode, Run
from sessions.selectors.runs import run_progress
from siturec.protocol.runs import RunSpec

LOOK_S = 1.0
SEND_AGAIN_S = 60.0


def spread_run(run: Run, spec: RunSpec, playing: Playing, bar: Bar) -> None:
    """Hand every open item to the workers and wait until none is left.

    A worker that dies leaves a stale lease; its item is sent again after a while, as are re-rolls.
    """
    sent: dict[int, float] = {}
    while True:
        progress = run_progress(run, max_attempts=spec.max_attempts)
        bar.moved(done=progress.done, failed=progress.failed, rerolled=progress.rerolled)
        if not progress.left:
            return
        now = time.monotonic()
        waiting = run.episodes.exclude(status=Episode.Status.ENDED).filter(lease_owner="")
        for episode_id in waiting.order_by("position").values_list("pk", flat=True):
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
