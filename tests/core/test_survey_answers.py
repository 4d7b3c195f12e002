"""From a form to answers: what counts as an answer, what is missing, and in which order items stand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from siturec.protocol.given import storable
from siturec.protocol.vocabulary import DIMENSIONS
from siturec.survey.answers import item_order, read_answers, wording
from siturec.survey.items import SEVEN_ITEMS, InstrumentSpec, ItemSpec, Wording, rated_dimensions

ITEMS = SEVEN_ITEMS.items
FULL = {item.key: "4" for item in ITEMS}
CHECK = ItemSpec(key="check-1", kind="check", expected=2, words={"en": Wording(title="", text="Choose 2.")})


def test_the_seven_ask_for_the_seven_dimensions_in_order_in_both_languages():
    assert rated_dimensions(SEVEN_ITEMS) == DIMENSIONS == tuple(item.key for item in ITEMS)
    for item in ITEMS:
        assert set(item.words) == {"en", "de"}
        for words in item.words.values():
            assert words.text
            assert words.guidance
            assert words.title
            assert len(set(words.anchors)) == 5


def test_a_missing_answer_is_named_and_never_a_score():
    reading = read_answers(ITEMS, FULL | {"naturalness": " "})
    assert reading.faults == {"naturalness": "missing"}
    allowed = read_answers(ITEMS, FULL | {"naturalness": ""}, missing_allowed=True)
    assert allowed.faults == {}
    assert {answer.key: answer.value for answer in allowed.answers}["naturalness"] is None


@given(st.text(max_size=8))
def test_only_whole_points_from_one_to_five_are_answers(raw):
    reading = read_answers(ITEMS[:1], {ITEMS[0].key: raw})
    # What no database can hold is left out first, so a stray control character beside a point is no fault.
    said = storable(raw).strip()
    if said in {"1", "2", "3", "4", "5"}:
        assert reading.answers[0].value == int(said)
    else:
        assert reading.faults
        assert reading.answers[0].value is None


def test_a_check_is_asked_even_where_items_may_be_left_out():
    assert read_answers([CHECK], {}, missing_allowed=True).faults == {"check-1": "missing"}
    assert read_answers([CHECK], {"check-1": "3"}).failed_checks == ("check-1",)
    assert read_answers([CHECK], {"check-1": "2"}).failed_checks == ()


def test_free_text_keeps_any_script_and_has_an_end():
    item = ItemSpec(key="why", kind="text", required=False, words={"en": Wording(title="", text="Why?")})
    words = "naïve 日本語 Ł =HYPERLINK() (אדום)"
    assert read_answers([item], {"why": words}).answers[0].text == words
    assert read_answers([item], {"why": "x" * 4001}).faults == {"why": "too_long"}
    assert read_answers([item], {}).faults == {}


@given(st.text(min_size=1, max_size=12))
def test_a_shuffled_order_holds_every_item_once_and_depends_on_the_seed_alone(seed):
    shuffled = SEVEN_ITEMS.model_copy(update={"shuffle": True})
    order = item_order(shuffled, seed=seed)
    assert sorted(order) == sorted(DIMENSIONS)
    assert order == item_order(shuffled, seed=seed)
    assert item_order(SEVEN_ITEMS, seed=seed) == DIMENSIONS


def test_shuffled_orders_differ_between_episodes():
    shuffled = SEVEN_ITEMS.model_copy(update={"shuffle": True})
    assert len({item_order(shuffled, seed=str(n)) for n in range(40)}) > 30


@pytest.mark.parametrize(("asked", "shown"), [("de", "de"), ("de-at", "de"), ("fr", "en")])
def test_words_come_in_the_asked_language_or_in_english(asked, shown):
    assert wording(ITEMS[0], asked) == ITEMS[0].words[shown]


def test_an_instrument_survives_being_written_and_read():
    assert InstrumentSpec.model_validate_json(SEVEN_ITEMS.model_dump_json()) == SEVEN_ITEMS
