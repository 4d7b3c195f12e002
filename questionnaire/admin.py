"""Instruments to edit; answers and ratings to look at, never to change."""

from typing import Any

from django import forms
from django.contrib import admin
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from pydantic import ValidationError as ShapeError
from unfold.admin import ModelAdmin, TabularInline

from questionnaire.models import Answer, Instrument, Item, Rating, Sheet
from siturec.survey.items import Wording


class ItemForm(forms.ModelForm):
    """Checks an item's words before they reach a participant."""

    class Meta:
        model = Item
        fields = ["position", "key", "kind", "dimension", "required", "expected", "words"]

    def clean_words(self) -> dict[str, Any]:
        """Every language needs a text; a scale needs five anchors."""
        words = self.cleaned_data["words"]
        if not isinstance(words, dict) or not words:
            raise ValidationError('Write {"en": {"title": …, "text": …, "guidance": …, "anchors": […]}}.')
        for language, given in words.items():
            try:
                checked = Wording.model_validate(given)
            except ShapeError as error:
                where = ".".join(str(part) for part in error.errors()[0]["loc"])
                raise ValidationError(f"{language}.{where}: {error.errors()[0]['msg']}") from error
            if self.cleaned_data.get("kind") == Item.Kind.SCALE and len(checked.anchors) != 5:
                raise ValidationError(f"{language}.anchors: a scale needs five, got {len(checked.anchors)}.")
        return words


class ItemInline(TabularInline):
    model = Item
    form = ItemForm
    extra = 0
    ordering = ["position"]


@admin.register(Instrument)
class InstrumentAdmin(ModelAdmin):
    list_display = ["title", "slug", "version", "item_count", "shuffle"]
    search_fields = ["title", "slug"]
    readonly_fields = ["version"]
    inlines = [ItemInline]

    @admin.display(description="items")
    def item_count(self, row: Instrument) -> int:
        """How many questions it asks."""
        return row.items.count()

    def save_model(self, request: HttpRequest, obj: Instrument, form: Any, change: bool) -> None:
        """A change after first use raises the version, so that old answers keep their meaning."""
        if change and Sheet.objects.filter(instrument=obj.slug, instrument_version=str(obj.version)).exists():
            obj.version += 1
        super().save_model(request, obj, form, change)


class ReadOnly(ModelAdmin):
    """What participants and judges said is looked at here, not edited."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Nobody answers for another."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        """Answers stay as given."""
        return False


class AnswerInline(TabularInline):
    model = Answer
    extra = 0
    can_delete = False
    fields = readonly_fields = ["key", "value", "text"]


@admin.register(Sheet)
class SheetAdmin(ReadOnly):
    list_display = ["episode", "participant", "instrument", "instrument_version", "language", "submitted_at"]
    list_filter = ["instrument", "language"]
    search_fields = ["episode__public_id", "episode__participant__code"]
    list_select_related = ["episode__participant"]
    inlines = [AnswerInline]

    @admin.display(description="participant")
    def participant(self, row: Sheet) -> str:
        """The coded id."""
        return str(row.episode.participant or "")


@admin.register(Rating)
class RatingAdmin(ReadOnly):
    list_display = ["episode", "rater_kind", "rater", "dimension", "score", "created_at"]
    list_filter = ["rater_kind", "dimension", "score"]
    search_fields = ["episode__public_id", "rater"]
    list_select_related = ["episode"]
