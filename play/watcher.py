"""Whoever looks on while an episode is played: nobody for a simulation, a browser for a person."""

from siturec.protocol.messages import Outcome, ResolvedAction, ShopperState, View
from siturec.protocol.ports import FrameSink
from siturec.protocol.vocabulary import EndReason


class Watcher:
    """Hears of each step after it has been written. The base does nothing, and waits for nothing."""

    moving: FrameSink | None = None
    waits = False
    """Whether somebody waits for the next view, so that it is taken before the turn is known to go on."""

    async def phase(self, phase: str, turn: int) -> None:
        """A step begins: preparing, assistant, user, acting, deciding."""

    async def seen(self, turn: int, view: View, state: ShopperState) -> None:
        """The view of this turn is recorded."""

    async def mask(self, since: float) -> None:
        """Wait until an answer asked for at ``since`` (event loop's clock) may be shown."""

    async def said(self, turn: int, utterance: str) -> None:
        """The assistant's utterance is recorded."""

    async def replied(self, turn: int, reply: str, action: ResolvedAction, client_id: str) -> None:
        """The user's reply is recorded; the action is about to be carried out."""

    async def happened(self, turn: int, action: ResolvedAction, outcome: Outcome) -> None:
        """The outcome is recorded."""

    async def waiting(self, text: str) -> None:
        """A mind takes longer than usual, for this reason."""

    async def trouble(self, kind: str, *, final: bool) -> None:
        """A world or a mind failed; the turn is kept, and tried again unless ``final``."""

    async def ended(self, reason: EndReason) -> None:
        """The end reason is recorded."""
