"""Words, times and seeds in a study's design, in the one form that a form's field and a file both keep."""

import re
from datetime import UTC, datetime
from typing import Annotated

from pydantic import AfterValidator, Field

from siturec.protocol.given import storable

_LINE_ENDS = re.compile(r"\r\n?|[\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")


def _line(text: str) -> str:
    return " ".join(_text(text).split("\n")).strip()


def _text(text: str) -> str:
    return storable(_LINE_ENDS.sub("\n", text))


def _filled(text: str) -> str:
    if not text.strip():
        raise ValueError("needs at least one character that can be read")
    return text


def _moment(moment: datetime) -> datetime:
    if moment.tzinfo is None:
        raise ValueError("a time needs its offset, such as 2026-11-30T09:00:00Z")
    return moment.astimezone(UTC).replace(microsecond=0)


Line = Annotated[str, AfterValidator(_line)]
"""One line without space around it."""
Text = Annotated[str, AfterValidator(_text)]
"""Several lines; however a browser or a file ends a line, here it is one ``\\n``."""
FilledLine = Annotated[Line, AfterValidator(_filled)]
FilledText = Annotated[Text, AfterValidator(_filled)]
Moment = Annotated[datetime, AfterValidator(_moment)]
"""A time with its offset, kept in UTC to the second."""
Seed = Annotated[int, Field(ge=0, lt=2**53)]
"""What seeds a draw: a whole number that JSON and every database keep exactly."""
TaskId = Annotated[str, Field(pattern=r"^[^\s,]+$", max_length=40)]
