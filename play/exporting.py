"""Records to and from files of trajectories."""

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any, BinaryIO

import orjson
from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet

from agents.registry import IMPORTED_JUDGE
from play.judging import rated_record
from questionnaire.services import judgement_save, ratings_import
from sessions.models import Episode
from sessions.services.imports import episode_import
from siturec.trajectory import check_file, dump, read_file, write_file


def latest(episodes: QuerySet[Episode]) -> QuerySet[Episode]:
    """Without attempts that were rolled again."""
    again = Episode.objects.filter(
        run=OuterRef("run"), position=OuterRef("position"), attempt__gt=OuterRef("attempt")
    )
    return episodes.exclude(Exists(again.filter(run__isnull=False)))


def records(episodes: QuerySet[Episode], *, chunk: int = 50) -> Iterator[dict[str, Any]]:
    """Finished episodes' records in order, one by one."""
    ended = episodes.filter(status=Episode.Status.ENDED).select_related("participant", "study")
    for episode in ended.prefetch_related("turns", "ratings").iterator(chunk_size=chunk):
        yield rated_record(episode)


def export_file(path: Path, episodes: QuerySet[Episode]) -> int:
    """Write a file, whole or not at all; how many episodes it holds. Raises: OSError; TrajectoryError."""
    return write_file(path, records(episodes))


def export_stream(stream: BinaryIO, episodes: QuerySet[Episode]) -> int:
    """Write to a stream line by line; how many episodes went out."""
    count = 0
    for record in records(episodes):
        stream.write(dump(record))
        count += 1
    return count


@transaction.atomic
def import_file(path: Path) -> tuple[int, int]:
    """Take in a file of trajectories: how many episodes were new, and how many were here already.

    All or nothing. Raises: OSError; TrajectoryError naming lines and keys; ValueError when an id is here
    with other content.
    """
    check_file(path)
    new = known = 0
    for record in read_file(path):
        here = Episode.objects.filter(public_id=record["episode_id"]).first()
        if here is None:
            _import(dict(record), path.name)
            new += 1
        elif _same(rated_record(here), dict(record)):
            known += 1
        else:
            raise ValueError(
                f"{path.name}: {record['episode_id']} is here already with other content: nothing imported"
            )
    return new, known


def _import(record: dict[str, Any], source: str) -> None:
    episode = episode_import(record=record, source=source)
    if record["questionnaire"] is not None:
        ratings_import(episode=episode, scores=record["questionnaire"])
    if record["judge"] is not None:
        # The record's own word on who judged, so that a rule-based judge is marked as one here too.
        named = str(record.get("versions", {}).get("judge", "")).partition(" ")[0]
        judgement_save(episode=episode, judge=named or IMPORTED_JUDGE, scores=record["judge"])


def _same(here: dict[str, Any], there: dict[str, Any]) -> bool:
    times = ("started_at", "ended_at")
    if any(datetime.fromisoformat(here[key]) != datetime.fromisoformat(there[key]) for key in times):
        return False
    left, right = ({**record, "started_at": "", "ended_at": ""} for record in (here, there))
    return orjson.dumps(left, option=orjson.OPT_SORT_KEYS) == orjson.dumps(right, option=orjson.OPT_SORT_KEYS)
