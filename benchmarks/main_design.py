"""The paper's main design from one command, stopped in its middle: nothing twice, nothing lost.

    python benchmarks/main_design.py             5 scripted assistants x 100 tasks x 2 scenes, twice
    python benchmarks/main_design.py --small     3 tasks of the smallest scene
    python benchmarks/main_design.py --database postgres://... --backend celery --broker redis://...

The design is played once without a stop and once with stops: Ctrl-C at a quarter and at half of it, an
outright kill at three quarters (``--stops``), each time gone on with by the same command. Then both files
must pass the record's check and be equal apart from ids and times, what had ended before a stop must be
untouched after it, a sample must replay to the same frames, and both must score the same. Ends with 1 where
any of it does not hold.
"""

import argparse
import os
import signal
import sys
from pathlib import Path

from main_design_checks import Checks
from main_design_play import Design, interrupted, played, workers

ROOT = Path(__file__).resolve().parent.parent
FIVE = "expert,capable,plain,hasty,bad"
TWO = "supermarket,home_furnishings"
SIGNALS = {"int": signal.SIGINT, "kill": signal.SIGKILL}


def stops(text):
    """``int:0.25,kill:0.75``: which signal when so much of the design has ended."""
    return [
        (SIGNALS[how], float(share)) for how, _, share in (part.partition(":") for part in text.split(","))
    ]


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--small", action="store_true")
    parser.add_argument("--scenes", default=TWO)
    parser.add_argument("--assistants", default=FIVE)
    parser.add_argument("--tasks", default="100")
    parser.add_argument("--seed", default="42")
    parser.add_argument("--jobs", default="4")
    parser.add_argument("--no-pictures", action="store_true")
    parser.add_argument("--stops", type=stops, default="int:0.25,int:0.5,kill:0.75")
    parser.add_argument("--replays", type=int, default=10, help="how many episodes are walked again")
    parser.add_argument("--database", default="", help="another than a SQLite file of its own; must be empty")
    parser.add_argument("--backend", choices=["local", "celery"], default="local")
    parser.add_argument("--broker", default="", help="for celery: redis://host/number")
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    # Started in the background, this and what it starts would be deaf to Ctrl-C.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if options.small:
        options.scenes, options.tasks, options.assistants = "pharmacy_corner", "3", "bad,hasty"
        options.replays = min(options.replays, 2)
        options.jobs = "1"  # whoever is stopped politely ends what is under way: of so few that may be all
    design = Design.of(options)
    try:
        with workers(design):
            whole = played(design, "whole")
            broken = interrupted(design, "broken", options.stops)
        checks = Checks(whole, broken)
        checks.files()
        if not options.no_pictures:
            checks.replays(options.replays)
        checks.scores()
    except AssertionError as failed:
        print(f"FAILED: {failed}", flush=True)
        return 1
    print("all the same", flush=True)
    return 0


if __name__ == "__main__":
    os.chdir(ROOT)
    sys.exit(main())
