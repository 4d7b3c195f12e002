"""Turns the steps of an episode into rows and messages for the participant's page."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from play.human import HumanPolicy
from play.recorder import Recorder
from play.screen import Screen
from play.setting import Setting
from play.showing import assistant_line, deed_of, recorded_lines, user_line
from play.watcher import Watcher
from sessions import services
from sessions.database import database_sync_to_async
from siturec.protocol.events import (
    MINIMAP,
    STILL,
    Accepted,
    Ended,
    Event,
    Happened,
    Phase,
    Phased,
    PictureKind,
    Said,
    Trouble,
)
from siturec.protocol.messages import Outcome, ResolvedAction, ShopperState, View
from siturec.protocol.ports import FrameSink
from siturec.protocol.vocabulary import EndReason

Send = Callable[[Event], Coroutine[Any, Any, None]]
Show = Callable[[PictureKind, int, bytes], Coroutine[Any, Any, None]]
PHASES: dict[str, Phase] = {
    "preparing": "preparing",
    "assistant": "assistant",
    "user": "user",
    "acting": "acting",
    "deciding": "acting",
}
SORRY = "Something on our side needs a moment. Your turn is kept, and we are trying again."
SORRY_FINAL = "We are sorry: this interaction cannot go on, through no fault of yours. Please continue."


class LiveWatcher(Watcher):
    """Every message is an event's row first; its number is the row's."""

    waits = True

    def __init__(
        self,
        screen: Screen,
        human: HumanPolicy,
        *,
        participant_id: int,
        send: Send,
        show: Show,
        moving: FrameSink,
    ) -> None:
        self.screen, self._human, self._send, self._show = screen, human, send, show
        self._participant_id = participant_id
        self._lock = asyncio.Lock()
        self.moving = moving

    async def restore(self, setting: Setting) -> None:
        """Fill the screen from the record, as after a restart."""
        progress = await Recorder(setting).load()
        row, screen = self.screen.loaded.row, self.screen
        screen.seq, screen.draft = row.seq, row.draft
        screen.client_ids = set(progress.client_ids)
        screen.turn, screen.state = progress.machine.turn, progress.state
        for line in recorded_lines(setting, progress):
            screen.say(line)
        if progress.current is not None and progress.current.client_id:
            screen.last_client_id = progress.current.client_id

    async def number(self, kind: str, *, turn: int | None = None, **payload: object) -> int:
        """Write an event's row and return its number."""
        (seq,) = await self._numbers((kind, payload), turn=turn)
        return seq

    async def _numbers(self, *events: tuple[str, dict[str, object]], turn: int | None) -> list[int]:
        numbers = await database_sync_to_async(services.events_add)(
            events=events,
            episode_id=self.screen.loaded.row.id,
            participant_id=self._participant_id,
            turn=turn,
        )
        self.screen.seq = numbers[-1]
        return numbers

    async def phase(self, phase: str, turn: int) -> None:
        async with self._lock:
            screen, shown = self.screen, PHASES[phase]
            if shown == "acting" and (screen.phase, screen.turn, screen.waiting) == (shown, turn, ""):
                return  # the page says so already
            screen.phase, screen.turn, screen.waiting, screen.queue = shown, turn, "", None
            if phase == "user":
                self._human.expect()
            seq = await self.number("phase", turn=turn, phase=phase)
            await self._send(Phased(seq=seq, phase=screen.phase, turn=turn))

    async def seen(self, turn: int, view: View, state: ShopperState) -> None:
        async with self._lock:
            self.screen.look(turn, view, state)
            await self.pictures()  # first: decoding takes the page a while, and pictures have no number
            await self.number("view", turn=turn)
            await self._send(self.screen.snapshot())

    async def pictures(self) -> None:
        """Send the current still, and the minimap if the study shows one."""
        screen = self.screen
        if screen.frame is None:
            return
        await self._show(STILL, screen.frame, screen.pictures[screen.frame])
        if screen.minimap is not None:
            await self._show(MINIMAP, screen.frame, screen.minimap)

    async def mask(self, since: float) -> None:
        study = self.screen.loaded.row.study
        floor = study.design.min_reply_ms / 1000 if study is not None else 0.0
        left = since + floor - asyncio.get_running_loop().time()
        if left > 0:
            await asyncio.sleep(left)

    async def said(self, turn: int, utterance: str) -> None:
        async with self._lock:
            line = assistant_line(turn, utterance)
            self.screen.say(line)
            await self._send(Said(seq=await self.number("assistant", turn=turn), line=line))

    async def replied(self, turn: int, reply: str, action: ResolvedAction, client_id: str) -> None:
        async with self._lock:
            screen, setting = self.screen, self.screen.loaded.setting
            screen.client_ids.add(client_id)
            screen.last_client_id, screen.draft = client_id, {}
            line = user_line(setting, turn, reply, deed_of(setting, action, None))
            screen.say(line)
            screen.phase, screen.turn, screen.waiting, screen.queue = "acting", turn, "", None
            accepted, said, acting = await self._numbers(
                ("user", {"client_id": client_id}),
                ("user_line", {}),
                ("phase", {"phase": "acting"}),
                turn=turn,
            )
            await self._send(Accepted(seq=accepted, client_id=client_id))
            await self._send(Said(seq=said, line=line))
            await self._send(Phased(seq=acting, phase="acting", turn=turn))

    async def happened(self, turn: int, action: ResolvedAction, outcome: Outcome) -> None:
        async with self._lock:
            screen, setting = self.screen, self.screen.loaded.setting
            deed = deed_of(setting, action, outcome)
            line = screen.lines[2 * turn + 1]
            screen.say(line.model_copy(update={"deed": deed}))
            seq = await self.number("outcome", turn=turn, ok=outcome.ok)
            await self._send(Happened(seq=seq, turn=turn, deed=deed))

    async def waiting(self, text: str) -> None:
        async with self._lock:
            screen = self.screen
            screen.waiting = text
            seq = await self.number("waiting", turn=screen.turn)
            await self._send(Phased(seq=seq, phase=screen.phase, turn=screen.turn, waiting=text))

    async def queued(self, place: int) -> None:
        """All stores are taken, and this is the place in the line for one; 0 when there is one now."""
        async with self._lock:
            screen = self.screen
            screen.queue, screen.waiting = place or None, ""
            seq = await self.number("queue", turn=screen.turn, place=place)
            await self._send(Phased(seq=seq, phase=screen.phase, turn=screen.turn, queue=screen.queue))

    async def trouble(self, kind: str, *, final: bool) -> None:
        async with self._lock:
            text = SORRY_FINAL if final else SORRY
            self.screen.waiting = text
            seq = await self.number("trouble", failure=kind, final=final)
            await self._send(Trouble(seq=seq, text=text, final=final))
            if final:
                await self._over(EndReason.TECHNICAL_FAILURE)

    async def ended(self, reason: EndReason) -> None:
        async with self._lock:
            await self._over(reason)

    async def _over(self, reason: EndReason) -> None:
        screen = self.screen
        screen.phase, screen.end_reason = "ended", reason
        seq = await self.number("ended", reason=reason.value)
        await self._send(Ended(seq=seq, end_reason=reason, next_url=screen.next_url))
