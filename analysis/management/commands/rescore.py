"""``manage.py rescore [STUDY ...]``: score what the current rules have not scored yet; old scores stay."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand
from django.db.models import Count

from analysis.management.arguments import study_named
from analysis.models import EpisodeScore
from analysis.services.scoring import scores_complete
from sessions.models import Episode
from siturec.metrics.registry import SCORING_VERSION


class Command(BaseCommand):
    """Score stored episodes by the current rules."""

    help = "Score all finished episodes, or those of some studies, by the current rules; old scores stay."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Which studies."""
        parser.add_argument("studies", nargs="*", metavar="STUDY", help="slugs; none: every episode there is")

    def handle(self, *args: Any, **options: Any) -> None:
        """Score, and say what is kept under which rules."""
        episodes = Episode.objects.all()
        if options["studies"]:
            episodes = episodes.filter(study__in=[study_named(slug) for slug in options["studies"]])
        count = scores_complete(episodes=episodes)
        self.stdout.write(f"{count} episodes scored by rules {SCORING_VERSION}")
        kept = EpisodeScore.objects.filter(episode__in=episodes).values_list("version")
        for version, number in kept.annotate(n=Count("pk")).order_by("version"):
            self.stdout.write(f"rules {version}: {number} scores kept")
