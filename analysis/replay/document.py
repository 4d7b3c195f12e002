"""An episode as one document for the replay page: the record, with names beside markers and ids."""

from typing import Any

from agents.registry import judge_kind
from questionnaire.selectors import judgements_of, ratings_of
from sessions.models import Episode, Turn
from sessions.selectors.record import frame_path

VIEWS = ("user_frame", "assistant_frame", "user_minimap", "assistant_minimap")


def replay_document(episode: Episode) -> dict[str, Any]:
    """Everything the page draws, JSON-able. Pictures are named by digest, None where none was kept."""
    turns = [turn_document(turn) for turn in episode.turns.order_by("index")]
    return {
        "id": episode.public_id,
        "assistant": episode.assistant,
        "letter": episode.letter,
        "user": episode.user_policy or episode.user_kind,
        "scene": episode.scene,
        "task": episode.task_id,
        "condition": episode.condition,
        "end_reason": episode.end_reason,
        "failure": episode.failure,
        "final_cart": episode.final_cart,
        "reference_items": episode.reference_items,
        "turns": turns,
        "ratings": {
            "questionnaire": ratings_of(episode, "human"),
            "judge": ratings_of(episode, "judge"),
        },
        "judgements": [{**found, "kind": judge_kind(found["judge"])} for found in judgements_of(episode)],
        "versions": episode.versions,
    }


def turn_document(turn: Turn) -> dict[str, Any]:
    """One turn: pictures, what could be seen, both messages with their hidden parts, outcome, timing."""
    observation = turn.observation or {}
    return {
        "index": turn.index,
        "pictures": {view: _kept(getattr(turn, view)) for view in VIEWS},
        "pose": observation.get("pose"),
        "visible": [
            {key: value for key, value in seen.items() if key != "outlines"}
            for seen in observation.get("visible", [])
        ],
        "assistant": turn.assistant,
        "user": turn.user,
        "moderator": turn.moderator,
        "notes": turn.notes,
        "timings": turn.timings,
        "input_digest": turn.input_digest,
    }


def _kept(digest: str) -> str | None:
    return digest if digest and frame_path(digest) is not None else None
