"""A person at the page and a simulated user make the same moves: the same record, and one and the same input.

The moves are those of a simulated episode that was played before; the person makes them with the page's own
means only: keys, menus, the list of things, the amounts beside the chosen action, and typed words.
"""

import asyncio

import pytest
from playwright.sync_api import expect

from tests.browser.running_site import SCENE

pytestmark = [pytest.mark.browser, pytest.mark.daphne, pytest.mark.store]
TASK, ASSISTANT = "1.4", "expert"
KEYS = {"idle": "x", "add_to_cart": "c", "drop_item": "p", "move_forward": "w", "move_backward": "s"}
TURNS = {"left": "a", "right": "d"}
WAYS = {"front": "To its front", "back": "To its back", "nearest": "Walk to"}
OWN = {"episode_id", "started_at", "ended_at", "user", "versions"}
"""What may differ: ids, times, who shopped, and the version of what did."""


def simulated():
    """A simulated episode of the task, played to its end; its record, seed and limits."""
    from play.judging import rated_record
    from play.plan import Wanted, run_store, spec_of
    from play.simulating import Playing, Reporter, play_run
    from sessions.models import Run
    from simulator_bridge.store import STORES

    wanted = Wanted(scenes=(SCENE,), tasks=TASK, assistants=(ASSISTANT,), judge="")
    run = run_store("browser-parity", spec_of(wanted))
    try:
        asyncio.run(play_run(run.pk, Playing(), Reporter()))
        episode = run.episodes.get()
        return rated_record(episode), episode.seed, episode.limits
    finally:
        STORES.stop()
        Run.objects.filter(pk=run.pk).delete()


def person(slug, seed, limits):
    """Somebody before the same task, assistant and seed, about to enter the store; their token."""
    from django.utils import timezone

    from sessions.models import Episode, Participant, Study
    from sessions.services.episodes import episode_goal_read
    from tests.web.samples_studies import shopping

    who = shopping(Study.objects.get(slug=slug))
    Participant.objects.filter(pk=who.pk).update(practised_at=timezone.now())
    episode_goal_read(episode=who.episodes.get())
    Episode.objects.filter(participant=who).update(seed=seed, limits=limits)
    return who.token


def record_of(token):
    from play.judging import rated_record
    from sessions.models import Episode

    return rated_record(Episode.objects.select_related("participant").get(participant__token=token))


def choose(page, tool, args):
    """Choose an action as a person does; its amount is set where the page's first one is another."""
    if tool in ("move_to_fixture", "pick_up_item"):
        marker = args.get("target") or args["product"]
        kind = "fixture" if "target" in args else "product"
        row = page.locator(f"[data-things] li:has(.marker-{kind}:text-is('{marker}'))")
        row.get_by_role("button", name=WAYS[args["approach"]] if "target" in args else "Pick up").click()
    else:
        page.locator("[data-frame]").first.focus()
        page.keyboard.press(TURNS[args["direction"]] if tool == "turn" else KEYS[tool])
    for name, label in (("angle", "How wide"), ("distance", "How far")):
        if name in args:
            page.get_by_label(label).select_option(str(args[name]))


def test_a_person_at_the_page_and_a_simulated_user_leave_the_same_record(visitor, study, database):
    from siturec.trajectory import check_record

    wanted, seed, limits = database(simulated)
    calls = [turn["user"]["tool_call"] for turn in wanted["turns"]]
    assert {"idle", "turn", "move_to_fixture", "pick_up_item", "add_to_cart"} <= {
        call["tool"] for call in calls
    }
    slug = study(
        assistants=[{"slug": ASSISTANT}],
        tasks={"mode": "fixed", "ids": [TASK], "per_participant": 1},
        quota=1,
    )
    token = database(lambda: person(slug, seed, limits))
    page = visitor.page
    page.goto(f"{visitor.url}/p/{token}/store/1/")
    visitor.my_turn()
    visitor.press("[data-seen] summary")
    for turn, call in zip(wanted["turns"], calls, strict=True):
        assert visitor.turn() == turn["turn"]
        expect(page.locator("[data-log] .line-assistant").last).to_contain_text(
            turn["assistant"]["utterance"]
        )
        choose(page, call["tool"], call["args"])
        page.locator("#reply").press_sequentially(turn["user"]["reply"])
        visitor.send()
    expect(page.locator("[data-over]")).to_contain_text("in the cart")
    assert visitor.problems == []
    got = check_record(database(lambda: record_of(token)))
    assert [turn["input_digest"] for turn in got["turns"]] == [
        turn["input_digest"] for turn in wanted["turns"]
    ]
    assert [turn["frames"] for turn in got["turns"]] == [turn["frames"] for turn in wanted["turns"]]
    assert {key: got[key] for key in got if key not in OWN} == {
        key: wanted[key] for key in wanted if key not in OWN
    }
    assert got["versions"]["assistant"] == wanted["versions"]["assistant"]
    assert got["versions"]["moderator"] == wanted["versions"]["moderator"]
    assert got["user"]["kind"] == "human"
