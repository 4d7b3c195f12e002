"""Single tables as CSV or JSON: a row per record, nested parts as JSON in their cells, all or nothing.

A table says in its ``scene`` column which scene it belongs to, and changes that scene's current version.
"""

import json
from typing import Any

from django.core.exceptions import ValidationError
from django.db import models as columns
from import_export import resources
from import_export.fields import Field
from import_export.results import Result
from import_export.widgets import CharWidget, FloatWidget, JSONWidget
from pydantic import ValidationError as RecordError

from catalog.models import Row, SceneVersion
from catalog.rows import TABLES, Table, table_of, to_record
from catalog.selectors import scene_pack
from catalog.services import scene_fork, version_edited
from siturec.scene.check import check_pack
from siturec.scene.schema import ScenePack
from siturec.strict_json import read_json


class Cell(JSONWidget):
    """JSON in a cell, exactly: an empty cell is no value."""

    def clean(self, value: Any, row: Any = None, **kwargs: Any) -> Any:
        """The value of a cell.

        Raises: ValueError when it is no JSON.
        """
        if value is None or value == "":
            return None
        return read_json(value) if isinstance(value, str) else value

    def render(self, value: Any, obj: Any = None, **kwargs: Any) -> str:
        """The cell of a value."""
        return "" if value is None else json.dumps(value, ensure_ascii=False)


class Words(CharWidget):
    """Words, or nothing at all: an empty cell is no value."""

    def clean(self, value: Any, row: Any = None, **kwargs: Any) -> str | None:
        """The value of a cell."""
        return str(value) if value else None


class RowResource(resources.ModelResource):
    """What all tables share. An import that leaves the pack faulty is refused as a whole."""

    table: Table

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.version: SceneVersion | None = None
        self.before: ScenePack | None = None
        self.positions = 0

    def before_import(self, dataset: Any, **kwargs: Any) -> None:
        """Find the scene's current version, and make a new one when it is frozen (undone by a dry run).

        Raises: ValidationError when the scene is missing, unknown, or not the same in every row.
        """
        if "scene" not in (dataset.headers or ()):
            raise ValidationError("the column scene is missing: it names the scene the rows belong to")
        scenes = set(dataset["scene"])
        if len(scenes) != 1:
            raise ValidationError(f"the rows belong to {len(scenes)} scenes; import one scene at a time")
        slug = scenes.pop()
        version = SceneVersion.objects.filter(scene__slug=slug).order_by("-number").first()
        if version is None:
            raise ValidationError(f"there is no imported scene {slug}")
        self.before = scene_pack(version.scene.slug, version.label)
        if version.frozen:
            version = scene_fork(version=version, note=f"{self.table.name} imported")
        self.version = version
        self.positions = self.table.row._default_manager.filter(version=version).count()

    def get_queryset(self) -> columns.QuerySet[Row]:
        """The rows that can be changed: those of the version the import goes to."""
        return self.table.row._default_manager.filter(version=self.version)

    def init_instance(self, row: Any = None) -> Row:
        """A new row at the end of the table."""
        self.positions += 1
        return self.table.row(version=self.version, position=self.positions)

    def validate_instance(
        self, instance: Row, import_validation_errors: Any = None, validate_unique: bool = True
    ) -> None:
        """The row must be a valid record.

        Raises: ValidationError with one message per wrong field.
        """
        super().validate_instance(instance, import_validation_errors, validate_unique)
        try:
            to_record(instance)
        except RecordError as error:
            faults = [f"{'.'.join(str(part) for part in e['loc'])}: {e['msg']}" for e in error.errors()]
            raise ValidationError(faults) from error

    def after_import(self, dataset: Any, result: Result, **kwargs: Any) -> None:
        """Count the revision, keep what changed, and prove that the pack is still right.

        Raises: ValidationError with every fault; nothing of the import stays then.
        """
        super().after_import(dataset, result, **kwargs)
        if self.version is None or self.before is None or result.has_errors():
            return
        if result.has_validation_errors():
            raise ValidationError("some rows are not valid; nothing was imported")
        after = version_edited(version=self.version, before=self.before, editor=kwargs.get("user"))
        known = set(check_pack(self.before))
        faults = [fault for fault in check_pack(after) if fault not in known]
        if faults:
            raise ValidationError(faults)


def _fields(table: Table) -> dict[str, Field]:
    found = {
        "scene": Field(attribute="version__scene__slug", column_name="scene", readonly=True),
        "code": Field(attribute="code", column_name="id"),
    }
    for name in table.fields:
        column = table.row._meta.get_field(name)
        if isinstance(column, columns.JSONField):
            widget: Any = Cell()
        elif isinstance(column, columns.FloatField):
            widget = FloatWidget(coerce_to_string=False)
        else:
            widget = Words() if column.null else CharWidget(coerce_to_string=True, allow_blank=True)
        found[name] = Field(attribute=name, column_name=name, widget=widget)
    return found


def _resource(table: Table) -> type[RowResource]:
    names = ("scene", "code", *table.fields)
    meta = type(
        "Meta",
        (),
        {
            "model": table.row,
            "fields": names,
            "export_order": names,
            "import_id_fields": ("code",),
            "use_transactions": True,
            "clean_model_instances": False,
            "skip_unchanged": True,
            "report_skipped": True,
        },
    )
    return type(
        f"{table.row.__name__}Resource", (RowResource,), {"table": table, "Meta": meta, **_fields(table)}
    )


RESOURCES: dict[type[Row], type[RowResource]] = {table.row: _resource(table) for table in TABLES}


def resource_for(row: type[Row]) -> type[RowResource]:
    """The resource of a table."""
    return RESOURCES[table_of(row).row]
