"""A study's rows, one by one: memory holds a chunk of episodes, however many there are."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import orjson
from django.db.models import QuerySet

from agents.registry import judge_kind
from analysis.exporting.columns import unit_of
from analysis.selectors.ledgers import scored_episodes
from questionnaire.models import Rating
from questionnaire.selectors import judges_by_episode
from sessions.models import Episode, Event, Study
from sessions.selectors import episode_record, with_turns
from siturec.metrics.episode import EpisodeScore, version_fields
from siturec.metrics.registry import OUTCOME
from siturec.protocol.vocabulary import DIMENSIONS

CHUNK = 25
"""How many whole records are in memory at once: each takes ten times its length there."""
Row = dict[str, Any]
PRIVATE = ("token", "external", "ip", "address", "agent", "email", "name", "by", "user", "cookie", "session")
"""A payload's keys that hold any of these words are left out: an export knows people by code only."""


def finished(study: Study) -> QuerySet[Episode]:
    """All finished episodes of a study that people (not bots or tests) or simulated users played."""
    ended = Episode.objects.filter(study=study, status=Episode.Status.ENDED)
    return ended.exclude(participant__kind__in=["bot", "test"]).order_by("pk")


def chunks(episodes: QuerySet[Episode]) -> Iterator[list[Episode]]:
    """Episodes in chunks, with participants at hand."""
    ids = list(episodes.values_list("pk", flat=True))
    for start in range(0, len(ids), CHUNK):
        part = Episode.objects.filter(pk__in=ids[start : start + CHUNK]).order_by("pk")
        yield list(part.select_related("participant", "study"))


def trajectories(episodes: QuerySet[Episode]) -> Iterator[Row]:
    """Whole records with the ratings given so far."""
    for part in chunks(episodes):
        given = _ratings(part)
        for episode, own_turns in with_turns(part):
            own = given.get(episode.pk, {})
            yield episode_record(episode, turns=own_turns, ratings=own.get("human"), judged=own.get("judge"))


def _ratings(part: list[Episode]) -> dict[int, dict[str, dict[str, int | None]]]:
    """Scores by episode, kind of rater and dimension; of several judges only the last counts."""
    found: dict[int, dict[str, dict[str, int | None]]] = {}
    episodes = Episode.objects.filter(pk__in=[episode.pk for episode in part])
    judges = judges_by_episode(episodes)
    rows = Rating.objects.filter(episode__in=episodes, dimension__in=DIMENSIONS).order_by("pk")
    columns = ("episode_id", "rater_kind", "rater", "dimension", "score")
    for pk, kind, rater, dimension, score in rows.values_list(*columns):
        if kind == "human" or judges[pk] == rater:
            own = found.setdefault(pk, {}).setdefault(kind, dict.fromkeys(DIMENSIONS))
            own[dimension] = score
    return found


def _scored(episodes: QuerySet[Episode]) -> Iterator[tuple[Episode, EpisodeScore]]:
    for part in chunks(episodes):
        own = Episode.objects.filter(pk__in=[episode.pk for episode in part])
        scores = {row["pk"]: score for row, score in scored_episodes(own)}
        for episode in part:
            if episode.pk in scores:
                yield episode, scores[episode.pk]


def _common(episode: Episode) -> Row:
    person = episode.participant
    return {
        "episode_id": episode.public_id,
        "study": episode.study.slug if episode.study is not None else None,
        "study_version": episode.study_version,
        "user_kind": episode.user_kind,
        "participant": person.code if person is not None else None,
        "participant_state": person.state if person is not None else None,
        "user_policy": episode.user_policy or None,
        "assistant": episode.assistant,
        "letter": episode.letter or None,
        "position": episode.position,
        "scene": episode.scene,
        "scene_version": episode.scene_version or None,
        "condition": episode.condition,
        "profile_id": episode.profile_id,
        "task_id": episode.task_id,
    }


def wide(episodes: QuerySet[Episode]) -> Iterator[Row]:
    """One row per episode; the episodes must have been scored."""
    judged = judges_named(episodes)
    for episode, score in _scored(episodes):
        row = _common(episode) | {
            "started_at": stamp(episode.started_at),
            "ended_at": stamp(episode.ended_at),
            "end_reason": episode.end_reason,
            "in_metrics": score.counted,
            "turns": episode.turn_count,
            "final_cart": " ".join(episode.final_cart),
            "reference_items": " ".join(episode.reference_items),
            "judge": judged.get(episode.pk),
            "scoring_version": score.version,
        }
        row |= version_fields(episode.versions)
        row |= {quantity.key: score.value(quantity.key) for quantity in OUTCOME}
        yield row | dict(_given(score))


def judges_named(episodes: QuerySet[Episode]) -> dict[int, str]:
    """By episode, the judge whose scores count: its name and what it is."""
    return {pk: f"{slug} ({judge_kind(slug)})" for pk, slug in judges_by_episode(episodes).items()}


def _given(score: EpisodeScore) -> Iterator[tuple[str, int | None]]:
    for rater in ("questionnaire", "judge"):
        for name in DIMENSIONS:
            value = score.value(f"{rater}.{name}")
            yield f"{rater}.{name}", None if value is None else int(value)


def long(episodes: QuerySet[Episode]) -> Iterator[Row]:
    """One row per episode and measure that has a value."""
    judged = judges_named(episodes)
    for episode, score in _scored(episodes):
        common = _common(episode)
        for quantity in OUTCOME:
            value = score.value(quantity.key)
            if value is not None:
                yield common | {
                    "source": "metric", "measure": quantity.key, "value": value, "unit": quantity.unit
                }  # fmt: skip
        for key, given in _given(score):
            if given is not None:
                source, _, measure = key.partition(".")
                yield common | {
                    "source": source, "measure": measure, "value": float(given), "unit": unit_of(key),
                    "judge": judged.get(episode.pk) if source == "judge" else None,
                }  # fmt: skip


def turns(episodes: QuerySet[Episode]) -> Iterator[Row]:
    """One row per turn that was carried out; what was in view is in the trajectories only."""
    columns = ("index", "assistant", "user")
    for part in chunks(episodes):
        for episode in part:
            common = {
                "episode_id": episode.public_id,
                "participant": episode.participant.code if episode.participant is not None else None,
                "assistant": episode.assistant,
            }
            for number, said, did in episode.turns.order_by("index").values_list(*columns):
                if said is not None and did is not None and "outcome" in did:
                    yield common | _turn(number, said, did)


def _turn(number: int, said: Row, did: Row) -> Row:
    action, outcome = said["action"] or {}, did["outcome"] or {}
    expected, call = said["expected_user_action"] or {}, did["tool_call"] or {}
    return {
        "turn": number,
        "utterance": said["utterance"],
        "act": action.get("type"),
        "navigation_goal": action.get("navigation_goal"),
        "expected_tool": expected.get("tool"),
        "expected_target": _entity(expected),
        "ranking": None if said["ranking"] is None else " ".join(said["ranking"]),
        "reply": did["reply"],
        "tool": call.get("tool"),
        "target": _entity(call),
        "ok": outcome.get("ok"),
        "displacement_m": outcome.get("displacement_m"),
    }


def _entity(call: Row) -> str | None:
    resolved = call.get("resolved") or {}
    found = resolved.get("target") or resolved.get("product")
    return found if found is None or isinstance(found, str) else str(found)


def events(study: Study) -> Iterator[Row]:
    """One row per event of the study's participants and episodes, in the order in which they happened."""
    rows = Event.objects.filter(participant__study=study, participant__kind="human") | Event.objects.filter(
        episode__study=study, participant=None
    )
    columns = ("at", "participant__code", "episode__public_id", "turn", "seq", "kind", "payload")
    for at, code, public_id, turn, seq, kind, payload in (
        rows.order_by("pk").values_list(*columns).iterator(chunk_size=2000)
    ):
        yield {
            "at": stamp(at),
            "participant": code,
            "episode_id": public_id,
            "turn": turn,
            "seq": seq,
            "kind": kind,
            "payload": orjson.dumps(_public(payload), option=orjson.OPT_SORT_KEYS).decode(),
        }


def _public(value: Any) -> Any:
    if isinstance(value, dict):
        return {
            key: _public(inner)
            for key, inner in value.items()
            if not any(part in PRIVATE for part in str(key).lower().split("_"))
        }
    return [_public(inner) for inner in value] if isinstance(value, list) else value


def stamp(moment: datetime | None) -> str | None:
    """A time in ISO 8601, UTC, with its Z."""
    if moment is None:
        return None
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
