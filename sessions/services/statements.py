"""The statements a turn is made of, spelled out once: five are run in each turn of thousands of episodes, and
for somebody who looks on as many again for what is told.

Building such a query anew costs several times what running it does. The lease stands in the statement's own
WHERE, so that asking for it and writing cannot come apart. Names of tables, columns and their values' forms
come from the models.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from django.db import connection
from django.db.models import Model
from django.utils import timezone

from sessions.models import Episode, Event, Turn

_HELD = "SELECT 1 FROM {} WHERE id = %s AND lease_owner = %s"


def _columns(model: type[Model], fields: dict[str, Any]) -> tuple[tuple[str, ...], list[Any]]:
    """Names of columns, and their values as this database takes them."""
    meta = model._meta
    found = [(meta.get_field(name), value) for name, value in fields.items()]
    names = tuple(str(field.column) for field, _ in found)  # type: ignore[union-attr]
    return names, [field.get_db_prep_save(value, connection) for field, value in found]  # type: ignore[union-attr]


@lru_cache(maxsize=128)
def _update_sql(model: type[Model], columns: tuple[str, ...], wheres: tuple[str, ...], *, owned: bool) -> str:
    quote = connection.ops.quote_name
    changes = ", ".join(f"{quote(name)} = %s" for name in columns)
    held = f"EXISTS ({_HELD.format(quote(Episode._meta.db_table))})"
    where = " AND ".join([*(f"{quote(name)} = %s" for name in wheres), *([held] * owned)])
    return f"UPDATE {quote(model._meta.db_table)} SET {changes} WHERE {where}"  # noqa: S608 - our own names


@lru_cache(maxsize=8)
def _put_sql(columns: tuple[str, ...], changed: tuple[str, ...]) -> str:
    quote = connection.ops.quote_name
    names = ", ".join(map(quote, columns))
    marks = ", ".join(["%s"] * len(columns))
    changes = ", ".join(f"{quote(name)} = excluded.{quote(name)}" for name in changed)
    key = f"{quote('episode_id')}, {quote('index')}"
    table = quote(Turn._meta.db_table)
    return f"INSERT INTO {table} ({names}) VALUES ({marks}) ON CONFLICT ({key}) DO UPDATE SET {changes}"  # noqa: S608 - our own names


def turn_put(*, episode_id: int, index: int, **fields: Any) -> None:
    """Add a turn's row, or set these fields of the one that is there."""
    row = Turn(episode_id=episode_id, index=index, **fields)
    every = {f.attname: getattr(row, f.attname) for f in Turn._meta.concrete_fields if not f.primary_key}
    names, values = _columns(Turn, every)
    changed, _ = _columns(Turn, fields)
    with connection.cursor() as cursor:
        cursor.execute(_put_sql(names, changed), values)


def turn_set(*, episode_id: int, index: int, owner: str, **fields: Any) -> bool:
    """Set fields of a turn, if there is one and ``owner`` holds the lease (empty: whoever holds it)."""
    names, values = _columns(Turn, fields)
    sql = _update_sql(Turn, names, ("episode_id", "index"), owned=bool(owner))
    lease: list[Any] = [episode_id, owner] if owner else []
    with connection.cursor() as cursor:
        cursor.execute(sql, [*values, episode_id, index, *lease])
        return bool(cursor.rowcount == 1)


def episode_set(*, episode_id: int, **fields: Any) -> None:
    """Set fields of an episode."""
    names, values = _columns(Episode, fields)
    with connection.cursor() as cursor:
        cursor.execute(_update_sql(Episode, names, ("id",), owned=False), [*values, episode_id])


def lease_held(*, episode_id: int, owner: str) -> bool:
    """Whether ``owner`` holds the episode's lease."""
    with connection.cursor() as cursor:
        cursor.execute(_HELD.format(connection.ops.quote_name(Episode._meta.db_table)), [episode_id, owner])
        return cursor.fetchone() is not None


@lru_cache(maxsize=1)
def _number_sql() -> tuple[str, str]:
    table = connection.ops.quote_name(Episode._meta.db_table)
    taken = f"UPDATE {table} SET seq = seq + %s WHERE id = %s"  # noqa: S608 - our own names
    return taken, f"SELECT seq FROM {table} WHERE id = %s"  # noqa: S608 - our own names


def numbers_take(*, episode_id: int, count: int) -> int | None:
    """Take an episode's next ``count`` socket numbers; the last of them, None where there is no such episode.

    Within a transaction, which keeps others from taking the same.
    """
    taking, reading = _number_sql()
    with connection.cursor() as cursor:
        cursor.execute(taking, [count, episode_id])
        if cursor.rowcount != 1:
            return None
        cursor.execute(reading, [episode_id])
        return int(cursor.fetchone()[0])


@lru_cache(maxsize=8)
def _events_sql(columns: tuple[str, ...], count: int) -> str:
    quote = connection.ops.quote_name
    row = f"({', '.join(['%s'] * len(columns))})"
    table, names = quote(Event._meta.db_table), ", ".join(map(quote, columns))
    return f"INSERT INTO {table} ({names}) VALUES {', '.join([row] * count)}"  # noqa: S608 - our own names


def events_put(rows: Sequence[Event]) -> None:
    """Add events' rows."""
    values: list[Any] = []
    names: tuple[str, ...] = ()
    for row in rows:
        row.at = timezone.now()
        fields = {
            f.attname: getattr(row, f.attname) for f in Event._meta.concrete_fields if not f.primary_key
        }
        names, own = _columns(Event, fields)
        values += own
    with connection.cursor() as cursor:
        cursor.execute(_events_sql(names, len(rows)), values)
