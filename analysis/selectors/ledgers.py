"""Stored scores and ratings to ledgers."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from django.db.models import QuerySet

from analysis.models import EpisodeScore
from questionnaire.models import Rating
from questionnaire.selectors import judges_by_episode
from sessions.models import Episode
from siturec.metrics.episode import EpisodeKey, version_fields
from siturec.metrics.episode import EpisodeScore as Scored
from siturec.metrics.ledger import Ledger
from siturec.metrics.registry import INDEX, QUANTITIES, SCORING_VERSION
from siturec.protocol.vocabulary import DIMENSIONS

RATER_NAMES = {"human": "questionnaire", "judge": "judge"}


def ledger_of(episodes: QuerySet[Episode], version: str = SCORING_VERSION) -> Ledger:
    """The ledger of episodes as scored by one version of the rules, with the ratings given so far.

    Episodes without a score of that version are not in it: ``scores_complete`` makes them first.
    """
    return Ledger.of(score for _, score in scored_episodes(episodes, version))


def scored_episodes(
    episodes: QuerySet[Episode], version: str = SCORING_VERSION
) -> Iterator[tuple[dict[str, Any], Scored]]:
    """Each episode's own columns with its scores, in the order of the query."""
    ratings = _ratings(episodes)
    columns = (
        "pk", "public_id", "assistant", "scene", "condition", "user_kind", "user_policy", "profile_id",
        "task_id", "end_reason", "turn_count", "letter", "started_at", "participant__code",
        "versions",
    )  # fmt: skip
    scores = EpisodeScore.objects.filter(version=version, episode__in=episodes)
    sums = {row[0]: row[1:] for row in scores.values_list("episode_id", "counted", "sums", "unknown")}
    for row in episodes.values(*columns):
        if row["pk"] not in sums:
            continue
        counted, own, unknown = sums[row["pk"]]
        yield row, _score(row, counted, own, unknown, ratings.get(row["pk"], {}), version)


def _score(
    row: dict[str, Any],
    counted: bool,
    own: dict[str, list[float]],
    unknown: list[str],
    ratings: dict[str, int],
    version: str,
) -> Scored:
    num, den = np.zeros(len(QUANTITIES)), np.zeros(len(QUANTITIES))
    for key, (top, bottom) in own.items():
        at = INDEX.get(key)
        if at is not None:
            num[at], den[at] = top, bottom
    if counted:
        plain = "questionnaire." if row["user_kind"] == "human" else "judge."
        for key, score in ratings.items():
            for name in {key, key.removeprefix(plain)}:
                num[INDEX[name]], den[INDEX[name]] = score, 1
    return Scored(
        episode_id=row["public_id"],
        key=EpisodeKey(
            assistant=row["assistant"],
            scene=row["scene"],
            condition=row["condition"],
            user_kind=row["user_kind"],
            policy=row["user_policy"] or None,
            participant=row["participant__code"],
            profile_id=row["profile_id"],
            task_id=row["task_id"],
            **version_fields(row["versions"]),
        ),
        end_reason=row["end_reason"],
        counted=counted,
        num=num,
        den=den,
        unknown=frozenset(unknown),
        version=version,
    )


def _ratings(episodes: QuerySet[Episode]) -> dict[int, dict[str, int]]:
    """Given scores by episode, as ``rater.dimension``; of several judges only the last counts."""
    found: dict[int, dict[str, int]] = {}
    judges = judges_by_episode(episodes)
    rows = Rating.objects.filter(episode__in=episodes, dimension__in=DIMENSIONS).order_by("pk")
    columns = ("episode_id", "rater_kind", "rater", "dimension", "score")
    for episode, kind, rater, dimension, score in rows.values_list(*columns):
        if score is not None and (kind == "human" or judges[episode] == rater):
            found.setdefault(episode, {})[f"{RATER_NAMES[kind]}.{dimension}"] = score
    return found
