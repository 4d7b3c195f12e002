"""Changing single rows: what is frozen stays, every change is kept, and no change may make a pack faulty."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction

from catalog.differences import Change
from catalog.models import Row, SceneVersion
from catalog.rows import row_fields, table_of, to_record
from catalog.selectors import scene_pack
from catalog.services import edits_keep, scene_fork
from siturec.scene.check import check_pack
from siturec.scene.load import SceneError
from siturec.scene.schema import Record


@dataclass(frozen=True)
class EditReport:
    """Where a change went: the row that now holds it, and whether a new version had to be made for it."""

    row: Row
    changed: tuple[str, ...]
    new_version: bool


class NotCurrent(ValueError):
    """Only a scene's current version can be changed; older ones are kept as they are."""


def row_faults(*, row: Row, fields: Mapping[str, Any]) -> list[str]:
    """The faults a pack would have with this row changed, and does not have now.

    Raises: pydantic.ValidationError when the row itself would be no valid record.
    """
    table = table_of(row)
    changed = table.record.model_validate({**row_fields(row), **fields})
    pack = scene_pack(row.version.scene.slug, row.version.label)
    records: tuple[Record, ...] = getattr(pack, table.name)
    after = tuple(changed if number == row.position else one for number, one in enumerate(records, start=1))
    known = set(check_pack(pack))
    return [fault for fault in check_pack(pack.model_copy(update={table.name: after})) if fault not in known]


@transaction.atomic
def row_change(*, row: Row, fields: Mapping[str, Any], editor: User | None) -> EditReport:
    """Change fields of a row of a scene's current version; a frozen version is left alone and a new one made.

    Raises: NotCurrent for a row of an older version; pydantic.ValidationError or SceneError when the change
    would make the row or the pack faulty. Nothing is changed then.
    """
    stored = type(row)._default_manager.select_related("version__scene").get(pk=row.pk)
    # The lock makes two editors of one scene wait for each other, so that a version is forked once.
    version = SceneVersion.objects.select_for_update().get(pk=stored.version_id)
    newest = SceneVersion.objects.filter(scene=version.scene).order_by("-number").first()
    if newest is None or newest.pk != version.pk:
        raise NotCurrent(f"{version} is not the current version of {version.scene.slug}")
    before = {name: getattr(stored, name) for name in fields}
    changed = {name: value for name, value in fields.items() if before[name] != value}
    if not changed:
        return EditReport(stored, (), False)
    faults = row_faults(row=stored, fields=changed)
    if faults:
        raise SceneError(faults)
    forked = version.frozen
    if forked:
        version = scene_fork(version=version, note=f"edited: {table_of(stored).name} {stored.code}")
        stored = type(row)._default_manager.get(version=version, code=stored.code)
    for name, value in changed.items():
        setattr(stored, name, value)
    to_record(stored)
    stored.save(update_fields=list(changed))
    version.count_up()
    version.save(update_fields=["revision", "stamp"])
    table = table_of(stored).name
    changes = [
        Change(table, stored.code, "changed", name, before[name], value) for name, value in changed.items()
    ]
    edits_keep(version=version, changes=changes, editor=editor)
    return EditReport(stored, tuple(changed), forked)
