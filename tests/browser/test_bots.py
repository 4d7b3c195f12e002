"""Bots take part in a real study, and report what held."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

import pytest

from play.bots.bot import Bot, walk
from play.bots.brief import Brief
from play.bots.browser import take_part_by_clicking
from play.bots.report import Report, quantile
from siturec.protocol.study import StudyConfig

pytestmark = [pytest.mark.daphne, pytest.mark.store]
CHECK = {"after_episode": 1, "expected": 2, "text": "To show that you read this, choose 2."}
ONE_VISIT = {"assistants": [{"slug": "expert"}], "attention_checks": [CHECK]}


def in_a_thread(bots, report, jobs):
    """The browser's driver keeps an event loop in this thread for as long as other tests need it."""
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, walk(bots, report, jobs=jobs)).result()


@pytest.fixture
def joined(database):
    """Bots of a study: their links, and what the study expects of them."""
    from sessions.models import Participant, Study
    from sessions.services.rehearsal import participant_rehearse

    def join(slug: str, count: int) -> tuple[list[str], Brief]:
        found = Study.objects.get(slug=slug)
        kind = Participant.Kind.BOT
        return [participant_rehearse(study=found, kind=kind).token for _ in range(count)], Brief.of(
            found.design
        )

    return lambda slug, count: database(lambda: join(slug, count))


def test_bots_take_part_to_the_end_and_what_must_be_refused_is_refused(site, study, database, joined):
    from sessions.models import Participant, Seat

    slug, report = study(**ONE_VISIT), Report()
    tokens, brief = joined(slug, 2)
    bots = [Bot(site.url, token, seed=seed, report=report, brief=brief) for seed, token in enumerate(tokens)]
    in_a_thread(bots, report, jobs=2)
    assert report.ok, "\n".join(report.lines())
    assert report.finished == 2
    assert report.held["store refuses: stale"] == 2

    def counted() -> tuple[int, int]:
        people = Participant.objects.filter(study__slug=slug, kind="bot", state="done").count()
        return people, Seat.objects.filter(study__slug=slug, rehearsal=False).exclude(status="free").count()

    assert database(counted) == (2, 0)


def test_bots_that_click_take_part_to_the_end_and_say_so_as_they_go(site, study, joined):
    told: list[str] = []
    report = Report(tell=told.append)
    tokens, brief = joined(study(**ONE_VISIT), 2)
    with ThreadPoolExecutor(1) as thread:
        clicking = take_part_by_clicking(site.url, tokens, report, jobs=2, brief=brief)
        thread.submit(asyncio.run, clicking).result()
    assert report.ok, "\n".join(report.lines())
    assert sorted(told) == ["bot 1 has finished.", "bot 2 has finished."]
    assert report.held["browser: a missing answer is named"] == 2
    assert report.held["browser: no way past: consent"] == 2
    assert report.held["the end shows the study's completion code"] == 2


def test_a_study_says_what_it_expects_of_bots():
    design = StudyConfig.model_validate(
        {
            "slug": "s",
            "title": "S",
            "scene": "supermarket",
            "consent": {"text": "Yes?"},
            "missing_allowed": True,
            "codes": {"done": "D1"},
        }
        | ONE_VISIT
    )
    assert Brief.of(design) == Brief(code="D1", missing_allowed=True, checks={"check-1": "2"})


def test_the_command_says_when_no_site_answers_and_makes_no_bots(study, database):
    from django.core.management import CommandError, call_command

    from sessions.models import Participant

    slug = study()
    with pytest.raises(CommandError, match=r"No site answers at http://127\.0\.0\.1:9 .*manage\.py serve"):
        database(lambda: call_command("bots", study=slug, url="http://127.0.0.1:9"))
    assert database(lambda: Participant.objects.filter(study__slug=slug).count()) == 0


def test_a_bot_that_cannot_go_on_says_where(site):
    report = Report()
    in_a_thread([Bot(site.url, "no-such-link", seed=1, report=report)], report, jobs=1)
    assert not report.ok
    assert "no-such-link" in report.crashed[0]


def test_quantiles_are_values_that_were_seen():
    assert [quantile([3.0, 1.0, 2.0], share) for share in (0.0, 0.5, 0.95, 1.0)] == [1.0, 2.0, 3.0, 3.0]
