"""One process plays an episode at a time; another takes over when the lease is free or stale."""

from datetime import datetime, timedelta

from django.db.models import Q
from django.utils import timezone

from sessions.errors import LeaseLost
from sessions.models import Episode
from sessions.services.statements import lease_held

LEASE_S = 30


def episode_lease(*, episode_id: int, owner: str, now: datetime | None = None, force: bool = False) -> bool:
    """Take a lease that is free, stale or one's own; ``force`` takes any. Returns whether it was got."""
    moment = now or timezone.now()
    free = Q(lease_owner__in=["", owner]) | Q(lease_until__lt=moment) | Q(lease_until=None)
    rows = Episode.objects.filter(pk=episode_id)
    if not force:
        rows = rows.filter(free)
    return bool(rows.update(lease_owner=owner, lease_until=moment + timedelta(seconds=LEASE_S)))


def lease_check(*, episode_id: int, owner: str) -> None:
    """Raises: LeaseLost when an owner is given that does not hold the lease."""
    if owner and not lease_held(episode_id=episode_id, owner=owner):
        raise LeaseLost(f"episode {episode_id} is no longer {owner}'s")


def episode_renew(*, episode_id: int, owner: str, now: datetime | None = None) -> None:
    """Keep a lease that one holds. Raises: LeaseLost when another process has taken it."""
    moment = now or timezone.now()
    held = Episode.objects.filter(pk=episode_id, lease_owner=owner)
    if not held.update(lease_until=moment + timedelta(seconds=LEASE_S)):
        raise LeaseLost(f"episode {episode_id} is no longer {owner}'s")


def episode_release(*, episode_id: int, owner: str) -> None:
    """Give a lease back; one that is no longer held stays with its holder."""
    Episode.objects.filter(pk=episode_id, lease_owner=owner).update(lease_owner="", lease_until=None)
