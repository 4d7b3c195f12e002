"""Django application."""

from django.apps import AppConfig


class CatalogConfig(AppConfig):
    """Scenes, products, targets, profiles and tasks as rows an admin can edit."""

    name = "catalog"
    verbose_name = "Catalog"
