"""What can go wrong on the way to a world, one class per cause, each under its port's error."""

from siturec.protocol.ports import WorldError, WorldLied, WorldTimeout, WorldUnavailable


class NotAWorld(WorldUnavailable):
    """Something else listens there: the greeting is not UnrealCV's."""


class SlotTaken(WorldUnavailable):
    """The server accepts but does not greet: another client most likely holds its only place."""


class ConnectionLost(WorldUnavailable):
    """The connection could not be made, or broke."""


class NotAnswering(WorldTimeout):
    """The server greets but answers no command: the game is most likely not running."""


class ReplyTimeout(WorldTimeout):
    """One command was not answered in time; its connection is not used again."""


class WrongReply(WorldLied):
    """A reply that is certainly not the one asked for; its connection is not used again."""


class BadCapture(WorldLied):
    """A capture of the wrong type, format or size; the text of a failed one is kept."""


class CommandFailed(WorldError):
    """The server understood and refused; the connection is fine."""


BROKEN = (NotAWorld, SlotTaken, ConnectionLost, NotAnswering, ReplyTimeout, WrongReply, BadCapture)
"""After these a fresh connection may help: an engine that is still starting looks like any of them."""

HUNG = (SlotTaken, NotAnswering)
"""A store of our own that does this is stuck: it greets everyone at once."""
