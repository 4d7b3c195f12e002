"""The live monitor: who is where, who waits or needs help, what failed, what it cost, and the balance."""

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils import timezone

from agents.selectors import outcome_rates
from play.research.access import study_context, study_page
from play.research.models import model_notices
from sessions.models import Study
from sessions.selectors.balance import Balance, balance_table
from sessions.selectors.progress import Presence, Progress, study_presence, study_progress
from simulator_bridge.selectors import waiting_line


@dataclass(frozen=True)
class Now:
    """A moment of a study. ``line`` is each waiting participant's place in the line for a store, from 1."""

    people: list[Presence]
    line: dict[str, int]
    progress: Progress
    balance: Balance
    cost: str

    def rows(self) -> list[tuple[Presence, int | None]]:
        """People with their place in the line, or None."""
        return [(row, self.line.get(row.participant.code)) for row in self.people]

    def figures(self) -> dict[str, Any]:
        """What the tiles show, by name: people, with bots and test visits apart."""
        people = [row for row in self.people if not row.rehearses]
        return {
            "inside": len(people),
            "rehearsing": len(self.people) - len(people),
            "away": sum(1 for row in people if row.away),
            "waiting": len(self.line),
            "help": sum(1 for row in people if row.needs_help),
            "finished": self.progress.finished,
            "failures": sum(self.progress.failures.values()),
            "cost": self.cost,
        }


@study_page("monitor")
def live(request: HttpRequest, study: Study) -> HttpResponse:
    """The monitor as it is now; the page keeps it fresh."""
    now = study_now(study)
    context = study_context(request, study, "live", now=now, figures=now.figures(), balance=now.balance)
    context["notices"] = model_notices(study)
    return render(request, "research/live.html", context)


@study_page("monitor")
def live_state(request: HttpRequest, study: Study) -> JsonResponse:
    """What the page asks for every few seconds."""
    now = study_now(study)
    people = [row.as_json() | {"line": place} for row, place in now.rows()]
    figures, kinds = now.figures(), now.progress.failures
    return JsonResponse(
        {"people": people, "figures": figures, "failures": kinds, "positions": now.balance.positions}
    )


def study_now(study: Study) -> Now:
    """Everything the monitor shows."""
    people = study_presence(study, now=timezone.now())
    line = waiting_line(study.design.scene)
    return Now(
        people=people,
        line={row.participant.code: line[row.episode_id] for row in people if row.episode_id in line},
        progress=study_progress(study),
        balance=balance_table(study),
        cost=_cost(study),
    )


def _cost(study: Study) -> str:
    """US dollars of all model calls so far; a plus where calls of unknown price come on top."""
    rows = outcome_rates(episodes=study.episodes.values_list("public_id", flat=True))
    known = sum(float(row["cost"] or 0) for row in rows)
    return f"{known:.2f}" + ("+" if any(row["unpriced"] for row in rows) else "")
