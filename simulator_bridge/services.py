"""Writing the pool: taking, keeping and giving back places; the queue; what is known of a world's health.

Places are rows, so several processes agree on who is where. A place that is not kept up runs out by itself.
"""

import uuid
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from simulator_bridge.models import EMBEDDED_CAPACITY, WorldLease, WorldServer, WorldWait
from simulator_bridge.selectors import rivals, servers_for, waiting_position

LEASE = timedelta(seconds=60)
WAIT = timedelta(seconds=15)


@dataclass(frozen=True)
class Taken:
    """A place someone holds, with all that is needed to get there."""

    token: uuid.UUID
    server: WorldServer


class LeaseLost(Exception):
    """The place ran out, or was taken away."""


def servers_ensure() -> None:
    """Make the rows that settings ask for, where there are none: the embedded store, or SITUREC_WORLD's.

    SITUREC_WORLD is ``host:port``, or ``scene=host:port`` for each scene, separated by commas.
    """
    named = [entry.strip() for entry in settings.SITUREC_WORLD.split(",") if entry.strip()]
    for entry in named:
        scene, equals, address = entry.rpartition("=")
        WorldServer.objects.get_or_create(
            name=f"settings: {entry}"[:80],
            defaults={
                "kind": WorldServer.Kind.STORE,
                "scene": scene if equals else "",
                "address": address if equals else entry,
            },
        )
    if not named and not WorldServer.objects.exists():
        WorldServer.objects.get_or_create(
            name="embedded store",
            defaults={"kind": WorldServer.Kind.EMBEDDED, "capacity": EMBEDDED_CAPACITY},
        )


def lease_take(*, scene: str, holder: str) -> Taken | None:
    """Take a place in the emptiest world of the scene, else of any; without one None, and wait in line.

    Whoever waits longer comes first: while others wait, only places left after theirs are given out.
    """
    with transaction.atomic():
        now = timezone.now()
        # The rows are locked so that two processes cannot both count the last place as free; a world that was
        # added since is not, so it has to wait for the next who asks.
        shown = WorldServer.objects.select_for_update().filter(scene__in=["", scene]).order_by("id")
        locked = {world.pk for world in shown}
        WorldLease.objects.filter(until__lte=now).delete()
        WorldWait.objects.filter(until__lte=now).delete()
        server = _left_for(scene, holder, now, locked)
        if server is None:
            WorldWait.objects.update_or_create(scene=scene, holder=holder, defaults={"until": now + WAIT})
            return None
        WorldWait.objects.filter(scene=scene, holder=holder).delete()
        lease = WorldLease.objects.create(server=server, token=uuid.uuid4(), holder=holder, until=now + LEASE)
        return Taken(lease.token, server)


def _left_for(scene: str, holder: str, now: datetime, locked: set[int]) -> WorldServer | None:
    """The emptiest world of a scene that has a place left when everyone who came earlier has one.

    Worlds of the scene alone come first: those for any are all that shoppers of other scenes may have.
    """
    known = sorted(servers_for(scene, now=now), key=lambda world: not world.scene)
    worlds = {world.pk: world for world in known if world.pk in locked and world.worth_trying}
    waiting = list(rivals(scene).values_list("scene", "holder"))
    earlier = waiting[: waiting.index((scene, holder))] if (scene, holder) in waiting else waiting
    free = {key: world.capacity - int(getattr(world, "taken", 0)) for key, world in worlds.items()}
    for wanted, _ in earlier:
        # Whoever waits for another scene can have only the places that are for any.
        theirs = (key for key, left in free.items() if left > 0 and worlds[key].scene in ("", wanted))
        chosen = next(theirs, None)
        if chosen is not None:
            free[chosen] -= 1
    return next((worlds[key] for key, left in free.items() if left > 0), None)


def lease_renew(*, token: uuid.UUID) -> None:
    """Keep a place. Raises: LeaseLost when it has run out."""
    now = timezone.now()
    if not WorldLease.objects.filter(token=token, until__gt=now).update(until=now + LEASE):
        raise LeaseLost(f"place {token} has run out")


def lease_release(*, token: uuid.UUID) -> None:
    """Give a place back; one that is gone already stays gone."""
    WorldLease.objects.filter(token=token).delete()


def wait_standing(*, scene: str, holder: str) -> tuple[int, str]:
    """The holder's position in the queue, kept up; and, where waiting is pointless, the reason."""
    if not WorldServer.objects.filter(enabled=True, scene__in=["", scene]).exists():
        return 0, f"no world is set up for the scene {scene}"
    WorldWait.objects.filter(scene=scene, holder=holder).update(until=timezone.now() + WAIT)
    return waiting_position(scene, holder=holder) or 1, ""


def wait_leave(*, scene: str, holder: str) -> None:
    """Leave the queue."""
    WorldWait.objects.filter(scene=scene, holder=holder).delete()


def server_report(*, server_id: int, fault: str | None) -> None:
    """Note whether a world could be reached just now, and if not, why."""
    WorldServer.objects.filter(pk=server_id).update(
        health=WorldServer.Health.UP if fault is None else WorldServer.Health.DOWN,
        health_note="" if fault is None else fault[:300],
        checked_at=timezone.now(),
    )
