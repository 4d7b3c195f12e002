"""The talk beside the view: the newest line in sight, any script, words kept, markers questioned."""

import json
from typing import Any

import pytest
from playwright.sync_api import WebSocketRoute, expect

pytestmark = [pytest.mark.browser, pytest.mark.daphne, pytest.mark.store]


# The end of the newest line is in sight; asked again while the list settles.
SHOWS_THE_NEWEST = """log => new Promise((done) => {
  const bottom = (part) => part.getBoundingClientRect().bottom;
  const newest = () => [...log.querySelectorAll(".line")].at(-1);
  const look = () => (bottom(newest()) - bottom(log) <= 1 ? done(true) : requestAnimationFrame(look));
  setTimeout(() => done(false), 5000);
  look();
})"""
# The newest line is longer than the room, which begins where it does.
SHOWS_A_BEGINNING = """log => {
  const room = log.getBoundingClientRect();
  const line = [...log.querySelectorAll(".line")].at(-1).getBoundingClientRect();
  return line.height > room.height && line.top >= room.top && line.top < room.top + 40;
}"""
TOP_OF_THE_FIRST = (
    "log => log.querySelector('.line').getBoundingClientRect().top - log.getBoundingClientRect().top"
)


def test_a_warning_under_the_talk_leaves_the_newest_line_in_sight(visitor, in_store):
    in_store()
    log = visitor.page.locator("[data-log]")
    while log.evaluate("log => log.scrollHeight - log.clientHeight") < 100:
        visitor.send("One more line, to fill the talk.")
    visitor.write("x" * 1001)
    visitor.press("[data-send]")
    expect(visitor.page.locator("[data-note]")).to_contain_text("too long")
    assert log.evaluate(SHOWS_THE_NEWEST)
    # Growing and shrinking within one drawing moves the place, and is told of once the list is small again.
    log.evaluate("log => { log.style.marginBottom = `${log.clientHeight / 2}px`; }")
    assert log.evaluate(SHOWS_THE_NEWEST)
    log.evaluate("""log => {
      const { marginBottom } = log.style;
      log.style.marginBottom = "0px";
      const place = log.scrollTop;
      log.style.marginBottom = marginBottom;
      return place + log.scrollTop;
    }""")
    visitor.page.wait_for_timeout(100)
    assert log.evaluate(SHOWS_THE_NEWEST)
    log.evaluate("log => { log.style.marginBottom = `${log.clientHeight * 0.75}px`; }")
    assert log.evaluate(SHOWS_THE_NEWEST)


def test_who_reads_an_older_line_goes_on_reading_it(visitor, in_store):
    in_store()
    log = visitor.page.locator("[data-log]")
    while log.evaluate("log => log.scrollHeight - log.clientHeight") < 100:
        visitor.send("One more line, to fill the talk.")
    log.hover()
    visitor.page.mouse.wheel(0, -5000)
    visitor.page.wait_for_function(f"() => ({TOP_OF_THE_FIRST})(document.querySelector('[data-log]')) >= 0")
    before = log.evaluate(TOP_OF_THE_FIRST)
    visitor.write("x" * 1001)
    visitor.press("[data-send]")
    expect(visitor.page.locator("[data-note]")).to_contain_text("too long")
    visitor.page.wait_for_timeout(100)
    assert log.evaluate(TOP_OF_THE_FIRST) == pytest.approx(before, abs=1)
    visitor.send("y")
    visitor.page.wait_for_timeout(100)
    assert log.evaluate(TOP_OF_THE_FIRST) == pytest.approx(before, abs=1)


def talkative(page, words):
    """From the next line on, all that assistants say on this page is these words."""

    def between(line: WebSocketRoute) -> None:
        server = line.connect_to_server()

        def said(told: str | bytes) -> None:
            if isinstance(told, str):
                message: dict[str, Any] = json.loads(told)
                for one in [*message.get("lines", ()), message.get("line", {})]:
                    if one.get("speaker") == "assistant":
                        one["text"] = words
                told = json.dumps(message)
            line.send(told)

        server.on_message(said)

    page.route_web_socket("**/ws/p/*/", between)


def test_a_line_longer_than_the_room_is_read_from_its_beginning_and_the_next_comes_all_the_same(
    visitor, in_store
):
    page = visitor.page
    words = "**And** so on <b>it</b> goes,\n- with a great many\n- words. " * 60
    talkative(page, words)
    in_store()
    log = page.locator("[data-log]")
    assert log.locator(".line-text").first.evaluate("it => it.textContent") == words, "as it was said"
    for turn in range(3):
        assert log.evaluate(SHOWS_A_BEGINNING), f"turn {turn}"
        visitor.send("Go on.")
    # A warning takes room away below it, and gives it back.
    visitor.write("x" * 1001)
    visitor.press("[data-send]")
    expect(visitor.page.locator("[data-note]")).to_contain_text("too long")
    page.wait_for_timeout(100)
    assert log.evaluate(SHOWS_A_BEGINNING), "with a warning below it"
    visitor.write("")
    expect(visitor.page.locator("[data-note]")).to_be_hidden()
    page.wait_for_timeout(100)
    assert log.evaluate(SHOWS_A_BEGINNING), "with the warning gone"
    log.evaluate("log => { log.scrollTop -= 30; }")
    read = log.evaluate(TOP_OF_THE_FIRST)
    visitor.write("x" * 1001)
    page.wait_for_timeout(100)
    assert log.evaluate(TOP_OF_THE_FIRST) == pytest.approx(read, abs=1), "who went up a little stays"
    visitor.write("")
    # On a narrow screen too, by the sheet: one line alone, then all of them.
    page.set_viewport_size({"width": 360, "height": 740})
    assert log.evaluate("log => log.scrollTop") == 0
    log.evaluate("log => { log.scrollTop = 200; }")
    visitor.send("And on.")
    assert log.evaluate("log => log.scrollTop") == 0
    page.locator("[data-sheet-toggle]").click()
    assert log.evaluate(SHOWS_A_BEGINNING)


def test_a_line_that_has_room_until_there_is_a_warning_is_then_read_from_its_beginning(visitor, in_store):
    page = visitor.page
    talkative(page, "So it goes, with a great many words. " * 12)
    in_store()
    for turn in range(2):
        log = page.locator("[data-log]")
        assert log.evaluate(SHOWS_THE_NEWEST), f"turn {turn}"
        visitor.write("x" * 1001)
        visitor.press("[data-send]")
        expect(page.locator("[data-note]")).to_contain_text("too long")
        page.wait_for_timeout(100)
        assert log.evaluate(SHOWS_A_BEGINNING), f"turn {turn}"
        visitor.write("")
        expect(page.locator("[data-note]")).to_be_hidden()
        assert log.evaluate(SHOWS_THE_NEWEST), f"turn {turn}"
        visitor.send("Go on.")


def test_a_word_of_any_length_stays_in_its_bubble_and_the_bubble_in_the_talk(visitor, in_store):
    page = visitor.page
    talkative(page, "w" * 1000)
    in_store()
    visitor.send("x" * 999)
    for width in (1280, 768, 320):
        page.set_viewport_size({"width": width, "height": 740})
        outside = page.locator("[data-log]").evaluate("""log => {
          const room = log.getBoundingClientRect();
          return [...log.querySelectorAll(".line-text")].filter(it => it.offsetParent).flatMap(it => {
            const bubble = it.getBoundingClientRect();
            return bubble.left < room.left || bubble.right > room.right || it.scrollWidth > it.clientWidth
              ? [it.textContent.slice(0, 3)] : [];
          });
        }""")
        assert outside == [], f"at {width}"
        if width == 1280:
            page.locator("[data-talk]").evaluate("it => it.setAttribute('data-open', '')")


def test_any_script_shows_right_and_what_is_too_long_is_kept(visitor, in_store):
    in_store()
    mixed = "בא לי mug #812 (אדום) — naïve 日本語 🍎"
    visitor.write("x" * 1001)
    visitor.press("[data-send]")
    expect(visitor.page.locator("[data-note]")).to_contain_text("too long")
    assert len(visitor.page.locator("#reply").input_value()) == 1001
    visitor.write(mixed)
    visitor.send()
    line = visitor.page.locator("[data-log] .line-user .line-text").first
    expect(line).to_have_text(mixed)
    expect(line).to_have_attribute("dir", "auto")
    expect(line).to_have_attribute("translate", "no")


def test_a_reply_that_names_a_marker_is_questioned_before_it_goes(visitor, in_store):
    in_store()
    marker = visitor.page.locator("[data-things] .marker-product").first.text_content()
    visitor.write(f"I want number {marker}")
    visitor.press("[data-send]")
    expect(visitor.page.locator("[data-note]")).to_contain_text("names a marker")
    visitor.page.get_by_role("button", name="Send it as it is").click()
    expect(visitor.page.locator("[data-log]")).to_contain_text(f"I want number {marker}")
