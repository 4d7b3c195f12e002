"""Keeping a built and lit store on disk, so that the next start reads it instead of baking it.

An entry is one folder named by a digest of the pack's geometry and of this package's own building code, so a
changed pack or a changed store is never served stale. Arrays are memory-mapped: processes share their pages.
"""

import hashlib
import importlib.metadata
import logging
import os
import shutil
import tempfile
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import orjson
from numpy.typing import NDArray

from siturec.scene.schema import ScenePack
from storefront.world_objects import WorldObject

logger = logging.getLogger(__name__)

Arrays = dict[str, NDArray[Any]]
CODE = ("geometry*.py", "mesh*.py", "texture*.py", "light*.py", "raster_tables.py", "world*.py")
"""Modules that decide what a built store looks like."""

DIGITS = 32
KEPT = 12
"""How many built stores are kept on disk (a supermarket takes about 140 MB)."""


def digest(pack: ScenePack) -> str:
    """What an entry is named by: everything that can change how the store looks."""
    seen = hashlib.sha256()
    shown = pack.model_dump(mode="json", include={"products", "targets", "instances", "layout"})
    seen.update(orjson.dumps(shown, option=orjson.OPT_SORT_KEYS))
    folder = Path(__file__).parent
    shared = Path(__file__).parent.parent / "siturec" / "scene" / "fixtures.py"
    for path in [*sorted({p for pattern in CODE for p in folder.glob(pattern)}), shared]:
        seen.update(path.read_bytes())
    for package in ("numpy", "pillow"):
        seen.update(importlib.metadata.version(package).encode())
    return seen.hexdigest()[:DIGITS]


def read(folder: Path) -> tuple[Arrays, list[WorldObject], dict[str, Any]] | None:
    """An entry's arrays (read-only, memory-mapped), objects and notes; None when absent or unreadable."""
    try:
        notes = orjson.loads((folder / "notes.json").read_bytes())
        arrays: Arrays = {
            name: np.load(folder / f"{name}.npy", mmap_mode="r", allow_pickle=False)
            for name in notes["arrays"]
        }
        objects = [_object(row) for row in notes["objects"]]
        if os.access(folder, os.W_OK):
            os.utime(folder)  # used now: the last to be forgotten
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError) as error:
        logger.warning("the stored store %s cannot be read and is built anew: %s", folder.name, error)
        return None
    return arrays, objects, notes["more"]


def write(folder: Path, arrays: Arrays, objects: list[WorldObject], more: dict[str, Any]) -> None:
    """Keep an entry. Written aside and moved into place, so that a reader never sees half of one.

    A folder that cannot be written is no fault of the store: it is logged, and the next start bakes again.
    """
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        aside = Path(tempfile.mkdtemp(prefix=".new-", dir=folder.parent))
        for name, array in arrays.items():
            np.save(aside / f"{name}.npy", array, allow_pickle=False)
        notes = {"arrays": list(arrays), "objects": [asdict(o) for o in objects], "more": more}
        (aside / "notes.json").write_bytes(orjson.dumps(notes))
        try:
            aside.rename(folder)
        except OSError:
            shutil.rmtree(aside)  # another process was first, with the same content
        _forget_old(folder.parent)
    except OSError as error:
        logger.warning("the store could not be kept in %s: %s", folder.parent, error)


def _forget_old(parent: Path) -> None:
    """Remove all but the entries used last; a process that has one mapped keeps reading it."""
    entries = [path for path in parent.iterdir() if len(path.name) == DIGITS and path.is_dir()]
    for path in sorted(entries, key=lambda path: path.stat().st_mtime, reverse=True)[KEPT:]:
        shutil.rmtree(path, ignore_errors=True)


def _object(row: dict[str, Any]) -> WorldObject:
    for key in ("colour", "low", "high", "position"):
        row[key] = tuple(row[key])
    return WorldObject(**row)
