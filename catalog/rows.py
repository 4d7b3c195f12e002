"""Between records and rows: which model holds which file of a pack, and how a record becomes a row."""

from dataclasses import dataclass
from typing import Any, cast

from catalog import models
from siturec.scene import schema
from siturec.scene.dump import record_fields


@dataclass(frozen=True)
class Table:
    """One file of a pack: its name without the ending, its record's class, its row's class."""

    name: str
    record: type[schema.Record]
    row: type[models.Row]

    @property
    def fields(self) -> tuple[str, ...]:
        """The record's fields besides ``id``; the row has columns of the same names."""
        return tuple(name for name in self.record.model_fields if name != "id")


TABLES: tuple[Table, ...] = (
    Table("products", schema.Product, models.Product),
    Table("targets", schema.Target, models.Target),
    Table("waypoints", schema.Waypoint, models.Waypoint),
    Table("instances", schema.Instance, models.Instance),
    Table("profiles", schema.Profile, models.Profile),
    Table("tasks", schema.Task, models.Task),
)


def table_of(row: type[models.Row] | models.Row) -> Table:
    """The table a row or a row's class belongs to."""
    kind = row if isinstance(row, type) else type(row)
    return next(table for table in TABLES if table.row is kind)


def row_fields(row: models.Row) -> dict[str, Any]:
    """A row's columns under the record's names, ``id`` first."""
    return {"id": row.code, **{name: getattr(row, name) for name in table_of(row).fields}}


def to_record(row: models.Row) -> schema.Record:
    """The record a row holds.

    Raises: pydantic.ValidationError when the row does not hold a valid one.
    """
    return table_of(row).record.model_validate(row_fields(row))


def columns(record: schema.Record) -> dict[str, Any]:
    """A record as the columns of its row: ``code`` and the rest, plain values that JSON can hold."""
    fields = record_fields(record)
    return {"code": cast(str, fields.pop("id")), **fields}


def to_rows(
    table: Table, records: tuple[schema.Record, ...], version: models.SceneVersion
) -> list[models.Row]:
    """Unsaved rows for a version, in the order of the records."""
    return [
        table.row(version=version, position=position, **columns(record))
        for position, record in enumerate(records, start=1)
    ]
