"""Registered plans, and how the results at hand keep to the latest one."""

from dataclasses import dataclass
from typing import Any

from analysis.filters import Filters
from analysis.models import AnalysisPlan
from sessions.models import Study
from siturec.agreement.render import metric_name
from siturec.metrics.plan import Plan


@dataclass(frozen=True)
class PlanLine:
    """One thing planned, and what became of it: ``kept`` is None where it cannot be told yet.

    How it was done can deviate from the plan; an ``outcome`` cannot, it is reached or not.
    """

    planned: str
    found: str
    kept: bool | None
    outcome: bool = False

    @property
    def verdict(self) -> str:
        """The line's end in words."""
        if self.kept is None:
            return "cannot be told"
        if self.outcome:
            return "reached" if self.kept else "not reached"
        return "as planned" if self.kept else "deviation"


def plan_headline(lines: list[PlanLine]) -> str:
    """Whether the analysis is the planned one: "As planned.", or every deviation; empty without a plan."""
    if not lines:
        return ""
    deviations = [f"{line.planned} ({line.found})" for line in lines if line.verdict == "deviation"]
    if not deviations:
        return "As planned."
    return f"Deviations from the plan: {len(deviations)}. Planned was: {'; '.join(deviations)}."


def plans_of(study: Study) -> list[AnalysisPlan]:
    """The study's plans, the latest first."""
    return list(AnalysisPlan.objects.filter(study=study).select_related("registered_by").order_by("-number"))


def plan_check(study: Study, results: dict[str, Any], filters: Filters) -> list[PlanLine]:
    """The latest plan line by line against the results shown; empty without a plan."""
    row = AnalysisPlan.objects.filter(study=study).order_by("-number").first()
    if row is None:
        return []
    plan = Plan.model_validate(row.document)
    lines = [
        _timing(row),
        _condition(plan, results),
        _exclusions(plan, filters),
        PlanLine(
            f"interactions that were broken off are {'left out' if plan.exclude_unfinished else 'included'}",
            "left out",
            plan.exclude_unfinished,
        ),
        _sizes(plan, results),
    ]
    lines += [_threshold(results, metric, plan) for metric in plan.metrics]
    lines += [_reached(results, rule.metric, rule.coefficient, rule.at_least) for rule in plan.thresholds]
    if filters.query:
        lines.append(PlanLine("all episodes of the study", f"only those with {filters.query}", False))
    return lines


def _timing(row: AnalysisPlan) -> PlanLine:
    n = row.episodes_before
    found = "none had" if n == 0 else f"{n} had"
    return PlanLine("registered before any episode with people had ended", found, n == 0)


def _condition(plan: Plan, results: dict[str, Any]) -> PlanLine:
    shown = results["condition"]
    return PlanLine(f"condition {plan.condition}", f"condition {shown}", shown == plan.condition)


def _exclusions(plan: Plan, filters: Filters) -> PlanLine:
    wanted = plan.exclude_failed_checks
    kept = wanted == (not filters.excluded)
    found = "included" if filters.excluded else "left out"
    return PlanLine(f"people who were excluded are {'left out' if wanted else 'included'}", found, kept)


def _sizes(plan: Plan, results: dict[str, Any]) -> PlanLine:
    people = results["agreement"]["human"]["participants"]
    assistants = len(results["agreement"]["assistants"]) - len(results["agreement"]["absent"])
    planned = f"read from {plan.minimum_people} people and {plan.minimum_assistants} assistants on"
    enough = people >= plan.minimum_people and assistants >= plan.minimum_assistants
    return PlanLine(planned, f"{people} people, {assistants} assistants", enough)


def _threshold(results: dict[str, Any], metric: str, plan: Plan) -> PlanLine:
    found = results["agreement"]["metrics"][metric]
    planned = f"{metric_name(metric)}: {plan.coefficient}, tested at {plan.alpha:g}"
    value = found[plan.coefficient]
    if value is None:
        return PlanLine(planned, f"not defined ({found['undefined']})", None, True)
    p = None if found["p"] is None else found["p"][plan.coefficient]
    if p is None:
        return PlanLine(planned, f"{value:.2f}; too few assistants for a test", None, True)
    return PlanLine(planned, f"{value:.2f}, p = {p:.3g}", p < plan.alpha, True)


def _reached(results: dict[str, Any], metric: str, coefficient: str, at_least: float) -> PlanLine:
    value = results["agreement"]["metrics"][metric][coefficient]
    planned = f"{metric_name(metric)}: {coefficient} at least {at_least:.2f}"
    if value is None:
        return PlanLine(planned, "not defined", None, True)
    return PlanLine(planned, f"{value:.2f}", value >= at_least, True)
