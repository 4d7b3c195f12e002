"""Resident memory over thousands of episodes, and over fewer with worlds rendered."""

import asyncio
import itertools
import time
from pathlib import Path

from runs_kit import FIVE, cpu_s, plan, rss_mb
from runs_minds import play_all

TURNS = 3


class Marks:
    """Notes and prints the memory ten times along the way."""

    def __init__(self, episodes):
        self.every = max(episodes // 10, 1)
        self.count = itertools.count(1)
        self.marks = []

    def __call__(self):
        count = next(self.count)
        if count % self.every == 0:
            self.marks.append((count, rss_mb()))
            print(f"  {count} episodes: {rss_mb():.0f} MB", flush=True)

    def slope(self):
        """MB per 1000 episodes, from the second mark on: the first holds what is made once."""
        first, last = self.marks[1], self.marks[-1]
        return (last[1] - first[1]) / (last[0] - first[0]) * 1000


def memory(episodes):
    """The loop, the queue, every write and the export, in a world that costs nothing."""
    from sessions.models import Episode, Turn
    from siturec.protocol.study import Limits

    run = plan("memory", tasks=100, assistants=("plain",), seeds=-(-episodes // 100))
    run.episodes.update(limits=Limits(turns=TURNS).model_dump(mode="json"))
    marks, began, before = Marks(episodes), time.monotonic(), cpu_s()
    print("memory:")
    asyncio.run(play_all(run, 16, None, "", marks))
    each = (cpu_s() - before) / Turn.objects.count() * 1000
    print(f"  {Episode.objects.count()} episodes of {TURNS} turns in {time.monotonic() - began:.0f} s,")
    print(f"  {each:.1f} ms CPU a turn: {marks.slope():+.2f} MB per 1000 episodes")
    export(run)


def memory_rendered(episodes, jobs):
    """Scripted minds in rendered worlds, judged, their frames kept: everything a real run does."""
    from play.simulating import Playing, Reporter, play_run
    from play.worlds import stores_start
    from simulator_bridge.store import STORES

    run = plan("rendered", tasks=100, assistants=FIVE, seeds=-(-episodes // 500))
    run.episodes.filter(position__gte=episodes).delete()
    stores_start([("supermarket", None)])
    marks = Marks(episodes)

    class Watching(Reporter):
        def ended(self, **_):
            marks()

    print("memory, worlds rendered:")
    asyncio.run(play_run(run.pk, Playing(jobs=jobs, judge="rules"), Watching()))
    print(f"  {marks.slope():+.2f} MB per 1000 episodes")
    for running in STORES._running.values():
        pages = int(Path(f"/proc/{running.process.pid}/statm").read_text().split()[1])
        print(f"  the store: {pages * 4096 / 2**20:.0f} MB")
    export(run)


def export(run):
    """All records to a file, as ``simulate --out`` and ``export_trajectories`` do."""
    import tempfile

    from play.exporting import export_file

    before, began = rss_mb(), time.monotonic()
    path = Path(tempfile.mkdtemp()) / "records.jsonl"
    count = export_file(path, run.episodes.order_by("position"))
    size = path.stat().st_size / 2**20
    print(f"  exported {count} episodes, {size:.0f} MB, in {time.monotonic() - began:.0f} s: ", end="")
    print(f"{rss_mb() - before:+.0f} MB")
