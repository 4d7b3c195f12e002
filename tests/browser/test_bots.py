"""Bots take part in a real study, and report what held."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

import pytest

from play.bots.bot import Bot, walk
from play.bots.report import Report, quantile

pytestmark = [pytest.mark.daphne, pytest.mark.store]


def in_a_thread(bots, report, jobs):
    """The browser's driver keeps an event loop in this thread for as long as other tests need it."""
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, walk(bots, report, jobs=jobs)).result()


def test_bots_take_part_to_the_end_and_what_must_be_refused_is_refused(site, study, database):
    from sessions.models import Participant, Seat, Study
    from sessions.services.rehearsal import participant_rehearse

    slug = study(assistants=[{"slug": "expert"}])

    def join() -> list[str]:
        found = Study.objects.get(slug=slug)
        return [participant_rehearse(study=found, kind=Participant.Kind.BOT).token for _ in range(2)]

    report = Report()
    bots = [Bot(site.url, token, seed=seed, report=report) for seed, token in enumerate(database(join))]
    in_a_thread(bots, report, jobs=2)
    assert report.ok, "\n".join(report.lines())
    assert report.finished == 2
    assert report.held["store refuses: stale"] == 2

    def counted() -> tuple[int, int]:
        people = Participant.objects.filter(study__slug=slug, kind="bot", state="done").count()
        return people, Seat.objects.filter(study__slug=slug, rehearsal=False).exclude(status="free").count()

    assert database(counted) == (2, 0)


def test_a_bot_that_cannot_go_on_says_where(site):
    report = Report()
    in_a_thread([Bot(site.url, "no-such-link", seed=1, report=report)], report, jobs=1)
    assert not report.ok
    assert "no-such-link" in report.crashed[0]


def test_quantiles_are_values_that_were_seen():
    assert [quantile([3.0, 1.0, 2.0], share) for share in (0.0, 0.5, 0.95, 1.0)] == [1.0, 2.0, 3.0, 3.0]
