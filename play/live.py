"""A participant's live interaction in this process: the episode's task, and the one tab that plays it."""

import asyncio
import contextvars
import logging
from typing import Protocol
from weakref import WeakKeyDictionary

from agents.registry import make_assistant, make_moderator
from play.human import HumanPolicy
from play.incoming import Pace
from play.live_watch import LiveWatcher
from play.loading import OWNER, Loaded, episode_setting
from play.runner import play_episode
from play.screen import Screen
from play.setting import Cast
from play.submit import judge_act
from play.worlds import world_source
from sessions import services
from sessions.database import database_sync_to_async
from sessions.errors import LeaseLost
from sessions.selectors import play as reading
from sessions.services.leases import LEASE_S
from siturec.protocol.events import Act, Draft, Drafted, Event, Note, PictureKind, Refused, pack_picture

logger = logging.getLogger(__name__)
GRACE_S = 90.0


class Tab(Protocol):
    """One connected browser tab."""

    async def tell(self, event: Event) -> None:
        """Send one message."""
        ...

    async def show(self, picture: bytes) -> None:
        """Send one binary message."""
        ...

    async def move(self, jpeg: bytes) -> None:
        """Send a picture of a walk, if the line has room for it."""
        ...


class LiveSession:
    """One participant. Tabs come and go; the episode's task lives on for a while without any."""

    def __init__(self, participant_id: int, token: str) -> None:
        self.participant_id, self.token = participant_id, token
        self.tab: Tab | None = None
        self.screen: Screen | None = None
        self.human = HumanPolicy()
        self.pace = Pace()
        self._watcher: LiveWatcher | None = None
        self._task: asyncio.Task[None] | None = None
        self._leaving: asyncio.TimerHandle | None = None
        self._lock = asyncio.Lock()
        self._taken = ""

    @property
    def next_url(self) -> str:
        """Where the participant goes on when the store has nothing (more) for them."""
        return f"/p/{self.token}/"

    @property
    def busy(self) -> bool:
        """Whether an episode is being played here."""
        return self._task is not None and not self._task.done()

    async def attach(self, tab: Tab | None) -> None:
        """This tab plays from now on (None: a browser without a socket); the episode starts or goes on."""
        if tab is not None:
            self.tab = tab
        if self._leaving is not None:
            self._leaving.cancel()
            self._leaving = None
        async with self._lock:
            await self._prepare()
        if self.tab is None:
            self._leave_later()

    def stay(self) -> None:
        """A sign of life from a browser without a socket."""
        if self.tab is None:
            if self._leaving is not None:
                self._leaving.cancel()
            self._leave_later()

    async def saved(self, client_id: str, *, within_s: float = 5.0) -> bool:
        """Whether a turn that was taken has become a row; waits a moment for it."""
        until = asyncio.get_running_loop().time() + within_s
        while self.screen is not None and client_id not in self.screen.client_ids:
            if asyncio.get_running_loop().time() > until:
                return False
            await asyncio.sleep(0.02)
        return self.screen is not None

    def detach(self, tab: Tab) -> None:
        """A tab is gone. Without any for a while, the world is given back; the record stays."""
        if self.tab is tab:
            self.tab = None
            self._leave_later()

    def _leave_later(self) -> None:
        self._leaving = asyncio.get_running_loop().call_later(GRACE_S, self._rest)

    def _rest(self) -> None:
        if self.tab is None and self._task is not None:
            self._task.cancel()

    def yield_up(self) -> None:
        """Another process plays this episode now: stop at once, and write nothing more."""
        if self._task is not None:
            self._task.cancel()

    async def stop(self) -> None:
        """End the task and wait until it has let go of its world and lease."""
        if self._leaving is not None:
            self._leaving.cancel()
        task = self._task
        if task is not None and not task.done():
            task.cancel()
            await asyncio.wait([task])

    async def snapshot(self, *, have_frame: int | None = None) -> None:
        """Send the tab everything to draw, and the pictures unless it has them."""
        screen, tab, watcher = self.screen, self.tab, self._watcher
        if tab is None:
            return
        if screen is None or watcher is None:
            await tab.tell(
                Refused(seq=0, code="ended", reason="There is nothing to do in the store now. Please go on.")
            )
            return
        await tab.tell(screen.snapshot())
        if have_frame != screen.frame:
            await watcher.pictures()

    async def act(self, act: Act) -> Event | None:
        """Take a turn that was sent; what comes back at once is a refusal, or an acceptance sent again."""
        screen = self.screen
        if screen is None:
            return Refused(seq=0, code="ended", reason="This interaction is over.", client_id=act.client_id)
        standing = await database_sync_to_async(reading.participant_standing)(self.participant_id)
        screen.paused = standing == "paused"
        if standing == "gone":
            return self._ended_meanwhile(act.client_id)
        if act.client_id == self._taken and act.client_id not in screen.client_ids:
            return None  # the same once more, while its row is being written: its acceptance is on the way
        verdict = judge_act(act, screen, self.human)
        if verdict is None:
            self._taken = act.client_id
            self.human.offer(act)
        elif isinstance(verdict, Refused):
            await database_sync_to_async(services.event_add)(
                kind="refused",
                episode_id=screen.loaded.row.id,
                participant_id=self.participant_id,
                turn=screen.turn,
                payload={"code": verdict.code, "tool": act.tool, "args": act.args},
            )
        return verdict

    async def turned_away(self) -> Refused | None:
        """The answer to somebody who takes part no more, also where their data are erased."""
        standing = await database_sync_to_async(reading.participant_standing)(self.participant_id)
        return self._ended_meanwhile() if standing == "gone" else None

    def _ended_meanwhile(self, client_id: str | None = None) -> Refused:
        reason = "Your participation has ended in the meantime."
        seq = self.screen.seq if self.screen is not None else 0
        return Refused(seq=seq, code="sign_in", reason=reason, client_id=client_id)

    async def keep_draft(self, draft: Draft) -> Event:
        """Keep what is typed and chosen, and say so once it is in the database."""
        if self.screen is None or self.screen.end_reason is not None:
            return Drafted(seq=0, stamp=draft.stamp)
        refused = await self.turned_away()
        if refused is not None:
            return refused
        self.screen.draft = draft.model_dump(exclude={"type", "stamp"})
        await database_sync_to_async(services.episode_draft)(
            episode_id=self.screen.loaded.row.id, draft=self.screen.draft
        )
        return Drafted(seq=self.screen.seq, stamp=draft.stamp)

    async def note(self, text: str, *, paused: bool) -> None:
        """Pass on a word from the study's team."""
        screen, watcher, tab = self.screen, self._watcher, self.tab
        if screen is None or watcher is None or tab is None:
            return
        screen.paused = paused
        if text:
            screen.notes = (*screen.notes, text)
        seq = await watcher.number("note_shown", turn=screen.turn, paused=paused)
        await tab.tell(Note(seq=seq, text=text, paused=paused))

    async def _prepare(self) -> None:
        """Start the episode this participant is at, unless it is being played."""
        if self.busy:
            return
        episode_id = await database_sync_to_async(reading.store_episode)(self.participant_id)
        if episode_id is None:
            return
        await database_sync_to_async(services.episode_lease)(episode_id=episode_id, owner=OWNER, force=True)
        loaded = await database_sync_to_async(episode_setting)(episode_id)
        notes = await database_sync_to_async(reading.participant_notes)(self.participant_id)
        standing = await database_sync_to_async(reading.participant_standing)(self.participant_id)
        self.human = HumanPolicy()
        self.screen = Screen(loaded, next_url=self.next_url, notes=tuple(notes), paused=standing == "paused")
        self._watcher = LiveWatcher(
            self.screen,
            self.human,
            participant_id=self.participant_id,
            send=self._send,
            show=self._show,
            moving=self._move,
        )
        await self._watcher.restore(loaded.setting)
        # A context of its own: a request's threads for database work end with the request.
        self._task = asyncio.create_task(self._play(loaded, self._watcher), context=contextvars.Context())

    async def _play(self, loaded: Loaded, watcher: LiveWatcher) -> None:
        row, setting = loaded.row, loaded.setting
        cast = Cast(
            assistant=make_assistant(row.assistant, seed=setting.seed),
            user=self.human,
            moderator=make_moderator(row.moderator, seed=setting.seed),
        )
        keeper = asyncio.create_task(self._keep(setting.episode_id))
        try:
            await play_episode(
                setting=setting,
                cast=cast,
                worlds=world_source(row.scene, setting, on_waiting=watcher.queued),
                watcher=watcher,
            )
        except LeaseLost:
            logger.info("%s is no longer played here", row.public_id)
            await self._say_if_over()
        finally:
            keeper.cancel()
            await database_sync_to_async(services.episode_release)(episode_id=setting.episode_id, owner=OWNER)

    async def _keep(self, episode_id: int) -> None:
        while True:
            await asyncio.sleep(LEASE_S / 3)
            try:
                await database_sync_to_async(services.episode_renew)(episode_id=episode_id, owner=OWNER)
            except LeaseLost:
                await self._say_if_over()
                if self._task is not None:
                    self._task.cancel()
                return

    async def _say_if_over(self) -> None:
        """The lease went because participation has ended: the page is told, not only refused later."""
        refused = await self.turned_away()
        if refused is not None:
            await self._send(refused)

    async def _send(self, event: Event) -> None:
        if self.tab is not None:
            await self.tab.tell(event)

    async def _show(self, kind: PictureKind, number: int, picture: bytes) -> None:
        if self.tab is not None:
            await self.tab.show(pack_picture(kind, number, picture))

    async def _move(self, jpeg: bytes) -> None:
        if self.tab is not None:
            await self.tab.move(jpeg)


_hubs: WeakKeyDictionary[asyncio.AbstractEventLoop, dict[int, LiveSession]] = WeakKeyDictionary()


def session_of(participant_id: int, token: str) -> LiveSession:
    """The participant's session in this process; made on the first call."""
    sessions = _hubs.setdefault(asyncio.get_running_loop(), {})
    for other, session in list(sessions.items()):
        if other != participant_id and session.tab is None and not session.busy:
            del sessions[other]
    return sessions.setdefault(participant_id, LiveSession(participant_id, token))
