"""An analysis plan registered before data: what will be looked at, what will be left out, what will count."""

import hashlib
from typing import Literal

import orjson
from pydantic import Field, field_validator

from siturec.metrics.registry import HEADLINE, RATED
from siturec.protocol.messages import Shape
from siturec.protocol.vocabulary import Condition

Coefficient = Literal["pearson", "spearman", "kendall"]
COMPARABLE = (*HEADLINE, *(quantity.key for quantity in RATED if quantity.key.startswith("judge.")))


class Threshold(Shape):
    """What would count as agreement on a metric: a coefficient of at least ``at_least``."""

    metric: str
    coefficient: Coefficient = "spearman"
    at_least: float = Field(ge=-1, le=1)

    @field_validator("metric")
    @classmethod
    def _known(cls, value: str) -> str:
        return _known_metric(value)


class Plan(Shape):
    """The whole plan. ``minimum_people`` and ``minimum_assistants`` say from when results are read at all."""

    metrics: tuple[str, ...] = ("SR", "overall_satisfaction")
    coefficient: Coefficient = "spearman"
    alpha: float = Field(default=0.05, gt=0, lt=1)
    thresholds: tuple[Threshold, ...] = ()
    condition: Condition = "full"
    exclude_failed_checks: bool = True
    exclude_unfinished: bool = True
    minimum_people: int = Field(default=1, ge=1)
    minimum_assistants: int = Field(default=5, ge=3)
    notes: str = Field(default="", max_length=4000)

    @field_validator("metrics")
    @classmethod
    def _all_known(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        if not value:
            raise ValueError("name at least one metric")
        return tuple(_known_metric(metric) for metric in value)

    @property
    def digest(self) -> str:
        """SHA-256 over the whole plan."""
        body = orjson.dumps(self.model_dump(mode="json"), option=orjson.OPT_SORT_KEYS)
        return hashlib.sha256(body).hexdigest()


def _known_metric(name: str) -> str:
    if name not in COMPARABLE:
        raise ValueError(f"no metric {name!r}; there are: {', '.join(COMPARABLE)}")
    return name
