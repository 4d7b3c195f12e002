"""What the record refuses, in words for whoever asked."""


class StudyError(Exception):
    """A study cannot do what was asked; the text says why."""


class StudyFrozen(StudyError):
    """An open study keeps its design; a change makes a new version."""


class NotAccepting(StudyError):
    """Nobody can join now: not open, paused, outside its times, or full."""


class NoSeatFree(NotAccepting):
    """All seats are taken."""


class WrongStep(StudyError):
    """A participant sent something that belongs to another step."""


class LeaseLost(Exception):
    """Another process has taken the episode over; whoever gets this must stop at once."""
