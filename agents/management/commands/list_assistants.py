"""``list_assistants``: every mind that can be named, one line each, its name first."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from agents import registry

ROLES = {
    "assistant": registry.assistant_slugs,
    "user": registry.user_slugs,
    "moderator": registry.moderator_slugs,
    "judge": registry.judge_slugs,
}


class Command(BaseCommand):
    """List assistants, or with ``--role`` the simulated users, moderators or judges."""

    help = "List the assistants (or, with --role, users, moderators or judges); the name comes first on each line."

    def add_arguments(self, parser: CommandParser) -> None:
        """One option."""
        parser.add_argument("--role", choices=sorted(ROLES), default="assistant")

    def handle(self, *args: Any, **options: Any) -> None:
        """Write one line per mind."""
        for slug in ROLES[options["role"]]():
            self.stdout.write(f"{slug}\t{registry.describe(slug, role=options['role'])}")
