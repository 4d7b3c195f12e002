"""Results in a real browser: charts answer, each has its numbers and files, and nothing comes from afar."""

import re
import secrets
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from playwright.sync_api import Browser, Page, expect

pytestmark = pytest.mark.browser


def _make() -> tuple[str, str, str]:
    from django.contrib.auth import get_user_model

    from sessions.models import StudyMember
    from tests.web.recorded_study import recorded_study

    slug, word = f"charts-{secrets.token_hex(3)}", secrets.token_hex(8)
    study = recorded_study(slug, profiles=1, participants=2)
    user = get_user_model().objects.create_user(f"reader-{slug}", password=word)
    StudyMember.objects.create(study=study, user=user, role="researcher")
    return slug, user.get_username(), word


@pytest.fixture(scope="module")
def results(site, browser: Browser, django_db_blocker) -> Iterator[tuple[Page, str, list[str], list[str]]]:
    """A signed-in researcher, the study's address, and everything that went wrong or went out."""
    with django_db_blocker.unblock(), ThreadPoolExecutor(1) as thread:
        slug, name, word = thread.submit(_make).result()
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    faults: list[str] = []
    asked: list[str] = []
    page.on("console", lambda said: faults.append(said.text) if said.type == "error" else None)
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{site.url}/research/login/")
    page.locator("input[name=username]").fill(name)
    page.locator("input[name=password]").fill(word)
    page.locator("input[name=password]").press("Enter")
    page.wait_for_url(re.compile("/research/"))
    yield page, f"{site.url}/research/studies/{slug}", faults, asked
    context.close()


def test_charts_come_alive_with_their_numbers_beside_them(results):
    page, home, faults, asked = results
    for place, charts in (("results", 7), ("agreement", 2)):
        page.goto(f"{home}/{place}/")
        figures = page.locator("[data-spec]")
        expect(figures).to_have_count(charts)
        for at in range(charts):
            figure = figures.nth(at)
            figure.scroll_into_view_if_needed()
            chart = figure.locator("canvas")
            expect(chart).to_be_visible(timeout=30_000)
            assert chart.bounding_box()["height"] > 100
            assert figure.locator("[role=img]").get_attribute("aria-label")
            summary = figure.locator("summary")
            summary.focus()
            page.keyboard.press("Enter")
            expect(figure.locator("table tbody tr").first).to_be_visible()
    assert faults == []
    assert all(url.startswith(home.partition("/research")[0]) for url in asked if "://" in url)


def test_a_chart_is_reached_and_downloaded_by_keyboard_in_every_form(results):
    page, home, faults, _ = results
    page.goto(f"{home}/agreement/")
    figure = page.locator("[data-spec]").first
    for form, start in (("SVG", b"<svg"), ("PNG", b"\x89PNG"), ("PDF", b"%PDF")):
        link = figure.get_by_role("link", name=re.compile(f"^{form}"))
        link.focus()
        expect(link).to_be_focused()
        with page.expect_download() as download:
            page.keyboard.press("Enter")
        assert download.value.suggested_filename.endswith(f".{form.lower()}")
        with open(download.value.path(), "rb") as file:
            assert file.read(4).startswith(start[:4])
    assert faults == []


def test_a_number_opens_its_episodes_and_they_their_replay(results):
    page, home, _, _ = results
    page.goto(f"{home}/results/")
    page.locator("#task-people td a").nth(1).click()
    expect(page.get_by_role("heading", name="Episodes", level=1)).to_be_visible()
    page.locator("tbody th a").first.click()
    expect(page).to_have_url(re.compile("/research/episodes/"))
