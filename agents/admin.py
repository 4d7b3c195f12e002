"""Models and their calls, for an admin: add a model, try it, read what was said, see what came of it."""

from collections.abc import Iterable
from typing import Any

import orjson
from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from unfold.admin import ModelAdmin

from agents.admin_kit import button, labelled
from agents.admin_try import try_view
from agents.models import LanguageModel, ModelCall
from agents.selectors import call_redacted, outcome_rates, rates_of

OUTCOME_COLOURS = {"answered": "success", "repaired": "info", "missing": "warning", "failed": "danger"}


@admin.register(LanguageModel)
class LanguageModelAdmin(ModelAdmin):
    """Models by litellm's name. Keys stay in the environment."""

    list_display = ("label", "slug", "model", "roles", "rates", "key_state", "active")
    list_filter = ("active", "identity_policy")
    search_fields = ("label", "slug", "model")
    actions_detail = ("try_it",)
    fieldsets = (
        (None, {"fields": ("label", "slug", "active")}),
        (
            "Where it answers",
            {
                "fields": ("model", "api_base", "key_variable", "parameters"),
                "description": "The key itself is never stored: give the name of the variable that holds it.",
            },
        ),
        (
            "What it may be",
            {"fields": (("as_assistant", "as_user"), ("as_moderator", "as_judge"), "identity_policy")},
        ),
        (
            "How it is asked",
            {
                "fields": (
                    ("timeout_s", "max_tokens"),
                    ("max_retries", "max_wait_s"),
                    "schema_mode",
                    ("vision", "image_px"),
                    ("concurrency", "catalog_limit"),
                    "fallback",
                )
            },
        ),
        ("What it may cost", {"fields": (("price_in", "price_out"), ("max_calls", "max_cost_usd"))}),
    )

    def get_urls(self) -> list[URLPattern]:
        """With the page that tries a model, which is asynchronous: waiting there holds nobody else up."""
        own = path("<path:pk>/try/", try_view, name="agents_languagemodel_try")
        return [own, *super().get_urls()]

    @button("Try it", "play_arrow", ["change"])
    def try_it(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Go to the page that asks this model for one sentence."""
        return redirect(reverse("admin:agents_languagemodel_try", args=[object_id]))

    @admin.display(description="may be")
    def roles(self, row: LanguageModel) -> str:
        """The roles it may take."""
        held = ((row.as_assistant, "assistant"), (row.as_user, "user"), (row.as_moderator, "moderator"))
        names = [name for has, name in (*held, (row.as_judge, "judge")) if has]
        return ", ".join(names) or "nothing"

    @admin.display(description="answers so far")
    def rates(self, row: LanguageModel) -> str:
        """How its answers turned out."""
        return rates_of(row.slug)

    @labelled("key", {"set": "success", "missing": "danger", "none needed": "info"})
    def key_state(self, row: LanguageModel) -> str:
        """Whether the named variable is set in this process; never its value."""
        return row.key_state


@admin.register(ModelCall)
class ModelCallAdmin(ModelAdmin):
    """The call log: nothing here can be changed."""

    list_display = (
        "started_at",
        "model_slug",
        "role",
        "came_out",
        "why",
        "seconds",
        "tokens",
        "cost_usd",
        "where",
    )
    list_filter = ("model_slug", "role", "outcome", "failure", "asked_again")
    search_fields = ("episode", "model", "prompt_version", "reply")
    actions = ("export_redacted",)
    actions_list = ("see_rates",)
    list_before_template = "admin/agents/calls_before.html"
    list_per_page = 50
    fieldsets = (
        (None, {"fields": ("model_slug", "model", "role", "prompt_version", "episode", "turn")}),
        (
            "What came of it",
            {"fields": ("outcome", "failure", "fault", "asked_again", "tries", "reply_text")},
        ),
        ("Cost", {"fields": ("started_at", "duration_s", "tokens_in", "tokens_out", "cost_usd", "images")}),
        ("What was asked", {"fields": ("conversation",)}),
    )

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """With the outcome rates above the list."""
        context = {**(extra_context or {}), "rows": outcome_rates()}
        found: HttpResponse = super().changelist_view(request, context)
        return found

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Calls are logged, not written by hand."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: ModelCall | None = None) -> bool:
        """A log is read only."""
        return False

    def get_readonly_fields(self, request: HttpRequest, obj: ModelCall | None = None) -> Iterable[str]:
        """Everything, and the readable forms of prompt and reply."""
        return [*(field.name for field in ModelCall._meta.fields), "conversation", "reply_text", "tries"]

    @labelled("outcome", OUTCOME_COLOURS)
    def came_out(self, call: ModelCall) -> str:
        """The outcome; a reply asked about again says so in the next column."""
        return call.outcome

    @admin.display(description="why")
    def why(self, call: ModelCall) -> str:
        """The kind of failure, or that it was asked again."""
        return call.failure or ("asked again" if call.asked_again else "")

    @admin.display(description="seconds", ordering="duration_s")
    def seconds(self, call: ModelCall) -> str:
        """How long it took, waiting included."""
        return f"{call.duration_s:.2f}"

    @admin.display(description="tokens in / out")
    def tokens(self, call: ModelCall) -> str:
        """Tokens as the provider counted them."""
        return f"{call.tokens_in} / {call.tokens_out}" if call.tokens_in is not None else "not told"

    @admin.display(description="episode")
    def where(self, call: ModelCall) -> str:
        """The episode's turn it belongs to."""
        return f"{call.episode}, turn {call.turn}" if call.episode and call.turn is not None else call.episode

    @admin.display(description="tries")
    def tries(self, call: ModelCall) -> SafeString:
        """Every request that did not simply succeed."""
        rows = ((a["model"], a["failure"], a["detail"][:200], f"{a['wait_s']:g}") for a in call.attempts)
        return format_html_join("", "<p>{}: <b>{}</b>. {} (then waited {} s)</p>", rows) or SafeString(
            "none failed"
        )

    @admin.display(description="reply")
    def reply_text(self, call: ModelCall) -> SafeString:
        """The reply as it came."""
        return format_html('<pre style="white-space: pre-wrap">{}</pre>', call.reply or "(nothing)")

    @admin.display(description="messages")
    def conversation(self, call: ModelCall) -> SafeString:
        """The messages as they were sent; a picture is named by its hash."""
        rows = ((message["role"], _text(message["content"])) for message in call.messages)
        return format_html_join("", '<h4>{}</h4><pre style="white-space: pre-wrap">{}</pre>', rows)

    @admin.action(description="Export selected as JSON Lines (no prompts, no replies)")
    def export_redacted(self, request: HttpRequest, queryset: QuerySet[ModelCall]) -> StreamingHttpResponse:
        """Numbers and outcomes; of prompts and replies only hash and length."""
        rows = (orjson.dumps(call_redacted(call)) + b"\n" for call in queryset.iterator(chunk_size=200))
        response = StreamingHttpResponse(rows, content_type="application/x-ndjson")
        response["Content-Disposition"] = 'attachment; filename="model-calls.jsonl"'
        return response

    @button("Outcome rates", "monitoring", ["view"])
    def see_rates(self, request: HttpRequest) -> HttpResponse:
        """Per model, role and prompt version: how answers turned out, money, tokens, time."""
        context = {**self.admin_site.each_context(request), "title": "Outcome rates", "rows": outcome_rates()}
        return render(request, "admin/agents/rates.html", context)


def _text(content: Any) -> str:
    if isinstance(content, str):
        return content
    return "\n\n".join(str(part.get("text", "")) for part in content)
