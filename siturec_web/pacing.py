"""Long answers go out as fast as whoever asked can take them, and one that fails breaks off visibly.

Daphne itself takes whatever it is given: what a slow line has not carried yet is kept in memory, all of it.
And when the answer fails after its first byte, Daphne leaves the connection hanging.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Any

Message = Mapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[dict[str, Any], Receive, Send], Awaitable[None]]

logger = logging.getLogger(__name__)


class _Tap:
    """What Twisted calls a push producer: paused while more waits to be sent than it likes to hold."""

    def __init__(self) -> None:
        self.open = asyncio.Event()
        self.open.set()

    def pauseProducing(self) -> None:
        self.open.clear()

    def resumeProducing(self) -> None:
        self.open.set()

    def stopProducing(self) -> None:
        # Nobody is there any more: let go of whoever waits; Daphne ends them.
        self.open.set()


def paced(application: Application) -> Application:
    """The same application under Daphne; under any other server it is left as it is."""

    async def run(scope: dict[str, Any], receive: Receive, send: Send) -> None:
        request = _request(send)
        if request is None:
            await application(scope, receive, send)
        else:
            await _run(application, scope, receive, send, request)

    return run


async def _run(
    application: Application,
    scope: dict[str, Any],
    receive: Receive,
    send: Send,
    request: Any,
) -> None:
    tap: _Tap | None = None
    begun = False

    async def pace(message: Message) -> None:
        nonlocal tap, begun
        begun = True
        goes_on = message["type"] == "http.response.body" and message.get("more_body", False)
        if goes_on and tap is None and request.channel is not None:
            tap = _Tap()
            request.registerProducer(tap, True)
        elif not goes_on and tap is not None and request.channel is not None:
            request.unregisterProducer()
        await send(message)
        if goes_on and tap is not None:
            await tap.open.wait()

    try:
        await application(scope, receive, pace)
    except Exception:
        if not begun:
            raise
        logger.exception("an answer broke off: %s", scope.get("path", ""))
        if request.channel is not None:
            request.channel.transport.abortConnection()


def _request(send: Send) -> Any:
    """The request that Daphne answers with this ``send``; None when it is another server's."""
    found = send.args[0] if isinstance(send, partial) and send.args else None
    return found if hasattr(found, "registerProducer") else None
