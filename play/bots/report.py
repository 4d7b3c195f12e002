"""What the bots met: each expectation by name, how often it held, and what was wrong where it did not."""

import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field


@dataclass
class Report:
    """Shared by all bots of one run; only the event loop's thread writes to it."""

    held: Counter[str] = field(default_factory=Counter)
    broken: defaultdict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    seconds: defaultdict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    finished: int = 0
    crashed: list[str] = field(default_factory=list)
    tell: Callable[[str], object] = lambda line: None
    """Told a line as each bot comes to its end: a run can take minutes."""

    def expect(self, name: str, holds: bool, otherwise: str = "") -> None:
        """Note whether an expectation held."""
        if holds:
            self.held[name] += 1
        else:
            self.broken[name].append(otherwise[:300])

    def end(self, bot: str, fault: str = "") -> None:
        """Note that a bot came to the end, or why it could not."""
        if fault:
            self.crashed.append(f"{bot}: {fault}")
        else:
            self.finished += 1
        self.tell(f"{bot} gave up: {fault}" if fault else f"{bot} has finished.")

    def code(self, shown: str, wanted: str | None, where: str) -> None:
        """Note whether the end showed the completion code it should: any where ``wanted`` is None."""
        right = bool(shown) if wanted is None else shown == wanted
        self.expect("the end shows the study's completion code", right, f"'{shown}' at {where}")

    @contextmanager
    def timed(self, name: str) -> Iterator[None]:
        """Note how long something took."""
        began = time.perf_counter()
        yield
        self.seconds[name].append(time.perf_counter() - began)

    @property
    def ok(self) -> bool:
        """Every expectation held, and every bot came to the end."""
        return not self.broken and not self.crashed

    def lines(self) -> list[str]:
        """The report as text, worst first."""
        out = [f"{self.finished} bots finished, {len(self.crashed)} gave up."]
        out += [f"  gave up: {reason}" for reason in self.crashed]
        for name, faults in sorted(self.broken.items()):
            out.append(f"  BROKEN  {name}: {len(faults)} times, such as: {faults[0] or 'no details'}")
        out += [f"  held    {name}: {count} times" for name, count in sorted(self.held.items())]
        for name, taken in sorted(self.seconds.items()):
            middle, high = quantile(taken, 0.5), quantile(taken, 0.95)
            out.append(
                f"  time    {name}: median {middle:.2f} s, 95th percentile {high:.2f} s, n = {len(taken)}"
            )
        return out


def quantile(values: list[float], share: float) -> float:
    """The smallest value that at least ``share`` of all do not exceed. Raises: ValueError when empty."""
    if not values:
        raise ValueError("no values")
    ranked = sorted(values)
    place = max(0, min(len(ranked) - 1, -(-len(ranked) * share // 1) - 1))
    return ranked[int(place)]


class BotStuck(Exception):
    """A bot cannot go on; the text says where and why."""
