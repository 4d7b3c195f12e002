"""How fast runs go, and whether memory stays flat.

    python benchmarks/runs.py scripted [--tasks 100]   5 scripted assistants, worlds rendered
    python benchmarks/runs.py scripted --no-pictures   the same with nothing painted
    python benchmarks/runs.py flight [--jobs 64]       minds that answer over HTTP after 200 ms
    python benchmarks/runs.py memory [--episodes 10000]

``flight`` and ``memory`` walk in a world that costs nothing, to measure the loop and the record alone: what
is played is real otherwise (the turn loop, every write, SQLite). ``flight`` asks a server in a process of its
own for each of a turn's three answers; ideal is so many jobs, each limited by nothing but those answers.
"""

import argparse
import asyncio
import contextlib
import os
import resource
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "siturec_web.settings.dev")
DELAY_S = 0.2


def setup():
    """A database of this benchmark's own."""
    os.environ["SITUREC_VAR"] = tempfile.mkdtemp(prefix="siturec-bench-")
    os.environ.setdefault("LOG_LEVEL", "WARNING")
    import django

    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0)


def cpu_s():
    """CPU seconds of this process and of the children it has waited for."""
    return sum(
        usage.ru_utime + usage.ru_stime
        for usage in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    )


def rss_mb():
    """Resident memory now."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def plan(name, *, tasks, assistants, seeds=1, pictures=True):
    from play.plan import Wanted, run_store, spec_of

    wanted = Wanted(
        scenes=("supermarket",),
        tasks=str(tasks),
        assistants=assistants,
        seeds=tuple(range(seeds)),
        judge="",
        pictures=pictures,
    )
    return run_store(name, spec_of(wanted))


def store_cpu_s():
    """CPU seconds of the stores this process has started."""
    from simulator_bridge.store import STORES

    ticks = 0
    for running in STORES._running.values():
        fields = Path(f"/proc/{running.process.pid}/stat").read_text().rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def scripted(tasks, jobs, keep, pictures):
    """The paper's shape on one scene."""
    from play.simulating import Playing, Reporter, play_run
    from play.worlds import stores_start
    from sessions.models import Turn

    run = plan(
        "scripted", tasks=tasks, assistants=("expert", "capable", "plain", "hasty", "bad"), pictures=pictures
    )
    stores_start(["supermarket"])
    began, before, store = time.monotonic(), cpu_s(), store_cpu_s()
    asyncio.run(play_run(run.pk, Playing(jobs=jobs, keep_frames=keep), Reporter()))
    took, turns = time.monotonic() - began, Turn.objects.count()
    each = (cpu_s() - before) / turns * 1000
    there = (store_cpu_s() - store) / turns * 1000
    print(f"scripted: {run.episodes.count()} episodes, {turns} turns in {took:.0f} s")
    print(f"  {turns / took:.1f} turns/s; CPU a turn: {each:.1f} ms here, {there:.1f} ms in the store")


class Still:
    """A world that costs nothing: one view, moves that go through."""

    instant = True

    def __init__(self, view, start):
        from siturec.protocol.messages import ShopperState

        self.view, self.pose, self.state = view, start, ShopperState()

    async def reset(self, *, pose, state=None):
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


SERVER = """
import asyncio
from aiohttp import web
async def answer(request):
    await request.read()
    await asyncio.sleep(0.2)
    return web.json_response({"ok": True})
async def main():
    app = web.Application(); app.router.add_post("/", answer)
    runner = web.AppRunner(app); await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", PORT); await site.start()
    await asyncio.Event().wait()
asyncio.run(main())
"""


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
    from play.simulating import connection_kept, leases_kept
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

    async with connection_kept(), leases_kept(), asyncio.TaskGroup() as group:
        for _ in range(jobs):
            group.create_task(work())


def flight(jobs, rounds):
    """Throughput against the ideal."""
    import aiohttp

    from sessions.models import Turn

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    server = subprocess.Popen([sys.executable, "-c", SERVER.replace("PORT", str(port))])
    try:
        time.sleep(2)
        run = plan("flight", tasks=min(jobs, 100), assistants=("plain",), seeds=rounds)

        async def main():
            connector = aiohttp.TCPConnector(limit=jobs)
            async with aiohttp.ClientSession(connector=connector) as session:
                began = time.monotonic()
                await play_all(run, jobs, session, f"http://127.0.0.1:{port}/")
                return time.monotonic() - began

        before = cpu_s()
        took = asyncio.run(main())
    finally:
        server.terminate()
        server.wait()
    turns = Turn.objects.count()
    ideal = run.episodes.count() / jobs * (20 * 3 - 1) * DELAY_S
    each = (cpu_s() - before) / turns * 1000
    print(f"flight: {jobs} in flight, {turns} turns of 3 answers in {took:.1f} s, {each:.1f} ms CPU a turn")
    print(f"  {ideal / took:.2f} of the ideal ({ideal:.1f} s)")


def memory(episodes):
    """Resident memory along the way."""
    run = plan("memory", tasks=100, assistants=("plain",), seeds=-(-episodes // 100))
    from sessions.models import Episode

    run.episodes.update(limits=replace_turns(3))
    marks, count = [], 0

    def each():
        nonlocal count
        count += 1
        if count % max(episodes // 10, 1) == 0:
            marks.append((count, rss_mb()))
            print(f"  {count} episodes: {rss_mb():.0f} MB", flush=True)

    print("memory:")
    asyncio.run(play_all(run, 16, None, "", each))
    first, last = marks[1], marks[-1]
    slope = (last[1] - first[1]) / (last[0] - first[0]) * 1000
    print(f"  {Episode.objects.count()} episodes of 3 turns: {slope:+.2f} MB per 1000 episodes")


def replace_turns(turns):
    from siturec.protocol.study import Limits

    return Limits(turns=turns).model_dump(mode="json")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=["scripted", "flight", "memory"])
    parser.add_argument("--tasks", type=int, default=100)
    parser.add_argument("--jobs", type=int)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--episodes", type=int, default=10_000)
    parser.add_argument("--no-frames", action="store_true")
    parser.add_argument("--no-pictures", action="store_true")
    options = parser.parse_args()
    setup()
    if options.what == "scripted":
        scripted(options.tasks, options.jobs or 4, not options.no_frames, not options.no_pictures)
    elif options.what == "flight":
        flight(options.jobs or 64, options.rounds)
    else:
        memory(options.episodes)


if __name__ == "__main__":
    main()
