"""Episodes played elsewhere, taken into the record as they are."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db import transaction

from sessions.models import Episode, Turn

_COLUMNS = {
    "schema",
    "episode_id",
    "scene",
    "task_id",
    "profile_id",
    "assistant",
    "condition",
    "started_at",
    "ended_at",
    "end_reason",
    "final_cart",
    "reference_items",
    "turns",
    "questionnaire",
    "judge",
    "scene_version",
    "seed",
    "versions",
    "failure",
}
_TURN_COLUMNS = {"turn", "observation", "assistant", "user", "moderator", "input_digest", "frames", "notes"}


@transaction.atomic
def episode_import(*, record: Mapping[str, Any], source: str) -> Episode:
    """Store a checked trajectory record, unknown keys included.

    Its participant's code stays a code: nobody of a study here is meant by it.
    """
    user = record["user"]
    extra = {key: value for key, value in record.items() if key not in _COLUMNS}
    if user["participant"] is None and set(user) == {"kind", "policy", "participant"}:
        extra.pop("user")
    episode = Episode.objects.create(
        public_id=record["episode_id"],
        source=source[:120],
        scene=record["scene"],
        scene_version=record.get("scene_version", ""),
        task_id=record["task_id"],
        profile_id=record["profile_id"],
        assistant=record["assistant"],
        user_kind=user["kind"],
        user_policy=user["policy"] or "",
        condition=record["condition"],
        seed=record.get("seed", 0),
        status=Episode.Status.ENDED,
        end_reason=record["end_reason"],
        failure=record.get("failure", ""),
        started_at=datetime.fromisoformat(record["started_at"]),
        ended_at=datetime.fromisoformat(record["ended_at"]),
        final_cart=record["final_cart"],
        reference_items=record["reference_items"],
        turn_count=len(record["turns"]),
        versions=record.get("versions", {}),
        extra=extra,
    )
    Turn.objects.bulk_create(_turn(episode, turn) for turn in record["turns"])
    return episode


def _turn(episode: Episode, turn: Mapping[str, Any]) -> Turn:
    frames = turn.get("frames") or {}
    return Turn(
        episode=episode,
        index=turn["turn"],
        observation=turn["observation"],
        assistant=turn["assistant"],
        user=turn["user"],
        moderator=turn["moderator"],
        user_frame=frames.get("user", ""),
        assistant_frame=frames.get("assistant", ""),
        input_digest=turn.get("input_digest", ""),
        notes=turn.get("notes", {}),
        extra={key: value for key, value in turn.items() if key not in _TURN_COLUMNS},
    )
