"""The orders in which assistants are met."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from siturec.protocol.ordering import carry_over_counts, dealt_rows, position_counts, williams_square
from siturec.protocol.seats import chosen_tasks, seat_plans
from siturec.protocol.study import AssistantChoice, Consent, StudyConfig, TaskChoice

BANK = [f"{profile}.{number}" for profile in range(1, 26) for number in range(1, 5)]


def study(count=5, **changes):
    slugs = [f"a{number}" for number in range(count)]
    fields = {
        "slug": "s",
        "title": "S",
        "scene": "supermarket",
        "assistants": tuple(AssistantChoice(slug=slug) for slug in slugs),
        "consent": Consent(text="I agree."),
    }
    return StudyConfig(**(fields | changes))


@given(st.integers(1, 15))
def test_a_square_has_n_rows_for_even_and_two_n_for_odd_counts(n):
    assert len(williams_square(n)) == (n if n % 2 == 0 or n == 1 else 2 * n)


@given(st.integers(1, 15))
def test_every_item_stands_equally_often_in_every_position(n):
    rows = williams_square(n)
    assert all(sorted(row) == list(range(n)) for row in rows)
    counts = position_counts(rows, range(n))
    assert {count for row in counts.values() for count in row} == {len(rows) // n}


@given(st.integers(2, 15))
def test_every_item_follows_every_other_equally_often(n):
    counts = carry_over_counts(williams_square(n), range(n))
    assert {count for row in counts.values() for count in row.values()} == {1 if n % 2 == 0 else 2}


@given(st.integers(2, 9), st.integers(0, 2**32), st.integers(1, 3))
def test_whole_blocks_of_dealt_rows_are_balanced_for_any_seed(n, seed, blocks):
    names = [f"a{number}" for number in range(n)]
    length = len(williams_square(n)) * blocks
    orders = [order for _, order in itertools.islice(dealt_rows(names, seed=seed), length)]
    assert len({count for row in position_counts(orders, names).values() for count in row}) == 1
    assert len({count for row in carry_over_counts(orders, names).values() for count in row.values()}) == 1


def test_the_seed_decides_the_orders_and_no_order_is_always_first():
    names = ["a", "b", "c", "d", "e"]
    first, again, other = (list(itertools.islice(dealt_rows(names, seed=seed), 200)) for seed in (42, 42, 43))
    assert first == again != other
    starts = [order[0] for _, order in first]
    assert all(starts.count(name) == 40 for name in names)
    assert sum(list(order) == names for _, order in first) < 40


def test_the_papers_shape_uses_every_row_once():
    plans = seat_plans(study(), chosen_tasks(TaskChoice(), BANK), 5)
    assert sorted(task.row for plan in plans for task in plan) == list(range(10))


def test_neighbouring_tasks_are_dealt_cyclically_so_that_each_reaches_two_participants():
    tasks = chosen_tasks(TaskChoice(), BANK)
    plans = seat_plans(study(), tasks, 5)
    assert [[task.task for task in plan] for plan in plans] == [
        [tasks[i], tasks[(i + 1) % 5]] for i in range(5)
    ]


@given(st.integers(1, 40), st.integers(1, 40))
def test_a_longer_plan_begins_with_the_shorter_one(short, more):
    tasks = ("1.1", "1.2", "2.1")
    assert seat_plans(study(3), tasks, short + more)[:short] == seat_plans(study(3), tasks, short)


def test_a_sample_larger_than_the_bank_and_an_unknown_task_are_named():
    with pytest.raises(ValueError, match="5 are to be sampled but the scene has 3"):
        chosen_tasks(TaskChoice(), BANK[:3])
    with pytest.raises(ValueError, match=r"not in this scene: 99\.9"):
        chosen_tasks(TaskChoice(mode="fixed", ids=("1.1", "99.9")), BANK)


def test_a_design_with_a_slug_named_twice_or_a_twin_of_nobody_is_refused():
    with pytest.raises(ValueError, match="named twice"):
        study(assistants=(AssistantChoice(slug="x"), AssistantChoice(slug="x")))
    with pytest.raises(ValueError, match="twin of 'y'"):
        study(assistants=(AssistantChoice(slug="x", control="twin", twin_of="y"),))
