"""The whole way in German: no English sentence of ours on a page, and refusals in words one would use."""

import json
import re

import pytest
from playwright.sync_api import WebSocketRoute, expect

from tests.browser.visitor import Visitor
from tests.web.test_pages_words import PLACE, entries

pytestmark = [pytest.mark.browser, pytest.mark.daphne, pytest.mark.store]

# Every visible piece of text and label that is not an item's, a person's or an assistant's own.
OURS = """() => {
  const said = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const holder = walker.currentNode.parentElement;
    if (holder.closest("[translate=no], script, style, noscript") || !holder.checkVisibility()) continue;
    said.push(walker.currentNode.data.trim());
  }
  for (const name of ["aria-label", "placeholder", "alt", "title"]) {
    for (const holder of document.querySelectorAll(`[${name}]:not([translate=no], [translate=no] *)`)) {
      said.push(holder.getAttribute(name));
    }
  }
  return said.filter(Boolean);
}"""


@pytest.fixture
def german(browser, site):
    made = browser.new_context(viewport={"width": 1280, "height": 800}, locale="de-DE")
    made.set_default_timeout(20_000)
    yield Visitor(made.new_page(), site.url)
    made.close()


@pytest.fixture(scope="module")
def english():
    """Sentences of ours that read otherwise in German, and patterns of those that hold names or numbers."""
    found = []
    for domain in ("django", "djangojs"):
        for originals, translated in entries(domain):
            found += [one for one, other in zip(originals, translated, strict=True) if one != other]
    wordy = [one for one in found if re.search(r"[a-z]{2}", PLACE.sub("", one))]
    return [re.compile(".+".join(re.escape(part) for part in PLACE.split(one))) for one in wordy]


def test_no_page_shows_a_german_reader_an_english_sentence(german, study, english):
    leaks: set[tuple[str, str]] = set()
    page = german.page

    def look(where: str) -> None:
        for text in page.evaluate(OURS):
            leaks.update((where, text) for one in english if one.fullmatch(text))

    page.goto(f"{german.url}/s/{study(assistants=[{'slug': 'expert'}])}/")
    german.page.locator("[data-checks] li").nth(3).wait_for()
    look("arrival")
    german.press("[data-start]")
    german.at("consent")
    german.press("button[value=agree]")
    german.page.locator("[data-errors]").wait_for()
    look("consent refused")
    german.press("input[name=agree]")
    german.press("button[value=agree]")
    german.at("profile")
    look("profile")
    german.press("main form button")
    german.at("how")
    look("how")
    page.goto(page.url.replace("/how/", "/practice/"))
    german.my_turn()
    look("practice")
    german.press("[data-skip]")
    german.at("goal/1")
    look("goal")
    expect(page.locator(".goal-budget b")).to_have_text(re.compile(r"^\d+,\d\d\s\$$"))
    german.enter()
    german.pick_something_up()
    expect(page.locator("[data-goal-budget]")).to_have_text(re.compile(r"^Budget \d+,\d\d\s\$$"))
    expect(page.locator("[data-hand] dt").filter(has_text="Verpackung")).to_be_visible()
    for opener in ("[data-open-keys]", "[data-opens=goal-dialog]", "[data-opens=help-dialog]"):
        german.press(opener)
        look(f"store, {opener}")
        page.keyboard.press("Escape")
    for opener in ("walkMenu", "moreMenu"):
        german.press(f"button[data-opens={opener}]")
        look(f"store, {opener}")
        page.keyboard.press("Escape")
    german.press("button[data-tool=add_to_cart]")
    german.send("Das nehme ich.")
    look("store, over")
    expect(page.locator("[data-cart]")).to_contain_text("1 Artikel im Wagen")
    expect(page.locator("[data-hand]")).to_be_hidden()
    german.press("[data-over] a")
    german.at("questionnaire/1")
    german.press("main form button:not([type])")
    page.locator("[data-errors]").wait_for()
    look("questionnaire with what is missing")
    german.rate()
    german.at("done")
    look("done")
    german.press("main a[href$='/leave/']")
    german.at("leave")
    look("leave")
    german.press("input[name=sure]")
    german.press("button[value=erase]")
    page.get_by_role("heading", name="Ihre Daten sind gelöscht").wait_for()
    look("erased")
    page.goto(f"{german.url}/p/nowhere/")
    look("no such link")
    assert leaks == set()
    assert [told for told in german.problems if "404" not in told] == []


def test_every_refusal_is_german_and_keeps_the_words(german, store_link):
    """What the page itself would not send is put into the message on its way."""
    changes: list[dict[str, object]] = []

    def meddle(client: WebSocketRoute) -> None:
        server = client.connect_to_server()

        def pass_on(message: str | bytes) -> None:
            told = json.loads(message)
            if told["type"] == "act" and changes:
                told |= changes.pop()
            server.send(json.dumps(told))

        client.on_message(pass_on)

    page = german.page
    page.route_web_socket(re.compile("/ws/"), meddle)
    page.goto(store_link())
    german.my_turn()
    things = page.locator("[data-things] li:has(.marker-product)")
    german.press("[data-seen] summary")
    far = things.filter(has_text="zu weit weg").last.locator(".marker-product").inner_text()
    one_sided = page.locator("[data-things] li:has(.marker-fixture)").filter(has_not_text="Rückseite").first
    fixture = one_sided.locator(".marker-fixture").inner_text()
    note = page.locator("[data-note]")
    seen_from, away = {"direction": "up", "angle": 90}, {"product": int(far)}
    behind = {"target": fixture, "approach": "back"}
    refused: list[tuple[dict[str, object], str]] = [
        (
            {"frame": 99},
            "Bild hat sich inzwischen geändert. Bitte schauen Sie noch einmal hin und",
        ),
        ({"reply": "x" * 1001}, "Diese Nachricht ist zu lang. Bitte kürzen Sie sie; Ihr Text bleibt stehen."),
        ({"tool": "pick_up_item", "args": away}, "m entfernt, also außer Reichweite: Gehen Sie erst"),
        ({"tool": "pick_up_item", "args": {"product": 999}}, "Nichts mit der Markierung 999 ist mehr in"),
        ({"tool": "drop_item", "args": {}}, "Sie halten nichts, was Sie zurücklegen könnten."),
        ({"tool": "add_to_cart", "args": {}}, "Nehmen Sie zuerst ein Produkt in die Hand, bevor"),
        ({"tool": "check_item", "args": away}, "Das geht hier nicht."),
        ({"tool": "fly", "args": {}}, "Das geht hier nicht."),
        ({"tool": "look_up_down", "args": seen_from}, "nicht nach oben schauen: nur noch 60°."),
        ({"tool": "move_to_fixture", "args": behind}, "kommt man von hier aus so nicht heran."),
        ({"reply": f"Nummer {far}, bitte"}, "Ihre Nachricht nennt eine Markierung. Der Assistent sieht an"),
    ]
    german.write("Meine Worte")
    for change, words in refused:
        changes.append(change)
        german.press("[data-send]")
        expect(note).to_contain_text(words)
        expect(page.locator("#reply")).to_have_value("Meine Worte")
        german.my_turn()
    changes.append({"args": 5})
    german.press("[data-send]")
    expect(note).to_contain_text("gesendet, das der Server nicht verstanden hat. Bitte laden Sie sie neu;")
    page.reload()
    expect(page.locator("[data-log] .line-user")).to_contain_text("Meine Worte")


PLACEHOLDER_LINES = """it => {
  const look = getComputedStyle(it), pen = document.createElement("canvas").getContext("2d");
  pen.font = look.font;
  const room = it.clientWidth - parseFloat(look.paddingLeft) - parseFloat(look.paddingRight);
  let lines = 1, line = "";
  for (const word of it.placeholder.split(" ")) {
    const longer = line ? `${line} ${word}` : word;
    if (pen.measureText(longer).width <= room) line = longer;
    else { lines += 1; line = word; }
  }
  return { lines, fits: lines * parseFloat(look.lineHeight) <= it.clientHeight };
}"""


@pytest.mark.parametrize("language", ["de-DE", "en-GB"])
def test_on_the_smallest_phone_the_tools_and_the_talk_are_both_in_sight(browser, site, store_link, language):
    smallest = {"width": 320, "height": 568}
    made = browser.new_context(viewport=smallest, has_touch=True, is_mobile=True, locale=language)
    made.set_default_timeout(20_000)
    phone = Visitor(made.new_page(), site.url, by="touch")
    phone.page.goto(store_link())
    phone.my_turn()
    told = phone.page.locator("#reply").evaluate(PLACEHOLDER_LINES)
    assert told["fits"]
    assert told["lines"] <= 2
    expect(phone.page.locator("[data-log] .line-text").last).to_be_in_viewport(ratio=0.6)
    phone.pick_something_up()
    phone.page.evaluate("scrollTo(0, 0)")
    top_of_talk = phone.page.locator("[data-talk]").evaluate("it => it.getBoundingClientRect().top")
    hand = phone.page.locator("[data-hand]").bounding_box()
    assert hand is not None
    assert hand["height"] < 90, "its details open at a press"
    assert hand["y"] < top_of_talk
    phone.press("[data-hand] summary")
    expect(phone.page.locator("[data-hand] dd").first).to_be_visible()
    made.close()
