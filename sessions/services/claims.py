"""Which planned episode of a run is played next, and by whom."""

import os
import socket
from datetime import timedelta

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from sessions.models import Episode
from sessions.services.leases import LEASE_S, episode_lease


def free() -> Q:
    """Episodes that nobody plays: never taken, given back, or left by somebody who is gone."""
    return Q(lease_owner="") | Q(lease_until__lt=timezone.now())


def run_claim_next(*, run_id: int, owner: str) -> int | None:
    """Take the next episode of a run: one begun and left by a process that is gone, else the next planned.

    None: there is none now. Two processes that ask at once get different episodes.
    """
    # One status at a time, so that the index gives the first without a look at the thousands behind it.
    for status in (Episode.Status.RUNNING, Episode.Status.PLANNED):
        waiting = Episode.objects.filter(free(), run_id=run_id, status=status)
        ids = waiting.order_by("attempt", "position").values_list("pk", flat=True)
        while (row := ids.first()) is not None:
            if episode_lease(episode_id=row, owner=owner):
                return int(row)
    return None


def run_open(*, run_id: int) -> bool:
    """Whether any episode of a run has not ended, whoever plays it."""
    going = (Episode.Status.RUNNING, Episode.Status.PLANNED)
    return Episode.objects.filter(run_id=run_id, status__in=going).exists()


def leases_renew(*, owner: str) -> None:
    """Keep all of a process's leases."""
    until = timezone.now() + timedelta(seconds=LEASE_S)
    Episode.objects.filter(lease_owner=owner).update(lease_until=until)


@transaction.atomic
def leases_free_dead(*, run_id: int) -> int:
    """Free at once what processes of this machine held that are no longer alive; how many those were."""
    host = socket.gethostname()[:40]
    held = Episode.objects.filter(run_id=run_id, lease_owner__startswith=f"{host}:")
    dead = [owner for owner in set(held.values_list("lease_owner", flat=True)) if not _alive(owner)]
    return held.filter(lease_owner__in=dead).update(lease_owner="", lease_until=None)


def _alive(owner: str) -> bool:
    pid = owner.split(":")[1]
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
