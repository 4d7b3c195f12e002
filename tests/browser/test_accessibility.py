"""Every page a participant meets: nothing for axe to find, at any width, zoom or theme."""

from pathlib import Path

import pytest
from django.template.loader import render_to_string
from playwright.sync_api import expect

from tests.browser.conftest import SCENE, Visitor

pytestmark = [pytest.mark.browser, pytest.mark.daphne, pytest.mark.store]
AXE = Path(__file__).parent / "vendor" / "axe-4.14.1.min.js"
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
SMALL = """() => [...document.querySelectorAll(
    "button, summary, select, input:not([type=hidden]), textarea, a.button, .choice, .point")]
  .filter(it => it.offsetParent && !it.matches(".choice input, .point input"))
  // A box in a label is pressed by its label.
  .map(it => it.matches("[type=checkbox], [type=radio]") ? it.closest("label") ?? it : it)
  .map(it => ({ what: it.outerHTML.slice(0, 90), w: it.offsetWidth, h: it.offsetHeight }))
  .filter(it => it.w < 44 || it.h < 44)"""
# Colours change over a moment, and a colour half way is nobody's fault.
PAINTED = """() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))
  .then(() => Promise.all(document.getAnimations()
    .filter(it => it.effect.getComputedTiming().iterations !== Infinity)
    .map(it => it.finished.catch(() => 0))))"""
SIDEWAYS = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.fixture
def findings(visitor):
    """Collects what axe, the widths and the targets have against the page that is shown."""
    visitor.page.context.add_init_script(path=AXE)
    found: list[str] = []

    def look(name: str) -> None:
        page = visitor.page
        for width, height in ((1280, 800), (320, 568), (640, 400)):  # 640 x 400: 1280 x 800 at 200 %
            page.set_viewport_size({"width": width, "height": height})
            page.evaluate(PAINTED)
            if page.evaluate(SIDEWAYS) > 0:
                found.append(f"{name} scrolls sideways at {width}")
            found.extend(f"{name} at {width}: {small}" for small in page.evaluate(SMALL))
            if width == 640:
                continue
            told = page.evaluate("tags => axe.run({ runOnly: tags })", TAGS)
            found.extend(
                f"{name} at {width}: {rule['id']}: {node['html'][:160]}"
                for rule in told["violations"]
                for node in rule["nodes"][:3]
            )
        page.set_viewport_size({"width": 1280, "height": 800})

    look.found = found  # type: ignore[attr-defined]
    return look


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
    every_store_taken()
    visitor.my_turn()
    newer = context.new_page()
    newer.goto(page.url)
    page.get_by_role("button", name="Continue here").wait_for()
    findings("went on elsewhere")
    newer.close()
    page.route(
        "**/boom/", lambda route: route.fulfill(body=render_to_string("500.html"), content_type="text/html")
    )
    page.goto(f"{visitor.url}/boom/")
    findings("our fault")
    assert not findings.found, "\n".join(findings.found)


@pytest.fixture
def recorded(database):
    """A study with episodes, somebody in the store, and a researcher; gives an episode's id."""

    def make():
        from django.contrib.auth.models import User

        from sessions.models import Episode, Participant
        from tests.web.recorded_study import recorded_study

        study = recorded_study("market", profiles=1, participants=3)
        Participant.objects.create(study=study, code="P099")
        User.objects.create_superuser("rosa", password="a long password")
        return Episode.objects.filter(study=study, turn_count__gt=0).first().public_id

    return database(make)


def test_no_page_of_a_researcher_has_an_accessibility_fault(visitor, recorded, findings):
    page = visitor.page
    page.goto(f"{visitor.url}/research/login/")
    findings("login")
    page.locator("input[name=username]").fill("rosa")
    page.locator("input[name=password]").fill("a long password")
    page.locator("main button").click()
    page.wait_for_url("**/research/")
    study = "studies/market/"
    person = study + "participants/P099/"
    for path in (
        "",
        "studies/new/",
        "studies/from-file/",
        study,
        study + "live/",
        study + "participants/",
        person,
        study + "episodes/",
        f"episodes/{recorded}/",
        study + "results/",
        study + "agreement/",
        study + "export/",
        study + "settings/",
    ):
        answer = page.goto(f"{visitor.url}/research/{path}")
        assert answer.status == 200, path
        findings(path or "studies")
    assert visitor.problems == []
    assert not findings.found, "\n".join(findings.found)
