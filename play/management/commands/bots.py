"""Bots take part in a study through its real pages: the load test, and the pilot."""

import asyncio
from argparse import ArgumentParser
from typing import Any

import httpx
from django.core.management.base import BaseCommand, CommandError

from play.bots.bot import Bot, walk
from play.bots.brief import Brief
from play.bots.report import BotStuck, Report
from sessions.errors import StudyError
from sessions.models import Participant
from sessions.selectors import study_by_slug
from sessions.services.rehearsal import participant_rehearse


class Command(BaseCommand):
    """``manage.py bots --study S --participants N [--url U] [--jobs J] [--browser] [--seed K]``"""

    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--study", required=True, help="the study's short name; a draft can be piloted too"
        )
        parser.add_argument("--participants", type=int, default=1)
        parser.add_argument("--url", default="http://127.0.0.1:8000", help="where the site runs")
        parser.add_argument("--jobs", type=int, default=5, help="how many at once")
        parser.add_argument("--browser", action="store_true", help="click through the pages in Chromium")
        parser.add_argument("--seed", type=int, default=1)

    def handle(self, *args: Any, **options: Any) -> None:
        study = study_by_slug(options["study"])
        if study is None:
            raise CommandError(f"There is no study '{options['study']}'.")
        if options["participants"] < 1 or options["jobs"] < 1:
            raise CommandError("--participants and --jobs must be at least 1.")
        _check_site(options["url"])
        try:
            bots = [
                participant_rehearse(study=study, kind=Participant.Kind.BOT)
                for _ in range(options["participants"])
            ]
        except StudyError as error:
            raise CommandError(str(error)) from error
        report, brief = Report(tell=self._tell), Brief.of(study.design)
        tokens, url, jobs = [bot.token for bot in bots], options["url"], options["jobs"]
        if options["browser"]:
            asyncio.run(self._click(url, tokens, report, jobs, brief))
        else:
            walkers = [
                Bot(url, token, seed=options["seed"] + place, report=report, brief=brief)
                for place, token in enumerate(tokens)
            ]
            asyncio.run(walk(walkers, report, jobs=jobs))
        for line in report.lines():
            self.stdout.write(line)
        if not report.ok:
            raise CommandError("Not everything went as it must; see BROKEN and 'gave up' above.")

    def _tell(self, line: str) -> None:
        self.stdout.write(line)
        self.stdout.flush()

    async def _click(self, url: str, tokens: list[str], report: Report, jobs: int, brief: Brief) -> None:
        try:
            from play.bots.browser import take_part_by_clicking
        except ImportError as error:
            raise CommandError("--browser needs Playwright: pip install playwright") from error
        try:
            await take_part_by_clicking(url, tokens, report, jobs=jobs, brief=brief)
        except BotStuck as error:
            raise CommandError(str(error)) from error


def _check_site(url: str) -> None:
    """Raises: CommandError when nothing answers there, before any bot is made."""
    try:
        httpx.get(url, timeout=30.0)
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise CommandError(
            f"No site answers at {url} ({error}). Start one with `manage.py serve`, or name it with --url."
        ) from error
