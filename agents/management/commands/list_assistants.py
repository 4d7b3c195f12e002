"""``list_assistants``: every mind that can be named, one line each, its name first."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.db import DatabaseError

from agents import registry

ROLES = {
    "assistant": (registry.assistant_slugs, registry.SCRIPTED_ASSISTANTS),
    "user": (registry.user_slugs, registry.SCRIPTED_USERS),
    "moderator": (registry.moderator_slugs, registry.SCRIPTED_MODERATORS),
    "judge": (registry.judge_slugs, registry.SCRIPTED_JUDGES),
}


class Command(BaseCommand):
    """List assistants, or with ``--role`` the simulated users, moderators or judges."""

    help = (
        "List the assistants (with --role: users, moderators or judges); the name comes first on each line."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """One option."""
        parser.add_argument("--role", choices=sorted(ROLES), default="assistant")

    def handle(self, *args: Any, **options: Any) -> None:
        """Write one line per mind."""
        everyone, scripted = ROLES[options["role"]]
        try:
            slugs = everyone()
        except DatabaseError:
            slugs = scripted
            self.stderr.write("The database is not set up yet (migrate); models added to it are not listed.")
        for slug in slugs:
            self.stdout.write(f"{slug}\t{registry.describe(slug)}")
