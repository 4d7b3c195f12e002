"""What comes from outside, made fit to be stored, shown and exported anywhere.

PostgreSQL refuses NUL, JSON knows neither NaN nor half a character, and spreadsheets break on control
characters; nobody types any of these on purpose. So words lose what cannot be seen, and arguments that no
page would ever send are refused before they meet a database.
"""

import math
import re
import unicodedata
from typing import Annotated, Any

from pydantic import AfterValidator

_UNSTORABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
_UNSEEN = frozenset({"Cf", "Cc", "Zs", "Zl", "Zp", "Mn"})
MAX_ARGS = 8
MAX_NAME = 40
MAX_VALUE = 80


def storable(text: str) -> str:
    """The text without control characters (tab and line ends stay), half characters and non-characters."""
    return _UNSTORABLE.sub("", text)


def is_blank(text: str) -> bool:
    """Whether there is nothing to read: spaces, marks without a letter and zero-width characters only."""
    return all(unicodedata.category(char) in _UNSEEN for char in text)


def plain_args(args: dict[str, Any]) -> dict[str, Any]:
    """A tool's arguments as a page sends them: few, short, numbers or words. Raises: ValueError."""
    if len(args) > MAX_ARGS:
        raise ValueError(f"at most {MAX_ARGS} arguments can be given")
    for name, value in args.items():
        if len(name) > MAX_NAME or storable(name) != name:
            raise ValueError(f"an argument's name has at most {MAX_NAME} characters that can be read")
        if not _is_plain(value):
            raise ValueError(f"'{name}' takes a number or at most {MAX_VALUE} characters that can be read")
    return args


def _is_plain(value: object) -> bool:
    if isinstance(value, str):
        return len(value) <= MAX_VALUE and storable(value) == value
    if isinstance(value, float):
        return math.isfinite(value)
    return value is None or (isinstance(value, int) and abs(value) < 2**53)


Words = Annotated[str, AfterValidator(storable)]
Args = Annotated[dict[str, Any], AfterValidator(plain_args)]
