"""Django application."""

from django.apps import AppConfig


class AnalysisConfig(AppConfig):
    """Rows to arrays to tables, agreement, figures, exports and API. Reads only."""

    name = "analysis"
    verbose_name = "Analysis"
