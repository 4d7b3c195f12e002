"""What playing an episode needs to know of its row and its participant."""

from dataclasses import dataclass, field
from typing import Any, Literal, cast

from sessions.models import Episode, Event, Participant, Study
from sessions.selectors.people import participant_place
from siturec.protocol.vocabulary import Condition, UserKind


@dataclass(frozen=True)
class EpisodeRow:
    """An episode's plan as plain data."""

    id: int
    public_id: str
    scene: str
    task_id: str
    profile_id: str
    assistant: str
    user_kind: UserKind
    user_policy: str
    moderator: str
    judge: str
    condition: Condition
    seed: int
    status: str
    letter: str = ""
    scene_version: str = ""
    study_version: int | None = None
    study: Study | None = None
    seq: int = 0
    limits: dict[str, Any] = field(default_factory=dict)
    draft: dict[str, Any] = field(default_factory=dict)
    end_reason: str = ""
    pictures: bool = True
    unjudged: bool = False


def episode_row(episode_id: int) -> EpisodeRow:
    """An episode by primary key. Raises: LookupError."""
    row = Episode.objects.select_related("study").filter(pk=episode_id).first()
    if row is None:
        raise LookupError(f"there is no episode {episode_id}")
    return EpisodeRow(
        id=row.pk,
        public_id=row.public_id,
        scene=row.scene,
        task_id=row.task_id,
        profile_id=row.profile_id,
        assistant=row.assistant,
        user_kind=cast(UserKind, row.user_kind),
        user_policy=row.user_policy,
        moderator=row.moderator,
        judge=row.judge,
        condition=cast(Condition, row.condition),
        seed=row.seed,
        status=row.status,
        letter=row.letter,
        scene_version=row.scene_version,
        study_version=row.study_version,
        study=row.study,
        seq=row.seq,
        limits=row.limits,
        draft=row.draft,
        end_reason=row.end_reason,
        pictures=row.extra.get("pictures") is not False,
        unjudged=row.judged_at is None and row.end_reason not in ("", "technical_failure"),
    )


def participant_notes(participant_id: int) -> list[str]:
    """What the study's team has written to a participant, oldest first."""
    notes = Event.objects.filter(participant_id=participant_id, kind="note").order_by("pk")
    return [str(payload.get("text", "")) for payload in notes.values_list("payload", flat=True)]


def participant_standing(participant_id: int) -> Literal["active", "paused", "gone"]:
    """Whether the participant may act now: still in the study, and the study not paused."""
    paused = (
        Participant.objects.filter(pk=participant_id, state=Participant.State.ACTIVE)
        .values_list("study__paused", flat=True)
        .first()
    )
    if paused is None:
        return "gone"
    return "paused" if paused else "active"


def store_episode(participant_id: int) -> int | None:
    """The episode the participant is at, if they are in the store now."""
    participant = Participant.objects.filter(pk=participant_id).first()
    if participant is None:
        return None
    place = participant_place(participant)
    return place.episode.pk if place.step == "store" and place.episode is not None else None
