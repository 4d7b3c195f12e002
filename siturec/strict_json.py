"""Reading JSON that comes from outside: a key given twice is a fault with a name, never a silent winner."""

import json
from typing import Any

import orjson


class BadJSON(ValueError):
    """A text that cannot be taken as JSON; the message says why."""


class RepeatedKey(BadJSON):
    """An object that gives a key twice, so that nobody can say which value is meant.

    ``key`` is the path to it, such as ``turns[0].user.reply``.
    """

    def __init__(self, key: str) -> None:
        super().__init__(f"{key}: the key is given twice")
        self.key = key


class _Twice(dict[str, Any]):
    """An object in which ``again`` stood more than once."""

    again = ""


def read_json(text: bytes | str) -> Any:
    """Parse a JSON text. Raises: BadJSON; RepeatedKey for the first key that its object gives twice."""
    try:
        value = orjson.loads(text)
    except orjson.JSONDecodeError as error:
        raise BadJSON(f"not valid JSON at character {error.pos + 1}: {error.msg}") from None
    if not _is_as_written(value, text):
        _refuse_repeats(text)
    return value


def _is_as_written(value: Any, text: bytes | str) -> bool:
    """Whether the value written out anew is the text itself, as in our own files: then nothing was lost."""
    try:
        written = orjson.dumps(value)
    except orjson.JSONEncodeError:
        return False
    return written == (text.encode() if isinstance(text, str) else text).strip()


def _refuse_repeats(text: bytes | str) -> None:
    """The slower reading, which sees every key. Raises: BadJSON."""
    found = False

    def pairs(given: list[tuple[str, Any]]) -> dict[str, Any]:
        nonlocal found
        once = dict(given)
        if len(once) == len(given):
            return once
        found = True
        names = [name for name, _ in given]
        twice = _Twice(once)
        twice.again = next(name for name in once if names.count(name) > 1)
        return twice

    try:
        value = json.loads(text, object_pairs_hook=pairs)
    except RecursionError:
        raise BadJSON("nested too deeply") from None
    if found:
        raise RepeatedKey(_place(value, "") or "(object)")


def _place(value: Any, path: str) -> str | None:
    """The path of the first repeated key, outermost first."""
    if isinstance(value, _Twice):
        return f"{path}.{value.again}".lstrip(".")
    inner: list[tuple[str, Any]] = []
    if isinstance(value, dict):
        inner = [(f"{path}.{name}", item) for name, item in value.items()]
    elif isinstance(value, list):
        inner = [(f"{path}[{index}]", item) for index, item in enumerate(value)]
    places = (_place(item, where) for where, item in inner)
    return next((place for place in places if place is not None), None)
