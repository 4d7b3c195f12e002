"""A study's calls to language models as rows: summed up, and one by one without their words."""

from collections.abc import Iterator
from typing import Any

import orjson

from agents.call_summary import call_summary, calls_of
from analysis.exporting.rows import finished
from sessions.models import Study

Row = dict[str, Any]


def model_calls(study: Study) -> Iterator[Row]:
    """How answers turned out in the episodes that people or simulated users finished."""
    yield from call_summary(_episodes(study))


def calls(study: Study) -> Iterator[Row]:
    """Every call in these episodes; of prompts and replies only hash and length."""
    for call in calls_of(_episodes(study)):
        yield call | {"attempts": orjson.dumps(call["attempts"]).decode()}


def _episodes(study: Study) -> Iterator[str]:
    yield from finished(study).values_list("public_id", flat=True)
