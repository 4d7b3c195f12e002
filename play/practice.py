"""The practice: the real store and rules with a guide in the assistant's place; nothing is recorded."""

import logging
from collections.abc import Awaitable, Callable

from django.utils import translation

from catalog.selectors import scene_pack
from play.lesson import Lesson, practice_goal
from play.loading import knowledge_of
from play.practice_kept import KeptPractice
from play.progress import picked_after
from play.setting import Setting
from play.showing import deed_of, shown_cart, shown_item, shown_things, shown_tools
from siturec.protocol.actions import Refusal, validate_call
from siturec.protocol.events import MAX_REPLY, Accepted, Act, Draft, Event, Line, Phase, Refused, Snapshot
from siturec.protocol.messages import Outcome, Pose, ResolvedAction, ToolCall, View
from siturec.protocol.ports import FrameSink, World
from siturec.protocol.vocabulary import EndReason

logger = logging.getLogger(__name__)
TURNS = 40
Tell = Callable[[Event], Awaitable[None]]


def practice_setting(scene: str, version: str | None = None) -> Setting:
    """A setting that belongs to no episode; what it shows of a task is never used."""
    pack = scene_pack(scene, version)
    return Setting(
        episode_id=0,
        public_id="practice",
        pack=pack,
        knowledge=knowledge_of(pack),
        task=pack.tasks[0],
        profile=pack.profiles[0],
        condition="full",
        user_kind="human",
        seed=0,
        start=pack.info.start,
    )


class Practice:
    """One practice in one tab, from where it was left; ``kept`` is where a reload goes on."""

    def __init__(
        self, setting: Setting, *, tell: Tell, language: str, next_url: str, kept: KeptPractice
    ) -> None:
        self.setting, self.pack = setting, setting.pack
        self.lesson = Lesson(self.pack.info.kind, set(kept.done))
        self.view: View | None = None
        self.world: World | None = None
        self.lines = list(kept.lines)
        self.phase: Phase = "preparing"
        self.turn, self.seq = kept.turn, 0
        self.over = False
        self.queue: int | None = None
        self.last_client_id = kept.last_client_id
        self.kept = kept
        self._tell, self._language, self._next_url = tell, language, next_url

    async def queued(self, place: int) -> None:
        """All stores are taken, and this is the place in the line for one; 0 when there is one now."""
        self.queue = place or None
        await self._tell(self.snapshot())

    async def begin(self, world: World) -> bytes:
        """Look around, for the first time or again where one was; returns the picture."""
        self.world = world
        start = self.kept.pose or self.pack.info.start
        await world.reset(pose=start, state=self.kept.state, picked_at=self.kept.picked_at)
        return await self._look(self.kept.picked_at)

    def drafted(self, draft: Draft) -> None:
        """What is typed and chosen, until it is sent."""
        self.kept = self.kept.model_copy(update={"draft": draft.model_dump(exclude={"type", "stamp"})})

    async def _look(self, picked_at: tuple[Pose, ...]) -> bytes:
        assert self.world is not None
        self.view = await self.world.observe(number=self.turn)
        reachable = any(seen.reachable for seen in self.view.observation.visible)
        with translation.override(self._language):
            text = self.lesson.words(reachable=reachable)
        self._say(Line(index=2 * self.turn, turn=self.turn, speaker="assistant", text=text))
        self.over = self.lesson.next is None or self.turn >= TURNS
        self.phase = "ended" if self.over else "user"
        self.kept = KeptPractice(
            turn=self.turn,
            pose=self.world.pose,
            state=self.world.state,
            picked_at=picked_at,
            lines=tuple(self.lines),
            done=frozenset(self.lesson.done),
            last_client_id=self.last_client_id,
            draft=self.kept.draft,
        )
        return self.view.user_frame

    def _say(self, line: Line) -> None:
        """Add a line, or put it in the place of the same one as it was before."""
        self.lines = [*(other for other in self.lines if other.index != line.index), line]

    def refusal(self, act: Act) -> Event | None:
        """Why an act cannot be taken, or an acceptance for one taken before; None when it can."""
        if act.client_id == self.last_client_id:
            return Accepted(seq=self.seq, client_id=act.client_id)
        if self.phase != "user" or self.view is None:
            return self._refused(act, "busy", "It is not your turn yet. Your text is kept.")
        if act.frame != self.turn:
            return self._refused(
                act, "stale", "The view has changed since. Please look again and choose anew."
            )
        if len(act.reply) > MAX_REPLY:
            return self._refused(act, "too_long", "This message is too long.")
        action = self._action(act)
        if not isinstance(action, Refusal):
            return None
        refused = self._refused(act, "not_allowed", action.reason)
        return refused.model_copy(update={"rule": action.code, "values": action.values})

    def _refused(self, act: Act, code: str, reason: str) -> Refused:
        return Refused.model_validate(
            {"seq": self.seq, "code": code, "reason": reason, "client_id": act.client_id}
        )

    def _action(self, act: Act) -> ResolvedAction | Refusal:
        assert self.view is not None
        assert self.world is not None
        return validate_call(
            ToolCall(tool=act.tool, args=act.args),
            kind=self.pack.info.kind,
            observation=self.view.observation,
            state=self.world.state,
        )

    def claim(self, act: Act) -> None:
        """This act is taken next, and no other before the view has changed."""
        self.last_client_id, self.phase = act.client_id, "acting"
        self.kept = self.kept.model_copy(update={"draft": {}})

    async def take(self, act: Act, *, moving: FrameSink) -> bytes:
        """Carry out an act that was not refused; returns the next picture."""
        assert self.world is not None
        action = self._action(act)
        assert isinstance(action, ResolvedAction)
        self.claim(act)
        self._reply(act, action, None)
        await self._tell(self.snapshot())
        pose, before = self.world.pose, self.world.state
        outcome = await self.world.execute(action, moving=moving)
        self.lesson.note(action, outcome, act.reply)
        self._reply(act, action, outcome)
        self.turn += 1
        picked_at = picked_after(self.kept.picked_at, pose=pose, before=before, after=self.world.state)
        return await self._look(picked_at)

    def _reply(self, act: Act, action: ResolvedAction, outcome: Outcome | None) -> None:
        deed = deed_of(self.setting, action, outcome)
        index = 2 * self.turn + 1
        self._say(Line(index=index, turn=self.turn, speaker="user", text=act.reply, deed=deed))

    def snapshot(self) -> Snapshot:
        """Everything the page draws."""
        self.seq += 1
        view, world = self.view, self.world
        seen = view.observation if view is not None else None
        held = world.state.held if world is not None else None
        checked = world.state.checked if world is not None else None
        with translation.override(self._language):
            goal = practice_goal()
        return Snapshot(
            seq=self.seq,
            kind=self.pack.info.kind,
            letter="?",
            turn=self.turn,
            turn_limit=TURNS,
            phase=self.phase,
            frame=self.turn if view is not None else None,
            width=view.width if view is not None else 960,
            height=view.height if view is not None else 540,
            things=shown_things(seen) if seen is not None else (),
            tools=shown_tools(self.setting, seen, world.state) if seen and world is not None else (),
            lines=tuple(self.lines),
            held=shown_item(self.pack, held, seen),
            checked=shown_item(self.pack, checked, seen),
            cart=shown_cart(self.pack, world.state.cart if world is not None else ()),
            goal=goal,
            draft=self.kept.draft,
            last_client_id=self.last_client_id,
            practice=True,
            queue=self.queue,
            end_reason=EndReason.MODERATOR_STOP if self.over else None,
            next_url=self._next_url if self.over else "",
        )
