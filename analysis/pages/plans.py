"""Registering a plan before data: metrics, exclusions, thresholds."""

from typing import Any

from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.views.decorators.http import require_POST
from pydantic import ValidationError

from analysis.services.plans import plan_register
from play.research.access import study_page
from sessions.models import Study
from siturec.metrics.plan import Plan
from siturec.strict_yaml import BadYAML, read_yaml

LARGEST = 100_000


@require_POST
@study_page("researcher")
def register(request: HttpRequest, study: Study) -> HttpResponse:
    """Keep the plan of the form; every fault is said, and nothing half-kept."""
    try:
        file = request.FILES.get("file")
        plan = Plan.model_validate(_document(request) if file is None else _from_file(file))
    except (ValidationError, ValueError) as error:
        faults = (
            [f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}" for fault in error.errors()]
            if isinstance(error, ValidationError)
            else [str(error)]
        )
        messages.error(request, "The plan was not kept. " + " ".join(faults))
        return redirect("analysis:agreement", study.slug)
    actor = request.user if request.user.is_authenticated else None
    row = plan_register(study=study, plan=plan, actor=actor)
    messages.success(request, f"Plan {row.number} is kept; its hash begins with {row.digest[:12]}.")
    return redirect("analysis:agreement", study.slug)


def _from_file(file: "UploadedFile[Any]") -> Any:
    """The plan in an uploaded file. Raises: ValueError for one that is too large, no text, or no YAML."""
    if file.size is None or file.size > LARGEST:
        raise ValueError(f"{file.name}: a plan has at most {LARGEST // 1000} kB.")
    try:
        return read_yaml(file.read().decode())
    except UnicodeDecodeError:
        raise ValueError(f"{file.name}: this is no text.") from None
    except BadYAML as error:
        raise ValueError(f"{file.name}: neither YAML nor JSON: {error}") from None


def _number(given: QueryDict, name: str, otherwise: str) -> str:
    """A number as it was written; the plan's own rules judge it. People may write a decimal comma."""
    return given.get(name, "").strip().replace(",", ".") or otherwise


def _document(request: HttpRequest) -> dict[str, Any]:
    given = request.POST
    document: dict[str, Any] = {
        "metrics": given.getlist("metrics"),
        "coefficient": given.get("coefficient", "spearman"),
        "alpha": _number(given, "alpha", "0.05"),
        "condition": given.get("condition", "full"),
        "exclude_failed_checks": "exclude_failed_checks" in given,
        "minimum_people": _number(given, "minimum_people", "1"),
        "minimum_assistants": _number(given, "minimum_assistants", "5"),
        "notes": given.get("notes", ""),
    }
    at_least = _number(given, "at_least", "")
    if at_least:
        document["thresholds"] = [
            {"metric": metric, "coefficient": document["coefficient"], "at_least": at_least}
            for metric in document["metrics"]
        ]
    return document
