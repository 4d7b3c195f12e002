"""How long scoring and agreement take, and how much memory a long file needs.

python benchmarks/metrics.py            10,000 trajectories, agreement, exact permutation at n = 8
python benchmarks/metrics.py --linear   also 20,000, 50,000 and 100,000 trajectories
"""

import argparse
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import orjson

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from siturec.agreement.correlation import rounded  # noqa: E402
from siturec.agreement.permutation import pairings, permutation_p  # noqa: E402
from siturec.metrics.registry import HEADLINE  # noqa: E402
from tests.core.episode_maker import SKILLS, random_episode  # noqa: E402

SCORE = """
import re, sys, time
from pathlib import Path
from analysis.files import facts_in, ledger_of_file
from siturec.metrics.scoring import score_table
start = time.process_time()
facts = facts_in(Path("scenes"))
ledger = ledger_of_file(Path(sys.argv[1]), facts)
table = score_table(ledger, facts)
peak = int(re.search(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text()).group(1)) / 1024
print(time.process_time() - start, peak, sum(row["n"] for row in table["assistants"].values()))
"""


def write_trajectories(path: Path, count: int) -> None:
    """Blocks of 200 different episodes with changed ids and tasks, so that writing takes no minutes."""
    source = random.Random(7)
    block = [
        random_episode(source, "x", assistant=name, skill=skill, profile=1, task=1)
        for name, skill in SKILLS.items()
        for _ in range(40)
    ]
    with path.open("wb") as out:
        for number in range(count):
            record = block[number % len(block)]
            profile, task = number // 4 % 25 + 1, number % 4 + 1
            record |= {
                "episode_id": f"e-{number}",
                "profile_id": str(profile),
                "task_id": f"{profile}.{task}",
            }
            out.write(orjson.dumps(record, option=orjson.OPT_APPEND_NEWLINE))


def score(count: int, folder: Path) -> float:
    """Score ``count`` trajectories in a process of its own; print seconds of one core and peak memory."""
    path = folder / f"{count}.jsonl"
    write_trajectories(path, count)
    found = subprocess.run(
        [sys.executable, "-c", SCORE, str(path)], cwd=ROOT, capture_output=True, text=True, check=True
    )
    seconds, peak, scored = (float(part) for part in found.stdout.split())
    megabytes = path.stat().st_size / 1e6
    path.unlink()
    print(
        f"score {int(scored):>7,} trajectories ({megabytes:,.0f} MB): {seconds:6.2f} s of one core, "
        f"{1e3 * seconds / count:.3f} ms each, peak memory {peak:.0f} MB"
    )
    return seconds


def exact_permutation(systems: int = 8) -> float:
    """All pairings of n systems for r, rho and tau of every headline metric and the judge's seven."""
    source = np.random.default_rng(1)
    metrics = len(HEADLINE) + 7
    pairs = [(rounded(source.random(systems)), rounded(source.random(systems))) for _ in range(metrics)]
    pairings.cache_clear()
    start = time.process_time()
    for human, simulated in pairs:
        permutation_p(human, simulated)
    seconds = time.process_time() - start
    what = f"exact permutation, n = {systems}, {metrics} metrics x 3 coefficients"
    print(f"{what}: {seconds:.3f} s of one core (cold cache)")
    return seconds


def main() -> None:
    """Run and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--linear", action="store_true")
    options = parser.parse_args()
    exact_permutation()
    with tempfile.TemporaryDirectory() as folder:
        for count in (10_000, 20_000, 50_000, 100_000) if options.linear else (10_000,):
            score(count, Path(folder))


if __name__ == "__main__":
    main()
