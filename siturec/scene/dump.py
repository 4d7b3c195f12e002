"""Writing a scene pack as its folder: one record per line, so that a change reads as a change of lines."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import orjson
from pydantic import BaseModel

from siturec.scene.schema import Layout, Record, SceneInfo, ScenePack

LISTS = ("products", "targets", "waypoints", "instances", "profiles", "tasks")
OPTIONAL = ("profiles", "tasks")


def dump_pack(pack: ScenePack) -> dict[str, bytes]:
    """The files of a pack by name. Fields at their defaults are left out; a pack's own text is a fixed point:
    loading what was dumped and dumping it again gives the same bytes."""
    files = {"scene.json": _info(pack.info), "layout.json": _layout(pack.layout)}
    for name in LISTS:
        records: tuple[Record, ...] = getattr(pack, name)
        if records or name not in OPTIONAL:
            files[f"{name}.json"] = _list(records)
    return files


def write_pack(pack: ScenePack, folder: Path) -> None:
    """Write a pack's files into a folder, which is made if need be. Other files there are left alone."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in dump_pack(pack).items():
        (folder / name).write_bytes(content)


def record_fields(record: BaseModel, *, exclude_defaults: bool = False) -> dict[str, Any]:
    """A record as plain JSON values. ``details`` are sorted by key: not every database keeps order."""
    fields = record.model_dump(mode="json", exclude_defaults=exclude_defaults)
    if "details" in fields:
        fields["details"] = _sorted(fields["details"])
    return fields


def record_json(record: BaseModel) -> bytes:
    """One record on one line, without the fields that are at their defaults."""
    return orjson.dumps(record_fields(record, exclude_defaults=True))


def _sorted(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _sorted(value[key]) for key in sorted(value)}
    return [_sorted(item) for item in value] if isinstance(value, list) else value


def _list(records: Iterable[BaseModel]) -> bytes:
    rows = b",\n".join(record_json(record) for record in records)
    return b"[\n" + rows + b"\n]\n" if rows else b"[]\n"


def _info(info: SceneInfo) -> bytes:
    fields = {"schema": info.schema_, **info.model_dump(mode="json", exclude_defaults=True)}
    return orjson.dumps(fields, option=orjson.OPT_INDENT_2) + b"\n"


def _layout(layout: Layout) -> bytes:
    parts: list[bytes] = []
    for name, value in layout.model_dump(mode="json", exclude_defaults=True).items():
        if isinstance(value, list):
            rows = b",\n".join(b"  " + orjson.dumps(row) for row in value)
            parts.append(orjson.dumps(name) + b": [\n" + rows + b"\n]")
        else:
            parts.append(orjson.dumps(name) + b": " + orjson.dumps(value))
    return b"{\n" + b",\n".join(parts) + b"\n}\n"
