"""The trajectory record: one finished episode as one JSON object, a file of them as JSON Lines.

Records stay plain dicts, typed by the ``TypedDict`` classes of ``trajectory_schema``: unknown extra keys
survive a round trip, and reading many thousands costs little. Validation is strict: a missing key, a
wrong type, a key given twice, NaN or Infinity, a score outside 1 to 5 or a repeated episode id is refused
with the line and the key's path; nothing is coerced.
"""

import json
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, cast

import orjson
from pydantic import TypeAdapter, ValidationError

from siturec.strict_json import BadJSON, RepeatedKey, read_json
from siturec.trajectory_schema import SCHEMA, Trajectory

__all__ = [
    "SCHEMA",
    "Fault",
    "Trajectory",
    "TrajectoryError",
    "check_file",
    "check_record",
    "dump",
    "parse_line",
    "read_file",
    "read_stream",
    "write_file",
]

MAX_FAULTS = 50
_ADAPTER: TypeAdapter[Trajectory] = TypeAdapter(Trajectory)


@dataclass(frozen=True)
class Fault:
    """One reason for refusing a record. ``line`` counts from 1; 0 where there is no file."""

    line: int
    key: str
    problem: str

    def __str__(self) -> str:
        where = f"line {self.line}, " if self.line else ""
        return f"{where}{self.key}: {self.problem}"


class TrajectoryError(ValueError):
    """Records that cannot be used; ``faults`` names every line and key."""

    def __init__(self, faults: list[Fault], source: str = "") -> None:
        head = f"{source}: " if source else ""
        super().__init__("\n".join(f"{head}{fault}" for fault in faults))
        self.faults = faults


def check_record(raw: object, *, line: int = 0) -> Trajectory:
    """Return ``raw`` itself, typed, once every key is present and right.

    Raises: TrajectoryError with one fault per wrong key.
    """
    try:
        _ADAPTER.validate_python(raw)
    except ValidationError as error:
        faults = [Fault(line, _path(e["loc"]), _problem(e)) for e in error.errors(include_url=False)]
        raise TrajectoryError(faults) from None
    record = cast(Trajectory, raw)
    if record["user"]["kind"] == "human" and record["user"]["participant"] is None:
        raise TrajectoryError([Fault(line, "user.participant", "a person's episode needs a coded id")])
    return record


def parse_line(text: bytes | str, *, line: int = 0) -> Trajectory:
    """Parse and check one line of a trajectory file.

    Raises: TrajectoryError naming the line and each faulty key.
    """
    try:
        raw = read_json(text)
    except RepeatedKey as error:
        raise TrajectoryError([Fault(line, error.key, "the key is given twice")]) from None
    except BadJSON as error:
        raise TrajectoryError([_unreadable(text, error, line)]) from None
    return check_record(raw, line=line)


def _unreadable(text: bytes | str, error: BadJSON, line: int) -> Fault:
    # Python writes NaN and Infinity into what it calls JSON; only then can the key still be named.
    try:
        _refuse_non_finite(json.loads(text), "", line)
    except TrajectoryError as found:
        return found.faults[0]
    except (ValueError, RecursionError):
        pass
    return Fault(line, "(line)", str(error))


def read_stream(stream: BinaryIO | Iterable[bytes]) -> Iterator[Trajectory]:
    """Yield checked records one by one; memory holds one record and the ids seen so far.

    Empty lines are passed over. A caller that must use all or nothing reads once with ``check_file``.
    Raises: TrajectoryError at the first faulty line, or at a line that repeats an episode id.
    """
    first_line: dict[str, int] = {}
    for number, text in enumerate(stream, start=1):
        if not text.strip():
            continue
        record = parse_line(text, line=number)
        earlier = first_line.setdefault(record["episode_id"], number)
        if earlier != number:
            raise TrajectoryError([_repeated(number, record["episode_id"], earlier)])
        yield record


def read_file(path: Path) -> Iterator[Trajectory]:
    """Stream one file's records. Raises: OSError; TrajectoryError whose text names the file."""
    with path.open("rb") as stream:
        try:
            yield from read_stream(stream)
        except TrajectoryError as error:
            raise TrajectoryError(error.faults, source=path.name) from None


def check_file(path: Path) -> int:
    """Check a whole file and return how many episodes it holds.

    Raises: OSError; TrajectoryError with the faults of every faulty line (the first 50).
    """
    faults: list[Fault] = []
    first_line: dict[str, int] = {}
    with path.open("rb") as stream:
        for number, text in enumerate(stream, start=1):
            if text.strip():
                faults.extend(_line_faults(text, number, first_line))
            if len(faults) >= MAX_FAULTS:
                break
    if faults:
        raise TrajectoryError(faults[:MAX_FAULTS], source=path.name)
    return len(first_line)


def _line_faults(text: bytes, number: int, first_line: dict[str, int]) -> list[Fault]:
    try:
        episode_id = parse_line(text, line=number)["episode_id"]
    except TrajectoryError as error:
        return error.faults
    earlier = first_line.setdefault(episode_id, number)
    return [] if earlier == number else [_repeated(number, episode_id, earlier)]


def _repeated(number: int, episode_id: str, earlier: int) -> Fault:
    return Fault(number, "episode_id", f"{episode_id!r} was already on line {earlier}")


def dump(record: Trajectory | dict[str, Any]) -> bytes:
    """One checked record as one JSON line, newline included; unknown extra keys are kept.

    Raises: TrajectoryError for a record that would be refused on reading, NaN in an extra key included.
    """
    return _dump(record, line=0)


def _dump(record: Trajectory | dict[str, Any], *, line: int) -> bytes:
    check_record(record, line=line)
    _refuse_non_finite(record, "", line)
    return orjson.dumps(record, option=orjson.OPT_APPEND_NEWLINE)


def write_file(path: Path, records: Iterable[Trajectory | dict[str, Any]]) -> int:
    """Write records as JSON Lines, whole or not at all, and return their number.

    Raises: TrajectoryError for the first bad record (numbered as its line); the old file then stays.
    """
    part = path.with_name(path.name + ".part")
    count = 0
    try:
        with part.open("wb") as stream:
            for count, record in enumerate(records, start=1):
                stream.write(_dump(record, line=count))
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
    return count


def _path(loc: tuple[int | str, ...]) -> str:
    text = ""
    for part in loc:
        text += f"[{part}]" if isinstance(part, int) else f".{part}"
    return text.lstrip(".") or "(record)"


def _problem(error: Any) -> str:
    if error["type"] == "missing":
        return "required key is missing"
    given = repr(error["input"])
    shown = given if len(given) <= 60 else given[:57] + "..."
    return f"{error['msg'].removeprefix('Value error, ')} (got {shown})"


def _refuse_non_finite(value: Any, key: str, line: int) -> None:
    # orjson would write NaN as null, which reads back as "missing": silently another value.
    if isinstance(value, float) and not math.isfinite(value):
        raise TrajectoryError([Fault(line, key.lstrip("."), f"{value} is not a finite number")])
    if isinstance(value, dict):
        for name, inner in value.items():
            _refuse_non_finite(inner, f"{key}.{name}", line)
    elif isinstance(value, list | tuple):
        for index, inner in enumerate(value):
            _refuse_non_finite(inner, f"{key}[{index}]", line)
