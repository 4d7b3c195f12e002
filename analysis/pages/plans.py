"""Registering a plan before data: metrics, exclusions, thresholds."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST
from pydantic import ValidationError

from analysis.services.plans import plan_register
from play.research.access import study_page
from sessions.models import Study
from siturec.metrics.plan import Plan


@require_POST
@study_page("researcher")
def register(request: HttpRequest, study: Study) -> HttpResponse:
    """Keep the plan of the form; every fault is said, and nothing half-kept."""
    try:
        plan = Plan.model_validate(_document(request))
    except (ValidationError, ValueError) as error:
        faults = (
            [f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}" for fault in error.errors()]
            if isinstance(error, ValidationError)
            else [str(error)]
        )
        messages.error(request, "The plan was not kept. " + " ".join(faults))
        return redirect("analysis:agreement", study.slug)
    actor = request.user if request.user.is_authenticated else None
    actor = request.user if request.user.is_authenticated else None
    row = plan_register(study=study, plan=plan, actor=actor)
    messages.success(request, f"Plan {row.number} is kept; its hash begins with {row.digest[:12]}.")
    return redirect("analysis:agreement", study.slug)


def _document(request: HttpRequest) -> dict[str, Any]:
    given = request.POST
    document: dict[str, Any] = {
        "metrics": given.getlist("metrics"),
        "coefficient": given.get("coefficient", "spearman"),
        "alpha": float(given.get("alpha") or 0.05),
        "condition": given.get("condition", "full"),
        "exclude_failed_checks": "exclude_failed_checks" in given,
        "minimum_people": int(given.get("minimum_people") or 1),
        "minimum_assistants": int(given.get("minimum_assistants") or 5),
        "notes": given.get("notes", ""),
    }
    at_least = given.get("at_least", "").strip()
    if at_least:
        document["thresholds"] = [
            {"metric": metric, "coefficient": document["coefficient"], "at_least": float(at_least)}
            for metric in document["metrics"]
        ]
    return document
