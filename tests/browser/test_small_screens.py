"""Little room, by finger or by key: what is needed next is in sight, and nothing lies over it."""

import pytest
from playwright.sync_api import expect

from tests.browser.faults import SIDEWAYS, SMALL
from tests.browser.visitor import Visitor

pytestmark = [pytest.mark.browser, pytest.mark.daphne, pytest.mark.store]

# Whether all of what has the focus can be seen: inside every box that scrolls, and under nothing.
FOCUS_HIDDEN = """() => {
  const it = document.activeElement, r = it.getBoundingClientRect();
  const middle = r.top + r.height / 2;
  const points = [[r.left + 2, middle], [r.right - 2, middle], [r.left + r.width / 2, r.bottom - 2]];
  const seen = ([x, y]) => {
    const top = document.elementFromPoint(x, y);
    return Boolean(top) && (it.contains(top) || top.contains(it));
  };
  return it === document.body || points.every(seen) ? null : it.outerHTML.slice(0, 80);
}"""


@pytest.fixture
def someone(browser, site):
    """Makes a visitor with a context of one's own."""
    made = []

    def visitor(by, **options):
        made.append(browser.new_context(**options))
        made[-1].set_default_timeout(20_000)
        return Visitor(made[-1].new_page(), site.url, by=by)

    yield visitor
    for context in made:
        context.close()


def test_in_the_practice_on_a_german_phone_the_next_thing_to_try_and_its_button_are_in_sight(someone, study):
    phone = someone(
        "touch", viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True, locale="de-DE"
    )
    phone.arrive(study(assistants=[{"slug": "expert"}]), practise=True)
    page = phone.page
    for width in (320, 360):
        page.set_viewport_size({"width": width, "height": 740})
        assert page.locator("[data-skip]").evaluate("it => it.offsetHeight") == 44, (
            "its words are in one line"
        )
        assert page.evaluate(SIDEWAYS) == 0
    steps = (("walk", "[data-move=forward]"), ("look", "[data-move=turn-left]"))
    for step, button in steps:
        expect(page.locator(f"[data-goal-name={step}]")).to_be_in_viewport(ratio=1)
        expect(page.locator(button)).to_be_in_viewport(ratio=1)
        phone.press(button)
        assert page.evaluate(SMALL) == []
        phone.send()
    expect(page.locator("[data-goal-name=mark]")).to_be_in_viewport(ratio=1)
    expect(page.locator("[data-opens=walkMenu]")).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("language", ["en-GB", "de-DE"])
@pytest.mark.parametrize("size", [(1280, 720), (1366, 657)])
def test_on_a_small_laptop_every_tool_the_goal_and_the_button_are_in_sight(
    someone, store_link, size, language
):
    width, height = size
    laptop = someone("mouse", viewport={"width": width, "height": height}, locale=language)
    laptop.page.goto(store_link())
    laptop.my_turn()
    for control in laptop.page.locator(".tool:not([hidden]), [data-goal], [data-send]").all():
        expect(control).to_be_in_viewport(ratio=1)
    broken = "all => all.filter(it => it.scrollWidth > it.clientWidth).map(it => it.textContent)"
    assert laptop.page.locator(".tool > span").evaluate_all(broken) == []


def test_by_key_in_a_small_window_the_focus_is_never_out_of_sight(someone, store_link):
    for size in (
        {"width": 320, "height": 640},
        {"width": 640, "height": 400},
    ):  # the latter: 1280 x 800 at 200 %
        typist = someone("keyboard", viewport=size, locale="de-DE")
        page = typist.page
        page.goto(store_link())
        typist.my_turn()
        hidden = set()
        for _ in range(page.locator("button:visible, textarea, summary:visible").count()):
            page.keyboard.press("Tab")
            hidden.add(page.evaluate(FOCUS_HIDDEN))
        assert hidden <= {None}
        typist.press("button[data-opens=walkMenu]")
        page.keyboard.press("End")
        page.keyboard.press("Escape")
        typist.press("button[data-opens=walkMenu]")
        expect(page.locator("[data-menu] button").first).to_be_in_viewport(ratio=1)


def test_the_plan_of_the_store_is_as_wide_as_a_phone_when_it_is_pressed(someone, store_link):
    phone = someone("touch", viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    page = phone.page
    page.goto(store_link(show_user_minimap=True))
    phone.my_turn()
    phone.press("[data-minimap]")
    plan = page.locator("[data-plan]")
    expect(plan).to_be_visible()
    assert plan.evaluate("it => it.complete && it.naturalWidth > 0 && it.offsetWidth") > 300
    assert page.evaluate(SMALL) == []
    page.locator("dialog[open] [data-closes]").tap()
    expect(plan).to_be_hidden()
    expect(page.locator("[data-menu]")).to_be_hidden()


def test_on_a_phone_what_is_written_and_what_the_banner_says_have_the_width_to_be_read(someone, store_link):
    options = {"viewport": {"width": 320, "height": 640}, "locale": "de-DE"}
    phone = someone("touch", has_touch=True, is_mobile=True, **options)
    page, link = phone.page, store_link()
    page.goto(link)
    phone.my_turn()
    phone.write("Etwas Mildes für heute Abend, bitte.")
    assert page.locator("#reply").evaluate("it => it.offsetWidth") > 290
    assert page.evaluate(SMALL) == []
    assert page.evaluate(SIDEWAYS) == 0
    other = someone("touch", has_touch=True, is_mobile=True, **options)
    other.page.goto(link)
    other.my_turn()
    words = page.locator("[data-banner] p")
    expect(words).to_contain_text("anderen Tab")
    assert words.evaluate("it => it.offsetWidth") > 200
    button = page.locator("[data-banner] button")
    expect(button).to_be_in_viewport(ratio=1)
    button.focus()
    page.keyboard.press("w")
    expect(page.locator("[data-chip]")).to_contain_text("vorwärts")
    expect(button).to_be_focused()
    phone.press("[data-banner] button")
    phone.my_turn()
    expect(page.locator("#reply")).to_have_value("Etwas Mildes für heute Abend, bitte.")


def test_on_a_phone_the_pictures_of_a_long_visit_are_whole_and_large_enough_to_know_again(
    someone, store_link
):
    phone = someone("touch", viewport={"width": 320, "height": 640}, has_touch=True, is_mobile=True)
    page = phone.page
    page.goto(store_link(limits={"turns": 6}))
    phone.my_turn()
    for _ in range(6):
        phone.press("[data-tool=idle]")
        phone.send()
    phone.press("[data-over] a")
    phone.at("questionnaire/1")
    pictures = page.locator(".strip img")
    expect(pictures).to_have_count(6)
    for width in (320, 768, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        sizes = pictures.evaluate_all("all => all.map(it => [it.offsetWidth, it.offsetHeight])")
        assert min(wide for wide, _ in sizes) >= 112, f"at {width}"
        assert all(wide / high == pytest.approx(16 / 9, rel=0.03) for wide, high in sizes), f"at {width}"
        assert page.evaluate(SIDEWAYS) == 0
