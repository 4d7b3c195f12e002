"""The record, to look at closely. Changes go through the research pages, which keep its rules and its log."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from unfold.admin import ModelAdmin, TabularInline

from sessions.models import (
    AuditLog,
    Episode,
    Event,
    Invitation,
    Participant,
    Run,
    Seat,
    Study,
    StudyMember,
    StudyVersion,
    Turn,
)


class LookOnly:
    """Nothing is added, changed or deleted here."""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class RecordAdmin(LookOnly, ModelAdmin):
    list_per_page = 50
    show_full_result_count = False


class VersionInline(LookOnly, TabularInline):
    model = StudyVersion
    fields = ["number", "opened_at", "scene_version", "digest"]
    extra = 0


class MemberInline(TabularInline):
    model = StudyMember
    extra = 0
    autocomplete_fields = ["user"]


@admin.register(Study)
class StudyAdmin(ModelAdmin):
    """Studies are designed on the research pages; here an admin sets who belongs to one."""

    list_display = ["title", "slug", "status", "paused", "version", "created_at", "page"]
    list_filter = ["status"]
    search_fields = ["title", "slug"]
    readonly_fields = [
        "slug",
        "title",
        "protocol",
        "status",
        "paused",
        "version",
        "config",
        "opened_at",
        "closed_at",
    ]
    inlines = [MemberInline, VersionInline]

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    @admin.display(description="Research page")
    def page(self, study: Study) -> SafeString:
        """The way to where the study is run."""
        return format_html('<a href="{}">open</a>', f"/research/studies/{study.slug}/")


@admin.register(Participant)
class ParticipantAdmin(RecordAdmin):
    list_display = ["code", "study", "kind", "state", "state_reason", "joined_at", "finished_at"]
    list_filter = ["study", "kind", "state"]
    search_fields = ["code"]
    # The link's token is the participant's key, and the recruiting id may name a person.
    exclude = ["external"]


@admin.register(Seat)
class SeatAdmin(RecordAdmin):
    list_display = ["study", "version", "number", "deal", "rehearsal", "status", "participant", "reason"]
    list_filter = ["study", "status", "rehearsal"]


class TurnInline(LookOnly, TabularInline):
    model = Turn
    fields = ["index", "said", "replied", "did", "outcome"]
    readonly_fields = ["said", "replied", "did", "outcome"]
    extra = 0

    @admin.display(description="Assistant")
    def said(self, turn: Turn) -> str:
        """What the assistant said."""
        return str((turn.assistant or {}).get("utterance", ""))

    @admin.display(description="User")
    def replied(self, turn: Turn) -> str:
        """What the user said."""
        return str((turn.user or {}).get("reply", ""))

    @admin.display(description="Action")
    def did(self, turn: Turn) -> str:
        """The tool that was called."""
        return str(((turn.user or {}).get("tool_call") or {}).get("tool", ""))

    @admin.display(description="Outcome")
    def outcome(self, turn: Turn) -> str:
        """What came of it."""
        return str(((turn.user or {}).get("outcome") or {}).get("message", ""))


@admin.register(Episode)
class EpisodeAdmin(RecordAdmin):
    list_display = [
        "public_id",
        "study",
        "user_kind",
        "assistant",
        "scene",
        "task_id",
        "condition",
        "turn_count",
        "end_reason",
        "ended_at",
        "replay",
    ]
    list_filter = ["status", "user_kind", "scene", "assistant", "condition", "end_reason", "study"]
    search_fields = ["public_id", "task_id"]
    list_select_related = ["study"]
    inlines = [TurnInline]

    @admin.display(description="Replay")
    def replay(self, episode: Episode) -> SafeString:
        """The way to the replay."""
        return format_html('<a href="{}">replay</a>', f"/research/episodes/{episode.public_id}/")


@admin.register(Run)
class RunAdmin(RecordAdmin):
    list_display = ["name", "status", "study", "items", "created_at", "finished_at"]
    list_filter = ["status"]
    search_fields = ["name"]

    @admin.display(description="Episodes")
    def items(self, run: Run) -> SafeString:
        """How many the plan holds, with the way to them."""
        address = reverse("admin:study_sessions_episode_changelist")
        return format_html('<a href="{}?run__id__exact={}">{}</a>', address, run.pk, run.episodes.count())


@admin.register(Event)
class EventAdmin(RecordAdmin):
    list_display = ["at", "kind", "participant", "episode", "turn"]
    list_filter = ["kind"]
    list_select_related = ["participant", "episode"]


@admin.register(AuditLog)
class AuditLogAdmin(RecordAdmin):
    list_display = ["at", "actor_name", "action", "study", "subject"]
    list_filter = ["action", "study"]
    search_fields = ["actor_name", "subject"]


@admin.register(Invitation)
class InvitationAdmin(RecordAdmin):
    list_display = ["study", "role", "created_at", "expires_at", "used_by", "used_at"]
