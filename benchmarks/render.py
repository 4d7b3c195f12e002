"""Bars of the store's renderer: ``python benchmarks/render.py [--scene FOLDER] [--ten-times] [--cold]``.

CPU milliseconds (process time of all threads) are medians over ten poses of the median of five frames.
Processor-bound figures grow on a busy machine: compare ratios of one run.
"""

import argparse
import gc
import statistics
import subprocess
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from siturec.scene.load import load_pack  # noqa: E402
from siturec.scene.schema import ScenePack  # noqa: E402
from storefront.render import Painter, Placed, StoreWorld  # noqa: E402
from storefront.render_places import cache_root  # noqa: E402

Pose = tuple[tuple[float, float, float], float, float]
WARM = """
import time; begun = time.perf_counter()
import sys; from pathlib import Path
from siturec.scene.load import load_pack
from storefront.render import Painter, StoreWorld
pack = load_pack(Path(sys.argv[1]))
world = StoreWorld.load(pack, Path(sys.argv[2]))
start = pack.info.start
Painter(world, 960, 540, 80).paint((start.x_m, start.y_m, 1.6), start.yaw_deg, start.pitch_deg)
print(time.perf_counter() - begun)
"""


def poses(pack: ScenePack) -> list[Pose]:
    """The start and nine standing points spread over the pack."""
    eye = pack.info.sight.eye_m
    start = pack.info.start
    found: list[Pose] = [((start.x_m, start.y_m, eye), start.yaw_deg, start.pitch_deg)]
    step = max(1, len(pack.waypoints) // 9)
    for point in pack.waypoints[::step][:9]:
        found.append(((point.x_m, point.y_m, eye), point.yaw_deg, point.pitch_deg))
    return found


def cpu_ms(painter: Painter, at: Sequence[Pose], want: tuple[str, ...], repeats: int = 5) -> float:
    """Median over poses of the median CPU time of a frame, in milliseconds."""
    per_pose = []
    for pose in at:
        painter.paint(*pose, want=want)
        times = []
        for _ in range(repeats):
            begun = time.process_time()
            painter.paint(*pose, want=want)
            times.append((time.process_time() - begun) * 1e3)
        per_pose.append(statistics.median(times))
    return statistics.median(per_pose)


def frames_per_second(world: StoreWorld, at: Sequence[Pose], threads: int, seconds: float = 4.0) -> float:
    """Frames painted per second of wall time by so many threads, each with a painter of its own."""
    painters = [Painter(world, 960, 540, 80) for _ in range(threads)]
    for painter in painters:
        painter.paint(*at[0])
    end = time.perf_counter() + seconds

    def work(painter: Painter) -> int:
        count = 0
        while time.perf_counter() < end:
            painter.paint(*at[count % len(at)])
            count += 1
        return count

    with ThreadPoolExecutor(threads) as pool:
        return sum(pool.map(work, painters)) / seconds


def shopper_bytes(world: StoreWorld, at: Sequence[Pose], count: int = 100) -> float:
    """Bytes kept per shopper who has taken 20 things and moved 5, all painted by one worker's painter."""
    painter = Painter(world, 640, 360, 80)
    painter.paint(*at[0])
    gc.collect()
    tracemalloc.start()
    before, _ = tracemalloc.get_traced_memory()
    shoppers = []
    for n in range(count):
        hidden = frozenset(range(n, n + 20))
        extra = [Placed(n + k, n + k, (1.0 + k, 1.0, 0.0)) for k in range(5)]
        painter.paint(*at[n % len(at)], hidden=hidden, extra=extra)
        shoppers.append((hidden, extra))
    gc.collect()
    after, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return (after - before) / len(shoppers)


def start_seconds(folder: Path, cache: Path) -> float:
    """Seconds from a fresh interpreter to the first frame."""
    done = subprocess.run(
        [sys.executable, "-c", WARM, str(folder), str(cache)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return float(done.stdout)


def report(name: str, value: float, unit: str, bar: str, met: Callable[[float], bool]) -> None:
    """Print one measure with its bar."""
    print(f"{name:58s} {value:9.2f} {unit:8s} bar {bar:18s} {'met' if met(value) else 'MISSED'}")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scene", type=Path, default=ROOT / "scenes" / "supermarket")
    parser.add_argument("--cache", type=Path, default=None)
    parser.add_argument(
        "--ten-times", action="store_true", help="build a store of ten times the size (minutes)"
    )
    parser.add_argument("--cold", action="store_true", help="also time a start that has to bake")
    chosen = parser.parse_args()
    cache: Path = chosen.cache or cache_root()
    pack = load_pack(chosen.scene)
    world = StoreWorld.load(pack, cache)
    at = poses(pack)
    big, small = Painter(world, 960, 540, 80), Painter(world, 640, 360, 80)
    size = f"{len(world.shapes.triangle)} triangles, {world.nbytes() / 1e6:.0f} MB of tables"
    print(f"{len(pack.instances)} instances, {size}")
    full = cpu_ms(big, at, ("rgb", "ids", "depth"))
    report("960x540 colour + depth + ids", full, "CPU ms", "<= 14 (stretch 9)", lambda v: v <= 14)
    report("960x540 depth + ids", cpu_ms(big, at, ("ids", "depth")), "CPU ms", "-", lambda v: True)
    report("640x360 colour", cpu_ms(small, at, ("rgb",)), "CPU ms", "<= 6", lambda v: v <= 6)
    one, two = frames_per_second(world, at, 1), frames_per_second(world, at, 2)
    report("two threads against one", two / one, "times", ">= 1.8", lambda v: v >= 1.8)
    report("one thread", one, "frames/s", "-", lambda v: True)
    report("an extra shopper", shopper_bytes(world, at) / 1e6, "MB", "< 1", lambda v: v < 1)
    report(
        "start to first frame, warm cache", start_seconds(chosen.scene, cache), "s", "< 3", lambda v: v < 3
    )
    if chosen.cold:
        with tempfile.TemporaryDirectory() as empty:
            report(
                "start to first frame, baking",
                start_seconds(chosen.scene, Path(empty)),
                "s",
                "<= 25",
                lambda v: v <= 25,
            )
    if chosen.ten_times:
        ten_times(chosen.scene.name, full, cache)


def ten_times(scene: str, usual: float, cache: Path) -> None:
    """Build a store of ten times the instances and compare a frame's cost."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "scenes/build.py", scene, "--scale", "10", "--out", folder]
        subprocess.run(command, cwd=ROOT, capture_output=True, check=True)
        pack = load_pack(Path(folder))
    world = StoreWorld.load(pack, cache)
    cost = cpu_ms(Painter(world, 960, 540, 80), poses(pack), ("rgb", "ids", "depth"))
    report(f"{len(pack.instances)} instances, colour + depth + ids", cost, "CPU ms", "-", lambda v: True)
    report("ten times the instances, per frame", cost / usual, "times", "< 3", lambda v: v < 3)


if __name__ == "__main__":
    main()
