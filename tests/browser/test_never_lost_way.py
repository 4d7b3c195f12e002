"""Reload, Back and Forward at every step before and in a visit: the same step, with what was begun in it."""

import pytest
from playwright.sync_api import expect

pytestmark = [pytest.mark.browser, pytest.mark.daphne, pytest.mark.store]


@pytest.fixture
def by_every_way(visitor):
    """Calls a check at the page as it is, after a reload, and after Back and Forward."""
    page = visitor.page

    def again(check):
        step = page.url
        check()
        page.reload()
        check()
        page.go_back()
        page.wait_for_load_state()
        page.go_forward()
        page.wait_for_url(step)
        check()

    return again


def test_what_is_begun_before_a_visit_outlives_reload_back_and_forward(
    visitor, study, by_every_way, database
):
    page = visitor.page
    page.goto(f"{visitor.url}/")
    page.goto(f"{visitor.url}/s/{study()}/")
    by_every_way(lambda: page.locator("[data-start]").wait_for())
    visitor.press("[data-start]")
    visitor.at("consent")
    page.locator("input[name=agree]").check()
    by_every_way(lambda: expect(page.locator("input[name=agree]")).to_be_checked())
    visitor.press("button[value=agree]")
    visitor.at("profile")
    page.locator("main select").first.select_option(index=2)
    chosen = page.locator("main select").first.input_value()
    by_every_way(lambda: expect(page.locator("main select").first).to_have_value(chosen))
    visitor.press("main form button")
    visitor.at("how")
    by_every_way(lambda: page.locator("main a.button-primary").wait_for())
    visitor.press("main a.button-primary")
    visitor.my_turn()
    visitor.press("[data-move=turn-right]")
    visitor.send("Hello!")
    things = page.locator("[data-things]").inner_text()
    visitor.press("[data-move=forward]")
    visitor.write("half a sen")

    def the_same_turn_of_the_practice():
        visitor.my_turn()
        assert visitor.turn() == 1
        expect(page.locator("#reply")).to_have_value("half a sen")
        expect(page.locator("[data-chip]")).to_contain_text("Walk 2 m ahead")
        expect(page.locator("[data-lesson] [data-done]")).to_have_count(2)
        expect(page.locator("[data-log] .line-user")).to_have_count(1)
        assert page.locator("[data-things]").inner_text() == things

    by_every_way(the_same_turn_of_the_practice)
    visitor.send()
    expect(page.locator("[data-log] .line-user")).to_have_count(2)
    visitor.press("[data-skip]")
    visitor.at("goal/1")
    by_every_way(lambda: page.locator(".goal-card").wait_for())

    def kept():
        from sessions.models import Participant

        token = page.url.split("/p/")[1].split("/")[0]
        return Participant.objects.get(token=token).practice

    assert database(kept) == {}, "what was kept of a practice goes with it"
    assert visitor.problems == []


def test_in_a_visit_no_word_choice_or_turn_is_lost_or_doubled(visitor, in_store, by_every_way, database):
    page = visitor.page
    page.goto(f"{visitor.url}/")
    in_store()
    help_text = page.locator("#help-text")
    visitor.press("[data-opens=help-dialog]")
    help_text.fill("half a call")
    page.keyboard.press("Escape")
    visitor.press("[data-move=turn-right]")
    visitor.write("half a sen")  # the server is not told before the page is gone

    def the_same():
        visitor.my_turn()
        expect(help_text).to_have_value("half a call")
        assert visitor.turn() == 0
        expect(page.locator("#reply")).to_have_value("half a sen")
        expect(page.locator("[data-chip]")).to_contain_text("Turn 45° right")

    by_every_way(the_same)
    visitor.press("[data-opens=help-dialog]")
    visitor.press("[data-ask-help] .button-primary")
    expect(page.locator("[data-note]")).to_contain_text("has been told")
    page.reload()
    expect(help_text).to_have_value("")  # it is with the team now
    visitor.my_turn()
    visitor.press("[data-send]")
    page.reload()
    page.go_back()
    page.go_forward()
    page.locator("canvas[data-frame='1']").wait_for()
    visitor.my_turn()
    expect(page.locator("#reply")).to_have_value("")
    expect(page.locator("[data-log] .line-user")).to_have_count(1)

    def turns():
        from sessions.models import Turn

        token = page.url.split("/p/")[1].split("/")[0]
        rows = Turn.objects.filter(episode__participant__token=token, executed_at__isnull=False)
        return list(rows.values_list("index", "user__reply"))

    assert database(turns) == [(0, "half a sen")]
    assert visitor.problems == []
