"""How fast runs go, and whether memory stays flat.

    python benchmarks/runs.py scripted [--tasks 100]   5 scripted assistants, worlds rendered
    python benchmarks/runs.py scripted --no-pictures   the same with nothing painted
    python benchmarks/runs.py flight [--jobs 64]       minds that answer over HTTP after 200 ms
    python benchmarks/runs.py memory [--episodes 10000]
    python benchmarks/runs.py memory --rendered [--episodes 500]

``flight`` and ``memory`` walk in a world that costs nothing, to measure the loop and the record alone: what
is played is real otherwise (the turn loop, every write, SQLite). ``flight`` asks a server in a process of its
own for each of a turn's three answers; ideal is so many jobs, each limited by nothing but those answers.
"""

import argparse
import asyncio
import time

from runs_flight import flight
from runs_kit import FIVE, cpu_s, plan, setup, store_cpu_s
from runs_memory import memory, memory_rendered


def scripted(tasks, jobs, keep, pictures):
    """The paper's shape on one scene."""
    from play.simulating import Playing, Reporter, play_run
    from play.worlds import stores_start
    from sessions.models import Turn

    run = plan("scripted", tasks=tasks, assistants=FIVE, pictures=pictures)
    stores_start([("supermarket", None)])
    began, before, store = time.monotonic(), cpu_s(), store_cpu_s()
    asyncio.run(play_run(run.pk, Playing(jobs=jobs, keep_frames=keep), Reporter()))
    took, turns = time.monotonic() - began, Turn.objects.count()
    each = (cpu_s() - before) / turns * 1000
    there = (store_cpu_s() - store) / turns * 1000
    print(f"scripted: {run.episodes.count()} episodes, {turns} turns in {took:.0f} s")
    print(f"  {turns / took:.1f} turns/s; CPU a turn: {each:.1f} ms here, {there:.1f} ms in the store")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=["scripted", "flight", "memory"], nargs="?", default="scripted")
    parser.add_argument("--tasks", type=int, default=100)
    parser.add_argument("--jobs", type=int)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--episodes", type=int)
    parser.add_argument("--rendered", action="store_true")
    parser.add_argument("--no-frames", action="store_true")
    parser.add_argument("--no-pictures", action="store_true")
    options = parser.parse_args()
    setup()
    if options.what == "scripted":
        scripted(options.tasks, options.jobs or 4, not options.no_frames, not options.no_pictures)
    elif options.what == "flight":
        flight(options.jobs or 64, options.rounds)
    elif options.rendered:
        memory_rendered(options.episodes or 500, options.jobs or 4)
    else:
        memory(options.episodes or 10_000)


if __name__ == "__main__":
    main()
