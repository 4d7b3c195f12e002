"""Minds that answer over HTTP or at once, and a world that costs nothing: the loop and the record alone."""

import asyncio
import contextlib


class Still:
    """A world that costs nothing: one view, moves that go through."""

    instant = True

    def __init__(self, view, start):
        from siturec.protocol.messages import ShopperState

        self.view, self.pose, self.state = view, start, ShopperState()

    async def reset(self, *, pose, state=None, picked_at=()):
        self.pose = pose

    async def observe(self, *, number, pictures=True):
        return self.view

    async def execute(self, action, *, moving=None):
        from siturec.protocol.messages import Outcome

        return Outcome(ok=True, displacement_m=1.0)

    async def close(self):
        pass


def still_source(setting):
    from siturec.protocol.messages import Observation, Sighting, View

    seen = tuple(
        Sighting(
            entity=target.entity,
            kind=target.kind,
            name=target.name,
            user_marker=target.user_marker,
            assistant_marker=target.assistant_marker,
            distance_m=4.0,
            approaches=target.approaches,
        )
        for target in setting.knowledge.targets[:8]
    )
    frame = bytes(60_000)
    view = View(
        observation=Observation(pose=setting.start, visible=seen),
        width=960,
        height=540,
        user_frame=frame,
        assistant_frame=frame,
    )

    @contextlib.asynccontextmanager
    async def lease():
        yield Still(view, setting.start)

    return lease


class Remote:
    """All three minds: whatever the server says, after it has said it."""

    slug = "remote"

    def __init__(self, session, url):
        from siturec.protocol.messages import (
            AssistantAction,
            AssistantMessage,
            ModeratorDecision,
            ToolCall,
            UserMessage,
        )

        self.session, self.url = session, url
        self.said = AssistantMessage(
            utterance="Shall we look further?", assistant_actions=(AssistantAction(type="AskPreference"),)
        )
        self.reply = UserMessage(
            reply="Yes.", tool_call=ToolCall(tool="move_forward", args={"distance": "short"})
        )
        self.go_on = ModeratorDecision(stop=False, raw="no")

    async def _wait(self):
        if self.session is not None:
            async with self.session.post(self.url, json={"prompt": "x" * 2000}) as response:
                await response.json()

    async def respond(self, given):
        from siturec.protocol.messages import AssistantInput
        from siturec.protocol.ports import Answer

        await self._wait()
        return Answer(self.said if isinstance(given, AssistantInput) else self.reply, policy_version="1")

    async def decide(self, given):
        from siturec.protocol.ports import Answer

        await self._wait()
        return Answer(self.go_on, policy_version="1")


async def play_all(run, jobs, session, url, each=None):
    """The run's own queue and loop, with these minds and this world."""
    from channels.db import database_sync_to_async

    from play.loading import OWNER, episode_setting
    from play.runner import play_episode
    from play.setting import Cast
    from play.simulating import collector_sparing, connection_kept, leases_kept
    from sessions.services import claims

    mind = Remote(session, url)

    async def work():
        while True:
            claimed = await database_sync_to_async(claims.run_claim_next)(run_id=run.pk, owner=OWNER)
            if claimed is None:
                return
            loaded = await database_sync_to_async(episode_setting)(claimed, keep_frames=False)
            setting = loaded.setting
            await play_episode(setting=setting, cast=Cast(mind, mind, mind), worlds=still_source(setting))
            if each is not None:
                each()

    with collector_sparing():
        async with connection_kept(), leases_kept(), asyncio.TaskGroup() as group:
            for _ in range(jobs):
                group.create_task(work())
