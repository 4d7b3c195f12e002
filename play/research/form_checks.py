"""Attention checks as lines of text: after which interaction; the right answer; what is asked."""

from collections.abc import Iterable
from typing import Any

from siturec.protocol.study import AttentionCheck


def checks_from_text(text: str) -> list[dict[str, Any]]:
    """Read one check a line. Raises: ValueError naming the line that cannot be read."""
    checks: list[dict[str, Any]] = []
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        parts = [part.strip() for part in line.split(";", 2)]
        if len(parts) != 3 or not parts[0].isdecimal() or not parts[1].isdecimal() or not parts[2]:
            raise ValueError(f"Line {number}: write it as '2; 4; Please choose 4.'")
        checks.append({"after_episode": int(parts[0]), "expected": int(parts[1]), "text": parts[2]})
    return checks


def checks_as_text(checks: Iterable[AttentionCheck]) -> str:
    """The same checks as lines."""
    return "\n".join(f"{check.after_episode}; {check.expected}; {check.text}" for check in checks)
