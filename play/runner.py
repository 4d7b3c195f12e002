"""The turn loop: one for people and for models, every step in the database before the next one starts."""

import asyncio
import logging
import time
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import Any

from agents.calls import Waiting, calling
from play import inputs
from play.exchange import AssistantTurn, MindFailed, UserTurn, ask_assistant, ask_moderator, ask_user
from play.progress import Progress, RecordedTurn, resolved_action, stored_observation
from play.recorder import Recorder
from play.setting import Cast, Setting, WorldSource
from play.watcher import Watcher
from siturec.protocol import episode as machine
from siturec.protocol.messages import Outcome, ResolvedAction, View
from siturec.protocol.ports import World, WorldError
from siturec.protocol.vocabulary import EndReason

logger = logging.getLogger(__name__)
PAUSE_S, LONGEST_PAUSE_S = 0.5, 10.0
WAITING = {
    "queued": "The assistant is busy; you are next.",
    "retrying": "This takes longer than usual. We are trying again.",
    "fallback": "This takes longer than usual. We are trying another way.",
    "repairing": "The assistant is rethinking its answer.",
}


async def play_episode(
    *, setting: Setting, cast: Cast, worlds: WorldSource, watcher: Watcher | None = None
) -> EndReason:
    """Play an episode from where its record stands to its end, and return the end reason.

    A world that fails is replaced and put where the record says; a mind that fails is asked the same turn
    again; past all retries the episode ends as a technical failure. Raises: LeaseLost when another process
    has taken the episode over; nothing is written after that.
    """
    return await _Player(setting, cast, worlds, watcher or Watcher()).play()


class _Player:
    def __init__(self, setting: Setting, cast: Cast, worlds: WorldSource, watcher: Watcher) -> None:
        self.setting, self.cast, self.worlds, self.watcher = setting, cast, worlds, watcher
        self.recorder = Recorder(setting)
        self.versions: dict[str, str] = {}
        self.failures = {"world": 0, "mind": 0}
        self.ahead: asyncio.Task[tuple[View, float]] | None = None
        self.telling: asyncio.Task[None] | None = None

    async def play(self) -> EndReason:
        while True:
            progress = await self.recorder.load()
            if progress.machine.ended is not None:
                return await self._end(progress, progress.machine.ended)
            try:
                async with self.worlds() as world:
                    await world.reset(pose=progress.pose, state=progress.state, picked_at=progress.picked_at)
                    try:
                        while progress.machine.ended is None:
                            progress = await self._turn(world, progress)
                    finally:
                        await self._leave_off()
                    return await self._end(progress, progress.machine.ended)
            except WorldError as error:
                kind = f"world_{type(error).__name__.removeprefix('World').lower() or 'error'}"
                over = await self._trouble("world", kind, str(error), progress)
            except MindFailed as error:
                over = await self._trouble("mind", f"{error.role}_{error.kind}", error.raw, progress)
            if over:
                return EndReason.TECHNICAL_FAILURE

    async def _trouble(self, what: str, kind: str, detail: str, progress: Progress) -> bool:
        """Note a failure; True when there were too many. The next try starts from the record."""
        rules = self.setting.rules
        self.failures[what] += 1
        final = self.failures[what] > (rules.world_retries if what == "world" else rules.mind_retries)
        turn = progress.machine.turn
        logger.warning("%s, turn %d: %s: %s", self.setting.public_id, turn, kind, detail[:200])
        await self.recorder.event("failure", turn=turn, failure=kind, detail=detail[:1000], final=final)
        if final:
            await self.recorder.failed(kind, detail, progress.state.cart)
        await self.watcher.trouble(kind, final=final)
        if not final:
            await asyncio.sleep(min(PAUSE_S * 2 ** (self.failures[what] - 1), LONGEST_PAUSE_S))
        return final

    async def _end(self, progress: Progress, reason: EndReason) -> EndReason:
        await self.recorder.ended(reason, progress.state.cart)
        await self.watcher.ended(reason)
        return reason

    async def _turn(self, world: World, progress: Progress) -> Progress:
        """Take the steps of one turn that are not recorded yet."""
        if progress.machine.next in ("observe", "assistant", "user"):
            progress, view = await self._observe(world, progress)
            if progress.machine.next == "assistant":
                progress = await self._assistant(progress, view)
            progress = await self._user(progress, view)
        if progress.machine.next == "execute":
            progress = await self._execute(world, progress)
        if progress.machine.next == "moderate":
            progress = await self._moderate(progress)
        return progress

    async def _look(self, world: World, turn: int) -> tuple[View, float]:
        """The view of a turn, and the seconds it took."""
        started = time.monotonic()
        view = await world.observe(number=turn, pictures=self.setting.rules.pictures)
        return view, round(time.monotonic() - started, 4)

    def _look_ahead(self, world: World, turn: int) -> None:
        """Where somebody waits, take the next view while this turn is written: nothing moves any more."""
        if self.watcher.waits and turn < self.setting.rules.limits.turns:
            self.ahead = asyncio.create_task(self._look(world, turn))

    async def _told(self) -> None:
        """Wait until everybody knows that the turn was taken."""
        telling, self.telling = self.telling, None
        if telling is not None:
            await telling

    async def _leave_off(self) -> None:
        """Give up what goes on beside the steps."""
        beside = [task for task in (self.ahead, self.telling) if task is not None]
        self.ahead = self.telling = None
        for task in beside:
            task.cancel()
        await asyncio.gather(*beside, return_exceptions=True)

    async def _observe(self, world: World, progress: Progress) -> tuple[Progress, View]:
        """Take the view. On resuming, what was recorded stays what was seen; the pictures are taken anew."""
        turn = progress.machine.turn
        await self.watcher.phase("preparing", turn)
        view, took_s = await (self.ahead or self._look(world, turn))
        self.ahead = None
        stored = stored_observation(view.observation)
        timings = {"observe": took_s}
        if progress.machine.next == "observe":
            if turn == 0:
                await self.recorder.began()
            await self.recorder.observed(turn, view, stored, timings)
            current = RecordedTurn(
                index=turn, observation=stored, timings=timings, notes={}, seen=view.observation
            )
            progress = replace(progress, machine=machine.observed(progress.machine), current=current)
        elif progress.current is None or progress.current.observation != stored:
            await self.recorder.event("view_differs", turn=turn)
        await self.watcher.seen(turn, view, progress.state)
        return progress, view

    async def _answers(self, role: str, version: str) -> None:
        if version and self.versions.get(role) != version:
            await self.recorder.version(role, version)
            self.versions[role] = version

    def _calling(self, turn: int) -> AbstractContextManager[None]:
        return calling(episode=self.setting.public_id, turn=turn, progress=self._waiting)

    async def _waiting(self, news: Waiting) -> None:
        if news.kind in ("queued", "retrying", "fallback", "repairing"):
            await self.watcher.waiting(WAITING[news.kind])

    def _timed(self, progress: Progress, step: str, started: float) -> dict[str, float]:
        before = progress.current.timings if progress.current is not None else None
        return {**(before or {}), step: round(time.monotonic() - started, 4)}

    def _noted(self, progress: Progress, notes: dict[str, Any]) -> dict[str, Any]:
        before = progress.current.notes if progress.current is not None else None
        return {**(before or {}), **notes}

    def _with(self, progress: Progress, **fields: Any) -> RecordedTurn:
        current = progress.current or RecordedTurn(index=progress.machine.turn)
        return replace(current, **fields)

    async def _assistant(self, progress: Progress, view: View) -> Progress:
        turn, started = progress.machine.turn, time.monotonic()
        asked_at = asyncio.get_running_loop().time()
        await self.watcher.phase("assistant", turn)
        given = inputs.assistant_input(self.setting, progress, view)
        with self._calling(turn):
            answer: AssistantTurn = await ask_assistant(self.setting, self.cast, given, view.observation)
        await self._answers("assistant", answer.version)
        timings = self._timed(progress, "assistant", started)
        notes = self._noted(progress, answer.notes)
        await self.recorder.answered(
            turn, assistant=answer.record, digest=answer.digest, notes=notes, timings=timings
        )
        await self.watcher.mask(asked_at)
        await self.watcher.said(turn, answer.message.utterance)
        return replace(
            progress,
            machine=machine.assistant_answered(progress.machine, answer.message.action.type),
            current=self._with(progress, assistant=answer.record, notes=notes, timings=timings),
        )

    async def _user(self, progress: Progress, view: View) -> Progress:
        turn, started = progress.machine.turn, time.monotonic()
        await self.watcher.phase("user", turn)
        assistant = progress.current.assistant if progress.current is not None else None
        utterance = assistant["utterance"] if assistant is not None else ""
        given = inputs.user_input(self.setting, progress, view, utterance)
        with self._calling(turn):
            answer: UserTurn = await ask_user(self.setting, self.cast, given, progress.state)
        await self._answers("user", answer.version)
        timings = self._timed(progress, "user", started)
        notes = self._noted(progress, answer.notes)
        await self.recorder.replied(
            turn, user=answer.record, client_id=answer.client_id, notes=notes, timings=timings
        )
        telling = self.watcher.replied(turn, answer.message.reply, answer.action, answer.client_id)
        if self.watcher.waits:
            self.telling = asyncio.create_task(telling)  # the body sets off meanwhile
        else:
            await telling
        return replace(
            progress,
            machine=machine.user_answered(progress.machine, answer.action.tool),
            current=self._with(progress, user=answer.record, notes=notes, timings=timings),
        )

    async def _execute(self, world: World, progress: Progress) -> Progress:
        turn, started = progress.machine.turn, time.monotonic()
        if self.telling is None:
            await self.watcher.phase("acting", turn)
        user = dict(progress.current.user or {}) if progress.current is not None else {}
        call = user["tool_call"]
        action = resolved_action(call["tool"], call["resolved"])
        try:
            outcome = await world.execute(action, moving=self.watcher.moving)
        except WorldError:
            await self._told()  # that the turn was taken holds, whatever becomes of it
            raise
        state = machine.executed(progress.machine, outcome, cart=world.state.cart)
        if state.next != "ended":
            self._look_ahead(world, turn + 1)
        await self._told()
        user["outcome"] = outcome.model_dump(mode="json")
        timings = self._timed(progress, "execute", started)
        await self.recorder.executed(turn, user=user, pose=world.pose, state=world.state, timings=timings)
        await self.watcher.happened(turn, action, outcome)
        current = self._with(progress, user=user, timings=timings)
        progress = replace(progress, machine=state, pose=world.pose, state=world.state, current=current)
        return progress.closed(current) if state.next == "ended" else progress

    async def _moderate(self, progress: Progress) -> Progress:
        turn, started = progress.machine.turn, time.monotonic()
        current = progress.current
        if current is None or current.assistant is None or current.user is None:
            raise machine.IllegalStep(f"turn {turn}: nothing to moderate")
        action, outcome = _deed(current.user)
        given = inputs.moderator_input(
            self.setting,
            progress,
            utterance=current.assistant["utterance"],
            reply=current.user["reply"],
            action=action,
            outcome=outcome,
        )
        await self.watcher.phase("deciding", turn)
        with self._calling(turn):
            decision, version = await ask_moderator(self.cast, given)
        await self._answers("moderator", version)
        await self.recorder.moderated(turn, decision, self._timed(progress, "moderate", started))
        progress = replace(progress, machine=machine.moderated(progress.machine, decision))
        return progress.closed(current)


def _deed(user: dict[str, Any]) -> tuple[ResolvedAction, Outcome]:
    call = user["tool_call"]
    return resolved_action(call["tool"], call["resolved"]), Outcome.model_validate(user["outcome"])
