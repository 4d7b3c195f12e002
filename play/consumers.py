"""A participant's socket: parse, check, hand over. Nothing here waits for a world or a mind."""

from typing import Any

from channels.generic.websocket import AsyncWebsocketConsumer

from play.helping import call_help
from play.incoming import TOO_FAST, read_message
from play.live import LiveSession, session_of
from play.moving import MovingPictures
from sessions import services
from sessions.database import database_sync_to_async
from sessions.selectors import participant_by_token
from siturec.protocol.events import (
    Act,
    CallHelp,
    Draft,
    Event,
    Ping,
    Refused,
    Resume,
    Shown,
    Superseded,
    TakeOver,
)

UNKNOWN_LINK = 4404


class PlayConsumer(AsyncWebsocketConsumer):
    """One tab of one participant. The newest tab plays; the others rest until told to take over."""

    session: LiveSession | None = None
    resting = False
    flooding = False

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.move = MovingPictures(self.show)

    async def connect(self) -> None:
        token = str(self.scope["url_route"]["kwargs"]["token"])
        participant = await database_sync_to_async(participant_by_token)(token)
        await self.accept()
        if participant is None:
            await self.tell(Refused(seq=0, code="sign_in", reason="This link is not known here."))
            await self.close(UNKNOWN_LINK)
            return
        self.group = f"play.{participant.pk}"
        await self.channel_layer.group_add(self.group, self.channel_name)
        self.session = session_of(participant.pk, token)
        await self._play_here(self.session)

    async def _play_here(self, session: LiveSession) -> None:
        self.resting = False
        await session.attach(self)
        await self.channel_layer.group_send(self.group, {"type": "tab.newest", "channel": self.channel_name})
        await database_sync_to_async(services.participant_seen)(participant_id=session.participant_id)
        if session.screen is not None:
            await self.tell(session.screen.snapshot())

    async def disconnect(self, code: int) -> None:
        if self.session is not None:
            await self.channel_layer.group_discard(self.group, self.channel_name)
            self.session.detach(self)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        session = self.session
        if session is None or self.flooding:
            return
        if not session.pace.allows():
            self.flooding = True
            await self.close(TOO_FAST)
            return
        event = read_message(text_data or bytes_data or b"")
        if isinstance(event, Refused):
            await self.tell(event)
        elif isinstance(event, Shown):
            self.move.confirmed(event.number)
        elif isinstance(event, TakeOver):
            await self._play_here(session)
        elif self.resting:
            await self._refuse_resting(event)
        else:
            await self._handle(session, event)

    async def _handle(self, session: LiveSession, event: Act | Draft | Resume | Ping | CallHelp) -> None:
        answer: Event | None = None
        match event:
            case Act():
                answer = await session.act(event)
            case Draft():
                answer = await session.keep_draft(event)
            case Resume():
                await session.snapshot(have_frame=event.have_frame)
            case CallHelp():
                answer = await call_help(session, event.text)
            case Ping():
                pass
        if answer is not None:
            await self.tell(answer)
        # A turn under way is being written now, and SQLite lets its writers wait for each other; the page's
        # pings tell that somebody is there, too.
        if not isinstance(event, Draft | Act):
            await database_sync_to_async(services.participant_seen)(participant_id=session.participant_id)

    async def _refuse_resting(self, event: Any) -> None:
        client_id = event.client_id if isinstance(event, Act) else None
        if isinstance(event, Act | Resume):
            reason = "You went on in another tab. To continue here, press the button."
            await self.tell(Refused(seq=0, code="superseded", reason=reason, client_id=client_id))

    async def tell(self, event: Event) -> None:
        """Send one message."""
        await self.send(text_data=event.model_dump_json())

    async def show(self, picture: bytes) -> None:
        """Send one binary message."""
        await self.send(bytes_data=picture)

    async def tab_newest(self, event: dict[str, Any]) -> None:
        """Another tab has taken over; if it lives in another process, that one plays the episode now."""
        if event["channel"] == self.channel_name or self.session is None:
            return
        if not self.resting:
            self.resting = True
            await self.tell(Superseded(seq=0))
        if self.session.tab is self:
            self.session.detach(self)
            self.session.yield_up()

    async def team_note(self, event: dict[str, Any]) -> None:
        """A word from the study's team."""
        if self.session is not None and not self.resting:
            await self.session.note(str(event.get("text", "")), paused=bool(event.get("paused", False)))
