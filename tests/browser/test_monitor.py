"""The team and a participant at the same time, each at a browser: watching, helping, pausing, taking out."""

import pytest
from playwright.sync_api import Browser, Page, expect

pytestmark = [pytest.mark.browser, pytest.mark.daphne, pytest.mark.store]

NOTE = "The plasters are on your left."


@pytest.fixture
def team(browser: Browser, site, database):
    """A researcher who is signed in, and the page of whoever came last."""
    from django.contrib.auth.models import User

    from sessions.models import Participant

    def account() -> None:
        if not User.objects.filter(username="rita").exists():
            User.objects.create_superuser("rita", password="a long password")

    database(account)
    context = browser.new_context(viewport={"width": 1280, "height": 800}, locale="en-GB")
    context.set_default_timeout(30_000)
    page = context.new_page()
    page.goto(f"{site.url}/research/login/")
    page.locator("#id_username").fill("rita")
    page.locator("#id_password").fill("a long password")
    page.locator("main form button").click()
    page.wait_for_url("**/research/")

    def last() -> str:
        return str(Participant.objects.select_related("study").latest("pk").study.slug)

    yield page, lambda: f"{site.url}/research/studies/{database(last)}/"
    context.close()


def live_row(page: Page, study: str):
    page.goto(f"{study}live/")
    return page.locator("#people tr").first


def test_the_team_sees_hears_answers_pauses_and_takes_out_whom_it_watches(visitor, in_store, team, database):
    from sessions.models import AuditLog, Participant, Seat

    in_store(quota=2)
    researcher, address = team
    study = address()
    visitor.press("[data-opens=help-dialog]")
    visitor.page.locator("#help-text").fill("Where are the plasters?")
    visitor.press("[data-ask-help] button.button-primary")
    row = live_row(researcher, study)
    expect(row.locator(".pill-warn")).to_have_text("help")
    expect(row).to_contain_text("in the store (1 of 1)")

    row.locator("a").click()
    expect(researcher.locator("#messages")).to_contain_text("Where are the plasters?")
    expect(researcher.locator(".watch-frame img")).to_be_visible()
    visitor.write("Half a thought")
    expect(researcher.locator("[data-watch=draft]")).to_contain_text("Half a thought")
    researcher.locator("#id_text").fill(NOTE)
    researcher.get_by_role("button", name="Send the note").click()
    expect(visitor.page.get_by_text(NOTE)).to_be_visible()
    expect(live_row(researcher, study).locator(".pill-warn")).to_have_count(0)

    researcher.goto(study)
    researcher.get_by_role("button", name="Pause").click()
    expect(visitor.page.locator("[data-send]")).to_have_attribute("aria-disabled", "true")
    expect(visitor.page.locator("[data-banner]")).to_contain_text("The study is paused.")
    expect(visitor.page.locator("[data-banner]")).to_contain_text(NOTE)
    researcher.get_by_role("button", name="Go on").click()
    visitor.my_turn()
    visitor.send("I go on.")

    code = database(lambda: Participant.objects.latest("pk").code)
    researcher.goto(f"{study}participants/{code}/")
    researcher.locator("#id_reason").fill("took a phone call")
    researcher.get_by_role("button", name="Release the seat").click()
    expect(researcher.locator("[data-watch=state]")).to_have_text("returned")
    expect(visitor.page.locator("[data-banner]")).to_contain_text("has ended your participation")
    visitor.page.reload()
    visitor.at("done")

    def left() -> tuple[str, list[tuple[str, str]], list[str]]:
        person = Participant.objects.latest("pk")
        seats = Seat.objects.filter(study=person.study, rehearsal=False).order_by("number", "deal")
        deeds = AuditLog.objects.filter(study=person.study, actor_name="rita").values_list(
            "action", flat=True
        )
        return person.state_reason, list(seats.values_list("status", "reason")), sorted(set(deeds))

    reason, seats, deeds = database(left)
    assert reason == "released by the team: took a phone call"
    assert [status for status, _ in seats] == ["released", "free", "free"]
    assert "took a phone call" in seats[0][1]
    assert deeds == ["note", "participant: release", "study: pause", "study: resume", "watched"]


def test_a_visit_is_replayed_by_step_scrub_and_link_and_taken_away(visitor, in_store, team):
    in_store(limits={"turns": 2})
    visitor.send("Here I am.")
    visitor.send("Nothing for me.")
    researcher, address = team
    researcher.goto(f"{address()}episodes/?user_kind=human")
    researcher.locator("tbody a").first.click()
    where, picture = researcher.locator("#where"), researcher.locator("#frame")
    expect(where).to_have_text("turn 0 of 1")
    researcher.locator("#on").click()
    expect(where).to_have_text("turn 1 of 1")
    expect(researcher.locator("#turn")).to_contain_text("Nothing for me.")
    as_user = picture.get_attribute("src")
    researcher.locator("[data-role=assistant]").click()
    expect(picture).not_to_have_attribute("src", str(as_user))
    assert picture.evaluate("async it => { await it.decode(); return it.naturalWidth; }") == 960

    researcher.goto(str(researcher.locator("#link").get_attribute("href")))
    expect(where).to_have_text("turn 1 of 1")
    researcher.locator("#scrub").fill("0")
    expect(where).to_have_text("turn 0 of 1")
    for words, ending in (("User's frames as images", ".zip"), ("User's frames as a film", ".webm")):
        researcher.locator("details.menu").evaluate("it => it.open = true")
        with researcher.expect_download() as got:
            researcher.get_by_role("link", name=words).click()
        assert got.value.suggested_filename.endswith(f"-user{ending}")


# Where the characters of some words stand on the screen, from its left.
PLACES = """(holder, words) => {
  const walker = document.createTreeWalker(holder, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const at = walker.currentNode.data.indexOf(words);
    if (at < 0 || !walker.currentNode.parentElement.checkVisibility()) continue;
    return [...words].map((_, index) => {
      const range = document.createRange();
      range.setStart(walker.currentNode, at + index);
      range.setEnd(walker.currentNode, at + index + 1);
      return range.getBoundingClientRect().left;
    });
  }
  return [];
}"""


def test_words_in_mixed_directions_read_right_for_everyone_who_sees_them(visitor, in_store, team, database):
    from play.judging import rated_record
    from sessions.models import Episode

    mixed = "בא לי mug #912 (אדום)"  # not 12: that might be a marker in view, and be questioned

    def reads_right(holder):
        expect(holder.get_by_text("mug #912").filter(visible=True).first).to_be_attached()
        places = holder.evaluate(PLACES, "mug #912")
        assert len(places) == 8
        assert places == sorted(places), "a label is one word from the left: #912, not 912#"
        assert holder.evaluate(PLACES, "בא")[0] > places[-1], "the sentence begins at its right"
        assert holder.evaluate(PLACES, "(אדום)")[0] < places[0]

    in_store(limits={"turns": 2})
    visitor.send(mixed)
    reads_right(visitor.page.locator("[data-log]"))
    researcher, address = team
    study = address()
    live_row(researcher, study).locator("a").click()
    reads_right(researcher.locator("main"))
    visitor.send("Nothing for me.")
    researcher.goto(f"{study}episodes/?user_kind=human")
    researcher.locator("tbody a").first.click()
    expect(researcher.locator("#turn")).to_contain_text(mixed)
    reads_right(researcher.locator("#turn"))
    record = database(lambda: rated_record(Episode.objects.select_related("participant").latest("pk")))
    assert record["turns"][0]["user"]["reply"] == mixed


def test_only_a_call_that_the_server_has_is_said_to_be_told_from_a_resting_tab_too(
    visitor, in_store, context, database
):
    from sessions.models import Event

    page = visitor.page
    in_store()
    note, words = page.locator("[data-note]"), page.locator("#help-text")

    def call(text: str) -> None:
        visitor.press("[data-opens=help-dialog]")
        words.fill(text)
        visitor.press("[data-ask-help] button.button-primary")

    def heard() -> list[str]:
        token = page.url.split("/p/")[1].split("/")[0]
        calls = Event.objects.filter(kind="help", participant__token=token, episode__isnull=False)
        return database(lambda: [one.payload["text"] for one in calls])

    # The socket is open, and looks as if it carried everything.
    page.route("**/p/*/act/", lambda route: route.abort())
    call("The shelf is empty.")
    expect(note).to_contain_text("no connection")
    expect(words).to_have_value("The shelf is empty.")
    assert heard() == []
    page.unroute("**/p/*/act/")
    other = context.new_page()
    other.goto(page.url)
    expect(page.locator("[data-banner]")).to_contain_text("resting")
    call("The shelf is still empty.")
    expect(note).to_contain_text("has been told")
    expect(words).to_have_value("")
    assert heard() == ["The shelf is still empty."]
    expect(page.locator("[data-banner]")).to_contain_text("resting")
