"""Bots take part in a study through its real pages: the load test, and the pilot."""

import asyncio
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from play.bots.bot import Bot, walk
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
        parser.add_argument("--jobs", type=int, default=10, help="how many at once (without --browser)")
        parser.add_argument("--browser", action="store_true", help="click through the pages in Chromium")
        parser.add_argument("--seed", type=int, default=1)

    def handle(self, *args: Any, **options: Any) -> None:
        study = study_by_slug(options["study"])
        if study is None:
            raise CommandError(f"There is no study '{options['study']}'.")
        if options["participants"] < 1 or options["jobs"] < 1:
            raise CommandError("--participants and --jobs must be at least 1.")
        try:
            bots = [
                participant_rehearse(study=study, kind=Participant.Kind.BOT)
                for _ in range(options["participants"])
            ]
        except StudyError as error:
            raise CommandError(str(error)) from error
        report = Report()
        tokens, code = [bot.token for bot in bots], study.design.codes.done
        if options["browser"]:
            asyncio.run(self._click(options["url"], tokens, report, code))
        else:
            allowed = study.design.missing_allowed
            walkers = [
                Bot(
                    options["url"],
                    token,
                    seed=options["seed"] + place,
                    report=report,
                    missing_allowed=allowed,
                    code=code,
                )
                for place, token in enumerate(tokens)
            ]
            asyncio.run(walk(walkers, report, jobs=options["jobs"]))
        for line in report.lines():
            self.stdout.write(line)
        if not report.ok:
            raise CommandError("Not everything went as it must; see BROKEN and 'gave up' above.")

    async def _click(self, url: str, tokens: list[str], report: Report, code: str) -> None:
        try:
            from play.bots.browser import take_part_by_clicking
        except ImportError as error:
            raise CommandError("--browser needs Playwright: pip install playwright") from error
        try:
            await take_part_by_clicking(url, tokens, report, code=code)
        except BotStuck as error:
            raise CommandError(str(error)) from error
