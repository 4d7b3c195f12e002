"""Score stored episodes with a judge, human ones too."""

import asyncio
from argparse import ArgumentParser
from dataclasses import dataclass, field
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db.models import QuerySet
from rich.console import Console
from rich.progress import Progress

from agents.registry import judge_slugs
from play.judging import judge_episode
from sessions.database import database_sync_to_async
from sessions.models import Episode
from sessions.selectors.record import ended_episodes


class Command(BaseCommand):
    """``manage.py judge --judge rules --study S | --run R | --all``"""

    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--judge", default="rules")
        parser.add_argument("--study", default="", help="episodes of this study")
        parser.add_argument("--run", default="", help="episodes of this run")
        parser.add_argument("--all", action="store_true", help="every ended episode")
        parser.add_argument("--kind", choices=["human", "simulated"], help="only these users' episodes")
        parser.add_argument("--again", action="store_true", help="also those this judge has scored")
        parser.add_argument("--jobs", type=int, default=4)

    def handle(self, *args: Any, **options: Any) -> None:
        if options["judge"] not in judge_slugs():
            raise CommandError(
                f"There is no judge '{options['judge']}'; there are: {', '.join(judge_slugs())}"
            )
        if not (options["study"] or options["run"] or options["all"]):
            raise CommandError("Say which episodes: --study, --run or --all.")
        episodes = ended_episodes(study=options["study"], run=options["run"], kind=options["kind"] or "")
        if not options["again"]:
            episodes = episodes.exclude(
                pk__in=Episode.objects.filter(
                    ratings__rater_kind="judge", ratings__rater=options["judge"]
                ).values("pk")
            )
        outcome = asyncio.run(_judge(episodes, options["judge"], options["jobs"]))
        self.stdout.write(
            f"{outcome.scored} episodes scored by {options['judge']}, {outcome.missing} answers missing"
        )
        for reason in outcome.left_out:
            self.stderr.write(f"left out: {reason}")


@dataclass
class Outcome:
    """What became of the episodes; ``left_out`` says of each whose scene is not here what is missing."""

    scored: int = 0
    missing: int = 0
    left_out: list[str] = field(default_factory=list)


async def _judge(episodes: QuerySet[Episode], judge: str, jobs: int) -> Outcome:
    ids = await database_sync_to_async(lambda: list(episodes.values_list("pk", flat=True)))()
    outcome, queue = Outcome(), iter(ids)
    with Progress(console=Console(stderr=True)) as bar:
        task = bar.add_task("episodes", total=len(ids))

        async def work() -> None:
            for episode_id in queue:
                try:
                    was_scored = await judge_episode(episode_id, judge=judge)
                except LookupError as error:
                    outcome.left_out.append(str(error.args[0]))
                else:
                    outcome.scored += was_scored
                    outcome.missing += not was_scored
                bar.advance(task)

        async with asyncio.TaskGroup() as group:
            for _ in range(max(jobs, 1)):
                group.create_task(work())
    return outcome
