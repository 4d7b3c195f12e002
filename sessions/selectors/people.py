"""Participants and where they are."""

from dataclasses import dataclass
from typing import Literal

from sessions.models import Episode, Participant

Step = Literal[
    "consent",
    "profile",
    "goal",
    "store",
    "questionnaire",
    "finish",
    "done",
    "screened_out",
    "returned",
    "closed",
]

_OVER: dict[str, Step] = {
    Participant.State.DONE: "done",
    Participant.State.SCREENED_OUT: "screened_out",
    Participant.State.RETURNED: "returned",
    Participant.State.ABANDONED: "closed",
    Participant.State.EXCLUDED: "closed",
}
# Nothing to rate: the person met a failure of ours, or was gone.
UNRATED = ("technical_failure", "abandoned")


@dataclass(frozen=True)
class Place:
    """The step a participant is at, derived from the record, never stored.

    ``number`` of ``total`` counts interactions from 1; both 0 before a seat is claimed.
    """

    step: Step
    episode: Episode | None = None
    number: int = 0
    total: int = 0


def participant_by_token(token: str) -> Participant | None:
    """Whom a link belongs to, with the study, or None."""
    if "\0" in token:  # PostgreSQL has no such text, and so no such link
        return None
    return Participant.objects.select_related("study").filter(token=token).first()


def participant_place(participant: Participant) -> Place:
    """Where a participant is now; reloading at any step comes back to it."""
    over = _OVER.get(participant.state)
    if over is not None:
        return Place(step=over)
    if participant.consented_at is None:
        return Place(step="consent")
    if participant.profiled_at is None:
        return Place(step="profile")
    episodes = list(participant.episodes.order_by("position"))
    for number, episode in enumerate(episodes, start=1):
        if episode.status == Episode.Status.ENDED:
            if episode.rated_at is not None or episode.end_reason in UNRATED:
                continue
            step: Step = "questionnaire"
        else:
            step = "goal" if episode.goal_read_at is None else "store"
        return Place(step=step, episode=episode, number=number, total=len(episodes))
    return Place(step="finish", number=len(episodes), total=len(episodes))
