"""What tests in a real browser share: the site, Chromium, people at it, and studies to take part in."""

import secrets
import shutil
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    Playwright,
    sync_playwright,
)

from play.bots.browser import CHROMIUM_FLAGS
from tests.browser.faults import Findings
from tests.browser.running_site import SCENE, Site, bake_store
from tests.browser.visitor import Visitor

ASSISTANTS = ("expert", "bad")


@pytest.fixture(scope="package")
def site(django_db_setup: None, django_db_blocker) -> Iterator[Site]:
    from django.core.management import call_command

    # No test here carries the database marker, so nobody else may have made the tables.
    with django_db_blocker.unblock(), ThreadPoolExecutor(1) as thread:
        thread.submit(call_command, "migrate", verbosity=0).result()
        thread.submit(bake_store, SCENE).result()
    running = Site()
    try:
        running.start()
        yield running
    finally:
        running.stop()


Database = Callable[[Callable[[], Any]], Any]


@pytest.fixture
def database(site: Site, django_db_blocker) -> Iterator[Database]:
    """Runs a function on the site's own rows: without a transaction, or neither would see the other's.

    In a thread of its own, for the browser's driver has an event loop in this one.
    """
    from django.db import connection

    def run(work: Callable[[], Any]) -> Any:
        try:
            return work()
        finally:
            connection.close()

    with django_db_blocker.unblock(), ThreadPoolExecutor(1) as thread:
        yield lambda work: thread.submit(run, work).result()


@pytest.fixture
def study(database: Database) -> Callable[..., str]:
    """Opens a study and gives its slug."""
    from sessions.services.studies import study_create, study_open
    from siturec.protocol.study import StudyConfig

    def opened(**changes: object) -> str:
        return database(lambda: make(changes))

    def make(changes: dict[str, object]) -> str:
        slug = f"browser-{secrets.token_hex(4)}"
        document = {
            "slug": slug,
            "title": "Shopping with assistants",
            "scene": SCENE,
            "assistants": [{"slug": name} for name in ASSISTANTS],
            "tasks": {"sample": 2, "per_participant": 1},
            "quota": 20,
            "min_reply_ms": 0,
            "consent": {"text": "You walk through a store and talk to assistants."},
            "contact": "team@example.org",
        } | changes
        study_open(study=study_create(config=StudyConfig.model_validate(document)))
        return slug

    return opened


@pytest.fixture(scope="package")
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as running:
        yield running


@pytest.fixture(scope="package")
def browser(playwright: Playwright) -> Iterator[Browser]:
    found = shutil.which("chromium")
    assert found, "Chromium is not installed: apt-get install chromium"
    # Playwright gives every launch a new empty user-data directory.
    launched = playwright.chromium.launch(executable_path=found, args=CHROMIUM_FLAGS)
    yield launched
    launched.close()


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    made = browser.new_context(viewport={"width": 1280, "height": 800}, locale="en-GB")
    made.set_default_timeout(20_000)
    yield made
    made.close()


@pytest.fixture
def visitor(context: BrowserContext, site: Site) -> Visitor:
    return Visitor(context.new_page(), site.url)


@pytest.fixture
def findings(visitor: Visitor) -> Findings:
    """Collects what axe, the widths and the targets have against the pages the visitor is at."""
    return Findings(visitor.page)


@pytest.fixture
def phone(browser: Browser, site: Site) -> Iterator[Visitor]:
    """A visitor with a small touch screen."""
    made = browser.new_context(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    made.set_default_timeout(20_000)
    yield Visitor(made.new_page(), site.url, by="touch")
    made.close()


@pytest.fixture
def store_link(site: Site, study: Callable[..., str], database: Database) -> Callable[..., str]:
    """Gives the address of a newcomer's first visit to a new study, or one given, by way of the record."""

    def joined(slug: str) -> str:
        from django.utils import timezone

        from sessions.models import Participant, Study
        from sessions.selectors import design_of
        from sessions.services.episodes import episode_goal_read
        from sessions.services.people import participant_consent, participant_join, participant_profile

        person = participant_join(study=Study.objects.get(slug=slug))
        person = participant_consent(participant=person, shown_hash=design_of(person.study).consent.digest)
        participant_profile(participant=person, profile={})
        Participant.objects.filter(pk=person.pk).update(practised_at=timezone.now())
        episode_goal_read(episode=person.episodes.order_by("position")[0])
        return f"{site.url}/p/{person.token}/store/1/"

    def link(slug: str = "", **changes: object) -> str:
        into = slug or study(**({"assistants": [{"slug": "expert"}]} | changes))
        return str(database(lambda: joined(into)))

    return link


@pytest.fixture
def in_store(
    visitor: Visitor, study: Callable[..., str], store_link: Callable[..., str]
) -> Callable[..., None]:
    """Puts the visitor (or several) into a store at their first turn."""

    def enter(*visitors: Visitor, **changes: object) -> None:
        slug = study(**({"assistants": [{"slug": "expert"}]} | changes))
        for one in visitors or (visitor,):
            one.page.goto(store_link(slug))
        for one in visitors or (visitor,):
            one.my_turn()

    return enter
