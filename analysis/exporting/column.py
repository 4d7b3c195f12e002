"""What a column is, apart from any table."""

from dataclasses import dataclass
from typing import Literal

import pyarrow as pa

Kind = Literal["text", "integer", "number", "flag", "time"]
ARROW: dict[Kind, pa.DataType] = {
    "text": pa.string(),
    "integer": pa.int64(),
    "number": pa.float64(),
    "flag": pa.bool_(),
    "time": pa.string(),
}
"""Times stay ISO 8601 text with an offset, so that every format shows the same."""


@dataclass(frozen=True)
class Column:
    """One column: what it means, its type and unit."""

    name: str
    kind: Kind
    meaning: str
    unit: str = ""
