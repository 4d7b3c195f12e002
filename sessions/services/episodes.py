"""An episode's life around its turns."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone

from sessions.errors import LeaseLost
from sessions.models import Episode, Event
from sessions.services.leases import lease_check
from sessions.services.stamps import end_at
from sessions.services.statements import events_put, numbers_take
from siturec.protocol.vocabulary import EndReason


@transaction.atomic
def episode_goal_read(*, episode: Episode) -> None:
    """The participant has read the task's goal: it holds for all interactions on that task."""
    Episode.objects.filter(
        participant=episode.participant, task_id=episode.task_id, goal_read_at=None
    ).update(goal_read_at=timezone.now())


def episode_begin(*, episode_id: int, scene_version: str, at: datetime | None = None) -> None:
    """The first look is about to be taken. Beginning again (after a restart) keeps the first time."""
    Episode.objects.filter(pk=episode_id, status=Episode.Status.PLANNED).update(
        status=Episode.Status.RUNNING, started_at=at or timezone.now(), scene_version=scene_version
    )


@transaction.atomic
def episode_end(
    *,
    episode_id: int,
    reason: EndReason,
    cart: tuple[str, ...],
    owner: str = "",
    at: datetime | None = None,
) -> None:
    """Close an episode with its end reason and what was bought; the first reason stays.

    Raises: LeaseLost when ``owner`` does not hold it.
    """
    lease_check(episode_id=episode_id, owner=owner)
    rows = Episode.objects.filter(pk=episode_id).exclude(status=Episode.Status.ENDED)
    rows.update(
        status=Episode.Status.ENDED,
        end_reason=reason.value,
        final_cart=list(cart),
        ended_at=end_at(at or timezone.now()),
        lease_owner="",
        lease_until=None,
    )


@transaction.atomic
def episode_version(*, episode_id: int, role: str, version: str) -> None:
    """Note the version of the mind that answers in a role; one after an update is added to it."""
    row = Episode.objects.get(pk=episode_id)
    known = row.versions.get(role, "")
    if version not in known.split(", "):
        row.versions[role] = f"{known}, {version}" if known else version
        row.save(update_fields=["versions"])


@transaction.atomic
def episode_fail(
    *,
    episode_id: int,
    kind: str,
    detail: str,
    cart: tuple[str, ...] = (),
    owner: str = "",
    at: datetime | None = None,
) -> None:
    """A world or a mind failed past all retries: kept in the data, out of the metrics. Raises: LeaseLost."""
    lease_check(episode_id=episode_id, owner=owner)
    now = at or timezone.now()
    open_rows = Episode.objects.filter(pk=episode_id).exclude(status=Episode.Status.ENDED)
    open_rows.filter(started_at=None).update(started_at=now)
    open_rows.update(failure=kind[:40], failure_detail=detail[:4000])
    episode_end(episode_id=episode_id, reason=EndReason.TECHNICAL_FAILURE, cart=cart, at=now)


def episode_draft(*, episode_id: int, draft: Mapping[str, Any]) -> None:
    """Keep what stands in the reply box, so that a reload loses nothing."""
    Episode.objects.filter(pk=episode_id).update(draft=dict(draft))


def episode_rated(*, episode: Episode) -> None:
    """Every required answer about this episode is stored; the first time stays."""
    Episode.objects.filter(pk=episode.pk, rated_at=None).update(rated_at=timezone.now())


@transaction.atomic
def episode_judged(*, episode_id: int, judge: str, version: str = "") -> None:
    """A judge's scores for this episode are stored; a version takes the place of an earlier judgement's."""
    Episode.objects.filter(pk=episode_id).update(judged_at=timezone.now(), judge=judge)
    if version:
        row = Episode.objects.select_for_update().get(pk=episode_id)
        row.versions["judge"] = version
        row.save(update_fields=["versions"])


@transaction.atomic
def event_add(
    *,
    kind: str,
    episode_id: int | None = None,
    participant_id: int | None = None,
    turn: int | None = None,
    payload: Mapping[str, Any] | None = None,
    numbered: bool = False,
) -> int:
    """Append one event; ``numbered`` gives it the episode's next socket number and returns it (else 0).

    Raises: LeaseLost for a numbered event of an episode that was erased meanwhile.
    """
    seq = _next_number(episode_id) if numbered and episode_id is not None else 0
    Event.objects.create(
        kind=kind,
        episode_id=episode_id,
        participant_id=participant_id,
        turn=turn,
        seq=seq,
        payload=dict(payload or {}),
    )
    return seq


@transaction.atomic
def events_add(
    *,
    events: Sequence[tuple[str, Mapping[str, Any]]],
    episode_id: int,
    participant_id: int,
    turn: int | None,
) -> list[int]:
    """Append numbered events, each a kind and a payload, in one go; their numbers, in order.

    Raises: LeaseLost as ``event_add``; then none is written.
    """
    last = _next_number(episode_id, len(events))
    numbers = [last - len(events) + place for place in range(1, len(events) + 1)]
    rows = [
        Event(
            kind=kind,
            episode_id=episode_id,
            participant_id=participant_id,
            turn=turn,
            seq=number,
            payload=dict(payload),
        )
        for number, (kind, payload) in zip(numbers, events, strict=True)
    ]
    events_put(rows)
    return numbers


def _next_number(episode_id: int, count: int = 1) -> int:
    """The last of the episode's next ``count`` socket numbers, taken."""
    last = numbers_take(episode_id=episode_id, count=count)
    if last is None:
        raise LeaseLost(f"episode {episode_id} is no longer there")
    return last
