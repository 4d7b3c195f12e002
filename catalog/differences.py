"""What differs between two packs, row by row and field by field."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from catalog.rows import TABLES
from siturec.scene.dump import record_fields
from siturec.scene.schema import Record, ScenePack


@dataclass(frozen=True)
class Change:
    """One row added or removed (``field`` is empty), or one field of a row that changed."""

    table: str
    code: str
    kind: Literal["added", "removed", "changed"]
    field: str = ""
    before: Any = None
    after: Any = None

    def __str__(self) -> str:
        if self.kind == "changed":
            return f"{self.table} {self.code}, {self.field}: {self.before!r} -> {self.after!r}"
        return f"{self.table} {self.code}: {self.kind}"


def differences(before: ScenePack | None, after: ScenePack) -> list[Change]:
    """Every change from one pack to another, in the order of the files; all rows are added to nothing."""
    changes: list[Change] = []
    for name in ("info", "layout"):
        old = None if before is None else record_fields(getattr(before, name))
        new = record_fields(getattr(after, name))
        changes += _fields("scene" if name == "info" else name, "", old or {}, new)
    for table in TABLES:
        olds = {} if before is None else _by_id(getattr(before, table.name))
        news = _by_id(getattr(after, table.name))
        for code, fields in news.items():
            if code not in olds:
                changes.append(Change(table.name, code, "added", after=fields))
            else:
                changes += _fields(table.name, code, olds[code], fields)
        changes += [
            Change(table.name, code, "removed", before=olds[code]) for code in olds if code not in news
        ]
        if before is not None and set(olds) == set(news) and list(olds) != list(news):
            changes.append(Change(table.name, "", "changed", "order", list(olds), list(news)))
    return changes


def summary(changes: list[Change]) -> list[str]:
    """One line per table: how many rows were added, removed, changed."""
    lines: list[str] = []
    for name in dict.fromkeys(change.table for change in changes):
        counts = {
            kind: len({change.code for change in changes if change.table == name and change.kind == kind})
            for kind in ("added", "changed", "removed")
        }
        lines.append(f"{name}: " + ", ".join(f"{count} {kind}" for kind, count in counts.items() if count))
    return lines


def _by_id(records: tuple[Record, ...]) -> dict[str, dict[str, Any]]:
    rows = [record_fields(record) for record in records]
    return {str(row["id"]): row for row in rows}


def _fields(table: str, code: str, old: dict[str, Any], new: dict[str, Any]) -> Iterator[Change]:
    for name in new:
        if old.get(name) != new[name]:
            yield Change(table, code, "changed", name, old.get(name), new[name])
