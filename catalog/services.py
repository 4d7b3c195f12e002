"""Bringing packs in and out, freezing versions, making new ones: all or nothing, in one transaction each."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from catalog.differences import Change, differences
from catalog.models import Preview, Scene, SceneEdit, SceneVersion
from catalog.rows import TABLES, to_rows
from catalog.selectors import UnknownScene, folder_pack, scene_folder, scene_pack, scene_version
from siturec.scene.check import check_pack
from siturec.scene.dump import record_fields, write_pack
from siturec.scene.load import SceneError, load_pack
from siturec.scene.schema import ScenePack


@dataclass(frozen=True)
class ImportReport:
    """What an import did, or would do: the version it went to and every change against what was there."""

    slug: str
    label: str
    outcome: str
    changes: list[Change]
    version: SceneVersion | None = None


def scene_import(*, folder: Path, dry_run: bool = False, editor: User | None = None) -> ImportReport:
    """Read a pack's folder, check all of it, and store it.

    A version that is new becomes the current one; one that exists and is not frozen is replaced; one that
    is frozen must be left alone, so the pack needs another version. A dry run stores nothing.

    Raises: SceneError listing every fault with file, row and field; nothing is stored then.
    """
    return pack_import(pack=load_pack(folder), dry_run=dry_run, editor=editor)


@transaction.atomic
def pack_import(*, pack: ScenePack, dry_run: bool = False, editor: User | None = None) -> ImportReport:
    """As ``scene_import``, for a pack in memory."""
    faults = check_pack(pack)
    if faults:
        raise SceneError(faults)
    slug, label = pack.info.id, pack.info.version
    current = SceneVersion.objects.filter(scene__slug=slug).order_by("-number").first()
    same = SceneVersion.objects.filter(scene__slug=slug, label=label).first()
    base = same or current
    changes = differences(scene_pack(slug, base.label) if base else None, pack)
    if same and not changes:
        return ImportReport(slug, label, "unchanged", [], same)
    if same and same.frozen:
        raise SceneError(
            [f"scene.json, version: {label} is in use by a study and differs; give the pack another version"]
        )
    outcome = "replaced" if same else "created"
    if dry_run:
        return ImportReport(slug, label, f"would be {outcome}", changes)
    if same is None:
        scene = _scene(pack)
        version = _version_create(scene, pack, number=current.number + 1 if current else 1)
    else:
        version = same
        version_replace(version=version, pack=pack, changes=changes, editor=editor)
    return ImportReport(slug, label, outcome, changes, version)


def scene_export(*, slug: str, folder: Path, version: str | None = None) -> ScenePack:
    """Write a scene's pack as its folder.

    Raises: UnknownScene when there is no such scene or version.
    """
    pack = scene_pack(slug, version)
    write_pack(pack, folder)
    return pack


@transaction.atomic
def scene_freeze(slug: str, version: str | None = None) -> SceneVersion:
    """Freeze a version (the current one by default), as a study that is launched on it needs. A scene that is
    only a folder so far is imported first. Freezing twice changes nothing.

    Raises: UnknownScene, or SceneError when the folder's pack is faulty.
    """
    row = scene_version(slug, version)
    if row is None:
        row = scene_import(folder=scene_folder(slug)).version
        if row is None or (version is not None and row.label != version):
            raise UnknownScene(f"scene {slug} has no version {version} here")
    if not row.frozen:
        row.frozen, row.frozen_at = True, timezone.now()
        row.save(update_fields=["frozen", "frozen_at"])
    return row


def scene_settle(slug: str) -> str:
    """Store and freeze a scene's current version, so that what is played on it means the same for good.

    Returns what to say where the scene's folder holds something else by now, else an empty string. Raises:
    UnknownScene, or SceneError when a folder that is not stored yet is faulty.
    """
    label = scene_freeze(slug).label
    try:
        there = folder_pack(slug)
    except (UnknownScene, SceneError):
        return ""
    found = there.info.version
    if not SceneVersion.objects.filter(scene__slug=slug, label=found).exists():
        return f"{slug}: version {label} is played; the folder holds version {found}, which is not imported"
    if there != scene_pack(slug, found):
        return f"{slug}: the folder differs from version {found}, which is stored and stays; give it another"
    return ""


@transaction.atomic
def scene_fork(*, version: SceneVersion, note: str = "") -> SceneVersion:
    """A new current version with the same rows, to be edited while the old one stays as it is."""
    pack = scene_pack(version.scene.slug, version.label)
    newest = SceneVersion.objects.filter(scene=version.scene).order_by("-number").first() or version
    label = _free_label(version.scene, newest.number + 1)
    info = pack.info.model_copy(update={"version": label})
    made = _version_create(
        version.scene, pack.model_copy(update={"info": info}), number=newest.number + 1, note=note
    )
    Preview.objects.bulk_create(
        Preview(version=made, kind=one.kind, code=one.code, image=one.image) for one in version.previews.all()
    )
    return made


@transaction.atomic
def version_replace(
    *, version: SceneVersion, pack: ScenePack, changes: list[Change], editor: User | None
) -> None:
    """Make a version hold exactly this pack, count its revision up, and keep what changed.

    Raises: ValueError when the version is frozen.
    """
    if version.frozen:
        raise ValueError(f"{version} is frozen")
    version.info = record_fields(pack.info) | {"schema": pack.info.schema_}
    version.info.pop("schema_", None)
    version.layout = record_fields(pack.layout)
    version.count_up()
    version.save(update_fields=["info", "layout", "revision", "stamp"])
    edits_keep(version=version, changes=changes, editor=editor)
    touched = {change.table for change in changes}
    for table in TABLES:
        if table.name in touched:
            rows = table.row._default_manager
            rows.filter(version=version).delete()
            rows.bulk_create(to_rows(table, getattr(pack, table.name), version))


@transaction.atomic
def version_edited(*, version: SceneVersion, before: ScenePack, editor: User | None) -> ScenePack:
    """Count up the revision of a version whose rows were written, keep what changed since ``before``, and
    return the pack it now holds."""
    version.count_up()
    version.save(update_fields=["revision", "stamp"])
    after = scene_pack(version.scene.slug, version.label)
    changes = [change for change in differences(before, after) if change.table != "scene"]
    edits_keep(version=version, changes=changes, editor=editor)
    return after


@transaction.atomic
def previews_store(*, version: SceneVersion, pictures: Iterable[tuple[str, str, bytes]]) -> int:
    """Keep rendered pictures, (kind, id, JPEG) each, in place of earlier ones; returns how many."""
    count = 0
    for kind, code, image in pictures:
        Preview.objects.update_or_create(version=version, kind=kind, code=code, defaults={"image": image})
        count += 1
    return count


def edits_keep(*, version: SceneVersion, changes: list[Change], editor: User | None) -> None:
    """Store what changed, under the version's revision as it is now. Pictures that show something else go."""
    tables = {change.table for change in changes}
    if tables & {"layout", "targets", "waypoints", "instances"}:
        version.previews.all().delete()
    looks = [c.code for c in changes if c.table == "products" and c.field in ("", "look", "name")]
    version.previews.filter(kind="product", code__in=looks).delete()
    SceneEdit.objects.bulk_create(
        SceneEdit(
            version=version,
            revision=version.revision,
            table=change.table,
            code=change.code,
            field=change.field or change.kind,
            before=change.before,
            after=change.after,
            editor=editor,
        )
        for change in changes
    )


def _scene(pack: ScenePack) -> Scene:
    scene, _ = Scene.objects.update_or_create(
        slug=pack.info.id, defaults={"name": pack.info.name, "kind": pack.info.kind}
    )
    return scene


def _free_label(scene: Scene, number: int) -> str:
    taken = set(SceneVersion.objects.filter(scene=scene).values_list("label", flat=True))
    while str(number) in taken:
        number += 1
    return str(number)


def _version_create(scene: Scene, pack: ScenePack, *, number: int, note: str = "") -> SceneVersion:
    info = record_fields(pack.info)
    info.pop("schema_", None)
    version = SceneVersion.objects.create(
        scene=scene,
        number=number,
        label=pack.info.version,
        info=info,
        layout=record_fields(pack.layout),
        note=note,
    )
    for table in TABLES:
        table.row._default_manager.bulk_create(to_rows(table, getattr(pack, table.name), version))
    return version
