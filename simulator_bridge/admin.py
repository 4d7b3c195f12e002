"""The worlds, as an admin sees them: where they are, how full, and how they do."""

import asyncio

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from unfold.admin import ModelAdmin, TabularInline

from simulator_bridge import services
from simulator_bridge.models import WorldLease, WorldServer, WorldWait
from simulator_bridge.selectors import servers_with_load
from simulator_bridge.wire import Address, Wire
from siturec.protocol.ports import WorldError

CHECK_S = 4.0


class LeaseInline(TabularInline):
    """Who is in there now; nothing here is edited by hand."""

    model = WorldLease
    extra = 0
    fields = ("holder", "taken_at", "until")
    readonly_fields = fields
    can_delete = True

    def has_add_permission(self, request: HttpRequest, obj: WorldServer | None = None) -> bool:
        """Places are taken by playing."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: WorldServer | None = None) -> bool:
        """What cannot be changed is not checked: people come and go while this page is open."""
        return False


@admin.register(WorldServer)
class WorldServerAdmin(ModelAdmin):
    """Worlds by address."""

    list_display = ("name", "kind", "shows", "where", "places", "state", "enabled", "checked_at")
    list_filter = ("kind", "enabled", "health")
    search_fields = ("name", "address", "scene")
    readonly_fields = ("health", "health_note", "checked_at")
    inlines = (LeaseInline,)
    actions = ("check_now",)
    fieldsets = (
        (None, {"fields": ("name", "kind", "scene", "address", "capacity", "enabled")}),
        (
            "How it is driven",
            {
                "fields": ("agent", "world_map"),
                "description": "The embedded store needs neither. docs/guides/unreal.md explains the map.",
            },
        ),
        ("State", {"fields": ("health", "health_note", "checked_at")}),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[WorldServer]:
        """With the number of places taken."""
        return servers_with_load()

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[WorldServer]) -> None:
        """One by one, since places are taken in them meanwhile."""
        for server in queryset:
            server.delete()

    @admin.display(description="scene")
    def shows(self, server: WorldServer) -> str:
        """The scene it shows."""
        return server.scene or "any"

    @admin.display(description="address")
    def where(self, server: WorldServer) -> str:
        """Where it listens."""
        return server.address or "started here when needed"

    @admin.display(description="taken")
    def places(self, server: WorldServer) -> str:
        """Places taken of places there are."""
        return f"{getattr(server, 'taken', 0)} of {server.capacity}"

    @admin.display(description="health")
    def state(self, server: WorldServer) -> str:
        """Whether it was reached when last tried."""
        return str(server.get_health_display())

    @admin.action(description="Check now (worlds nobody is in)")
    def check_now(self, request: HttpRequest, queryset: QuerySet[WorldServer]) -> None:
        """Greet each world. An UnrealCV build has one place, so one in use is left alone."""
        for server in queryset:
            if not server.address:
                messages.info(request, f"{server}: is started when someone needs it.")
            elif server.kind == WorldServer.Kind.UNREAL and getattr(server, "taken", None):
                messages.info(request, f"{server}: someone is in it; not disturbed.")
            else:
                fault = asyncio.run(_greet(server.address))
                services.server_report(server_id=server.pk, fault=fault)
                level = messages.SUCCESS if fault is None else messages.ERROR
                messages.add_message(request, level, f"{server}: {fault or 'it answers.'}")


async def _greet(address: str) -> str | None:
    """Why a world cannot be reached; None when it answers."""
    try:
        wire = await Wire.connect(Address.parse(address), deadline_s=CHECK_S)
    except (WorldError, ValueError) as error:
        return str(error)
    wire.close()
    return None


@admin.register(WorldWait)
class WorldWaitAdmin(ModelAdmin):
    """Who waits for a place."""

    list_display = ("holder", "scene", "since", "until")
    list_filter = ("scene",)

    def has_add_permission(self, request: HttpRequest) -> bool:
        """One waits by wanting to play."""
        return False
