"""Celery tasks: one simulated episode each. Running a task twice plays its episode once."""

import asyncio

from celery import shared_task

from play.judging import judge_episode
from play.loading import OWNER
from play.simulating import Playing, Reporter, leases_kept, play_claimed
from sessions.database import database_sync_to_async
from sessions.selectors.play import episode_row
from sessions.services.leases import episode_lease, episode_release


async def _play(episode_id: int, playing: Playing) -> str:
    async with leases_kept():
        try:
            reason = await play_claimed(episode_id, playing, Reporter())
        finally:
            await database_sync_to_async(episode_release)(episode_id=episode_id, owner=OWNER)
    return reason.value if reason is not None else ""


async def _judge(episode_id: int, judge: str) -> None:
    await judge_episode(episode_id, judge=judge)


@shared_task(name="play.episode_play", acks_late=True)  # type: ignore[untyped-decorator]
def episode_play(
    episode_id: int,
    *,
    keep_frames: bool,
    max_attempts: int,
    judge: str,
    show_user_minimap: bool,
) -> str:
    """Play one planned episode to its end; its end reason, or empty when another process has it."""
    row = episode_row(episode_id)
    if row.status == "ended":
        if judge and row.unjudged:  # the worker that played it was killed before it could
            asyncio.run(_judge(episode_id, judge))
        return ""
    if not episode_lease(episode_id=episode_id, owner=OWNER):
        return ""
    playing = Playing(
        keep_frames=keep_frames,
        max_attempts=max_attempts,
        judge=judge,
        show_user_minimap=show_user_minimap,
    )
    return asyncio.run(_play(episode_id, playing))
