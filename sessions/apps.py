"""Django application."""

from django.apps import AppConfig


class SessionsConfig(AppConfig):
    """Studies, participants, seats, episodes, turns, events and frames: the record."""

    name = "sessions"
    label = (
        "study_sessions"  # django.contrib.sessions owns "sessions"; names tables and URLs, never change it
    )
    verbose_name = "Study sessions"
