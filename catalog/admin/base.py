"""What all tables of a pack share in the admin: lists by scene and version, edits through the services."""

from typing import Any

from django.contrib import admin, messages
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect
from django.urls import URLPattern, reverse
from import_export.admin import ImportExportModelAdmin
from import_export.formats.base_formats import CSV, JSON
from unfold.admin import ModelAdmin
from unfold.contrib.import_export.forms import ExportForm, ImportForm

from catalog.admin.filters import SceneFilter, VersionFilter
from catalog.admin.forms import RowForm
from catalog.admin.transfer import resource_for
from catalog.editing import EditReport, NotCurrent, row_change
from catalog.models import Row
from siturec.scene.load import SceneError

REPORT = "catalog.edit_report"
"""Where a request carries what its change did, from storing to answering."""


def editor_of(request: HttpRequest) -> User | None:
    """Who is changing things; the admin lets nobody in who is not known."""
    return request.user if isinstance(request.user, User) else None


class RowAdmin(ModelAdmin, ImportExportModelAdmin):
    """What all tables share: rows are edited through the services, and made or removed by import only."""

    form = RowForm
    import_form_class = ImportForm
    export_form_class = ExportForm
    formats = (CSV, JSON)
    list_per_page = 50
    list_select_related = ("version__scene",)
    ordering = ("version", "position")
    fixed: tuple[str, ...] = ("version", "code", "position")

    def get_resource_classes(self, request: HttpRequest, **kwargs: Any) -> list[type]:
        """The table's resource."""
        return [resource_for(self.model)]

    def get_list_filter(self, request: HttpRequest) -> tuple[Any, ...]:
        """Scene and version, then the table's own filters."""
        return (SceneFilter, VersionFilter, *self.list_filter)

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        """A row's place and its id never change."""
        return (*self.fixed, *self.readonly_fields)

    def formfield_for_dbfield(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        """Boxes for longer texts and nested parts, no taller than what is usually in them."""
        field = super().formfield_for_dbfield(db_field, request, **kwargs)
        if field is not None and "rows" in field.widget.attrs:
            field.widget.attrs["rows"] = 4
        return field

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """A new row needs others (a product its instances, a profile its tasks): packs bring them in."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """For the same reason."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Older versions are kept as they are."""
        allowed: bool = super().has_change_permission(request, obj)
        if obj is not None and allowed:
            return not obj.version.scene.versions.filter(number__gt=obj.version.number).exists()
        return allowed

    def save_model(self, request: HttpRequest, obj: Row, form: Any, change: bool) -> None:
        """Store the change through the service; where it went is told after saving."""
        try:
            fields = form.changed_fields(form.cleaned_data)
            report = row_change(row=obj, fields=fields, editor=editor_of(request))
        except (SceneError, NotCurrent) as error:
            # The form has checked already; this is another editor who was faster.
            self.message_user(request, f"Not saved: {error}", messages.ERROR)
            return
        request.META[REPORT] = report

    def response_change(self, request: HttpRequest, obj: Row) -> HttpResponse:
        """Say when the change made a new version, and go to the row there."""
        report: EditReport | None = request.META.get(REPORT)
        if report is None:
            return HttpResponseRedirect(request.path)
        if report.new_version:
            version = report.row.version
            note = f"The version before is in use by a study. Your change went to a new one: {version}."
            self.message_user(request, note, messages.WARNING)
            name = f"admin:catalog_{obj._meta.model_name}_change"
            return redirect(reverse(name, args=[report.row.pk]))
        response: HttpResponse = super().response_change(request, obj)
        return response

    def get_urls(self) -> list[URLPattern]:
        """The table's pictures, before the admin's own addresses."""
        return [*self.picture_urls(), *super().get_urls()]

    def picture_urls(self) -> list[URLPattern]:
        """Addresses of pictures; tables without any have none."""
        return []

    @admin.display(description="scene", ordering="version")
    def scene(self, row: Row) -> str:
        """Scene and version."""
        return str(row.version)
