"""How shoppers of a scene speak: of kinds of products, of occasions, of what a thing must and must not be."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

WILD = "*"


@dataclass(frozen=True)
class Group:
    """Categories asked for under one name, such as "a hot drink to keep in the cupboard"; under certain
    themes only, when ``themes`` lists any."""

    noun: str
    categories: tuple[str, ...]
    plural: bool = False
    themes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Theme:
    """A shopping theme: situations are told to the shopper ("you"), openings said by the shopper ("I")."""

    id: str
    name: str
    situations: tuple[str, ...]
    openings: tuple[str, ...]


@dataclass(frozen=True)
class Speech:
    """All of a scene's ways of speaking. ``wants`` and ``avoids`` map a need's key and value to verb phrases
    that follow "it"; under ``*`` stand phrases for every other value of the key, ``{v}`` being the value."""

    groups: tuple[Group, ...]
    themes: Mapping[str, Theme]
    wants: Mapping[str, Mapping[str, tuple[str, ...]]]
    avoids: Mapping[str, Mapping[str, tuple[str, ...]]]

    def phrases(self, key: str, value: str, *, avoid: bool) -> tuple[str, ...]:
        """The phrases for a value, or none when one does not speak of it."""
        table = (self.avoids if avoid else self.wants).get(key, {})
        found = table.get(value, table.get(WILD, ()))
        return tuple(phrase.replace("{v}", value) for phrase in found)

    def groups_of(self, category: str, theme: str) -> list[Group]:
        """The groups a category is spoken of in: made for the theme, else for every theme, else any."""
        found = [group for group in self.groups if category in group.categories]
        made_for = [group for group in found if theme in group.themes]
        return made_for or [group for group in found if not group.themes] or found


def speech_from(raw: Mapping[str, Any]) -> Speech:
    """A scene's speech from its parsed data file.

    Raises: KeyError or TypeError when a part is missing or of another shape.
    """
    return Speech(
        groups=tuple(
            Group(
                row["noun"],
                tuple(row["categories"]),
                row.get("plural", False),
                tuple(row.get("themes", ())),
            )
            for row in raw["groups"]
        ),
        themes={
            key: Theme(key, row["name"], tuple(row["situations"]), tuple(row["openings"]))
            for key, row in raw["themes"].items()
        },
        wants=_phrases(raw["wants"]),
        avoids=_phrases(raw["avoids"]),
    )


def _phrases(raw: Mapping[str, Any]) -> dict[str, dict[str, tuple[str, ...]]]:
    return {key: {str(value): tuple(found) for value, found in rows.items()} for key, rows in raw.items()}
