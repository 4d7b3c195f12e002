"""Django application."""

from django.apps import AppConfig


class QuestionnaireConfig(AppConfig):
    """Instruments, items, and answers from people and from the judge."""

    name = "questionnaire"
    verbose_name = "Questionnaire"
