"""Every page a participant meets: nothing for axe to find, at any width, zoom or theme."""

import uuid
from datetime import timedelta

import pytest
from django.template.loader import render_to_string
from playwright.sync_api import expect

from tests.browser.running_site import SCENE
from tests.browser.visitor import Visitor

pytestmark = [pytest.mark.browser, pytest.mark.daphne, pytest.mark.store]


def assert_five_options_in_view(page, width):
    """Likert options off screen or of unequal width draw answers to one side."""
    page.set_viewport_size({"width": width, "height": 568})
    boxes = page.locator("[data-item=naturalness] .point").evaluate_all(
        "all => all.map(it => it.getBoundingClientRect().toJSON())"
    )
    assert len(boxes) == 5
    assert all(box["left"] >= 0 and box["right"] <= width for box in boxes)
    assert max(box["width"] for box in boxes) - min(box["width"] for box in boxes) < 1


def test_no_page_of_a_participant_has_an_accessibility_fault(visitor, study, findings):
    page = visitor.page
    page.goto(f"{visitor.url}/")
    findings("home")
    page.goto(f"{visitor.url}/nowhere/")
    findings("no such page")
    page.goto(f"{visitor.url}/p/nowhere/")
    findings("no such link")
    page.goto(f"{visitor.url}/s/{study(assistants=[{'slug': 'expert'}], limits={'turns': 1})}/")
    findings("arrival")
    for step in ("consent", "profile", "how"):
        visitor.press("[data-start], button[value=agree], main form button")
        if step == "profile":
            findings("consent refused")
            visitor.press("input[name=agree]")
            visitor.press("button[value=agree]")
        visitor.at(step)
        findings(step)
    page.goto(page.url.replace("/how/", "/practice/"))
    visitor.my_turn()
    findings("practice")
    visitor.press("[data-skip]")
    visitor.at("goal/1")
    findings("goal")
    visitor.enter()
    visitor.press("[data-seen] summary")
    visitor.press("[data-open-keys]")
    findings("store, keys open")
    page.keyboard.press("Escape")
    visitor.page.emulate_media(color_scheme="dark")
    findings("store, dark")
    visitor.page.emulate_media(color_scheme="light")
    visitor.send()
    findings("store, over")
    visitor.press("[data-over] a")
    visitor.at("questionnaire/1")
    visitor.press("main form button:not([type])")
    page.locator("[data-errors]").wait_for()
    findings("questionnaire with what is missing")
    for width in (320, 360, 640, 1280):
        assert_five_options_in_view(page, width)
    visitor.rate()
    visitor.at("done")
    findings("done")
    visitor.press("a[href$='/leave/']")
    visitor.at("leave")
    findings("leave")
    visitor.press("input[name=sure]")
    visitor.press("button[value=erase]")
    page.get_by_role("heading", name="Your data are erased").wait_for()
    findings("erased")
    assert not findings.found, "\n".join(findings.found)


OVERFLOWING = """() => [...document.querySelectorAll("button, .button, .chip, .notice, summary")]
  .filter(it => it.offsetParent && it.scrollWidth > it.clientWidth + 1).map(it => it.innerText)"""

SQUEEZED = """() => {
  const box = name => document.querySelector(name).getBoundingClientRect();
  const room = box(".frame-room"), avatar = box(".avatar");
  return [box(".goal").right - room.right, Math.abs(avatar.width - avatar.height)].filter(it => it > 1);
}"""


def test_german_words_stay_inside_their_buttons(browser, site, store_link):
    """Longer than the English ones, at every width."""
    made = browser.new_context(locale="de-DE")
    visitor = Visitor(made.new_page(), site.url)
    visitor.page.goto(store_link())
    for width in (1280, 1100, 1001, 768, 360, 320):
        visitor.page.set_viewport_size({"width": width, "height": 800})
        assert visitor.page.evaluate(OVERFLOWING) == [], width
        assert visitor.page.evaluate(SQUEEZED) == [], width
    visitor.my_turn()
    expect(visitor.page.locator("[data-send] kbd")).to_contain_text("Strg")
    marker = visitor.page.locator("[data-things] .marker-product").first.text_content()
    visitor.write(f"Ich nehme Nummer {marker}.")
    visitor.press("[data-send]")
    expect(visitor.page.locator("[data-note]")).to_contain_text("nennt eine Markierung")
    made.close()


@pytest.fixture
def every_store_taken(database):
    """Somebody holds every place there is; gives what frees them."""
    from django.utils import timezone

    from simulator_bridge.models import WorldLease, WorldWait
    from simulator_bridge.services import lease_take, servers_ensure

    def fill():
        servers_ensure()
        while lease_take(scene=SCENE, holder="a crowd"):
            pass
        # Whoever still held a place would give it back in the middle of this.
        for lease in WorldLease.objects.all():
            lease.token, lease.holder = uuid.uuid4(), "a crowd"
            lease.until = timezone.now() + timedelta(minutes=5)
            lease.save()
        WorldWait.objects.filter(holder="a crowd").delete()

    def empty():
        WorldLease.objects.filter(holder="a crowd").update(until=timezone.now())

    database(fill)
    yield lambda: database(empty)
    database(empty)


def test_the_pages_of_who_waits_and_of_who_went_on_elsewhere_have_no_fault_either(
    visitor, store_link, every_store_taken, findings, context
):
    page = visitor.page
    page.goto(store_link())
    expect(page.locator("[data-veil-words]")).to_have_text(
        "All stores are in use. You are next in line for one.", timeout=20_000
    )
    findings("waiting for a store")
    aside = page.locator("[data-doing]").bounding_box()
    assert aside is None or aside["width"] <= 1, "what is read over the frame does not stand beside it, too"
    assert "You are next in line" in page.locator("[data-doing]").aria_snapshot(), "but it is said"
    page.set_viewport_size({"width": 320, "height": 640})
    frame, veil = (page.locator(part).bounding_box() for part in ("[data-frame]", "[data-veil]"))
    assert frame
    assert veil
    assert veil["x"] + veil["width"] <= frame["x"] + frame["width"] - 8, "no word of it touches the edge"
    page.set_viewport_size({"width": 1280, "height": 800})
    every_store_taken()
    visitor.my_turn()
    newer = context.new_page()
    newer.goto(page.url)
    page.bring_to_front()
    page.get_by_role("button", name="Continue here").wait_for()
    findings("went on elsewhere")
    newer.close()
    page.route(
        "**/boom/", lambda route: route.fulfill(body=render_to_string("500.html"), content_type="text/html")
    )
    page.goto(f"{visitor.url}/boom/")
    findings("our fault")
    assert not findings.found, "\n".join(findings.found)
