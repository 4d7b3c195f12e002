"""A run's progress in a terminal: rate, failures, cost and time left."""

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from play.simulating import Reporter
from siturec.protocol.vocabulary import EndReason


class Bar(Reporter):
    """A progress bar on standard error; use as a context manager."""

    def __init__(self, *, total: int, done: int, console: Console) -> None:
        self._progress = Progress(
            TextColumn("[bold]{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[rate]}"),
            TextColumn("{task.fields[trouble]}"),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
            console=console,
            refresh_per_second=4,
        )
        self._total, self._done, self._ended = total, done, 0
        self._failed = self._rerolled = self._bought = 0
        self._cost = 0.0
        self._task: TaskID = self._progress.add_task(
            "episodes", total=total, completed=done, rate="", trouble=""
        )

    def __enter__(self) -> "Bar":
        self._progress.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self._progress.stop()

    def ended(self, *, reason: EndReason, seconds: float, rerolled: bool, cost_usd: float = 0.0) -> None:
        """Count one ended episode; one that is rolled again is not done."""
        self._ended += 1
        self._cost += cost_usd
        self._bought += reason is EndReason.SUCCESS_CART_ADDED
        self._rerolled += rerolled
        if not rerolled:
            self._done += 1
            self._failed += reason is EndReason.TECHNICAL_FAILURE
        elapsed = self._progress.tasks[0].elapsed or 0.0
        rate = f"{self._ended / elapsed:.1f}/s" if elapsed > 0 else ""
        self._progress.update(self._task, completed=self._done, rate=rate, trouble=self._trouble())

    def _trouble(self) -> str:
        parts = [f"{self._bought} bought"]
        if self._failed:
            parts.append(f"[red]{self._failed} failed[/red]")
        if self._rerolled:
            parts.append(f"[yellow]{self._rerolled} re-rolled[/yellow]")
        if self._cost:
            parts.append(f"${self._cost:.2f}")
        return ", ".join(parts)

    def moved(self, *, done: int, failed: int, rerolled: int) -> None:
        """Show counts that come from the record, as when other machines play."""
        self._ended += max(done + failed - self._done, 0)
        self._done, self._failed, self._rerolled = done + failed, failed, rerolled
        elapsed = self._progress.tasks[0].elapsed or 0.0
        rate = f"{self._ended / elapsed:.1f}/s" if elapsed > 0 else ""
        self._progress.update(self._task, completed=self._done, rate=rate, trouble=self._trouble())
