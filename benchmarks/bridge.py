"""Action to marked frame over the wire, with the embedded store: latency, formats, moving frames.

    python -m benchmarks.bridge [--scene supermarket] [--turns 60]

Latency is from ``execute`` called to both roles' JPEG frames in hand, motion itself made instant, so that
what remains is the wire, the store's painting, and ours.
"""

import argparse
import asyncio
import os
import random
import statistics
import time
from itertools import pairwise
from pathlib import Path

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "siturec_web.settings.dev")

from simulator_bridge.kit import SceneKit
from simulator_bridge.mapping import store_map
from simulator_bridge.store import STORES
from simulator_bridge.wire import Address
from simulator_bridge.world import WireWorld
from siturec.protocol.messages import Pose, ResolvedAction
from siturec.scene.load import load_pack

SCENES = Path(__file__).resolve().parent.parent / "scenes"
BAR_MS = 120.0
WAYS: dict[str, dict[str, object]] = {
    "blueprint": {},
    "blueprint, shared": {"own_shopper": False},
    "kinematic": {"acting": "kinematic"},
    "kinematic, shared": {"acting": "kinematic", "own_shopper": False},
}
WALKS = {
    "free": ResolvedAction(tool="move_forward", distance_m=2.0),
    "aslant": ResolvedAction(tool="turn_and_move", direction="left", angle_deg=60.0, distance_m=4.0),
    "aslant, other side": ResolvedAction(
        tool="turn_and_move", direction="right", angle_deg=60.0, distance_m=4.0
    ),
}


def actions(turns: int, seed: int) -> list[ResolvedAction]:
    """A walk of turns, steps and looks."""
    chance = random.Random(seed)
    kinds = (
        lambda: ResolvedAction(tool="move_forward", distance_m=chance.choice((1.0, 2.0))),
        lambda: ResolvedAction(
            tool="turn",
            direction=chance.choice(("left", "right")),
            angle_deg=chance.choice((30.0, 60.0, 90.0)),
        ),
        lambda: ResolvedAction(tool="side_step", direction=chance.choice(("left", "right")), distance_m=1.0),
        lambda: ResolvedAction(
            tool="turn_and_move", direction=chance.choice(("left", "right")), angle_deg=45.0, distance_m=1.0
        ),
    )
    return [chance.choice(kinds)() for _ in range(turns)]


async def run(slug: str, turns: int) -> None:
    """Play, measure, print."""
    folder = SCENES / slug
    pack = load_pack(folder)
    store = await STORES.ready(folder)

    async def find() -> Address:
        return (await STORES.ready(folder)).address

    world = WireWorld(SceneKit.build(pack), store_map(pack, agent=store.agent), find)
    started = time.perf_counter()
    await world.reset(pose=pack.info.start)
    print(f"connect, measure formats, place the shopper: {(time.perf_counter() - started) * 1e3:.0f} ms")
    session = world._session
    if session is not None:
        chosen = session.formats
        told = ", ".join(f"{name} {ms:g} ms" for name, ms in chosen.measured_ms)
        print(f"formats: {told}; chosen lit {chosen.lit}, object_mask {chosen.mask}, depth npy")
    for number in range(4):
        await world.observe(number=number)
    spent, seen = [], []
    ours, theirs = time.process_time(), process_cpu_s(store.process.pid)
    for number, action in enumerate(actions(turns, seed=7)):
        started = time.perf_counter()
        await world.execute(action)
        view = await world.observe(number=number)
        spent.append((time.perf_counter() - started) * 1e3)
        seen.append(len(view.observation.visible))
    ours, theirs = time.process_time() - ours, process_cpu_s(store.process.pid) - theirs
    spent.sort()
    p95 = spent[min(int(0.95 * len(spent)), len(spent) - 1)]
    print(
        f"action to marked frames, {turns} turns, {statistics.mean(seen):.0f} things in view on average: "
        f"p50 {statistics.median(spent):.0f} ms, p95 {p95:.0f} ms (bar {BAR_MS:.0f})"
    )
    print(f"CPU per turn: here {ours / turns * 1e3:.0f} ms, in the store {theirs / turns * 1e3:.0f} ms")
    await world.close()
    for name, changes in WAYS.items():
        world_map = store_map(pack, agent=store.agent).model_copy(update=changes)
        await moving_frames(name, WireWorld(SceneKit.build(pack), world_map, find), pack.info.start)


def process_cpu_s(pid: int) -> float:
    """User and system CPU seconds of another process (Linux); 0 elsewhere."""
    stat = Path(f"/proc/{pid}/stat")
    if not stat.exists():
        return 0.0
    fields = stat.read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def moving_frames(name: str, world: WireWorld, start: Pose) -> None:
    """Frames a second while walking in simulated time, across a free floor and then aslant into things."""
    for walk, action in WALKS.items():
        await world.reset(pose=start)
        times: list[float] = []
        sizes: list[int] = []

        async def sink(frame: bytes, times: list[float] = times, sizes: list[int] = sizes) -> None:
            times.append(time.perf_counter())
            sizes.append(len(frame))

        went = (await world.execute(action, moving=sink)).displacement_m
        rate, longest = (len(times) - 1) / (times[-1] - times[0]), max(b - a for a, b in pairwise(times))
        print(
            f"moving frames, {name}, {walk} ({went:.1f} m): {rate:.1f} a second (bar 10), longest gap "
            f"{longest * 1e3:.0f} ms, {statistics.mean(sizes) / 1000:.0f} kB each"
        )
    await world.close()


def main() -> None:
    """Read the command line and run."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scene", default="supermarket")
    parser.add_argument("--turns", type=int, default=60)
    args = parser.parse_args()
    asyncio.run(run(args.scene, args.turns))
    STORES.stop()


if __name__ == "__main__":
    main()
