"""A person as a user policy: each turn waits for one accepted message from the browser."""

import asyncio

from siturec.protocol.events import Act
from siturec.protocol.messages import ToolCall, UserInput, UserMessage
from siturec.protocol.ports import Answer


class HumanPolicy:
    """Waits, however long it takes; what may be sent is checked before it gets here."""

    slug = "human"

    def __init__(self) -> None:
        self.given: UserInput | None = None
        self._waiting: asyncio.Future[Act] | None = None

    @property
    def is_waiting(self) -> bool:
        """Whether it is the person's turn, and nothing was sent yet."""
        return self._waiting is not None and not self._waiting.done()

    def expect(self) -> "asyncio.Future[Act]":
        """Be ready for an answer: from the moment the page is told, not only when it is waited for."""
        if self._waiting is None:
            self._waiting = asyncio.get_running_loop().create_future()
        return self._waiting

    async def respond(self, given: UserInput) -> Answer[UserMessage]:
        """The person's reply and action; ``calls`` holds the id their browser gave it."""
        self.given = given
        waiting = self.expect()
        try:
            act = await waiting
        finally:
            self._waiting = None
        message = UserMessage(reply=act.reply, tool_call=ToolCall(tool=act.tool, args=act.args))
        return Answer(message, calls=(act.client_id,))

    def offer(self, act: Act) -> bool:
        """Hand over what the person sent. False when it is not their turn (any more)."""
        if self._waiting is None or self._waiting.done():
            return False
        self._waiting.set_result(act)
        return True
