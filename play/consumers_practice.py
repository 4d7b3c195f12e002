"""The practice's socket: parse, check, hand over; the store is walked in a task of its own."""

import asyncio
import logging
import time
from typing import Any
from urllib.parse import parse_qs

from channels.generic.websocket import AsyncWebsocketConsumer
from django.conf import settings
from django.db import Error as DatabaseError

from play.incoming import TOO_FAST, Pace, read_message
from play.lesson import practice_done
from play.moving import MovingPictures
from play.practice import Practice, practice_setting
from play.practice_kept import practice_keep, practice_kept
from play.steps import may_practise
from play.worlds import PERSON_WAIT_S
from sessions.database import database_sync_to_async
from sessions.selectors import design_of, participant_by_token
from sessions.selectors.studies import scene_version_of
from simulator_bridge.pool import lease_world
from siturec.protocol.events import (
    STILL,
    Act,
    Draft,
    Drafted,
    Event,
    Refused,
    Resume,
    Shown,
    Superseded,
    TakeOver,
    Trouble,
    pack_picture,
)
from siturec.protocol.ports import WorldError

log = logging.getLogger(__name__)

UNKNOWN_LINK = 4404
NOT_NOW = 4403
ELSEWHERE = "You practise in another tab. To go on here, press the button."
SORRY = "The practice store is not available right now. You can go on without it."


class PracticeConsumer(AsyncWebsocketConsumer):
    """One tab practising. Closing it gives the shopper back."""

    practice: Practice | None = None
    task: asyncio.Task[None] | None = None
    picture: bytes = b""
    newest_ns = 0
    resting = False
    flooding = False

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.pace = Pace()
        self.moving = MovingPictures(self.show)

    async def connect(self) -> None:
        self.opened_ns = time.time_ns()
        token = str(self.scope["url_route"]["kwargs"]["token"])
        participant = await database_sync_to_async(participant_by_token)(token)
        await self.accept()
        if participant is None:
            await self.close(UNKNOWN_LINK)
            return
        if not await database_sync_to_async(may_practise)(participant):
            await self.tell(Refused(seq=0, code="ended", reason="There is no practice now. Please go on."))
            await self.close(NOT_NOW)
            return
        self.participant, self.token = participant, token
        self.group = f"practice.{participant.pk}"
        await self._listen()
        await self._practise_here()

    async def _listen(self) -> None:
        await self.channel_layer.group_add(self.group, self.channel_name)

    async def _practise_here(self) -> None:
        """The practice goes on in this tab; every other tab gives its world back."""
        participant, self.resting = self.participant, False
        await self._announce()
        self.acts: asyncio.Queue[Act] = asyncio.Queue()
        asked = parse_qs(self.scope["query_string"].decode()).get("lang", ["en"])[0]
        language = asked if asked in dict(settings.LANGUAGES) else "en"
        design = await database_sync_to_async(design_of)(participant.study, participant.version)
        version = await database_sync_to_async(scene_version_of)(participant.study, participant.version)
        setting = await database_sync_to_async(practice_setting)(design.scene, version)
        kept = await database_sync_to_async(practice_kept)(participant.pk)
        self.practice = Practice(
            setting, tell=self.tell, language=language, next_url=f"/p/{self.token}/", kept=kept
        )
        await self.tell(self.practice.snapshot())
        self.task = asyncio.create_task(self._walk(self.practice))

    async def _announce(self) -> None:
        news = {"type": "tab.newest", "channel": self.channel_name, "opened_ns": self.opened_ns}
        await self.channel_layer.group_send(self.group, news)

    async def _walk(self, practice: Practice) -> None:
        try:
            scene = practice.pack.info
            async with lease_world(
                scene.id,
                version=scene.version,
                holder=f"practice:{self.participant.pk}",
                wait_s=PERSON_WAIT_S,
                on_waiting=practice.queued,
            ) as world:
                await self._show(await practice.begin(world))
                while not practice.over:
                    await self._show(await practice.take(await self.acts.get(), moving=self.moving))
            await database_sync_to_async(practice_done)(participant=self.participant)
        except WorldError:
            await self.tell(Trouble(seq=practice.seq + 1, text=SORRY, final=True))

    async def _keep(self, practice: Practice) -> bool:
        """Keep it for a reload. A database that is busy just now costs nobody the practice: False then."""
        try:
            await database_sync_to_async(practice_keep)(
                participant_id=self.participant.pk, kept=practice.kept
            )
        except DatabaseError as error:
            log.warning("how far a practice is could not be kept: %s", error)
            return False
        return True

    async def _show(self, picture: bytes) -> None:
        """The new view: everything to draw, then the picture it belongs to."""
        if self.practice is None:
            return
        self.picture = picture
        await self._keep(self.practice)
        await self.tell(self.practice.snapshot())
        await self.show(pack_picture(STILL, self.practice.turn, picture))

    async def show(self, picture: bytes) -> None:
        """Send one binary message."""
        await self.send(bytes_data=picture)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        practice = self.practice
        if practice is None or self.flooding:
            return
        if not self.pace.allows():
            self.flooding = True
            await self.close(TOO_FAST)
            return
        event = read_message(text_data or bytes_data or b"", seq=practice.seq)
        if isinstance(event, Refused):
            await self.tell(event)
        elif isinstance(event, Shown):
            self.moving.confirmed(event.number)
        elif self.resting:
            if isinstance(event, TakeOver):
                # After whoever made this one rest, also where the clock was set back since.
                self.opened_ns = max(time.time_ns(), self.newest_ns + 1)
                await self._practise_here()
            elif isinstance(event, Act):
                await self.tell(
                    Refused(seq=0, code="superseded", reason=ELSEWHERE, client_id=event.client_id)
                )
        elif isinstance(event, Act):
            answer = practice.refusal(event)
            if answer is not None:
                await self.tell(answer)
            else:
                practice.claim(event)
                self.acts.put_nowait(event)
        elif isinstance(event, Draft):
            practice.drafted(event)
            if await self._keep(practice):
                await self.tell(Drafted(seq=practice.seq, stamp=event.stamp))
        elif isinstance(event, Resume) and event.have_seq:
            await self._show(self.picture)

    async def tab_newest(self, event: dict[str, Any]) -> None:
        """Another tab practises now; this one gives its world back, unless the other was opened before it.

        Of tabs opened at once the news may come in any order, and some before a tab listens.
        """
        if event["channel"] == self.channel_name or self.resting:
            return
        if (event["opened_ns"], event["channel"]) < (self.opened_ns, self.channel_name):
            await self._announce()
            return
        self.resting, self.newest_ns = True, event["opened_ns"]
        if self.task is not None:
            self.task.cancel()
        await self.tell(Superseded(seq=0))

    async def disconnect(self, code: int) -> None:
        if self.task is not None:
            self.task.cancel()
            await self.channel_layer.group_discard(self.group, self.channel_name)

    async def tell(self, event: Event) -> None:
        """Send one message."""
        await self.send(text_data=event.model_dump_json())
