"""Reading the pool: which worlds there are, how full they are, and how long the queue is."""

from datetime import datetime

from django.db.models import Count, Q, QuerySet
from django.utils import timezone

from simulator_bridge.models import WorldServer, WorldWait


def servers_for(scene: str, *, now: datetime | None = None) -> QuerySet[WorldServer]:
    """Enabled worlds that show a scene, each with ``taken``, the number of places held now."""
    live = Q(leases__until__gt=now or timezone.now())
    return (
        WorldServer.objects.filter(enabled=True, scene__in=["", scene])
        .annotate(taken=Count("leases", filter=live))
        .order_by("taken", "name")
    )


def servers_with_load() -> QuerySet[WorldServer]:
    """All worlds, each with ``taken``."""
    live = Q(leases__until__gt=timezone.now())
    return WorldServer.objects.annotate(taken=Count("leases", filter=live)).order_by("name")


def embedded_for(scene: str) -> bool:
    """Whether the embedded store is among the worlds of a scene."""
    return servers_for(scene).filter(kind=WorldServer.Kind.EMBEDDED).exists()


def waiting_position(scene: str, *, holder: str) -> int | None:
    """This holder's place in line: 1 is next; None when not waiting."""
    return waiting_line(scene).get(holder)


def waiting_line(scene: str) -> dict[str, int]:
    """Everyone who waits for a world of a scene, in order: holder to place, 1 for who is next.

    Each world has a line of its own: those who came earlier and could have a place there. One's place is that
    in the shortest of one's lines; in that of a world for this scene alone there is nobody for another.
    """
    waiting = rivals(scene).filter(until__gt=timezone.now())
    own = WorldServer.objects.filter(enabled=True, scene=scene).exclude(health=WorldServer.Health.DOWN)
    if own.exists():
        waiting = waiting.filter(scene=scene)
    wanted = waiting.values_list("scene", "holder")
    return {holder: place for place, (of, holder) in enumerate(wanted, start=1) if of == scene}


def rivals(scene: str) -> QuerySet[WorldWait]:
    """Who waits for places that shoppers of a scene could have too, first come first: of two who came at
    the same moment, one is first."""
    waiting = WorldWait.objects.order_by("since", "id")
    shared = WorldServer.objects.filter(enabled=True, scene="").exists()
    return waiting if shared else waiting.filter(scene=scene)
