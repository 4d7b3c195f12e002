"""Django application."""

from django.apps import AppConfig


class AgentsConfig(AppConfig):
    """Assistants, simulated users, moderator and judge."""

    name = "agents"
    verbose_name = "Agents"
