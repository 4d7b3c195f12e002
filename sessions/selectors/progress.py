"""How far a study is: people by state, seats, interactions, and what went wrong."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Count, Q

from sessions.models import Episode, Event, Participant, Seat, Study
from sessions.selectors.people import participant_place

AWAY_AFTER = timedelta(seconds=60)
"""No sign of life for this long: away."""
GONE_AFTER = timedelta(minutes=10)
STEP_WORDS = {
    "consent": "reading the consent",
    "profile": "filling in the profile",
    "goal": "reading the goal",
    "store": "in the store",
    "questionnaire": "rating the visit",
    "finish": "finishing",
}


@dataclass(frozen=True)
class Progress:
    """Counts of what counts: bots and test visits are apart (``rehearsals``)."""

    quota: int
    finished: int
    inside: int
    left: int
    rehearsals: int
    episodes: int
    simulated: int
    failures: dict[str, int] = field(default_factory=dict)

    @property
    def percent(self) -> int:
        """Finished participants as a share of the quota, 0 to 100."""
        return min(100, round(100 * self.finished / self.quota)) if self.quota else 0


def study_progress(study: Study) -> Progress:
    """Count a study's participants and interactions."""
    people = study.participants.filter(kind=Participant.Kind.HUMAN)
    counts = people.aggregate(
        finished=Count("pk", filter=Q(state=Participant.State.DONE)),
        inside=Count("pk", filter=Q(state=Participant.State.ACTIVE, consented_at__isnull=False)),
        left=Count("pk", filter=~Q(state__in=[Participant.State.DONE, Participant.State.ACTIVE])),
    )
    ended = study.episodes.filter(status=Episode.Status.ENDED)
    broken = ended.filter(end_reason="technical_failure").values_list("failure").annotate(n=Count("pk"))
    return Progress(
        quota=int(study.config.get("quota", 0)),
        rehearsals=study.participants.exclude(kind=Participant.Kind.HUMAN).count(),
        episodes=ended.filter(participant__kind=Participant.Kind.HUMAN).count(),
        simulated=ended.filter(user_kind="simulated").count(),
        failures={kind or "unknown": count for kind, count in broken},
        **counts,
    )


@dataclass(frozen=True)
class Presence:
    """Where one participant is now, as the team sees it."""

    participant: Participant
    step: str
    number: int
    total: int
    letter: str
    assistant: str
    turn: int
    away: bool
    seconds: int
    needs_help: bool
    episode_id: str = ""

    @property
    def rehearses(self) -> bool:
        """Whether this is a bot or a test visit, which never count."""
        return self.participant.kind != Participant.Kind.HUMAN

    @property
    def where(self) -> str:
        """The step in words, with its number among the interactions."""
        words = STEP_WORDS.get(self.step, self.step)
        return f"{words} ({self.number} of {self.total})" if self.total else words

    def as_json(self) -> dict[str, Any]:
        """For the live page."""
        person = self.participant
        return {
            "code": person.code,
            "kind": person.kind,
            "state": person.state,
            "where": self.where,
            "letter": self.letter,
            "assistant": self.assistant,
            "turn": self.turn,
            "away": self.away,
            "seconds": self.seconds,
            "help": self.needs_help,
        }


def study_presence(study: Study, *, now: datetime) -> list[Presence]:
    """Everyone who is inside: calls for help first, people before bots and tests, then by code.

    Who holds no seat of the plan (has not agreed, is a bot or a test) is no longer inside when long gone.
    """
    seated = Q(kind=Participant.Kind.HUMAN, consented_at__isnull=False)
    here = Q(seen_at__gte=now - GONE_AFTER)
    inside = study.participants.filter(seated | here, state=Participant.State.ACTIVE).order_by("code")
    rows = [_presence(person, now) for person in inside]
    return sorted(rows, key=lambda row: (not row.needs_help, row.rehearses))


def _presence(person: Participant, now: datetime) -> Presence:
    place = participant_place(person)
    quiet = now - person.seen_at
    episode = place.episode
    return Presence(
        participant=person,
        step=place.step,
        number=place.number,
        total=place.total,
        letter=episode.letter if episode is not None else "",
        assistant=episode.assistant if episode is not None else "",
        turn=episode.turn_count if episode is not None else 0,
        away=quiet > AWAY_AFTER,
        seconds=max(0, int(quiet.total_seconds())),
        needs_help=_needs_help(person),
        episode_id=episode.public_id if episode is not None else "",
    )


def _needs_help(person: Participant) -> bool:
    """A call for help stays open until the team answers with a note."""
    last = Event.objects.filter(participant=person, kind__in=["help", "note"]).order_by("-pk").first()
    return last is not None and last.kind == "help"


def seats_by_status(study: Study) -> dict[str, int]:
    """Seats of the current version by status, rehearsals left out."""
    seats = Seat.objects.filter(study=study, version=study.version, rehearsal=False)
    return {str(status): seats.filter(status=status).count() for status in Seat.Status.values}
