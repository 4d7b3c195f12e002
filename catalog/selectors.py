"""Reading scenes: packs, from the database when imported, else from the scenes' folder."""

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any
from uuid import UUID

from django.conf import settings

from catalog.models import Scene, SceneVersion
from catalog.rows import TABLES, to_record
from siturec.scene.load import SceneError, load_pack
from siturec.scene.schema import Layout, SceneInfo, ScenePack


class UnknownScene(LookupError):
    """There is no such scene, or no such version of it."""


def scene_slugs() -> list[str]:
    """The slugs of all scenes: imported ones, and folders with a ``scene.json`` that are not imported yet."""
    imported = set(Scene.objects.values_list("slug", flat=True))
    return sorted(imported | {folder.name for folder in _folders()})


def scene_version(slug: str, version: str | None = None) -> SceneVersion | None:
    """The row of a version by its label, or the current one; None when the scene is not imported.

    Raises: UnknownScene when the scene is imported but has no such version.
    """
    versions = SceneVersion.objects.filter(scene__slug=slug).select_related("scene").order_by("-number")
    if version is None:
        return versions.first()
    found = versions.filter(label=version).first()
    if found is None and (labels := list(versions.values_list("label", flat=True))):
        raise UnknownScene(_no_version(slug, version, labels))
    return found


def _no_version(slug: str, version: str, there: Sequence[str]) -> str:
    """That a version is not here, and which are."""
    return f"scene {slug} has no version {version} here; there is: {', '.join(there)}"


def scene_pack(slug: str, version: str | None = None) -> ScenePack:
    """A scene's pack: the named version or the current one; kept in memory until it changes.

    Raises: UnknownScene when there is none; SceneError when the folder of an unimported scene is faulty.
    """
    row = scene_version(slug, version)
    if row is not None:
        return _from_rows(row.pk, row.stamp)
    pack = folder_pack(slug)
    if version is not None and pack.info.version != version:
        raise UnknownScene(_no_version(slug, version, [pack.info.version]))
    return pack


def folder_pack(slug: str) -> ScenePack:
    """The pack in a scene's folder as it is now, whatever is stored. Raises: UnknownScene, SceneError."""
    folder = next((folder for folder in _folders() if folder.name == slug), None)
    if folder is None:
        raise UnknownScene(f"there is no scene {slug}")
    return _from_folder(folder, _stamp(folder))


def scene_folder(name: str) -> Path:
    """A scene's folder, given as a path or as a slug under the scenes' folder.

    Raises: UnknownScene when neither exists.
    """
    for folder in (Path(name), Path(settings.SCENES_DIR) / name):
        if (folder / "scene.json").is_file():
            return folder
    raise UnknownScene(f"there is no scene folder {name}")


@lru_cache(maxsize=8)
def _from_rows(version_id: int, stamp: UUID) -> ScenePack:
    """The pack of a version; the stamp is part of the key, so that an edit is seen and an undone one not."""
    version = SceneVersion.objects.get(pk=version_id)
    parts: dict[str, Any] = {
        table.name: tuple(
            to_record(row) for row in table.row._default_manager.filter(version=version).order_by("position")
        )
        for table in TABLES
    }
    return ScenePack(
        info=SceneInfo.model_validate(version.info), layout=Layout.model_validate(version.layout), **parts
    )


@lru_cache(maxsize=8)
def _from_folder(folder: Path, stamp: int) -> ScenePack:
    """The pack of a folder; the newest modification time is part of the key, so that a change is seen."""
    pack = load_pack(folder)
    if pack.info.id != folder.name:
        raise SceneError([f"scene.json, id: {pack.info.id} in a folder named {folder.name}"])
    return pack


def _folders() -> list[Path]:
    root = Path(settings.SCENES_DIR)
    return sorted(path.parent for path in root.glob("*/scene.json")) if root.is_dir() else []


def _stamp(folder: Path) -> int:
    return max(path.stat().st_mtime_ns for path in folder.glob("*.json"))
