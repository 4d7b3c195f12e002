"""Coded ids: P001 for people, B001 for bots, T001 for test visits; a code is never given twice."""

from sessions.models import AuditLog, Participant, Study

_LETTER = {Participant.Kind.HUMAN: "P", Participant.Kind.BOT: "B", Participant.Kind.TEST: "T"}
ERASED = "participant_erase"
"""The log's word for an erasure; the erased code stays in the log alone."""


def next_code(study: Study, kind: str) -> str:
    """The code for the next participant of a kind. Call with the study's row locked."""
    letter = _LETTER[Participant.Kind(kind)]
    present = Participant.objects.filter(study=study, kind=kind).values_list("code", flat=True)
    erased = AuditLog.objects.filter(study=study, action=ERASED, subject__startswith=letter)
    codes = [*present, *erased.values_list("subject", flat=True)]
    taken = [int(code[1:]) for code in codes if code[1:].isdecimal()]
    return f"{letter}{max(taken, default=0) + 1:03d}"
