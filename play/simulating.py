"""Plays a run's plan: so many episodes at once on one event loop, resumable anywhere."""

import asyncio
import contextlib
import gc
import logging
import time
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from datetime import timedelta

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.models import QuerySet, Sum
from django.utils import timezone

from agents.models import ModelCall
from agents.registry import make_assistant, make_moderator, make_user
from play.judging import judge_episode
from play.loading import OWNER, Loaded, episode_setting
from play.runner import play_episode
from play.setting import Cast
from play.worlds import world_source
from sessions.database import database_sync_to_async
from sessions.errors import LeaseLost
from sessions.models import Episode
from sessions.selectors.runs import run_unjudged
from sessions.services import claims
from sessions.services.episodes import episode_fail
from sessions.services.leases import LEASE_S, episode_release
from sessions.services.runs import episode_reroll_by_id, run_mend
from siturec.protocol.vocabulary import EndReason

logger = logging.getLogger(__name__)
LOOK_AGAIN_S = 1.0


@dataclass(frozen=True)
class Playing:
    """How a run's episodes are played here; none of it changes a record but the pictures kept."""

    jobs: int = 1
    keep_frames: bool = True
    max_attempts: int = 2
    judge: str = ""
    show_user_minimap: bool = False


class Reporter:
    """Hears of each episode that ended; the base says nothing."""

    def ended(self, *, reason: EndReason, seconds: float, rerolled: bool, cost_usd: float = 0.0) -> None:
        """One episode has ended, perhaps as a failure to be rolled again; what its model calls cost."""


async def play_run(run_id: int, playing: Playing, reporter: Reporter) -> None:
    """Play everything of a run that has not ended, until nothing is left.

    Cancelling stops at once; what was recorded stays, and the next call goes on from there, also with what
    had ended but was not yet judged or planned again.
    """
    with collector_sparing():
        async with connection_kept(), leases_kept():
            await database_sync_to_async(claims.leases_free_dead)(run_id=run_id)
            await database_sync_to_async(run_mend)(run_id=run_id, max_attempts=playing.max_attempts)
            async with asyncio.TaskGroup() as group:
                for _ in range(playing.jobs):
                    group.create_task(_work(run_id, playing, reporter))
            if playing.judge:
                await _judge_left(run_id, playing.judge)


async def _judge_left(run_id: int, judge: str) -> None:
    """Judge what ended unjudged because its process was killed in between.

    What ended a moment ago is perhaps being judged by another process, so that is waited for first.
    """
    while await database_sync_to_async(run_unjudged)(run_id):
        before = timezone.now() - timedelta(seconds=LEASE_S)
        for episode_id in await database_sync_to_async(run_unjudged)(run_id, ended_before=before):
            await judge_episode(episode_id, judge=judge)
        await asyncio.sleep(LOOK_AGAIN_S)


@contextlib.asynccontextmanager
async def connection_kept() -> AsyncIterator[None]:
    """While inside, the database's thread keeps its connection, instead of a new one for every step."""
    settings = connections[DEFAULT_DB_ALIAS].settings_dict
    age, settings["CONN_MAX_AGE"] = settings["CONN_MAX_AGE"], None
    try:
        await database_sync_to_async(connections.close_all)()
        yield
    finally:
        settings["CONN_MAX_AGE"] = age
        await database_sync_to_async(_obsolete)()


def _obsolete() -> None:
    """Let the connection be closed after this: it was opened to be kept."""
    connections[DEFAULT_DB_ALIAS].close_at = 0.0


@contextlib.contextmanager
def collector_sparing() -> Iterator[None]:
    """While inside, the garbage collector leaves alone what was there before.

    Code, scenes and indexes stay for the whole run; going through them again and again takes its time.
    """
    frozen = gc.get_freeze_count()
    if not frozen:
        gc.freeze()
    try:
        yield
    finally:
        if not frozen:
            gc.unfreeze()


@contextlib.asynccontextmanager
async def leases_kept() -> AsyncIterator[None]:
    """While inside, this process keeps the leases it holds."""

    async def keep() -> None:
        while True:
            await asyncio.sleep(LEASE_S / 3)
            await database_sync_to_async(claims.leases_renew)(owner=OWNER)

    keeper = asyncio.create_task(keep())
    try:
        yield
    finally:
        keeper.cancel()


async def _work(run_id: int, playing: Playing, reporter: Reporter) -> None:
    """Take one episode after another; wait for those of other processes, which may yet be left to us."""
    while True:
        async with _claimed(run_id) as episode_id:
            if episode_id is not None:
                await play_claimed(episode_id, playing, reporter)
                continue
        if not await database_sync_to_async(claims.run_open)(run_id=run_id):
            return
        await asyncio.sleep(LOOK_AGAIN_S)


@contextlib.asynccontextmanager
async def _claimed(run_id: int) -> AsyncIterator[int | None]:
    """The next episode, leased; given back whatever happens, also when stopped while asking for it."""
    asking = asyncio.create_task(database_sync_to_async(claims.run_claim_next)(run_id=run_id, owner=OWNER))
    try:
        yield await asyncio.shield(asking)
    finally:
        episode_id = await asking
        if episode_id is not None:
            await database_sync_to_async(episode_release)(episode_id=episode_id, owner=OWNER)


async def play_claimed(episode_id: int, playing: Playing, reporter: Reporter) -> EndReason | None:
    """Play one leased episode to its end, judge it, and plan it again if it failed; None: lost to another."""
    started = time.monotonic()
    try:
        reason = await _played(episode_id, playing)
        if playing.judge and reason is not EndReason.TECHNICAL_FAILURE:
            await judge_episode(episode_id, judge=playing.judge)
    except LeaseLost as lost:
        logger.info("%s: it goes on in another process", lost)
        return None
    rerolled = False
    if reason is EndReason.TECHNICAL_FAILURE:
        again = await database_sync_to_async(episode_reroll_by_id)(
            episode_id=episode_id, max_attempts=playing.max_attempts
        )
        rerolled = again is not None
    cost = await database_sync_to_async(episode_cost)(episode_id)
    seconds = time.monotonic() - started
    reporter.ended(reason=reason, seconds=seconds, rerolled=rerolled, cost_usd=cost)
    return reason


async def _played(episode_id: int, playing: Playing) -> EndReason:
    """Play one episode on the version of the scene it was planned on; without that it is a failure of a kind.

    Raises: LeaseLost.
    """
    try:
        loaded = await database_sync_to_async(episode_setting)(
            episode_id, keep_frames=playing.keep_frames, show_user_minimap=playing.show_user_minimap
        )
    except LookupError as error:
        await database_sync_to_async(episode_fail)(
            episode_id=episode_id, kind="scene_missing", detail=str(error.args[0]), owner=OWNER
        )
        return EndReason.TECHNICAL_FAILURE
    worlds = world_source(loaded.row.scene, loaded.setting)
    return await play_episode(setting=loaded.setting, cast=cast_of(loaded), worlds=worlds)


def episode_cost(episode_id: int) -> float:
    """US dollars of an episode's model calls whose price is known."""
    named = Episode.objects.filter(pk=episode_id).values("public_id")
    return _cost(ModelCall.objects.filter(episode__in=named))


def run_cost(run_id: int) -> float:
    """US dollars of all of a run's model calls whose price is known, those of failed attempts too."""
    return _cost(
        ModelCall.objects.filter(episode__in=Episode.objects.filter(run_id=run_id).values("public_id"))
    )


def _cost(calls: QuerySet[ModelCall]) -> float:
    return float(calls.aggregate(cost=Sum("cost_usd"))["cost"] or 0.0)


def cast_of(loaded: Loaded) -> Cast:
    """The minds an episode's row names, with the episode's seed."""
    row, seed = loaded.row, loaded.setting.seed
    return Cast(
        assistant=make_assistant(row.assistant, seed=seed),
        user=make_user(row.user_policy, seed=seed),
        moderator=make_moderator(row.moderator, seed=seed),
    )
