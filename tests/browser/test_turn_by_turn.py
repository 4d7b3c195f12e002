"""Between sending and one's next turn the page says what is so, and never offers what it cannot do."""

import json
import re

import pytest
from playwright.sync_api import expect

from tests.browser.faults import SMALL

pytestmark = [pytest.mark.browser, pytest.mark.daphne, pytest.mark.store]


@pytest.fixture
def held(visitor):
    """What the server says is held back after the first message of the type ``after``."""

    class Line:
        def __init__(self):
            self.after, self.kept, self.client = "", [], None

        def open(self, client):
            server = client.connect_to_server()
            self.client = client
            client.on_message(server.send)
            server.on_message(self.pass_on)

        def pass_on(self, told):
            if self.after == "held":
                self.kept.append(told)
                return
            self.client.send(told)
            if self.after and isinstance(told, str) and json.loads(told)["type"] == self.after:
                self.after = "held"

        def go_on(self):
            self.after, kept, self.kept = "", self.kept, []
            for told in kept:
                self.client.send(told)

        def caught(self):
            while self.after != "held":
                visitor.page.wait_for_timeout(20)

    line = Line()
    visitor.page.route_web_socket("**/ws/p/*/", line.open)
    return line


def test_once_a_turn_is_accepted_it_is_over_though_the_next_word_has_not_come(visitor, in_store, held):
    in_store()
    held.after = "accepted"
    visitor.press("[data-move=turn-left]")
    visitor.write("Only this.")
    visitor.press("[data-send]")
    held.caught()
    expect(visitor.page.locator("#reply")).to_have_value("")
    visitor.page.wait_for_timeout(300)  # several frames
    expect(visitor.page.locator("[data-send-label]")).to_have_text("Wait for your turn")
    expect(visitor.page.locator("[data-chip]")).to_be_empty()
    visitor.page.keyboard.press("Control+Enter")
    held.go_on()
    visitor.page.locator("canvas[data-frame='1']").wait_for()
    visitor.my_turn()
    expect(visitor.page.locator("[data-note]")).to_be_hidden()
    assert visitor.page.locator("[data-log] .line-user").count() == 1


def test_what_is_written_while_a_turn_is_on_its_way_stays(visitor, in_store, held):
    in_store()
    held.after = "pong"  # nothing is held, but the line is ours
    visitor.write("First.")
    visitor.page.evaluate(
        "() => { const box = document.querySelector('#reply');"
        " document.querySelector('[data-send]').click(); box.value = 'First. And second.';"
        " box.dispatchEvent(new Event('input', { bubbles: true })); }"
    )
    visitor.page.locator("canvas[data-frame='1']").wait_for()
    visitor.my_turn()
    expect(visitor.page.locator("#reply")).to_have_value("First. And second.")
    expect(visitor.page.locator("[data-log] .line-user .line-text")).to_have_text("First.")


def test_between_two_views_the_store_is_not_said_to_be_set_up_again(visitor, in_store, held):
    in_store()
    held.after = "outcome"
    visitor.press("[data-move=turn-left]")
    visitor.press("[data-send]")
    held.caught()
    heard = []
    while not heard:  # up to the word that the next view is being taken
        heard = [told for told in held.kept if isinstance(told, str) and '"preparing"' in told]
        visitor.page.wait_for_timeout(20)
    held.client.send(heard[0])
    expect(visitor.page.locator("[data-doing-words]")).to_have_text("The next view is coming…")
    held.kept.remove(heard[0])
    held.go_on()
    visitor.my_turn()


def test_why_something_cannot_be_done_is_said_for_as_long_as_it_is_asked(phone, store_link):
    page = phone.page
    page.goto(store_link())
    phone.my_turn()
    page.locator("[data-tool=add_to_cart]").tap(force=True)
    expect(page.locator("[data-why]")).to_contain_text("Pick up a product before")
    phone.send("Anything else?")
    expect(page.locator("[data-why]")).to_be_empty()


def test_a_pasted_book_is_told_to_be_too_long_and_nothing_else(visitor, in_store):
    sent = []
    visitor.page.on("websocket", lambda line: line.on("framesent", lambda told: sent.append(str(told))))
    in_store()
    visitor.write("a" * 10_000)
    visitor.press("[data-send]")
    visitor.page.wait_for_timeout(1200)  # longer than drafts wait before they are told
    expect(visitor.page.locator("[data-note]")).to_contain_text("too long")
    assert not any("aaaa" in told for told in sent)
    visitor.page.reload()
    expect(visitor.page.locator("#reply")).to_have_value("a" * 10_000)


def test_where_sockets_are_blocked_words_are_there_after_a_reload_though_no_request_carried_them(
    visitor, in_store
):
    visitor.page.route_web_socket("**/ws/p/*/", lambda client: client.close(code=1011))
    in_store()
    visitor.page.route("**/p/*/act/", lambda route: route.abort())
    with visitor.page.expect_request("**/p/*/act/"):
        visitor.write("into the void")
    visitor.press("[data-opens=help-dialog]")
    visitor.page.locator("#help-text").fill("It does not go on.")
    visitor.press("[data-ask-help] .button-primary")
    expect(visitor.page.locator("[data-note]")).to_contain_text("no connection")
    expect(visitor.page.locator("#help-text")).to_have_value("It does not go on.")
    visitor.page.unroute("**/p/*/act/")
    visitor.page.reload()
    with visitor.page.expect_response("**/p/*/act/") as told:
        expect(visitor.page.locator("#reply")).to_have_value("into the void", timeout=30_000)
    assert told.value.json()["events"][0]["type"] == "drafted"
    visitor.page.evaluate("localStorage.clear()")
    visitor.page.reload()
    expect(visitor.page.locator("#reply")).to_have_value("into the void", timeout=30_000)


def test_on_a_phone_the_picture_is_read_and_acted_on_at_full_size(phone, store_link):
    page = phone.page
    page.goto(store_link())
    phone.my_turn()
    before = page.locator("canvas").bounding_box()
    phone.press("[data-enlarge]")
    shown = page.locator("canvas").bounding_box()
    assert before["width"] == 360
    assert shown["width"] >= 960
    assert shown["width"] / shown["height"] == pytest.approx(16 / 9, abs=0.01)
    assert page.evaluate(SMALL) == []
    pan = page.locator("[data-pan]")
    expect(pan).to_be_focused()
    left = pan.evaluate("it => it.scrollLeft")
    middle = pan.evaluate("it => (it.scrollLeft + it.clientWidth / 2) / it.scrollWidth")
    assert middle == pytest.approx(0.5, abs=0.01)
    page.keyboard.press("ArrowRight")
    while pan.evaluate("it => it.scrollLeft") <= left:
        page.wait_for_timeout(20)
    page.locator("[data-larger]").tap()
    assert page.locator("canvas").bounding_box()["width"] == pytest.approx(1.5 * shown["width"], abs=1)
    pan.focus()
    page.keyboard.press("Enter")
    page.locator("[data-menu] button:not([aria-disabled])").first.tap()
    expect(page.locator("[data-enlarged]")).to_be_hidden()
    expect(page.locator("[data-chip]")).to_contain_text("Walk to")
    assert page.locator("canvas").bounding_box()["width"] == 360
    phone.send("There, please.")


def test_a_visit_that_ends_while_the_picture_is_enlarged_says_so(visitor, in_store):
    in_store(limits={"turns": 1})
    visitor.press("[data-enlarge]")
    visitor.page.keyboard.press("Control+Enter")
    expect(visitor.page.locator("[data-over] a")).to_be_focused()
    expect(visitor.page.locator("[data-enlarged]")).to_be_hidden()


def test_a_message_that_cannot_go_from_the_enlarged_picture_says_why_on_the_page(visitor, in_store):
    in_store()
    visitor.write("a" * 1001)
    visitor.press("[data-enlarge]")
    visitor.page.keyboard.press("Control+Enter")
    expect(visitor.page.locator("[data-enlarged]")).to_be_hidden()
    expect(visitor.page.locator("[data-note]")).to_contain_text("too long")


def test_a_line_that_breaks_during_a_walk_of_the_practice_leaves_the_turn_to_be_taken(visitor, study):
    cut = []

    def opened(client):
        server = client.connect_to_server()
        client.on_message(server.send)

        def told(message):
            client.send(message)
            if not cut and isinstance(message, str) and '"acting"' in message:
                cut.append(True)
                server.close()
                client.close(code=1011)

        server.on_message(told)

    visitor.page.route_web_socket(re.compile("/ws/p/[^/]+/practice/"), opened)
    visitor.arrive(study(assistants=[{"slug": "expert"}]), practise=True)
    visitor.press("[data-move=forward]")
    visitor.press("[data-send]")
    expect(visitor.page.locator("[data-send-label]")).to_have_text("Wait for your turn")
    visitor.my_turn()
    assert cut
    visitor.send("")
    assert visitor.turn() == 1


def test_a_tab_that_rests_does_not_take_over_when_the_network_comes_back(visitor, in_store, context):
    in_store()
    older, newer = visitor.page, context.new_page()
    newer.goto(older.url)
    newer.locator("[data-send][aria-disabled=false]").wait_for()
    expect(older.locator("[data-banner]")).to_contain_text("another tab")
    context.set_offline(True)
    context.set_offline(False)
    newer.locator("[data-send][aria-disabled=false]").wait_for()
    newer.wait_for_timeout(1500)  # longer than the first attempt at a new line
    expect(newer.locator("[data-banner]")).to_be_hidden()
    older.bring_to_front()
    older.get_by_role("button", name="Continue here").click()
    expect(older.locator("[data-banner]")).to_be_hidden()
    visitor.send("Back in the first tab.")
