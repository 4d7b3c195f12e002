"""Files to be written bit by bit, into a folder or down a line as a ZIP, with a manifest over them all."""

import hashlib
import io
import zipfile
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Self

import orjson
from django.utils import timezone

from analysis.exporting.writers import Sink
from sessions.models import Study

MANIFEST = "manifest.json"
PIECE = 1 << 16
"""How many bytes of an archive are let gather before they go out."""
LEVEL = 1
"""The quickest compression: an export shares its processor with people who are walking about."""


@dataclass(frozen=True)
class Part:
    """One file to be: its name, and what writes it, giving the number of rows so far after each bit."""

    name: str
    write: Callable[[Sink], Iterator[int]]

    @classmethod
    def of(cls, name: str, body: bytes) -> Self:
        """A small file whose content is at hand; it has no rows."""

        def write(out: Sink) -> Iterator[int]:
            out.write(body)
            yield 0

        return cls(name, write)


@dataclass(frozen=True)
class Written:
    """One finished file: its name, rows, bytes and SHA-256, as the manifest lists them."""

    name: str
    rows: int
    size: int
    sha256: str


Manifest = Callable[[list[Written]], bytes]


class _Counting(io.RawIOBase):
    """Hashes and counts what passes through."""

    def __init__(self, out: Sink) -> None:
        self.rows = 0
        self._out = out
        self._digest = hashlib.sha256()
        self._size = 0

    def writable(self) -> bool:
        return True

    def write(self, data: Any, /) -> int:
        piece = bytes(data)
        self._out.write(piece)
        self._digest.update(piece)
        self._size += len(piece)
        return len(piece)

    def written(self, name: str) -> Written:
        """What has passed, as the file of that name."""
        return Written(name, self.rows, self._size, self._digest.hexdigest())


class _Outflow:
    """What was written and has not been taken yet; one cannot go back in it."""

    def __init__(self) -> None:
        self._waiting = bytearray()

    def write(self, data: Any, /) -> int:
        self._waiting += data
        return len(data)

    def flush(self) -> None:
        """Nothing is held back."""

    def __len__(self) -> int:
        return len(self._waiting)

    def take(self) -> bytes:
        """All that is waiting, which then is no longer."""
        taken = bytes(self._waiting)
        self._waiting.clear()
        return taken


def to_folder(parts: Iterable[Part], manifest: Manifest, folder: Path) -> list[Written]:
    """Write every part, each whole or not at all, and at last the manifest over them."""
    written: list[Written] = []
    for part in parts:
        path = folder / part.name
        path.parent.mkdir(parents=True, exist_ok=True)
        with _whole(path) as file:
            counting = _Counting(file)
            for rows in part.write(counting):
                counting.rows = rows
        written.append(counting.written(part.name))
    (folder / MANIFEST).write_bytes(manifest(written))
    return written


def to_zip(
    parts: Iterable[Part], manifest: Manifest, written: list[Written] | None = None
) -> Generator[bytes, None, None]:
    """The same files as one archive, piece by piece while rows are still being read.

    The manifest is the last file, and after it comes the archive's own table: one that was cut short has
    neither, and no program takes it for whole. ``written`` is filled with what the manifest lists.
    """
    written = [] if written is None else written
    out = _Outflow()
    # It never seeks or reads: sizes and checksums follow each file, as in any archive written to a pipe.
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=LEVEL) as archive:  # type: ignore[call-overload]
        for part in parts:
            with archive.open(part.name, "w", force_zip64=True) as file:
                yield out.take()
                counting = _Counting(file)
                for rows in part.write(counting):
                    counting.rows = rows
                    if len(out) >= PIECE:
                        yield out.take()
            written.append(counting.written(part.name))
        archive.writestr(MANIFEST, manifest(written))
    yield out.take()


def zip_file(parts: Iterable[Part], manifest: Manifest, target: Path) -> list[Written]:
    """The same archive into a file, whole or not at all."""
    target.parent.mkdir(parents=True, exist_ok=True)
    written: list[Written] = []
    with _whole(target) as file:
        file.writelines(to_zip(parts, manifest, written))
    return written


@contextmanager
def _whole(path: Path) -> Iterator[BinaryIO]:
    """A file that takes its name only once it is complete."""
    unfinished = path.with_name(path.name + ".part")
    try:
        with unfinished.open("wb") as file:
            yield file
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)


def manifest_of(study: Study) -> Manifest:
    """What makes a study's manifest: counts and hashes by which a short or changed file is noticed."""

    def body(written: list[Written]) -> bytes:
        content = {
            "schema": "siturec.export/1",
            "study": study.slug,
            "study_version": study.version,
            "made_at": timezone.now().isoformat(timespec="seconds").replace("+00:00", "Z"),
            "files": {
                file.name: {"rows": file.rows, "bytes": file.size, "sha256": file.sha256} for file in written
            },
        }
        return orjson.dumps(content, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)

    return body
