"""What Excel would do to texts in a CSV by itself, and how it is kept from it."""

import re
from typing import Any

# The wide forms too: spreadsheets in East Asian settings read them as the narrow ones.
DANGEROUS = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""What makes Excel read a text cell as a formula, or lets one begin after it."""
MONTHS = """
    jan january januar feb february februar mar march mär mrz märz apr april may mai jun june juni jul july
    juli aug august sep sept september oct october okt oktober nov november dec december dez dezember
"""
IN_NUMBERS = frozenset({"e", "a", "p", "am", "pm", *MONTHS.split()})
"""Words that Excel, in English or German, reads as part of a number, time or date."""
TRUTH = ("true", "false", "wahr", "falsch")
CELL = 32_767
"""How many characters an Excel cell can hold."""
CUT = "\N{HORIZONTAL ELLIPSIS} (cut: a cell cannot hold more)"
_WORD = re.compile(r"[^\W\d_]+")


def harmless(value: Any) -> Any:
    """A text that Excel would run, or read as a number or date, quoted so that it is only read.

    One too long for a cell is cut, and says so. All that is no text stays as it is: numbers are numbers.
    """
    if not isinstance(value, str):
        return value
    if value.lstrip(" ").startswith(DANGEROUS) or _read_otherwise(value):
        value = "'" + value
    return value if len(value) <= CELL else value[: CELL - len(CUT)] + CUT


def _read_otherwise(text: str) -> bool:
    """Whether Excel would make another value of it, as of 17.10, 007, 3-4, 12e5, May 5 or TRUE."""
    if text.strip().casefold() in TRUTH:
        return True
    digits = any(sign.isdigit() for sign in text)
    return digits and all(word.casefold() in IN_NUMBERS for word in _WORD.findall(text))
