"""Lines break, tabs multiply, servers fall: the participant stays where they were, and nothing doubles."""

import json
import signal

import pytest
from playwright.sync_api import BrowserContext, expect

pytestmark = [pytest.mark.browser, pytest.mark.daphne, pytest.mark.store]


@pytest.fixture
def turns(database):
    """The stored turns of whoever has this link: (index, reply) of those the person has answered."""

    def read(page):
        from sessions.models import Turn

        token = page.url.split("/p/")[1].split("/")[0]
        rows = Turn.objects.filter(episode__participant__token=token, executed_at__isnull=False)
        return database(lambda: [(row.index, row.user["reply"]) for row in rows.order_by("index")])

    return read


def test_a_line_cut_just_after_sending_makes_one_turn(visitor, in_store, turns):
    cut = []

    def cutting(client):
        server = client.connect_to_server()

        def pass_on(message):
            server.send(message)
            if '"act"' in str(message) and not cut:
                cut.append(json.loads(message)["client_id"])
                client.close(code=1011)
                server.close(code=1011)

        client.on_message(pass_on)

    visitor.page.route_web_socket("**/ws/p/*/", cutting)
    in_store()
    visitor.send("only once, please")
    assert len(cut) == 1
    assert turns(visitor.page) == [(0, "only once, please")]
    assert visitor.page.locator("[data-log] .line-user").count() == 1


@pytest.fixture
def deaf(visitor):
    """Lines that look alive but let nothing through while they are ``deaf``; ``cut`` ends the newest."""

    class Lines:
        def __init__(self):
            self.deaf, self.swallowed, self.ends = False, [], []

        def open(self, client):
            server = client.connect_to_server()
            self.ends.append((client, server))
            client.on_message(
                lambda told: self.swallowed.append(str(told)) if self.deaf else server.send(told)
            )

        def swallow(self, words):
            while not any(words in told for told in self.swallowed):
                visitor.page.wait_for_timeout(50)

        def cut(self, *, resting=False):
            self.deaf, opened = False, len(self.ends)
            for end in self.ends[-1]:
                end.close(code=1011)
            if resting:
                visitor.page.get_by_role("button", name="Continue here").click()
            while len(self.ends) == opened:
                visitor.page.wait_for_timeout(50)

    lines = Lines()
    visitor.page.route_web_socket("**/ws/p/*/", lines.open)
    return lines


def test_words_typed_on_a_line_that_only_looks_alive_are_there_after_a_reload(visitor, in_store, deaf):
    in_store()
    deaf.deaf = True
    visitor.write("into the void")
    deaf.swallow("into the void")
    deaf.cut()
    visitor.page.reload()
    expect(visitor.page.locator("#reply")).to_have_value("into the void")


def test_when_the_network_comes_back_what_was_sent_into_a_silent_line_gets_there_at_once(
    visitor, in_store, deaf, turns, context: BrowserContext
):
    in_store()
    deaf.deaf = True
    visitor.write("into the void")
    context.set_offline(True)
    visitor.press("[data-send]")
    expect(visitor.page.locator("[data-banner]")).to_contain_text("nothing of yours is lost")
    deaf.swallow('"act"')
    deaf.deaf = False
    context.set_offline(False)
    visitor.page.locator("canvas[data-frame='1']").wait_for()
    expect(visitor.page.locator("[data-banner]")).to_be_hidden()
    assert turns(visitor.page) == [(0, "into the void")]


def test_a_turn_that_never_got_there_and_came_too_late_leaves_its_words_over_a_reload(
    visitor, in_store, phone, deaf, turns
):
    in_store()
    deaf.deaf = True
    visitor.write("never arrived")
    visitor.press("[data-send]")
    deaf.swallow("never arrived")
    phone.page.goto(visitor.page.url)
    phone.my_turn()
    phone.send("from the phone")
    expect(visitor.page.locator("[data-banner]")).to_contain_text("another tab")
    deaf.cut(resting=True)
    expect(visitor.page.locator("[data-note]")).to_contain_text("did not get through")
    visitor.page.reload()
    expect(visitor.page.locator("#reply")).to_have_value("never arrived")
    assert turns(visitor.page) == [(0, "from the phone")]


def test_where_sockets_are_blocked_for_good_plain_requests_do(visitor, in_store, turns):
    visitor.page.route_web_socket("**/ws/p/*/", lambda client: client.close(code=1011))
    in_store()
    expect(visitor.page.locator("[data-banner]")).to_contain_text("a little slower")
    visitor.page.keyboard.press("d")
    visitor.send("over plain requests")
    assert turns(visitor.page) == [(0, "over plain requests")]


def test_the_newest_tab_acts_and_the_older_one_offers_to_continue(visitor, in_store, context: BrowserContext):
    in_store()
    older, newer = visitor.page, context.new_page()
    newer.goto(older.url)
    older.bring_to_front()
    expect(older.locator("[data-banner]")).to_contain_text("another tab")
    expect(older.locator("[data-send]")).to_have_attribute("aria-disabled", "true")
    older.get_by_role("button", name="Continue here").click()
    expect(older.locator("[data-banner]")).to_be_hidden()
    expect(newer.locator("[data-banner]")).to_contain_text("another tab")
    visitor.send("I am back in the first tab")


def test_words_and_choice_not_yet_sent_are_there_on_another_device(visitor, in_store, phone):
    kept = []
    visitor.page.on("websocket", lambda socket: socket.on("framesent", lambda told: kept.append(str(told))))
    in_store()
    visitor.page.locator(".frame").focus()
    visitor.page.keyboard.press("ArrowRight")
    visitor.write("half a sen")
    while not any("half a sen" in told for told in kept):
        visitor.page.wait_for_timeout(50)
    phone.page.goto(visitor.page.url)
    phone.my_turn()
    expect(phone.page.locator("#reply")).to_have_value("half a sen")
    expect(phone.page.locator("[data-chip]")).to_contain_text("Turn 45° right")


def test_a_server_that_is_killed_comes_back_to_the_same_turn(visitor, in_store, turns, site):
    in_store()
    visitor.send("before the fall")
    visitor.write("sent during the fall")
    site.stop(signal.SIGKILL)
    expect(visitor.page.locator("[data-banner]")).to_contain_text("nothing of yours is lost")
    visitor.press("[data-opens=help-dialog]")
    visitor.page.locator("#help-text").fill("It stopped.")
    visitor.press("[data-ask-help] .button-primary")
    expect(visitor.page.locator("[data-note]")).to_contain_text("no connection")
    expect(visitor.page.locator("#help-text")).to_have_value("It stopped.")
    visitor.press("[data-send]")
    site.start()
    expect(visitor.page.locator("[data-banner]")).to_be_hidden(timeout=40_000)
    visitor.page.locator("canvas[data-frame='2']").wait_for(timeout=60_000)
    assert turns(visitor.page) == [(0, "before the fall"), (1, "sent during the fall")]


def test_leaving_in_another_tab_stops_the_first_and_keeps_its_words(
    visitor, in_store, context: BrowserContext
):
    in_store()
    visitor.write("one more thing")
    other = context.new_page()
    other.goto(visitor.page.url.split("/store/")[0] + "/leave/")
    other.locator("button[value=leave]").click()
    other.wait_for_url("**/done/")
    visitor.page.bring_to_front()
    visitor.press("[data-send]")
    expect(visitor.page.locator("[data-note]")).to_contain_text("Your participation has ended")
    expect(visitor.page.locator("#reply")).to_have_value("one more thing")


# Who blocks all cookies has no storage either: Chromium throws at the first touch.
FORBID_STORAGE = """for (const name of ["localStorage", "sessionStorage"]) {
  const get = () => { throw new DOMException("Access is denied.", "SecurityError"); };
  Object.defineProperty(window, name, { get });
}"""


def test_cookies_that_run_out_or_are_cleared_cost_nothing(visitor, in_store, turns, context: BrowserContext):
    visitor.page.add_init_script(FORBID_STORAGE)
    in_store(limits={"turns": 1})
    visitor.write("half a")
    context.clear_cookies()
    visitor.write("half a sentence, and the rest")
    visitor.send()
    assert turns(visitor.page) == [(0, "half a sentence, and the rest")]
    visitor.press("[data-over] a")
    visitor.at("questionnaire/1")
    context.clear_cookies()
    visitor.page.locator("input[name=naturalness][value='2']").check()
    expect(visitor.page.locator("[data-saved]")).to_have_text("Kept")
    visitor.page.reload()
    expect(visitor.page.locator("input[name=naturalness][value='2']")).to_be_checked()
    context.clear_cookies()
    visitor.rate()
    visitor.at("done")
    assert visitor.problems == []


def test_a_reload_between_turns_loses_none_of_them(visitor, in_store, turns):
    in_store()
    for number in range(3):
        visitor.send(f"turn {number}")
    visitor.page.reload()
    visitor.my_turn()
    visitor.send("turn 3")
    assert turns(visitor.page) == [(number, f"turn {number}") for number in range(4)]
