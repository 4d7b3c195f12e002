"""Half-filled questionnaires through restarts, second tabs and the back button."""

import signal

import pytest
from playwright.sync_api import expect

pytestmark = [pytest.mark.browser, pytest.mark.daphne, pytest.mark.store]


@pytest.fixture
def at_the_sheet(visitor, in_store):
    """The visitor's first visit is over, and its questions are before them."""
    in_store(limits={"turns": 1})
    visitor.send("Nothing for me.")
    visitor.press("[data-over] a")
    visitor.at("questionnaire/1")
    return visitor


def point(page, item, value):
    return page.locator(f"input[name={item}][value='{value}']")


@pytest.fixture
def scores(database):
    def read(page):
        from questionnaire.models import Rating

        token = page.url.split("/p/")[1].split("/")[0]
        rows = Rating.objects.filter(episode__participant__token=token)
        return database(lambda: dict(rows.values_list("dimension", "score")))

    return read


def test_answers_given_while_the_server_is_down_outlive_a_failed_sending(at_the_sheet, site, scores):
    page = at_the_sheet.page
    address = page.url
    point(page, "naturalness", 2).check()
    expect(page.locator("[data-saved]")).to_have_text("Kept")
    site.stop(signal.SIGKILL)
    point(page, "informativeness", 1).check()
    expect(page.locator("[data-saved]")).to_contain_text("your answers are kept on this device")
    at_the_sheet.press("main form button:not([type])")
    page.wait_for_timeout(1500)
    site.start()
    page.goto(address)
    expect(point(page, "naturalness", 2)).to_be_checked()
    expect(point(page, "informativeness", 1)).to_be_checked()
    at_the_sheet.rate(5)
    at_the_sheet.at("done")
    assert set(scores(page).values()) == {5}


def test_of_two_tabs_with_the_questions_the_first_sent_counts_and_the_other_goes_on(
    at_the_sheet, context, scores
):
    first = at_the_sheet.page
    second = context.new_page()
    second.goto(first.url)
    for name in second.locator("[data-item]").evaluate_all("all => all.map(it => it.dataset.item)"):
        point(second, name, 1).check()
    first.bring_to_front()
    at_the_sheet.rate(4)
    at_the_sheet.at("done")
    second.bring_to_front()
    second.locator("main form button:not([type])").click()
    second.wait_for_url("**/done/")
    assert set(scores(first).values()) == {4}


def test_the_back_button_leads_neither_into_a_visit_that_is_over_nor_to_old_questions(at_the_sheet):
    page = at_the_sheet.page
    page.go_back()
    at_the_sheet.at("questionnaire/1")
    at_the_sheet.rate(3)
    at_the_sheet.at("done")
    page.go_back()
    at_the_sheet.at("done")
    expect(page.locator("[data-code]")).to_be_visible()
