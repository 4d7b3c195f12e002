"""From a study's link to the completion code, by whatever one acts with."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.running_site import bake_store

pytestmark = [pytest.mark.browser, pytest.mark.daphne, pytest.mark.store]


def finish(visitor, visits=2):
    """Every visit to its end and its questionnaire; returns the completion code."""
    for number in range(1, visits + 1):
        visitor.my_turn()
        visitor.buy()
        visitor.press("[data-over] a")
        visitor.at(f"questionnaire/{number}")
        visitor.rate()
        if number < visits:
            visitor.at(f"store/{number + 1}")
    visitor.at("done")
    return visitor.page.locator("[data-code]").inner_text()


SLUGS = ("capable", "hasty")
TELLING = re.compile(r"\b(capable|hasty|expert|scripted|litellm|gpt|claude|gemini)\b", re.IGNORECASE)


def test_the_way_by_mouse_survives_every_reload_and_nothing_told_on_it_names_an_assistant(visitor, study):
    """A whole session: every address, header, body and socket message both ways is listened to."""
    heard = visitor.overhear()
    visitor.arrive(study(assistants=[{"slug": slug} for slug in SLUGS]))
    page = visitor.page

    def reload_stays():
        before = page.url
        page.reload()
        assert page.url == before

    reload_stays()
    visitor.enter()
    reload_stays()
    visitor.my_turn()
    visitor.buy()
    page.request.get(page.url.split("/store/")[0] + "/state/")
    visitor.press("[data-over] a")
    visitor.at("questionnaire/1")
    page.locator("input[name=naturalness][value='2']").check()
    expect(page.locator("[data-saved]")).to_have_text("Kept")
    reload_stays()
    expect(page.locator("input[name=naturalness][value='2']")).to_be_checked()
    visitor.rate()
    visitor.at("store/2")
    visitor.my_turn()
    visitor.buy()
    visitor.press("[data-over] a")
    visitor.at("questionnaire/2")
    visitor.rate()
    visitor.at("done")
    code = page.locator("[data-code]").inner_text()
    assert re.fullmatch(r"[0-9A-F]{8}", code)
    reload_stays()
    assert page.locator("[data-code]").inner_text() == code
    page.go_back()
    visitor.at("done")
    page.goto(page.url.replace("/done/", "/leave/"))
    assert visitor.problems == []
    assert {"framereceived", "framesent"} <= {where for where, _ in heard}
    assert len(heard) > 100
    leaks = {(where, found.group()) for where, text in heard for found in [TELLING.search(text)] if found}
    assert leaks == set()


def test_a_person_takes_part_with_the_keyboard_alone(visitor, study):
    visitor.by = "keyboard"
    visitor.arrive(study(assistants=[{"slug": "expert"}]))
    visitor.enter()
    visitor.page.keyboard.press("d")
    expect(visitor.page.locator("[data-chip]")).to_contain_text("Turn 45° right")
    visitor.page.keyboard.press("Escape")
    expect(visitor.page.locator("[data-chip]")).to_contain_text("none yet")
    visitor.page.keyboard.press("t")
    expect(visitor.page.get_by_role("menu", name="Walk to")).to_be_visible()
    visitor.page.keyboard.press("ArrowDown")
    visitor.page.keyboard.press("Enter")
    expect(visitor.page.locator("[data-chip]")).to_contain_text("Walk to")
    visitor.page.keyboard.press("Escape")
    assert len(finish(visitor, visits=1)) == 8


def test_a_person_takes_part_by_touch_on_a_small_phone(phone, study):
    phone.arrive(study(assistants=[{"slug": "expert"}]))
    phone.enter()
    assert len(finish(phone, visits=1)) == 8
    assert phone.problems == []


def test_two_browsers_at_once_do_not_disturb_each_other(visitor, phone, in_store):
    in_store(visitor, phone)
    visitor.write("only in the first browser")
    visitor.send()
    phone.send("only in the second browser")
    assert "second" not in visitor.page.locator("[data-log]").inner_text()
    phone.press("[data-sheet-toggle]")
    assert "first" not in phone.page.locator("[data-log]").inner_text()
    expect(phone.page.locator("[data-log]")).to_contain_text("only in the second browser")


def test_furnishings_are_walked_to_looked_at_turned_down_and_bought(visitor, in_store, database):
    """The home scene's own actions: to a door, in, to an area, look closely, leave it, take it after all."""
    database(lambda: bake_store("home_furnishings"))
    in_store(scene="home_furnishings")
    page = visitor.page
    things = page.locator("[data-things] button:not([aria-disabled])")
    outcome = page.locator("[data-outcome]")
    visitor.press("[data-seen] summary")
    for way in ("To the door", "Go in"):
        things.filter(has_text=way).first.click()
        visitor.send()
        expect(outcome).to_contain_text("and stopped at")
    page.locator("[data-things] .marker-area ~ .thing-dos button:not([aria-disabled])").first.click()
    visitor.send()
    things.filter(has_text="Look closely").first.click()
    visitor.send()
    expect(outcome).to_contain_text("You looked closely at")
    expect(page.locator("[data-hand]")).to_contain_text("$")
    visitor.press("button[data-tool=do_not_add_to_cart]")
    visitor.send("Not this one.")
    expect(outcome).to_contain_text("You left")
    things.filter(has_text="Look closely").first.click()
    visitor.send()
    visitor.press("button[data-tool=add_to_cart]")
    visitor.send("After all, yes.")
    expect(page.locator("[data-over]")).to_contain_text("in the cart")


def test_a_practice_done_to_its_end_has_everything_ticked(visitor, study):
    visitor.arrive(study(assistants=[{"slug": "capable"}]), practise=True)
    visitor.press("[data-move=turn-right]")
    visitor.send("Hello!")
    visitor.press("[data-seen] summary")
    visitor.press("[data-things] .marker-fixture ~ .thing-dos button:not([aria-disabled])")
    visitor.send()
    visitor.press("[data-things] .marker-product ~ .thing-dos button:not([aria-disabled])")
    visitor.send()
    expect(visitor.page.locator("[data-over]")).to_be_visible()
    expect(visitor.page.locator("[data-lesson] [data-done]")).to_have_count(5)
