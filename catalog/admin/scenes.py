"""Scenes and their versions in the admin: the plan, the counts, freezing, whole packs in and out."""

from collections.abc import Callable
from typing import Any, TypeVar, cast

from django.contrib import admin, messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from unfold.admin import ModelAdmin
from unfold.decorators import action

from catalog.admin import views
from catalog.admin.base import editor_of
from catalog.admin.forms import PackUploadForm
from catalog.archive import pack_unzip, pack_zip
from catalog.differences import summary
from catalog.models import Scene, SceneEdit, SceneVersion
from catalog.rows import TABLES
from catalog.selectors import scene_pack
from catalog.services import pack_import, scene_fork, scene_freeze
from siturec.scene.check import check_pack
from siturec.scene.load import SceneError

F = TypeVar("F", bound=Callable[..., Any])
SHOWN_CHANGES = 200


def button(description: str, icon: str) -> Callable[[F], F]:
    """An Unfold button above a list or a form, with its types kept."""
    return cast(Callable[[F], F], action(description=description, icon=icon, permissions=["change"]))


class Kept(ModelAdmin):
    """What is made by services only: read here, not written."""

    def changeform_view(
        self, request: HttpRequest, object_id: Any = None, form_url: str = "", extra_context: Any = None
    ) -> Any:
        """Without buttons that would save nothing."""
        bare = {"show_save": False, "show_save_and_continue": False, **(extra_context or {})}
        return super().changeform_view(request, object_id, form_url, bare)

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Made by importing a pack or by editing one in use."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Records refer to it."""
        return False


@admin.register(Scene)
class SceneAdmin(Kept):
    """Stores."""

    list_display = ("name", "slug", "kind", "current", "in_use")
    search_fields = ("name", "slug")
    readonly_fields = ("slug", "name", "kind", "created_at", "versions_list")
    fields = ("name", "slug", "kind", "created_at", "versions_list")
    actions_list = ("upload",)

    def get_urls(self) -> list[URLPattern]:
        """The page that takes a pack in."""
        view = self.admin_site.admin_view(self.upload_view)
        return [path("import-pack/", view, name="catalog_scene_import_pack"), *super().get_urls()]

    @button("Import a scene pack", "upload")
    def upload(self, request: HttpRequest) -> HttpResponse:
        """To the page that takes a pack in."""
        return redirect("admin:catalog_scene_import_pack")

    def upload_view(self, request: HttpRequest) -> HttpResponse:
        """A zip file is checked and compared first; a second step, with the same file, stores it."""
        if not self.has_change_permission(request):
            return HttpResponse("You may not change scenes.", status=403)
        form = PackUploadForm(request.POST or None, request.FILES or None)
        context: dict[str, Any] = {**self.admin_site.each_context(request), "title": "Import a scene pack"}
        if request.method == "POST" and form.is_valid():
            content = form.cleaned_data["file"].read()
            sure = request.POST.get("step") == "store"
            try:
                pack = pack_unzip(content)
                report = pack_import(pack=pack, dry_run=not sure, editor=editor_of(request))
            except SceneError as error:
                context["faults"] = error.faults
            else:
                if sure and report.version is not None:
                    self.message_user(
                        request, f"{report.slug} {report.label}: {report.outcome}", messages.SUCCESS
                    )
                    return redirect("admin:catalog_sceneversion_change", report.version.pk)
                context |= {
                    "report": report,
                    "summary": summary(report.changes),
                    "changes": [str(c) for c in report.changes if c.kind == "changed"][:SHOWN_CHANGES],
                }
        return render(request, "admin/catalog/import_pack.html", {**context, "form": form})

    @admin.display(description="current version")
    def current(self, scene: Scene) -> str:
        """The version that new studies get."""
        version = scene.versions.order_by("-number").first()
        return version.label if version else "none"

    @admin.display(description="in use", boolean=True)
    def in_use(self, scene: Scene) -> bool:
        """Whether the current version is frozen."""
        version = scene.versions.order_by("-number").first()
        return bool(version and version.frozen)

    @admin.display(description="versions")
    def versions_list(self, scene: Scene) -> SafeString:
        """Links to all versions, newest first."""
        rows = (
            (reverse("admin:catalog_sceneversion_change", args=[version.pk]), version.label, version.note)
            for version in scene.versions.order_by("-number")
        )
        return format_html_join(" ", '<a class="underline" href="{}">version {}</a> {}<br>', rows)


@admin.register(SceneVersion)
class SceneVersionAdmin(Kept):
    """Versions: what they hold, whether they are in use, what was changed."""

    list_display = ("scene", "label", "number", "frozen", "revision", "counts", "created_at")
    list_display_links = ("scene", "label")
    list_filter = ("scene", "frozen")
    search_fields = ("scene__slug", "scene__name", "label", "note")
    list_select_related = ("scene",)
    fields = (
        "plan",
        "scene",
        ("label", "number", "revision"),
        ("frozen", "frozen_at"),
        "counts",
        "note",
        "edits",
    )
    readonly_fields = (
        "plan", "scene", "label", "number", "revision", "frozen", "frozen_at", "counts", "note", "edits",
    )  # fmt: skip
    actions_detail = ("download", "prove", "freeze", "fork")

    def get_urls(self) -> list[URLPattern]:
        """The floor plan."""
        view = self.admin_site.admin_view(views.plan_view)
        return [path("<int:pk>/plan", view, name="catalog_sceneversion_plan"), *super().get_urls()]

    @button("Download as zip", "download")
    def download(self, request: HttpRequest, object_id: int) -> HttpResponse:
        """The whole pack."""
        version = get_object_or_404(SceneVersion, pk=object_id)
        pack = scene_pack(version.scene.slug, version.label)
        response = HttpResponse(pack_zip(pack), content_type="application/zip")
        response["Content-Disposition"] = f'attachment; filename="{pack.info.id}-{version.label}.zip"'
        return response

    @button("Check", "task_alt")
    def prove(self, request: HttpRequest, object_id: int) -> HttpResponse:
        """Prove the pack right, or list its faults."""
        version = get_object_or_404(SceneVersion, pk=object_id)
        faults = check_pack(scene_pack(version.scene.slug, version.label))
        for fault in faults:
            self.message_user(request, fault, messages.ERROR)
        if not faults:
            self.message_user(request, "No faults.", messages.SUCCESS)
        return redirect("admin:catalog_sceneversion_change", object_id)

    @button("Freeze", "lock")
    def freeze(self, request: HttpRequest, object_id: int) -> HttpResponse:
        """As a study does when it is launched."""
        version = get_object_or_404(SceneVersion, pk=object_id)
        scene_freeze(version.scene.slug, version.label)
        self.message_user(request, f"{version} is frozen: changes will make a new version.", messages.SUCCESS)
        return redirect("admin:catalog_sceneversion_change", object_id)

    @button("New version", "library_add")
    def fork(self, request: HttpRequest, object_id: int) -> HttpResponse:
        """A copy to be edited."""
        version = get_object_or_404(SceneVersion, pk=object_id)
        made = scene_fork(version=version, note=f"made from version {version.label}")
        self.message_user(request, f"{made} is now the current version.", messages.SUCCESS)
        return redirect("admin:catalog_sceneversion_change", made.pk)

    @admin.display(description="holds")
    def counts(self, version: SceneVersion) -> SafeString:
        """How many rows each table has, linked."""
        rows = (
            (
                reverse(f"admin:catalog_{table.row._meta.model_name}_changelist"),
                version.pk,
                table.row._default_manager.filter(version=version).count(),
                table.name,
            )
            for table in TABLES
        )
        return format_html_join(" · ", '<a class="underline" href="{}?version={}">{} {}</a>', rows)

    @admin.display(description="floor plan")
    def plan(self, version: SceneVersion) -> SafeString:
        """The plan with all targets."""
        address = reverse("admin:catalog_sceneversion_plan", args=[version.pk])
        return format_html('<img src="{}" alt="Floor plan" style="max-width:100%">', address)

    @admin.display(description="last changes")
    def edits(self, version: SceneVersion) -> SafeString | str:
        """The newest changes, with who made them."""
        rows = (
            (edit.at.strftime("%Y-%m-%d %H:%M"), edit, edit.editor or "a command", edit.before, edit.after)
            for edit in version.edits.select_related("editor")[:20]
        )
        return format_html_join("", "{} {} by {}: {} → {}<br>", rows) or "none yet"


@admin.register(SceneEdit)
class SceneEditAdmin(Kept):
    """Every change of a row, for good."""

    list_display = ("at", "version", "table", "code", "field", "before", "after", "editor")
    list_filter = ("version__scene", "table")
    search_fields = ("code", "field")

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """History is read, not written."""
        return False
