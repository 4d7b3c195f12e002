"""Forms that hold a row to its record, and a pack to its rules, before anything is stored."""

from typing import Any

from django import forms
from pydantic import ValidationError as RecordError

from catalog.editing import row_faults
from catalog.models import Row
from catalog.rows import table_of


class RowForm(forms.ModelForm):
    """A row's fields; ``clean`` lists every fault the change would bring into the pack."""

    instance: Row

    def clean(self) -> dict[str, Any]:
        """The cleaned fields.

        Raises: django.forms.ValidationError with the fields' faults, or the pack's.
        """
        cleaned: dict[str, Any] = super().clean() or {}
        if self.errors:
            return cleaned
        wanted = self.changed_fields(cleaned)
        if not wanted:
            return cleaned
        try:
            stored = type(self.instance)._default_manager.get(pk=self.instance.pk)
            faults = row_faults(row=stored, fields=wanted)
        except RecordError as error:
            for problem in error.errors():
                place = [str(part) for part in problem["loc"]]
                field = place[0] if place and place[0] in self.fields else None
                self.add_error(field, f"{'.'.join(place)}: {problem['msg']}")
            return cleaned
        for fault in faults:
            self.add_error(None, fault)
        return cleaned

    def changed_fields(self, cleaned: dict[str, Any]) -> dict[str, Any]:
        """The record's fields that were changed, as they are to be stored."""
        names = set(table_of(self.instance).fields)
        changed = {name: cleaned[name] for name in self.changed_data if name in names and name in cleaned}
        columns = {field.name: field for field in self.instance._meta.get_fields()}
        for name, value in changed.items():
            # An empty JSON box means an empty list or nothing, as the column has it.
            if value in (None, "") and name in columns:
                column = columns[name]
                changed[name] = None if getattr(column, "null", False) else value if value == "" else []
        return changed


class PackUploadForm(forms.Form):
    """A whole pack as a zip file; the dry run comes first."""

    file = forms.FileField(label="Scene pack (.zip)")
