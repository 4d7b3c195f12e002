"""A pack as one zip file, for the browser."""

import io
import zipfile
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory

from siturec.scene.dump import dump_pack
from siturec.scene.load import SceneError, load_pack
from siturec.scene.schema import ScenePack

NAMES = {f"{name}.json" for name in (
    "scene", "layout", "products", "targets", "waypoints", "instances", "profiles", "tasks"
)}  # fmt: skip
LARGEST = 64 * 1024 * 1024
"""Bytes an unpacked file may have; a ten-times store's largest has about two million."""
EPOCH = (1980, 1, 1, 0, 0, 0)


def pack_zip(pack: ScenePack) -> bytes:
    """The pack's files in a folder named after the scene. The same pack gives the same bytes."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in dump_pack(pack).items():
            entry = zipfile.ZipInfo(f"{pack.info.id}/{name}", date_time=EPOCH)
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, content)
    return made.getvalue()


def pack_unzip(content: bytes) -> ScenePack:
    """The pack of a zip file, wherever in it the files lie.

    Raises: SceneError when it is no zip file, holds something else, or holds a faulty pack.
    """
    try:
        archive = zipfile.ZipFile(io.BytesIO(content))
    except zipfile.BadZipFile as error:
        raise SceneError([f"the file is no zip file: {error}"]) from error
    with archive, TemporaryDirectory() as place:
        folder = Path(place)
        for entry in archive.infolist():
            name = PurePosixPath(entry.filename).name
            if entry.is_dir():
                continue
            if name not in NAMES:
                raise SceneError([f"{entry.filename}: no file of a scene pack"])
            if entry.file_size > LARGEST:
                raise SceneError([f"{entry.filename}: larger than {LARGEST} bytes"])
            if (folder / name).exists():
                raise SceneError([f"{name}: is there twice"])
            (folder / name).write_bytes(archive.read(entry))
        return load_pack(folder)
