"""Episodes in the trajectory's form, and their frames."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from django.db.models import QuerySet

from sessions.models import Episode, Frame, Participant, Turn
from siturec.trajectory import SCHEMA

TURNS_OF = 25
NOT_RECORDED = ("pose_after", "state_after", "timings", "observed_at", "executed_at")


def _stamp(moment: datetime | None) -> str:
    if moment is None:
        raise ValueError("an episode that has not ended has no record")
    text = moment.astimezone(UTC).isoformat(timespec="microseconds" if moment.microsecond else "seconds")
    return text.replace("+00:00", "Z")


def _observation(stored: dict[str, Any] | None) -> dict[str, Any] | None:
    if stored is None:
        return None
    visible = [
        {key: value for key, value in sighting.items() if not (key == "reachable" and value is None)}
        for sighting in stored["visible"]
    ]
    return {**stored, "visible": visible}


def turn_record(turn: Turn) -> dict[str, Any]:
    """One executed turn in the trajectory's form; frames and the input's digest ride along as extras."""
    record: dict[str, Any] = {
        "turn": turn.index,
        "observation": _observation(turn.observation),
        "assistant": turn.assistant,
        "user": turn.user,
        "moderator": turn.moderator,
    }
    if turn.moderator is not None and turn.moderator.get("missing"):
        record["moderator"] = {**turn.moderator, "stop": None}
    if turn.input_digest:
        record["input_digest"] = turn.input_digest
    if turn.user_frame:
        record["frames"] = {"user": turn.user_frame, "assistant": turn.assistant_frame}
    if turn.notes:
        record["notes"] = turn.notes
    record.update(turn.extra)
    return record


def with_turns(episodes: Sequence[Episode]) -> Iterator[tuple[Episode, list[Turn]]]:
    """Each episode with its turns in order, read by a query for every few episodes.

    Prefetched turns and their episode hold one another and would stay until a full garbage collection; a
    query for each episode costs as much time as scoring it.
    """
    for start in range(0, len(episodes), TURNS_OF):
        part = episodes[start : start + TURNS_OF]
        turns: dict[int, list[Turn]] = {episode.pk: [] for episode in part}
        for turn in (
            Turn.objects.filter(episode__in=part).defer(*NOT_RECORDED).order_by("episode_id", "index")
        ):
            turns[turn.episode_id].append(turn)
        for episode in part:
            yield episode, turns.pop(episode.pk)


def episode_record(
    episode: Episode,
    *,
    turns: Iterable[Turn] | None = None,
    ratings: dict[str, int | None] | None = None,
    judged: dict[str, int | None] | None = None,
) -> dict[str, Any]:
    """A finished episode as ``siturec.trajectory/1``; turns that were not carried out are left out.

    ``ratings`` and ``judged`` are given: the questionnaire knows episodes, not the other way round.
    ``turns`` are read here unless they are at hand. Raises: ValueError when the episode has not ended.
    """
    recorded = episode.turns.all() if turns is None else turns
    turns = [turn for turn in recorded if turn.user is not None and "outcome" in turn.user]
    record: dict[str, Any] = {
        "schema": SCHEMA,
        "episode_id": episode.public_id,
        "scene": episode.scene,
        "task_id": episode.task_id,
        "profile_id": episode.profile_id,
        "assistant": episode.assistant,
        "user": {
            "kind": episode.user_kind,
            "policy": episode.user_policy or None,
            "participant": episode.participant.code if episode.participant is not None else None,
        },
        "condition": episode.condition,
        "started_at": _stamp(episode.started_at),
        "ended_at": _stamp(episode.ended_at),
        "end_reason": episode.end_reason,
        "final_cart": episode.final_cart,
        "reference_items": episode.reference_items,
        "turns": [turn_record(turn) for turn in turns],
        "questionnaire": ratings,
        "judge": judged,
        "scene_version": episode.scene_version,
        "seed": episode.seed,
        "versions": episode.versions,
    }
    if episode.failure:
        record["failure"] = episode.failure
    record.update(episode.extra)
    return record


def ended_episodes(
    *, study: str = "", run: str = "", kind: str = "", rehearsals: bool = False
) -> QuerySet[Episode]:
    """Finished episodes of a study, a run or a kind of user, or all.

    Bots, tests, and people who withdrew or were excluded come only when asked for, with ``rehearsals``.
    """
    rows = Episode.objects.filter(status=Episode.Status.ENDED).order_by("pk")
    if study:
        rows = rows.filter(study__slug=study)
    if run:
        rows = rows.filter(run__name=run)
    if kind:
        rows = rows.filter(user_kind=kind)
    if not rehearsals:
        rows = rows.exclude(participant__kind__in=[Participant.Kind.BOT, Participant.Kind.TEST])
        gone = [Participant.State.EXCLUDED, Participant.State.RETURNED]
        rows = rows.exclude(participant__state__in=gone)
    return rows


def turns_of(episode_id: int) -> list[Turn]:
    """All recorded turns in order: what a resumed episode starts from."""
    return list(Turn.objects.filter(episode_id=episode_id).order_by("index"))


def frame_path(digest: str) -> Path | None:
    """Where a stored frame lies, or None when it was not kept."""
    if len(digest) != 64 or not digest.isalnum():
        return None
    path = Frame(digest=digest, size=0).path
    return path if path.is_file() else None


def frame_bytes(digest: str) -> bytes | None:
    """A stored frame's bytes, or None when it was not kept."""
    path = frame_path(digest)
    return path.read_bytes() if path is not None else None


def frame_strip(episode: Episode) -> list[str]:
    """The digests of the user's frames, in order, of those that were kept."""
    found: Iterable[str] = episode.turns.order_by("index").values_list("user_frame", flat=True)
    return [digest for digest in found if digest and frame_path(digest) is not None]
