"""The shipped scenes for tests: imported once per process as anybody would, and put back row by row after."""

from dataclasses import dataclass

from django.db import connection, transaction

from catalog.models import Scene, SceneVersion
from catalog.rows import TABLES
from catalog.selectors import scene_version
from catalog.services import scene_freeze


@dataclass(frozen=True)
class Kept:
    """A frozen scene as it was stored: its version, and per table the columns and rows without their keys."""

    version: SceneVersion
    tables: dict[str, tuple[str, list[tuple[object, ...]]]]


_KEPT: dict[str, Kept] = {}


@transaction.atomic
def shelve(slug: str = "supermarket") -> None:
    """See to it that a shipped scene is stored and frozen, as ``study_open`` leaves it.

    A test begins with an empty database, and to check and store a supermarket takes as long as ten tests.
    What is put back has the key and stamp of the first time, so that its pack in memory is found again too.
    """
    if scene_version(slug) is not None:
        return
    kept = _KEPT.get(slug)
    if kept is None or connection.vendor != "sqlite" or _taken(kept.version):
        _KEPT[slug] = _copied(scene_freeze(slug))
        return
    kept.version.scene.save(force_insert=True)
    kept.version.save(force_insert=True)
    with connection.cursor() as cursor:
        for table, (columns, rows) in kept.tables.items():
            places = ", ".join(["%s"] * (columns.count(",") + 1))
            cursor.executemany(f"INSERT INTO {table} ({columns}) VALUES ({places})", rows)


def _taken(version: SceneVersion) -> bool:
    return (
        SceneVersion.objects.filter(pk=version.pk).exists()
        or Scene.objects.filter(pk=version.scene_id).exists()
    )


def _copied(version: SceneVersion) -> Kept:
    tables = {}
    for table in TABLES:
        names = [field.column for field in table.row._meta.concrete_fields if not field.primary_key]
        columns = ", ".join(f'"{name}"' for name in names)
        with connection.cursor() as cursor:
            cursor.execute(
                f"SELECT {columns} FROM {table.row._meta.db_table} WHERE version_id = %s ORDER BY id",
                [version.pk],
            )
            tables[table.row._meta.db_table] = (columns, cursor.fetchall())
    return Kept(SceneVersion.objects.select_related("scene").get(pk=version.pk), tables)
