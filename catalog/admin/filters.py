"""List filters of the catalog."""

from typing import Any

from django.contrib import admin
from django.db.models import F, Max, QuerySet
from django.http import HttpRequest

from catalog.models import Row, SceneVersion


class VersionFilter(admin.SimpleListFilter):
    """Current versions unless another is asked for: older ones hold the same rows once more."""

    title = "version"
    parameter_name = "version"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """Every version, and all of them."""
        versions = SceneVersion.objects.select_related("scene")
        return [("all", "All versions"), *((str(version.pk), str(version)) for version in versions)]

    def choices(self, changelist: Any) -> Any:
        """The first choice is the current versions, not all rows."""
        for number, choice in enumerate(super().choices(changelist)):
            yield {**choice, "display": "Current"} if number == 0 else choice

    def queryset(self, request: HttpRequest, queryset: QuerySet[Row]) -> QuerySet[Row]:
        """The rows of the chosen version."""
        chosen = self.value()
        if chosen == "all":
            return queryset
        if chosen:
            return queryset.filter(version__pk=int(chosen)) if chosen.isdigit() else queryset.none()
        newest = queryset.annotate(newest=Max("version__scene__versions__number"))
        return newest.filter(version__number=F("newest"))


class SceneFilter(admin.SimpleListFilter):
    """By scene, by its slug."""

    title = "scene"
    parameter_name = "scene"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """Every imported scene."""
        found = SceneVersion.objects.values_list("scene__slug", "scene__name").order_by("scene__slug")
        return list(found.distinct())

    def queryset(self, request: HttpRequest, queryset: QuerySet[Row]) -> QuerySet[Row]:
        """The rows of the scene."""
        return queryset.filter(version__scene__slug=self.value()) if self.value() else queryset
