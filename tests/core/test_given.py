"""What comes from outside is made fit to be stored, shown and exported, or refused before it is."""

import json

import pytest
from hypothesis import given as hypothesis_given
from hypothesis import strategies as st
from pydantic import ValidationError

from play.incoming import MAX_MESSAGE, REASON_LIMIT, Pace, read_message
from siturec.protocol.events import Act, Draft, Refused
from siturec.protocol.given import is_blank, plain_args, storable


def act(**changes):
    return json.dumps({"type": "act", "client_id": "client-1", "frame": 0, "tool": "idle"} | changes)


@hypothesis_given(st.text())
def test_stored_text_encodes_and_keeps_everything_that_can_be_seen(text):
    kept = storable(text)
    kept.encode()
    assert "\0" not in kept
    assert storable(kept) == kept
    assert [char for char in text if char.isalnum() or char in "\n\t "] == [
        char for char in kept if char.isalnum() or char in "\n\t "
    ]


@pytest.mark.parametrize("text", ["שלום #12 (אדום)", "👩‍🚀 naïve 日本語", "a\u200bb", "=1+1", "<b>\n\tx</b>"])
def test_words_of_any_script_are_kept_byte_for_byte(text):
    assert storable(text) == text


@pytest.mark.parametrize("text", ["", "  \n", "\u200b\u2060\ufeff", "\u202e\u00a0", "\u0301"])
def test_what_cannot_be_seen_is_blank(text):
    assert is_blank(text)
    assert not is_blank(text + "x")


@pytest.mark.parametrize(
    "value",
    [float("nan"), float("inf"), 10**400, "x" * 81, "\0", {"a": 1}, [1]],
    ids=["nan", "inf", "huge", "long", "nul", "object", "list"],
)
def test_arguments_no_page_would_send_are_refused(value):
    with pytest.raises(ValueError, match="'angle' takes"):
        plain_args({"angle": value})


@pytest.mark.parametrize(
    "raw",
    [
        b"\xff\xfe\x00",
        "",
        "[]",
        "{}",
        '{"type": "act", "reply": "\\ud800"}',
        act(args={"angle": float("nan")}),
        act(args={str(number): 1 for number in range(9)}),
        act(client_id="x" * 7 + "\0"),
        act(tool="t" * 100),
        act(frame=True),
        act(frame=10**30),
        '{"type": "draft", "args": {"a": Infinity}}',
        '{"type": "act", "args": ' + '{"a":' * 5000,
        '{"type": "' + "y" * 5000 + '"}',
        "x" * (MAX_MESSAGE + 1),
    ],
    ids=lambda raw: str(raw[:30]),
)
def test_junk_is_refused_in_a_short_sentence(raw):
    answer = read_message(raw, seq=7)
    assert isinstance(answer, Refused)
    assert (answer.code, answer.seq) == ("invalid", 7)
    assert 0 < len(answer.reason) <= REASON_LIMIT


def test_a_reply_loses_what_no_database_or_spreadsheet_can_hold():
    message = read_message(act(reply="a\0b\x0bc\u202e\n日本"))
    assert isinstance(message, Act)
    assert message.reply == "abc\u202e\n日本"


def test_a_draft_is_kept_as_it_was_typed():
    message = read_message(
        json.dumps({"type": "draft", "text": "half a wor", "tool": "turn", "args": {"angle": 90.5}})
    )
    assert isinstance(message, Draft)
    assert (message.text, message.args) == ("half a wor", {"angle": 90.5})


def test_an_act_made_within_the_site_is_checked_too():
    with pytest.raises(ValidationError):
        Act(client_id="client-1", frame=0, tool="idle", args={"a": object()})


def test_a_flood_is_stopped_and_a_person_is_not():
    now = [0.0]
    pace = Pace(burst=10, per_s=2.0, clock=lambda: now[0])
    assert [pace.allows() for _ in range(12)] == [True] * 10 + [False] * 2
    for _ in range(100):
        now[0] += 0.5
        assert pace.allows()
