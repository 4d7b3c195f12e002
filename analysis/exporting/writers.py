"""Rows to bytes, one by one: CSV for machines, CSV for Excel, Parquet, JSON Lines."""

import csv
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, Protocol

import orjson
import pyarrow as pa
import pyarrow.parquet as pq

from analysis.exporting.column import ARROW, Column
from analysis.exporting.excel import harmless
from siturec.trajectory import dump

BATCH = 500
"""Rows of a row group in Parquet."""
Row = dict[str, Any]
# Arrow's own pool holds on to tens of megabytes, which a batch of rows does not need.
pa.set_memory_pool(pa.system_memory_pool())


class Sink(Protocol):
    """Anything bytes can be written to."""

    def write(self, data: bytes, /) -> Any:
        """Take some bytes."""
        ...


Writer = Callable[[Iterable[Row], Sequence[Column], Sink], Iterator[int]]
"""Writes a row or a batch at a time, giving the number of rows so far after each."""


class _Text:
    """Where a CSV writer's lines become bytes."""

    def __init__(self, out: Sink) -> None:
        self._out = out

    def write(self, text: str) -> None:
        self._out.write(text.encode())


def _csv(rows: Iterable[Row], columns: Sequence[Column], out: Sink, *, excel: bool) -> Iterator[int]:
    writer = csv.writer(_Text(out), lineterminator="\r\n" if excel else "\n")
    treat: Callable[[Any], Any] = harmless if excel else lambda value: value
    if excel:
        out.write(b"\xef\xbb\xbf")
    writer.writerow([treat(column.name) for column in columns])
    for count, row in enumerate(rows, start=1):
        writer.writerow([_plain(treat(row.get(column.name))) for column in columns])
        yield count


def _plain(value: Any) -> Any:
    return str(value).lower() if isinstance(value, bool) else value


def write_csv(rows: Iterable[Row], columns: Sequence[Column], out: Sink) -> Iterator[int]:
    """Plain UTF-8, commas, values untouched: for programs."""
    return _csv(rows, columns, out, excel=False)


def write_excel_csv(rows: Iterable[Row], columns: Sequence[Column], out: Sink) -> Iterator[int]:
    """UTF-8 with a byte order mark, and formula cells made harmless: for Excel."""
    return _csv(rows, columns, out, excel=True)


def write_jsonl(rows: Iterable[Row], columns: Sequence[Column], out: Sink) -> Iterator[int]:
    """One object a line, missing values as null, text byte for byte."""
    for count, row in enumerate(rows, start=1):
        body = {column.name: row.get(column.name) for column in columns}
        out.write(orjson.dumps(body, option=orjson.OPT_APPEND_NEWLINE))
        yield count


def write_parquet(rows: Iterable[Row], columns: Sequence[Column], out: Sink) -> Iterator[int]:
    """Parquet, typed by the columns; a batch of rows is a row group, and goes out by itself."""
    schema = pa.schema([(column.name, ARROW[column.kind]) for column in columns])
    source, count = iter(rows), 0
    with pq.ParquetWriter(out, schema, compression="zstd") as writer:
        for batch in iter(lambda: list(islice(source, BATCH)), []):
            picked = [{column.name: row.get(column.name) for column in columns} for row in batch]
            writer.write_table(pa.Table.from_pylist(picked, schema=schema))
            count += len(batch)
            yield count


def write_trajectories(rows: Iterable[Row], columns: Sequence[Column], out: Sink) -> Iterator[int]:
    """Checked trajectory records, one a line. Raises: TrajectoryError for one that could not be read back."""
    for count, row in enumerate(rows, start=1):
        out.write(dump(row))
        yield count


FORMS: dict[str, tuple[str, Writer]] = {
    "csv": (".csv", write_csv),
    "excel": (".excel.csv", write_excel_csv),
    "parquet": (".parquet", write_parquet),
    "jsonl": (".jsonl", write_jsonl),
}
"""How each form's files end, and what writes them."""
