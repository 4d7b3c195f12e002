"""Shoppers and tasks in the admin, with the card a participant reads."""

from django.contrib import admin
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from catalog.admin import views
from catalog.admin.base import RowAdmin
from catalog.models import Product, Profile, Task


@admin.register(Profile)
class ProfileAdmin(RowAdmin):
    """Shoppers."""

    list_display = ("code", "role", "persona", "tasks", "scene")
    list_display_links = ("code", "role")
    search_fields = ("code", "role", "persona", "demographics", "themes")
    readonly_fields = ("tasks",)
    fieldsets = (
        (None, {"fields": ("role", "persona", "themes", "tasks")}),
        ("How they live and are", {"fields": ("demographics", "big_five", "interaction")}),
        ("In the pack", {"fields": ("version", "code", "position"), "classes": ("collapse",)}),
    )

    @admin.display(description="tasks")
    def tasks(self, row: Profile) -> SafeString:
        """Links to the profile's tasks."""
        found = Task.objects.filter(version=row.version, profile_id=row.code).order_by("position")
        links = ((reverse("admin:catalog_task_change", args=[task.pk]), task.code) for task in found)
        return format_html_join(" ", '<a class="underline" href="{}">{}</a>', links)


@admin.register(Task)
class TaskAdmin(RowAdmin):
    """Shopping goals, with the card a participant reads."""

    list_display = ("code", "goal", "theme", "tier", "limit", "aims_at", "references", "scene")
    list_display_links = ("code", "goal")
    list_filter = ("tier", "theme")
    search_fields = ("code", "goal", "request", "theme", "target_product")
    readonly_fields = ("card", "aims_at", "accepted")
    fieldsets = (
        (None, {"fields": ("card", "goal", "request", "theme", "profile_id")}),
        ("What is wanted", {"fields": ("needs", "preferences", ("budget", "tier", "increment"))}),
        ("How it is told and met", {"fields": ("disclosure", "acceptance")}),
        (
            "What counts as right",
            {"fields": ("aims_at", "target_product", "accepted", "reference_items", "eligible_prices")},
        ),
        ("In the pack", {"fields": ("version", "code", "position"), "classes": ("collapse",)}),
    )

    def picture_urls(self) -> list[URLPattern]:
        """The goal card."""
        view = self.admin_site.admin_view(views.goal_card_view)
        return [path("<int:pk>/card", view, name="catalog_task_card")]

    @admin.display(description="as a participant sees it")
    def card(self, row: Task) -> SafeString:
        """The goal card in a frame of its own, in the participants' style."""
        address = reverse("admin:catalog_task_card", args=[row.pk])
        style = "width:100%;max-width:640px;height:420px;border:1px solid #d4d4d4;border-radius:8px"
        return format_html('<iframe src="{}" title="Goal card" style="{}"></iframe>', address, style)

    @admin.display(description="budget", ordering="budget")
    def limit(self, row: Task) -> str:
        """In dollars."""
        return f"${row.budget:,.0f}"

    @admin.display(description="target")
    def aims_at(self, row: Task) -> SafeString | str:
        """The target product, linked."""
        return self._products(row, [row.target_product])

    @admin.display(description="reference items")
    def accepted(self, row: Task) -> SafeString | str:
        """All reference items, linked."""
        return self._products(row, row.reference_items)

    @admin.display(description="reference items")
    def references(self, row: Task) -> int:
        """How many products would be right."""
        return len(row.reference_items)

    def _products(self, row: Task, codes: list[str]) -> SafeString | str:
        found = Product.objects.filter(version=row.version, code__in=codes)
        links = (
            (
                reverse("admin:catalog_product_change", args=[product.pk]),
                product.name,
                f"{product.price:,.2f}",
            )
            for product in found.order_by("position")
        )
        return format_html_join(", ", '<a class="underline" href="{}">{}</a> (${})', links)
