"""The practice's socket: parse, check, hand over; the store is walked in a task of its own."""

import asyncio
from urllib.parse import parse_qs

from channels.db import database_sync_to_async
from channels.generic.websocket import AsyncWebsocketConsumer
from django.conf import settings
from pydantic import ValidationError

from play.lesson import practice_done
from play.practice import Practice, practice_setting
from sessions.selectors import design_of, participant_by_token
from simulator_bridge.pool import lease_world
from siturec.protocol.events import (
    CLIENT_EVENT,
    MOVING,
    STILL,
    Act,
    Event,
    Refused,
    Resume,
    Trouble,
    pack_picture,
)
from siturec.protocol.ports import WorldError

UNKNOWN_LINK = 4404
SORRY = "The practice store is not available right now. You can go on without it."


class PracticeConsumer(AsyncWebsocketConsumer):
    """One tab practising. Closing it gives the shopper back."""

    practice: Practice | None = None
    task: asyncio.Task[None] | None = None
    picture: bytes = b""

    async def connect(self) -> None:
        token = str(self.scope["url_route"]["kwargs"]["token"])
        participant = await database_sync_to_async(participant_by_token)(token)
        await self.accept()
        if participant is None:
            await self.close(UNKNOWN_LINK)
            return
        self.participant = participant
        self.acts: asyncio.Queue[Act] = asyncio.Queue()
        asked = parse_qs(self.scope["query_string"].decode()).get("lang", ["en"])[0]
        language = asked if asked in dict(settings.LANGUAGES) else "en"
        design = await database_sync_to_async(design_of)(participant.study, participant.version)
        setting = await database_sync_to_async(practice_setting)(design.scene)
        self.practice = Practice(setting, tell=self.tell, language=language, next_url=f"/p/{token}/")
        await self.tell(self.practice.snapshot())
        self.task = asyncio.create_task(self._walk(self.practice, design.scene))

    async def _walk(self, practice: Practice, scene: str) -> None:
        try:
            async with lease_world(scene, holder=f"practice:{self.participant.pk}") as world:
                await self._show(await practice.begin(world))
                while not practice.over:
                    await self._show(await practice.take(await self.acts.get(), moving=self._moving))
            await database_sync_to_async(practice_done)(participant=self.participant)
        except WorldError:
            await self.tell(Trouble(seq=practice.seq + 1, text=SORRY, final=True))

    async def _show(self, picture: bytes) -> None:
        """The new view: everything to draw, then the picture it belongs to."""
        if self.practice is None:
            return
        self.picture = picture
        await self.tell(self.practice.snapshot())
        await self.send(bytes_data=pack_picture(STILL, self.practice.turn, picture))

    async def _moving(self, jpeg: bytes) -> None:
        await self.send(bytes_data=pack_picture(MOVING, 0, jpeg))

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        practice = self.practice
        if practice is None:
            return
        try:
            event = CLIENT_EVENT.validate_json(text_data or "")
        except ValidationError as error:
            await self.tell(Refused(seq=practice.seq, code="invalid", reason=error.errors()[0]["msg"]))
            return
        if isinstance(event, Act):
            answer = practice.refusal(event)
            if answer is not None:
                await self.tell(answer)
            else:
                self.acts.put_nowait(event)
        elif isinstance(event, Resume) and event.have_seq:
            await self._show(self.picture)

    async def disconnect(self, code: int) -> None:
        if self.task is not None:
            self.task.cancel()

    async def tell(self, event: Event) -> None:
        """Send one message."""
        await self.send(text_data=event.model_dump_json())
