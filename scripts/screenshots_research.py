"""Pictures of a researcher's pages, with people in the store meanwhile. Used by ``screenshots.py``."""

from collections.abc import Callable
from functools import partial
from typing import Any

from playwright.sync_api import Browser, Page

USER, PASSWORD = "rosa", "pictures only"
RECORDED = "market"
LOOKS = ((1280, 800, "light"), (1280, 800, "dark"), (360, 740, "light"))
Take = Callable[[Page, str, str], None]


def make_team() -> None:
    """A researcher's account, and a study whose episodes are on record, for the pages that show results."""
    from django.contrib.auth.models import User

    from tests.web.recorded_study import recorded_study

    User.objects.create_superuser(USER, password=PASSWORD)
    recorded_study(RECORDED, title="Shopping with five assistants", profiles=4, participants=6)


def research_round(browser: Browser, url: str, slug: str, visit: Callable[[], Any], take: Take) -> None:
    """Let two people into the store, one of whom calls for help, and go through the pages meanwhile.

    Args:
        visit: a visitor in a browser of its own, not yet anywhere.
        take: writes a picture of a page under a name and a look such as ``1280-dark``.
    """
    busy, quiet = visit(), visit()
    for visitor in (busy, quiet):
        visitor.arrive(slug)
        visitor.enter()
    busy.pick_something_up()
    busy.press("[data-opens=help-dialog]")
    busy.page.locator("#help-text").fill("Is there anything without nuts?")
    busy.press("[data-ask-help] button.button-primary")
    for width, height, theme in LOOKS:
        context = browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme="dark" if theme == "dark" else "light",
            locale="en-GB",
            reduced_motion="reduce",
        )
        context.set_default_timeout(60_000)
        page = context.new_page()
        _sign_in(page, url)
        _go_round(page, url, slug, partial(_taken, take, page, f"{width}-{theme}"))
        context.close()
    for visitor in (busy, quiet):
        visitor.page.context.close()


def _taken(take: Take, page: Page, look: str, name: str) -> None:
    take(page, name, look)


def _sign_in(page: Page, url: str) -> None:
    page.goto(f"{url}/research/login/")
    page.locator("#id_username").fill(USER)
    page.locator("#id_password").fill(PASSWORD)
    page.locator("main form button").click()
    page.wait_for_url("**/research/")


def _go_round(page: Page, url: str, slug: str, take: Callable[[str], None]) -> None:
    study = f"{url}/research/studies/{slug}/"
    page.goto(f"{url}/research/studies/new/")
    take("research-form")
    page.goto(study)
    take("research-overview")
    page.goto(f"{study}live/")
    page.locator("#people .pill-warn").wait_for()
    take("research-live")
    page.locator("#people a").first.click()
    page.locator(".watch-frame img:not([hidden])").wait_for()
    take("research-watch")
    page.goto(f"{study}episodes/?user_kind=human")
    page.locator("tbody a").first.click()
    page.locator("#frame[src]").wait_for()
    take("research-replay")
    page.goto(f"{url}/research/studies/{RECORDED}/results/")
    page.locator("main table").first.wait_for()
    take("research-results")
