"""JSON and YAML from outside: a key given twice has no winner, it is a fault with its place."""

import json

import orjson
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from siturec.metrics.subsets import PartitionError
from siturec.scene.load import SceneError, load_pack
from siturec.strict_json import BadJSON, RepeatedKey, read_json
from siturec.strict_yaml import BadYAML, read_yaml
from siturec.trajectory import TrajectoryError, check_file, parse_line
from tests.core.test_trajectory_record import RECORD

PLAIN = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


patient = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
"""On a busy machine, drawing examples takes its time, which says nothing about what is tested."""


@patient
@given(PLAIN, st.sampled_from([None, 2]), st.booleans())
def test_json_is_read_as_python_reads_it_however_it_is_laid_out(value, indent, ascii_only):
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    try:
        raw = text.encode()
    except UnicodeEncodeError:
        return
    assert read_json(raw) == json.loads(text)


@patient
@given(st.dictionaries(st.text(), PLAIN, min_size=1, max_size=5), st.data())
def test_a_key_given_twice_is_never_read_wherever_it_stands(document, data):
    name = data.draw(st.sampled_from(sorted(document)))
    inner = [f"{json.dumps(key)}:{json.dumps(value)}" for key, value in document.items()]
    inner.insert(data.draw(st.integers(0, len(inner))), f"{json.dumps(name)}:0")
    text = "{" + ",".join(inner) + "}"
    for whole in (text, f'[1, {{"in": {text}}}]', f'{{"a":{text}}}'):
        with pytest.raises(RepeatedKey):
            read_json(whole)


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ('{"a": 1, "a": 1}', "a"),
        ('{"a":1,"b":2,"a":3}', "a"),
        ('{"turns": [{}, {"user": {"reply": "x", "reply": "y"}}]}', "turns[1].user.reply"),
        ('{"caf\\u00e9": 1, "café": 2}', "café"),
        ('{"a": {"b": 1, "b": 2}, "a": 3}', "a"),
    ],
)
def test_the_repeated_key_is_named_with_its_path(text, key):
    with pytest.raises(RepeatedKey) as caught:
        read_json(text)
    assert caught.value.key == key


def test_what_is_no_json_says_where():
    with pytest.raises(BadJSON, match="not valid JSON at character 8"):
        read_json('{"a": 1')


def line_with(text, again):
    """A record's line in which ``again`` is put behind ``text``."""
    line = orjson.dumps(RECORD).decode()
    assert text in line
    return line.replace(text, text + again, 1)


def test_a_trajectory_file_names_the_file_the_line_and_the_key(tmp_path):
    path = tmp_path / "records.jsonl"
    twice = line_with('"end_reason":"success_cart_added",', '"end_reason":"turn_limit",')
    deep = line_with('"reply":"All right.",', '"reply":"No.",').replace("e-000123", "e-2")
    path.write_text("\n".join([orjson.dumps(RECORD | {"episode_id": "e-1"}).decode(), twice, deep]))
    with pytest.raises(TrajectoryError) as caught:
        check_file(path)
    assert str(caught.value).splitlines() == [
        "records.jsonl: line 2, end_reason: the key is given twice",
        "records.jsonl: line 3, turns[0].user.reply: the key is given twice",
    ]


def test_a_key_beyond_the_record_may_not_come_twice_either():
    with pytest.raises(TrajectoryError, match=r"line 7, lab: the key is given twice"):
        parse_line(line_with('"condition":"full",', '"lab":1,"lab":2,'), line=7)


def test_a_scene_pack_names_the_file_and_the_row(tmp_path):
    (tmp_path / "scene.json").write_text('{"id": "one", "id": "two"}')
    (tmp_path / "products.json").write_text('[{"id": "a"}, {"id": "b", "price": 1, "price": 2}]')
    with pytest.raises(SceneError) as caught:
        load_pack(tmp_path)
    assert "scene.json: id: the key is given twice" in caught.value.faults
    assert "products.json: [1].price: the key is given twice" in caught.value.faults


def test_a_partition_names_the_task(tmp_path):
    from analysis.files import read_partition

    path = tmp_path / "subsets.json"
    path.write_text('{"subsets": {"1.1": 0, "1.2": 1, "1.1": 2}}')
    with pytest.raises(PartitionError, match=r"subsets\.json: subsets\.1\.1: the key is given twice"):
        read_partition(path)


YAML = """\
slug: market
consent:
  version: "1"
  text: Hello.
  version: "2"
"""


def test_yaml_names_the_line_and_the_key():
    with pytest.raises(BadYAML, match="line 5, version: the key is given twice"):
        read_yaml(YAML)
    with pytest.raises(BadYAML, match="line 1, quota: the key is given twice"):
        read_yaml('{"quota": 5, "quota": 6}')


def test_yaml_is_read_as_ever_with_anchors_merged():
    text = "base: &b {x: 1, y: 2}\nmore:\n  <<: *b\n  y: 3\nlist: [1, {a: b}]\n"
    assert read_yaml(text) == {"base": {"x": 1, "y": 2}, "more": {"x": 1, "y": 3}, "list": [1, {"a": "b"}]}


@pytest.mark.parametrize("text", ["a: [", "? [a, b]\n: 1", "a: !!python/object:os.system x", "{a: b: c}"])
def test_what_is_no_plain_yaml_is_refused_with_its_line(text):
    with pytest.raises(BadYAML, match="line 1"):
        read_yaml(text)
