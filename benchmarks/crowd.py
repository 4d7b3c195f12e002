"""A hundred people who enter their stores within one second, as after a mail to all of them.

    python -m benchmarks.crowd [--people 100] [--scene pharmacy_corner]

A real site (Daphne, SQLite, the embedded store); the people are sockets, opened evenly over one second. For
each is taken how long it was until the page knew where it stands (its first snapshot: one's turn, or one's
place in the line while every store is taken), and until it was their turn, if there was a store for them.
"""

import argparse
import asyncio
import json
import signal
import statistics
import sys
import time

from websockets.asyncio.client import connect

from benchmarks.browser_latency import people, setup, site

BAR_S = 2.0


async def enter(address: str, origin: str, after_s: float, patience_s: float) -> tuple[float, float | None]:
    """Seconds from opening the socket to the first snapshot, and to one's turn (None: still in line)."""
    await asyncio.sleep(after_s)
    began, known, turn = time.monotonic(), 0.0, None
    async with connect(address, origin=origin, max_size=None, open_timeout=60) as line:  # type: ignore[arg-type]
        try:
            async with asyncio.timeout(patience_s):
                async for message in line:
                    if isinstance(message, bytes):
                        continue
                    told = json.loads(message)
                    if told["type"] == "refused":
                        sys.exit(f"somebody was refused: {told['reason']}")
                    known = known or (time.monotonic() - began if told["type"] == "snapshot" else 0.0)
                    if told.get("phase") == "user":
                        turn = time.monotonic() - began
                        break
        except TimeoutError:
            pass
    return known, turn


async def crowd(url: str, tokens: list[str], patience_s: float) -> list[tuple[float, float | None]]:
    """Everybody at once."""
    lines = [f"ws{url.removeprefix('http')}/ws/p/{token}/" for token in tokens]
    gap = 1.0 / len(lines)
    return await asyncio.gather(*(enter(line, url, at * gap, patience_s) for at, line in enumerate(lines)))


def told(name: str, values: list[float]) -> str:
    """A line of quantiles."""
    values = sorted(values)
    p95 = values[min(len(values) - 1, int(len(values) * 0.95))]
    middle = statistics.median(values)
    return f"{name}: n={len(values)}, p50 {middle:.2f} s, p95 {p95:.2f} s, most {values[-1]:.2f} s"


def report(entered: list[tuple[float, float | None]], patience_s: float) -> None:
    """How it went for everybody."""
    known = [one for one, _ in entered if one]
    turns = [one for _, one in entered if one is not None]
    print(told(f"knew where they stand (bar: p95 {BAR_S:.0f} s)", known))
    print(told("had their turn", turns))
    lost, waiting = len(entered) - len(known), len(known) - len(turns)
    print(f"lost: {lost}; still in line after {patience_s:.0f} s: {waiting}", flush=True)


def main() -> None:
    """Enter, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--people", type=int, default=100)
    parser.add_argument("--scene", default="pharmacy_corner")
    parser.add_argument("--patience", type=float, default=60.0, help="seconds one waits in line")
    args = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that the site ends with this in every case
    environment = setup()
    first, *tokens = people(args.scene, args.people + 1)
    with site(environment) as url:
        asyncio.run(crowd(url, [first], 240))  # somebody was here before: the store is running
        report(asyncio.run(crowd(url, tokens, args.patience)), args.patience)


if __name__ == "__main__":
    main()
