"""What is chosen shows in the system's own colours too, and names of any length stay in their places."""

import json

import pytest

from tests.browser.visitor import Visitor

pytestmark = [pytest.mark.browser, pytest.mark.daphne, pytest.mark.store]

NAME = (
    "Grandmother Featherstonehaugh's Extraordinarily Long-Named Slow-Roasted Smoked Paprika Kettle Crisps, "
    "Family Sharing Bag (Limited Edition)"
)
GROUND = "it => getComputedStyle(it).backgroundColor"
EDGE = "it => parseFloat(getComputedStyle(it).borderTopWidth)"
OUTSIDE = """it => [...it.querySelectorAll("*")].filter(part => {
  const room = it.getBoundingClientRect(), place = part.getBoundingClientRect();
  return place.width > 0 && (place.right > room.right + 1 || place.left < room.left - 1);
}).map(part => part.outerHTML.slice(0, 80))"""


def test_in_high_contrast_what_is_chosen_stands_out(browser, site, store_link):
    context = browser.new_context(forced_colors="active", viewport={"width": 1280, "height": 800})
    context.set_default_timeout(20_000)
    visitor = Visitor(context.new_page(), site.url)
    page = visitor.page
    page.goto(store_link(limits={"turns": 1}))
    visitor.my_turn()
    visitor.press("[data-move=turn-left]")
    page.mouse.move(0, 0)
    # Nothing casts a shadow there: what floats, and what was said, has an edge.
    assert page.locator("[data-log] .line-text").first.evaluate(EDGE) == 1
    for opener, floats in (("walkMenu", "[data-menu]"), ("goal-dialog", "#goal-dialog")):
        visitor.press(f"button[data-opens={opener}]")
        assert page.locator(floats).evaluate(EDGE) == 1
        page.keyboard.press("Escape")
    chosen, other = page.locator("[data-move=turn-left]"), page.locator("[data-move=turn-right]")
    assert chosen.evaluate(GROUND) != other.evaluate(GROUND)
    visitor.send("Only a look.")
    visitor.press("[data-over] a")
    visitor.at("questionnaire/1")
    page.locator("input[name=naturalness][value='2']").check()
    page.mouse.move(0, 0)
    points = page.locator("[data-item=naturalness] .point")
    assert points.nth(1).evaluate(GROUND) != points.nth(2).evaluate(GROUND)
    context.close()


@pytest.mark.parametrize("who", ["visitor", "phone"])
def test_a_very_long_name_stays_in_its_button(who, request, store_link):
    def rename(client):
        server = client.connect_to_server()

        def told(message):
            if isinstance(message, str) and json.loads(message)["type"] == "snapshot":
                snapshot = json.loads(message)
                for thing in snapshot["things"]:
                    thing["name"] = NAME
                message = json.dumps(snapshot)
            client.send(message)

        client.on_message(server.send)
        server.on_message(told)

    person = request.getfixturevalue(who)
    person.page.route_web_socket("**/ws/p/*/", rename)
    person.page.goto(store_link())
    person.my_turn()
    person.press("[data-opens=walkMenu]")
    person.press("[data-menu] button")
    person.write("There, please.")
    send = person.page.locator("[data-send]")
    assert send.evaluate(OUTSIDE) == []
    assert send.bounding_box()["height"] < 100
    assert person.page.locator("[data-chip]").evaluate(OUTSIDE) == []
    assert NAME in person.page.locator("[data-chip]").inner_text()


def test_what_is_in_the_hand_has_the_width_to_be_read_beside_the_talk(visitor, in_store):
    in_store()
    visitor.pick_something_up()
    for width in (1024, 1280):
        visitor.page.set_viewport_size({"width": width, "height": 768})
        who = visitor.page.locator(".hand-who")
        assert who.evaluate("it => it.offsetWidth") > 140, f"at {width}"
        assert visitor.page.locator("[data-hand]").evaluate(OUTSIDE) == []


def test_what_the_team_says_of_a_pause_stands_under_the_banners_words(visitor, store_link):
    page = visitor.page

    def paused(client):
        server = client.connect_to_server()

        def told(message):
            if isinstance(message, str) and json.loads(message)["type"] == "snapshot":
                message = json.dumps(json.loads(message) | {"paused": True, "notes": ["Back at ten. " * 9]})
            client.send(message)

        client.on_message(server.send)
        server.on_message(told)

    page.route_web_socket("**/ws/p/*/", paused)
    page.goto(store_link())
    banner = page.locator("[data-banner]")
    banner.get_by_text("Back at ten.").wait_for()
    for width in (1720, 1280, 768, 320):
        page.set_viewport_size({"width": width, "height": 740})
        ours, theirs = banner.locator("p").first.bounding_box(), banner.locator("p").last.bounding_box()
        assert ours
        assert theirs
        assert theirs["y"] >= ours["y"] + ours["height"], f"at {width}"
        assert banner.evaluate(OUTSIDE) == [], f"at {width}"
        # Its letters begin where those above them do.
        begins = "it => it.getBoundingClientRect().left + parseFloat(getComputedStyle(it).paddingLeft)"
        assert banner.locator("p").last.evaluate(begins) == pytest.approx(ours["x"], abs=8), f"at {width}"
