"""The record: studies, seats, participants, runs, episodes, turns, events, frames, and who touched what."""

from sessions.models.people import Invitation, Participant, Seat, StudyMember
from sessions.models.record import Episode, Event, Frame, Run, Turn
from sessions.models.study import AuditLog, Study, StudyVersion

__all__ = [
    "AuditLog",
    "Episode",
    "Event",
    "Frame",
    "Invitation",
    "Participant",
    "Run",
    "Seat",
    "Study",
    "StudyMember",
    "StudyVersion",
    "Turn",
]
