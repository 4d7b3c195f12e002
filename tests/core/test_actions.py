"""Tool calls: every tool, every rule, every refusal; and what an action does to the shopper's state."""

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from siturec.protocol.actions import Refusal, apply_to_state, tool_schema, tool_states, validate_call
from siturec.protocol.actions_expected import resolve_expected
from siturec.protocol.actions_text import describe_action
from siturec.protocol.messages import (
    CatalogEntry,
    ExpectedAction,
    Observation,
    Outcome,
    Pose,
    ResolvedAction,
    ShopperState,
    Sighting,
    StoreKnowledge,
    TargetEntry,
    ToolCall,
)
from siturec.protocol.vocabulary import TOOLS


def seen(entity, user, assistant, **more):
    kind = entity.partition(":")[0]
    return Sighting(
        entity=entity,
        kind=kind,
        name=entity.partition(":")[2].title(),
        user_marker=user,
        assistant_marker=assistant,
        distance_m=more.pop("distance_m", 2.0),
        **more,
    )


MARKET = Observation(
    pose=Pose(x_m=1, y_m=1, pitch_deg=30),
    visible=(
        seen("fixture:cooler", "C", "7", approaches=("nearest", "front")),
        seen("product:tofu", "4", "B", reachable=True),
        seen("product:salmon", "5", "A", reachable=False, distance_m=4.0),
    ),
)
HOME = Observation(
    pose=Pose(x_m=1, y_m=1),
    visible=(
        seen("store:nest", "B", "2", approaches=("outside_doorway", "inside_doorway")),
        seen("area:sofas", "B1", "2a"),
        seen("product:lamp", "1", "A", reachable=True),
    ),
)
EMPTY = ShopperState()


def market(tool, state=EMPTY, role="user", **args):
    return validate_call(
        ToolCall(tool=tool, args=args), kind="supermarket", observation=MARKET, state=state, role=role
    )


def home(tool, state=EMPTY, **args):
    return validate_call(ToolCall(tool=tool, args=args), kind="home", observation=HOME, state=state)


@pytest.mark.parametrize(
    ("tool", "args", "expected"),
    [
        ("move_forward", {"distance": "short"}, {"distance_m": 1.0}),
        ("move_backward", {"distance": "medium"}, {"distance_m": 2.0}),
        ("side_step", {"direction": "left", "distance": "long"}, {"direction": "left", "distance_m": 4.0}),
        ("turn", {"direction": "right", "angle": 180}, {"direction": "right", "angle_deg": 180.0}),
        ("look_up_down", {"direction": "up", "angle": 30}, {"direction": "up", "angle_deg": 30.0}),
        (
            "turn_and_move",
            {"direction": "left", "angle": 15, "distance": "short"},
            {"direction": "left", "angle_deg": 15.0, "distance_m": 1.0},
        ),
        (
            "move_and_turn",
            {"direction": "left", "angle": 90, "distance": "long"},
            {"direction": "left", "angle_deg": 90.0, "distance_m": 4.0},
        ),
        ("move_to_fixture", {"target": "c"}, {"target": "fixture:cooler", "approach": "nearest"}),
        (
            "move_to_fixture",
            {"target": "C", "approach": "front"},
            {"target": "fixture:cooler", "approach": "front"},
        ),
        ("pick_up_item", {"product": 4}, {"product": "product:tofu"}),
        ("idle", {}, {}),
    ],
)
def test_a_call_resolves_to_entities_metres_and_degrees(tool, args, expected):
    assert market(tool, **args) == ResolvedAction(tool=tool, **expected)


@pytest.mark.parametrize(
    ("tool", "args", "expected"),
    [
        ("move_to_store", {"target": "B"}, {"target": "store:nest", "approach": "outside_doorway"}),
        (
            "move_to_store",
            {"target": "B", "approach": "inside_doorway"},
            {"target": "store:nest", "approach": "inside_doorway"},
        ),
        ("move_to_area", {"target": "b1"}, {"target": "area:sofas"}),
        ("check_item", {"product": "1"}, {"product": "product:lamp"}),
    ],
)
def test_home_tools_resolve_in_a_home_scene(tool, args, expected):
    assert home(tool, **args) == ResolvedAction(tool=tool, **expected)


@pytest.mark.parametrize(
    ("tool", "args", "code", "words"),
    [
        ("fly", {}, "unknown_tool", "no tool 'fly'"),
        ("check_item", {"product": "4"}, "unknown_tool", "check_item"),
        ("turn", {"direction": "left"}, "bad_arguments", "needs 'angle'"),
        ("turn", {"direction": "left", "angle": 10}, "bad_arguments", "greater than or equal to 15"),
        ("turn", {"direction": "left", "angle": float("nan")}, "bad_arguments", "'angle'"),
        ("turn", {"direction": "left", "angle": 181}, "bad_arguments", "180"),
        ("turn", {"direction": "left", "angle": "90"}, "bad_arguments", "number"),
        ("turn", {"direction": "up", "angle": 20}, "bad_arguments", "'direction'"),
        ("move_forward", {"distance": "far"}, "bad_arguments", "short"),
        ("move_forward", {"distance": "short", "speed": 3}, "bad_arguments", "does not take 'speed'"),
        ("idle", {"why": "tired"}, "bad_arguments", "does not take 'why'"),
        ("look_up_down", {"direction": "up", "angle": 45}, "pitch_limit", "30° are left"),
        ("move_to_fixture", {"target": "Z"}, "not_visible", "'Z'"),
        ("move_to_fixture", {"target": "7"}, "not_visible", "'7'"),
        ("move_to_fixture", {"target": "4"}, "wrong_kind", "product Tofu"),
        ("move_to_fixture", {"target": "C", "approach": "back"}, "side_not_offered", "nearest, front"),
        ("pick_up_item", {"product": "5"}, "out_of_reach", "4.0 m"),
        ("pick_up_item", {"product": "C"}, "wrong_kind", "fixture"),
        ("pick_up_item", {"product": True}, "bad_arguments", "'product'"),
        ("drop_item", {}, "nothing_held", "nothing"),
        ("add_to_cart", {}, "nothing_held", "Pick up"),
    ],
)
def test_a_call_against_the_rules_is_refused_with_its_reason(tool, args, code, words):
    answer = market(tool, **args)
    assert isinstance(answer, Refusal)
    assert answer.code == code
    assert words in answer.reason


def test_a_second_pick_up_is_refused_while_something_is_held():
    answer = market("pick_up_item", ShopperState(held="salmon"), product="4")
    assert isinstance(answer, Refusal)
    assert answer.code == "hands_full"


@pytest.mark.parametrize("tool", ["add_to_cart", "do_not_add_to_cart"])
def test_deciding_needs_a_checked_product(tool):
    assert home(tool).code == "nothing_checked"
    assert home(tool, ShopperState(checked="lamp")) == ResolvedAction(tool=tool, product="product:lamp")


def test_each_role_is_understood_in_its_own_markers_only():
    assert market("move_to_fixture", role="assistant", target="7").target == "fixture:cooler"
    assert isinstance(market("move_to_fixture", role="assistant", target="C"), Refusal)


def test_arguments_given_as_null_count_as_left_out():
    assert market("idle", target=None) == ResolvedAction(tool="idle")


def test_picking_up_and_buying_moves_the_product_from_hand_to_cart():
    held = apply_to_state(EMPTY, market("pick_up_item", product="4"), Outcome(ok=True))
    assert held.held == "tofu"
    assert apply_to_state(held, market("add_to_cart", held)) == ShopperState(cart=("tofu",))
    assert apply_to_state(held, market("drop_item", held)) == EMPTY


def test_what_failed_changes_nothing():
    assert apply_to_state(EMPTY, market("pick_up_item", product="4"), Outcome(ok=False)) == EMPTY


def test_a_checked_product_stays_checked_until_decided_or_walked_away_from():
    checked = apply_to_state(EMPTY, home("check_item", product="1"), Outcome(ok=True))
    assert checked.checked == "lamp"
    walk = home("move_forward", distance="short")
    assert apply_to_state(checked, home("idle"), Outcome(ok=True)) == checked
    assert apply_to_state(checked, walk, Outcome(ok=True, displacement_m=0.0)) == checked
    assert apply_to_state(checked, walk, Outcome(ok=True, displacement_m=1.0)).checked is None
    assert apply_to_state(checked, home("do_not_add_to_cart", checked)).checked is None
    assert apply_to_state(checked, home("add_to_cart", checked)).cart == ("lamp",)


def test_the_tool_list_says_what_is_possible_and_why_the_rest_is_not():
    states = {state.tool: state for state in tool_states("supermarket", observation=MARKET, state=EMPTY)}
    assert set(states) == set(TOOLS["supermarket"])
    assert len(states) == 12
    assert states["pick_up_item"].enabled
    assert not states["drop_item"].enabled
    assert states["drop_item"].reason
    bare = Observation(pose=Pose(x_m=0, y_m=0))
    there = {s.tool: s for s in tool_states("home", observation=bare, state=ShopperState(checked="lamp"))}
    assert len(there) == 13
    assert not there["move_to_area"].enabled
    assert there["do_not_add_to_cart"].enabled


ANY_ARGS = st.fixed_dictionaries(
    {},
    optional={
        "direction": st.sampled_from(["left", "right", "up", "down", "back"]),
        "distance": st.sampled_from(["short", "medium", "long", "huge"]),
        "angle": st.one_of(
            st.integers(0, 200),
            st.floats(allow_nan=False, allow_infinity=False),
            st.sampled_from(["90", "1e2", True, [90]]),
        ),
        "target": st.sampled_from(["C", "7", "", "?"]),
        "approach": st.sampled_from(["nearest", "front", "back", "inside_doorway"]),
        "product": st.sampled_from(["4", "5", "B"]),
    },
)


@given(tool=st.sampled_from([*TOOLS["supermarket"], "check_item"]), args=ANY_ARGS)
def test_what_the_schema_refuses_the_validator_refuses_too(tool, args):
    fits = jsonschema.Draft202012Validator(tool_schema("supermarket")).is_valid({"tool": tool, "args": args})
    answer = market(tool, ShopperState(held="tofu"), **args)
    shaped = not (isinstance(answer, Refusal) and answer.code in ("unknown_tool", "bad_arguments"))
    assert fits == shaped or (isinstance(answer, Refusal) and answer.code in ("hands_full", "nothing_held"))


@given(
    tool=st.text(max_size=20),
    args=st.dictionaries(st.text(max_size=8), st.none() | st.booleans() | st.text()),
)
def test_nonsense_is_refused_and_never_raises(tool, args):
    answer = (
        market(tool, **args) if "tool" not in args and "state" not in args and "role" not in args else None
    )
    assert answer is None or isinstance(answer, (Refusal, ResolvedAction))


def test_actions_read_as_sentences_with_the_caller_s_marker():
    action = market("move_to_fixture", target="C", approach="front")
    assert describe_action(action, observation=MARKET, role="user") == "walk to Cooler (C), front side"
    assert describe_action(action, observation=MARKET, role="assistant") == "walk to Cooler (7), front side"
    assert (
        describe_action(action, names={"fixture:cooler": "Open cooler 2"})
        == "walk to Open cooler 2, front side"
    )
    assert describe_action(market("turn", direction="left", angle=90)) == "turn 90° left"


KNOWN = StoreKnowledge(
    scene="market",
    scene_version="1",
    kind="supermarket",
    catalog=(CatalogEntry(id="tofu", name="Tofu", category="food", price=2.0),),
    targets=(
        TargetEntry(
            entity="fixture:cooler", kind="fixture", name="Cooler", assistant_marker="7", user_marker="C"
        ),
        TargetEntry(
            entity="fixture:rack", kind="fixture", name="Rack", assistant_marker="8", user_marker="D"
        ),
    ),
)


def expect(tool, condition="full", observation=MARKET, **args):
    given_ = ExpectedAction(tool=tool, args=args)
    return resolve_expected(given_, observation=observation, knowledge=KNOWN, condition=condition)


def test_an_expectation_resolves_from_the_assistant_s_markers_and_keeps_what_was_left_out():
    assert expect("move_to_fixture", target="7").resolved == {"target": "fixture:cooler"}
    assert expect("turn", direction="left").resolved == {"direction": "left"}
    assert expect("turn", angle=90).resolved == {"angle": 90.0}
    assert expect("turn", angle="90").code == "bad_arguments"


@pytest.mark.parametrize("condition", ["full", "no_ego_view"])
def test_an_expected_target_must_be_in_view_while_there_is_a_table(condition):
    assert expect("move_to_fixture", condition, target="8").code == "not_visible"


def test_without_a_table_ids_come_from_the_index_and_pick_up_needs_none():
    blind = {"condition": "no_ego_view_no_caption", "observation": None}
    assert expect("move_to_fixture", target="8", **blind).resolved == {"target": "fixture:rack"}
    assert expect("move_to_fixture", target="rack", **blind).resolved == {"target": "fixture:rack"}
    assert expect("pick_up_item", product="tofu", **blind).resolved == {"product": "product:tofu"}
    assert expect("pick_up_item", **blind).resolved == {}
    assert expect("pick_up_item", product="caviar", **blind).code == "not_visible"
    assert expect("pick_up_item").code == "bad_arguments"
