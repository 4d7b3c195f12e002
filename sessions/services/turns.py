"""The steps of a turn. Each is one write, done before the next step starts and before anyone is told."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone

from sessions.models import Episode
from sessions.services.leases import lease_check
from sessions.services.statements import episode_set, turn_put, turn_set
from siturec.protocol.messages import ModeratorDecision, Pose, ShopperState


@transaction.atomic
def turn_observed(
    *,
    episode_id: int,
    index: int,
    observation: Mapping[str, Any],
    frames: Mapping[str, str],
    timings: Mapping[str, float],
    owner: str = "",
    at: datetime | None = None,
) -> None:
    """The view of turn ``index`` was taken; ``frames`` are digests by column name. Raises: LeaseLost."""
    lease_check(episode_id=episode_id, owner=owner)
    turn_put(
        episode_id=episode_id,
        index=index,
        observation=dict(observation),
        timings=dict(timings),
        observed_at=at or timezone.now(),
        **frames,
    )


def turn_answered(
    *,
    episode_id: int,
    index: int,
    assistant: Mapping[str, Any],
    digest: str,
    notes: Mapping[str, Any],
    timings: Mapping[str, float],
    owner: str = "",
) -> None:
    """The assistant has answered; ``digest`` names the input it was given. Raises: LeaseLost."""
    _update(
        episode_id,
        index,
        owner,
        assistant=dict(assistant),
        input_digest=digest,
        notes=dict(notes),
        timings=dict(timings),
    )


@transaction.atomic
def turn_replied(
    *,
    episode_id: int,
    index: int,
    user: Mapping[str, Any],
    client_id: str,
    notes: Mapping[str, Any],
    timings: Mapping[str, float],
    owner: str = "",
) -> None:
    """The user has replied with a valid call, not yet carried out. Raises: LeaseLost."""
    _update(
        episode_id,
        index,
        owner,
        user=dict(user),
        client_id=client_id,
        notes=dict(notes),
        timings=dict(timings),
    )
    if client_id:
        Episode.objects.filter(pk=episode_id).update(draft={})


@transaction.atomic
def turn_executed(
    *,
    episode_id: int,
    index: int,
    user: Mapping[str, Any],
    pose: Pose,
    state: ShopperState,
    timings: Mapping[str, float],
    owner: str = "",
    at: datetime | None = None,
) -> None:
    """The action was carried out; the turn counts. ``user`` holds the outcome too. Raises: LeaseLost."""
    _update(
        episode_id,
        index,
        owner,
        user=dict(user),
        pose_after=pose.model_dump(mode="json"),
        state_after=state.model_dump(mode="json"),
        timings=dict(timings),
        executed_at=at or timezone.now(),
    )
    episode_set(episode_id=episode_id, turn_count=index + 1)


def turn_moderated(
    *, episode_id: int, index: int, decision: ModeratorDecision, timings: Mapping[str, float], owner: str = ""
) -> None:
    """The moderator has decided. Raises: LeaseLost."""
    _update(episode_id, index, owner, moderator=decision.model_dump(mode="json"), timings=dict(timings))


def _update(episode_id: int, index: int, owner: str, **fields: Any) -> None:
    if not turn_set(episode_id=episode_id, index=index, owner=owner, **fields):
        lease_check(episode_id=episode_id, owner=owner)
        raise ValueError(f"episode {episode_id} has no turn {index} to add {', '.join(fields)} to")
