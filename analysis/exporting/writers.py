"""Rows to files, one by one: CSV for machines, CSV for Excel, Parquet, JSON Lines. Each counts and hashes."""

import csv
import hashlib
import io
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Protocol

import orjson
import pyarrow as pa
import pyarrow.parquet as pq

from analysis.exporting.column import ARROW, Column
from siturec.trajectory import dump

# The wide forms too: spreadsheets in East Asian settings read them as the narrow ones.
DANGEROUS = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""What makes Excel read a text cell as a formula, or lets one begin after it."""
BATCH = 2_000
Row = dict[str, Any]


@dataclass(frozen=True)
class Written:
    """One finished file: its name, rows, bytes and SHA-256, as the manifest lists them."""

    name: str
    rows: int
    size: int
    sha256: str


class Sink(Protocol):
    """Anything bytes can be written to."""

    def write(self, data: bytes, /) -> Any:
        """Take some bytes."""
        ...


class _Counting(io.RawIOBase):
    """Hashes and counts what passes through to a file."""

    def __init__(self, out: BinaryIO) -> None:
        self._out = out
        self.digest = hashlib.sha256()
        self.size = 0

    def writable(self) -> bool:
        return True

    def write(self, data: Any, /) -> int:
        piece = bytes(data)
        self._out.write(piece)
        self.digest.update(piece)
        self.size += len(piece)
        return len(piece)


Writer = Callable[[Iterable[Row], Sequence[Column], Sink], int]


def harmless(value: Any) -> Any:
    """A text that Excel would run, quoted so that it is only read; all else as it is, numbers too."""
    if isinstance(value, str) and value.startswith(DANGEROUS):
        return "'" + value
    return value


def _csv(rows: Iterable[Row], columns: Sequence[Column], out: Sink, *, excel: bool) -> int:
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\r\n" if excel else "\n")
    treat: Callable[[Any], Any] = harmless if excel else lambda value: value
    count = 0
    if excel:
        out.write(b"\xef\xbb\xbf")
    writer.writerow([treat(column.name) for column in columns])
    for count, row in enumerate(rows, start=1):
        writer.writerow([treat(_plain(row.get(column.name))) for column in columns])
        if count % BATCH == 0:
            out.write(_drain(buffer))
    out.write(_drain(buffer))
    return count


def _drain(buffer: io.StringIO) -> bytes:
    text = buffer.getvalue()
    buffer.seek(0)
    buffer.truncate()
    return text.encode()


def _plain(value: Any) -> Any:
    return str(value).lower() if isinstance(value, bool) else value


def write_csv(rows: Iterable[Row], columns: Sequence[Column], out: Sink) -> int:
    """Plain UTF-8, commas, values untouched: for programs."""
    return _csv(rows, columns, out, excel=False)


def write_excel_csv(rows: Iterable[Row], columns: Sequence[Column], out: Sink) -> int:
    """UTF-8 with a byte order mark, and formula cells made harmless: for Excel."""
    return _csv(rows, columns, out, excel=True)


def write_jsonl(rows: Iterable[Row], columns: Sequence[Column], out: Sink) -> int:
    """One object a line, missing values as null, text byte for byte."""
    count = 0
    for row in rows:
        count += 1
        body = {column.name: row.get(column.name) for column in columns}
        out.write(orjson.dumps(body, option=orjson.OPT_APPEND_NEWLINE))
    return count


def write_parquet(rows: Iterable[Row], columns: Sequence[Column], out: Sink) -> int:
    """Parquet in batches, typed by the columns."""
    schema = pa.schema([(column.name, ARROW[column.kind]) for column in columns])
    count = 0
    with pq.ParquetWriter(out, schema, compression="zstd") as writer:
        batch: list[Row] = []
        for row in rows:
            batch.append({column.name: row.get(column.name) for column in columns})
            count += 1
            if len(batch) == BATCH:
                writer.write_table(pa.Table.from_pylist(batch, schema=schema))
                batch.clear()
        writer.write_table(pa.Table.from_pylist(batch, schema=schema))
    return count


def write_trajectories(rows: Iterable[Row], columns: Sequence[Column], out: Sink) -> int:
    """Checked trajectory records, one a line. Raises: TrajectoryError for one that could not be read back."""
    count = 0
    for row in rows:
        out.write(dump(row))
        count += 1
    return count


FORMS: dict[str, tuple[str, str, Writer]] = {
    "csv": (".csv", "text/csv; charset=utf-8", write_csv),
    "excel": (".excel.csv", "text/csv; charset=utf-8", write_excel_csv),
    "parquet": (".parquet", "application/vnd.apache.parquet", write_parquet),
    "jsonl": (".jsonl", "application/x-ndjson", write_jsonl),
}


def write_file(path: Path, rows: Iterable[Row], columns: Sequence[Column], writer: Writer) -> Written:
    """Write a file whole or not at all, counting and hashing on the way."""
    part = path.with_name(path.name + ".part")
    try:
        with part.open("wb") as file:
            counting = _Counting(file)
            count = writer(rows, columns, counting)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
    return Written(path.name, count, counting.size, counting.digest.hexdigest())


def write_bytes(path: Path, body: bytes, rows: int) -> Written:
    """A small file whose content is at hand."""
    path.write_bytes(body)
    return Written(path.name, rows, len(body), hashlib.sha256(body).hexdigest())
