"""A run's progress in a terminal: rate, failures, cost and time left."""

from dataclasses import replace

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
from sessions.selectors.runs import RunProgress
from siturec.protocol.vocabulary import EndReason


class Bar(Reporter):
    """A progress bar on standard error; use as a context manager."""

    def __init__(self, progress: RunProgress, *, cost_usd: float = 0.0, console: Console) -> None:
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
        self._ended, self._at = 0, progress
        self._cost = cost_usd
        self._task: TaskID = self._progress.add_task(
            "episodes", total=progress.total, completed=self._completed, rate="", trouble=self._trouble()
        )

    @property
    def _completed(self) -> int:
        return self._at.done + self._at.failed

    def __enter__(self) -> "Bar":
        self._progress.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self._progress.stop()

    def ended(self, *, reason: EndReason, seconds: float, rerolled: bool, cost_usd: float = 0.0) -> None:
        """Count one ended episode; one that is rolled again is not done."""
        self._ended += 1
        self._cost += cost_usd
        failed = reason is EndReason.TECHNICAL_FAILURE
        self._at = replace(
            self._at,
            done=self._at.done + (not failed),
            failed=self._at.failed + (failed and not rerolled),
            bought=self._at.bought + (reason is EndReason.SUCCESS_CART_ADDED),
            rerolled=self._at.rerolled + rerolled,
        )
        self._show()

    def moved(self, progress: RunProgress, *, cost_usd: float) -> None:
        """Show counts that come from the record, as when other machines play."""
        ended = progress.done + progress.failed - self._completed
        self._ended += max(ended, 0)
        self._at, self._cost = progress, cost_usd
        self._show()

    def _show(self) -> None:
        elapsed = self._progress.tasks[0].elapsed or 0.0
        rate = f"{self._ended / elapsed:.1f}/s" if elapsed > 0 else ""
        self._progress.update(self._task, completed=self._completed, rate=rate, trouble=self._trouble())

    def _trouble(self) -> str:
        parts = [f"{self._at.bought} bought"]
        if self._at.failed:
            parts.append(f"[red]{self._at.failed} failed[/red]")
        if self._at.rerolled:
            parts.append(f"[yellow]{self._at.rerolled} re-rolled[/yellow]")
        if self._cost:
            parts.append(f"${self._cost:.2f}")
        return ", ".join(parts)
