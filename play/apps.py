"""Django application."""

from django.apps import AppConfig


class PlayConfig(AppConfig):
    """Plays an episode: one turn loop for people and models."""

    name = "play"
    verbose_name = "Play"
