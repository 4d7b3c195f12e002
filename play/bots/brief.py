"""What a study expects of its participants, so that a bot can tell right from wrong."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Self

from siturec.protocol.study import StudyConfig


@dataclass(frozen=True)
class Brief:
    """``code`` is the study's completion code: empty for a draft, which has none yet; None for any.

    ``checks`` holds the right answer of each attention check by its field's name.
    """

    code: str | None = None
    missing_allowed: bool = False
    checks: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, design: StudyConfig) -> Self:
        """A design's own."""
        checks = {
            f"check-{number}": str(check.expected)
            for number, check in enumerate(design.attention_checks, start=1)
        }
        return cls(code=design.codes.done, missing_allowed=design.missing_allowed, checks=checks)
