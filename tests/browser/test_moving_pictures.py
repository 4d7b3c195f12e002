"""Pictures of a walk: confirmed as they are shown, so that more come; none where somebody wants no motion."""

import json

import pytest

pytestmark = [pytest.mark.browser, pytest.mark.daphne, pytest.mark.store]


@pytest.fixture
def heard(visitor):
    """Moving pictures that came, and those that were confirmed, by number."""
    came, confirmed = [], []

    def taken(told):
        if isinstance(told, bytes) and told[0] == 2:
            came.append(int.from_bytes(told[1:5], "big"))

    def said(told):
        message = json.loads(told)
        if message["type"] == "shown":
            confirmed.append(message["number"])

    def opened(line):
        line.on("framereceived", taken)
        line.on("framesent", said)

    visitor.page.on("websocket", opened)
    return came, confirmed


def walk_about(visitor):
    for key in ("d", "w", "d", "w"):
        visitor.page.keyboard.press(key)
        visitor.send("")


def test_every_picture_of_a_walk_is_confirmed_once_and_then_others_come(visitor, in_store, heard):
    came, confirmed = heard
    in_store()
    walk_about(visitor)
    assert len(came) >= 4
    assert came == list(range(1, len(came) + 1))
    assert confirmed == came


def test_whoever_wants_no_motion_is_not_sent_pictures_of_it_either(visitor, in_store, heard):
    came, confirmed = heard
    visitor.page.emulate_media(reduced_motion="reduce")
    in_store()
    walk_about(visitor)
    assert len(came) <= 1
    assert confirmed == []


def test_whoever_wants_motion_again_in_mid_visit_is_sent_it_from_the_next_walk_on(visitor, in_store, heard):
    came, confirmed = heard
    visitor.page.emulate_media(reduced_motion="reduce")
    in_store()
    walk_about(visitor)
    assert (came, confirmed) == ([1], [])
    visitor.page.emulate_media(reduced_motion="no-preference")
    visitor.page.wait_for_function("() => !matchMedia('(prefers-reduced-motion: reduce)').matches")
    walk_about(visitor)
    assert len(came) >= 4
    assert confirmed == came
    visitor.page.emulate_media(reduced_motion="reduce")
    before = len(came)
    walk_about(visitor)
    assert len(came) <= before + 4
    assert len(confirmed) == before
