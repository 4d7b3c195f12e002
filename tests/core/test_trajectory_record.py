"""What a trajectory file may hold, and what is said when it may not."""

import copy
import json
import math

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from siturec.trajectory import (
    TrajectoryError,
    check_file,
    check_record,
    dump,
    parse_line,
    read_file,
    read_stream,
    write_file,
)

RECORD = {
    "schema": "siturec.trajectory/1",
    "episode_id": "e-000123",
    "scene": "supermarket",
    "task_id": "17.2",
    "profile_id": "17",
    "assistant": "assistant-slug",
    "user": {"kind": "simulated", "policy": "agenda", "participant": None},
    "condition": "full",
    "started_at": "2026-11-30T10:00:00Z",
    "ended_at": "2026-11-30T10:03:10Z",
    "end_reason": "success_cart_added",
    "final_cart": ["sm-0101"],
    "reference_items": ["sm-0101", "sm-0107"],
    "turns": [
        {
            "turn": 0,
            "observation": {
                "pose": {"x_m": 1.0, "y_m": 4.5, "yaw_deg": 90.0, "pitch_deg": 0.0},
                "visible": [
                    {
                        "entity": "fixture:cooler-2",
                        "kind": "fixture",
                        "user_marker": "C",
                        "assistant_marker": "7",
                        "distance_m": 3.2,
                        "approaches": ["nearest", "front"],
                    },
                    {
                        "entity": "product:sm-0101",
                        "kind": "product",
                        "user_marker": "4",
                        "assistant_marker": "B",
                        "distance_m": 3,
                        "reachable": False,
                    },
                ],
            },
            "assistant": {
                "utterance": "Let us walk to the cooler on your left.",
                "action": {"type": "Navigate", "navigation_goal": "fixture:cooler-2", "reason": "fish"},
                "ranking": ["sm-0101", "sm-0107"],
                "expected_user_action": {
                    "tool": "move_to_fixture",
                    "args": {"target": "7"},
                    "resolved": {"target": "fixture:cooler-2"},
                },
            },
            "user": {
                "reply": "All right.",
                "tool_call": {
                    "tool": "move_to_fixture",
                    "args": {"target": "C", "approach": "nearest"},
                    "resolved": {"target": "fixture:cooler-2", "approach": "nearest"},
                },
                "outcome": {"ok": True, "displacement_m": 3.1, "message": ""},
            },
            "moderator": {"stop": False},
        }
    ],
    "questionnaire": None,
    "judge": {
        "informativeness": 4,
        "naturalness": 4,
        "groundedness": 5,
        "preference_alignment": 4,
        "proactiveness": 4,
        "non_repetition": 5,
        "overall_satisfaction": 4,
    },
}


def every_path(value, path=()):
    """Every key of the record, nested ones too, as paths."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield (*path, key)
            yield from every_path(inner, (*path, key))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from every_path(inner, (*path, index))


def changed(path, value=None, *, drop=False):
    record = copy.deepcopy(RECORD)
    holder = record
    for part in path[:-1]:
        holder = holder[part]
    if drop:
        del holder[path[-1]]
    else:
        holder[path[-1]] = value
    return record


def spelled(path):
    text = ""
    for part in path:
        text += f"[{part}]" if isinstance(part, int) else f".{part}"
    return text.lstrip(".")


OPTIONAL = {"reachable", "approaches", "navigation_goal", "reason", "displacement_m", "message"}
OPTIONAL |= {"target", "approach", "resolved"}
REQUIRED = [path for path in every_path(RECORD) if path[-1] not in OPTIONAL]


@pytest.mark.parametrize("path", REQUIRED, ids=spelled)
def test_a_missing_required_key_is_named_with_its_line_and_path(path):
    with pytest.raises(TrajectoryError) as refusal:
        parse_line(orjson.dumps(changed(path, drop=True)), line=7)
    (fault,) = refusal.value.faults
    assert (fault.line, fault.key, fault.problem) == (7, spelled(path), "required key is missing")


@pytest.mark.parametrize("path", [p for p in every_path(RECORD) if "args" not in p], ids=spelled)
def test_a_wrong_type_is_named_with_its_path(path):
    with pytest.raises(TrajectoryError) as refusal:
        check_record(changed(path, {"not": ["this"]} if path[-1] != "resolved" else "C"))
    assert any(fault.key.startswith(spelled(path)) for fault in refusal.value.faults)


@pytest.mark.parametrize("score", [0, 6, -1, 4.0, 4.5, True, "4"])
def test_a_score_is_a_whole_number_from_one_to_five(score):
    with pytest.raises(TrajectoryError, match=r"judge\.naturalness"):
        check_record(changed(("judge", "naturalness"), score))


def test_a_skipped_dimension_is_null_and_stays_null():
    record = check_record(changed(("judge", "naturalness"), None))
    assert orjson.loads(dump(record))["judge"]["naturalness"] is None


@pytest.mark.parametrize("text", ["NaN", "Infinity", "-Infinity", "1e999"])
def test_a_number_that_is_none_is_refused_by_key_wherever_it_stands(text):
    line = json.dumps(RECORD)[:-1] + f', "note": {{"deep": [1, {text}]}}}}'
    with pytest.raises(TrajectoryError, match=r"line 3, note\.deep\[1\]: -?(nan|inf) is not a finite number"):
        parse_line(line, line=3)


def test_a_line_that_is_no_json_is_refused_with_the_place_in_it():
    text = json.dumps(RECORD)[:40] + "\n"
    with pytest.raises(
        TrajectoryError, match=r"^line 3, \(line\): not valid JSON at character 4\d: [a-z ]+$"
    ):
        parse_line(text, line=3)


def test_nan_in_an_extra_key_cannot_be_written():
    with pytest.raises(TrajectoryError, match=r"extra\.deep\[1\]: nan is not a finite number"):
        dump({**RECORD, "extra": {"deep": [1.0, math.nan]}})


@pytest.mark.parametrize("moment", ["2026-11-30T10:00:00", "yesterday", "2026-13-01T00:00:00Z"])
def test_a_time_without_its_offset_or_sense_is_refused(moment):
    with pytest.raises(TrajectoryError, match="started_at"):
        check_record(changed(("started_at",), moment))


def test_a_persons_record_needs_a_coded_id_and_takes_no_address():
    person = {"kind": "human", "policy": None, "participant": None}
    with pytest.raises(TrajectoryError, match=r"user\.participant"):
        check_record(changed(("user",), person))
    with pytest.raises(TrajectoryError, match=r"user\.participant"):
        check_record(changed(("user",), {**person, "participant": "ann@example.org"}))
    check_record(changed(("user",), {**person, "participant": "P003"}))


def test_a_cart_names_products_as_the_catalog_does():
    with pytest.raises(TrajectoryError, match=r"final_cart\[0\].*without 'product:'"):
        check_record(changed(("final_cart",), ["product:sm-0101"]))


def test_unknown_extra_keys_survive_a_round_trip_at_every_depth(tmp_path):
    record = copy.deepcopy(RECORD)
    record["lab"] = {"room": 4}
    record["turns"][0]["assistant"]["tokens"] = 812
    record["turns"][0]["observation"]["visible"][0]["note"] = "dim"
    record["judge"]["evidence"] = {"naturalness": "turn 2"}
    write_file(tmp_path / "out.jsonl", [record])
    assert list(read_file(tmp_path / "out.jsonl")) == [record]


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(alphabet=st.characters(exclude_categories=["Cs"])),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.text(alphabet=st.characters(exclude_categories=["Cs"]), min_size=1), inner, max_size=3
        )
    ),
    max_leaves=6,
)


@given(extra=json_values, reply=st.text(alphabet=st.characters(exclude_categories=["Cs"])))
def test_writing_then_reading_gives_the_same_record(extra, reply):
    record = copy.deepcopy(RECORD)
    record["x-extra"] = extra
    record["turns"][0]["user"]["reply"] = reply
    assert parse_line(dump(record)) == record
    assert dump(record).count(b"\n") == 1


def test_a_repeated_episode_id_names_both_lines():
    lines = [dump(RECORD), b"\n", dump(RECORD)]
    with pytest.raises(TrajectoryError, match="line 3, episode_id: 'e-000123' was already on line 1"):
        list(read_stream(lines))


def test_checking_a_file_lists_the_faults_of_every_line(tmp_path):
    path = tmp_path / "in.jsonl"
    path.write_bytes(
        dump(RECORD)
        + orjson.dumps(changed(("scene",), drop=True))
        + b"\n"
        + orjson.dumps({**changed(("final_cart",), 5), "episode_id": "other"})
        + b"\n"
        + dump(RECORD)[:100]
    )
    with pytest.raises(TrajectoryError) as refusal:
        check_file(path)
    assert [(f.line, f.key) for f in refusal.value.faults] == [(2, "scene"), (3, "final_cart"), (4, "(line)")]
    assert str(refusal.value).startswith("in.jsonl: line 2, scene: required key is missing")


def test_a_good_file_tells_how_many_episodes_it_holds(tmp_path):
    path = tmp_path / "in.jsonl"
    write_file(path, [{**RECORD, "episode_id": f"e-{i}"} for i in range(5)])
    assert check_file(path) == 5


def test_a_failed_write_leaves_the_old_file_whole(tmp_path):
    path = tmp_path / "out.jsonl"
    write_file(path, [RECORD])
    before = path.read_bytes()
    with pytest.raises(TrajectoryError, match="line 2, scene"):
        write_file(path, [RECORD, changed(("scene",), drop=True)])
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]
