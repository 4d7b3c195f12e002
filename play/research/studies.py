"""The list of studies, and making one: in the guided form, or from a file."""

from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from pydantic import ValidationError

from play.research.form import StudyForm
from sessions.errors import StudyError
from sessions.models import Study, StudyMember
from sessions.selectors.access import may_create, studies_visible
from sessions.selectors.progress import study_progress
from sessions.services import audit_add, study_create
from sessions.services.members import member_set
from siturec.protocol.study import StudyConfig
from siturec.strict_yaml import BadYAML, read_yaml

LARGEST_FILE = 1_000_000


@never_cache
@login_required
def studies(request: HttpRequest) -> HttpResponse:
    """All studies this user has a role in, with how far each is."""
    rows = [(study, study_progress(study)) for study in studies_visible(request.user)]
    return render(request, "research/studies.html", {"rows": rows, "may_create": may_create(request.user)})


@never_cache
@login_required
def study_new(request: HttpRequest) -> HttpResponse:
    """The guided form for a new study; it stays a draft until it is opened."""
    _only_makers(request)
    form = StudyForm(request.POST or None, initial=StudyForm.initial_of(None))
    if request.method == "POST" and form.is_valid():
        try:
            return _made(request, form.config)
        except StudyError as error:
            form.add_error("slug", str(error))
    context = {"form": form, "heading": "New study", "submit": "Save as a draft"}
    return render(request, "research/study_form.html", context, status=400 if form.errors else 200)


@never_cache
@login_required
def study_from_file(request: HttpRequest) -> HttpResponse:
    """A study from its YAML file, uploaded or pasted; every fault is listed, and nothing half-made."""
    _only_makers(request)
    text, faults = "", []
    if request.method == "POST":
        upload = request.FILES.get("file")
        if upload is not None and (upload.size or 0) > LARGEST_FILE:
            faults = ["The file is larger than a study's file can be (1 MB)."]
        else:
            pasted = request.POST.get("text", "")
            text = upload.read().decode(errors="replace") if upload is not None else pasted
            try:
                return _made(request, config_from_yaml(text))
            except StudyError as error:
                faults = str(error).splitlines()
    context = {"text": text, "faults": faults}
    return render(request, "research/study_file.html", context, status=400 if faults else 200)


def config_from_yaml(text: str) -> StudyConfig:
    """Read a study's file. Raises: StudyError with one line per fault, each naming its key."""
    try:
        document = read_yaml(text)
    except BadYAML as error:
        raise StudyError(f"This cannot be read as YAML: {error}") from error
    if not isinstance(document, dict):
        raise StudyError("A study's file is a mapping: keys such as slug, title, scene, assistants, consent.")
    try:
        return StudyConfig.model_validate(document)
    except ValidationError as error:
        lines = [f"{'.'.join(map(str, fault['loc'])) or 'file'}: {fault['msg']}" for fault in error.errors()]
        raise StudyError("\n".join(lines)) from error


def _only_makers(request: HttpRequest) -> None:
    if not may_create(request.user):
        raise PermissionDenied("Making studies needs the permission to add one; an admin can give it.")


def _made(request: HttpRequest, config: StudyConfig) -> HttpResponse:
    study: Study = study_create(config=config)
    if request.user.is_authenticated:
        member_set(study=study, user=request.user, role=StudyMember.Role.RESEARCHER)
        audit_add(actor=request.user, action="study made", study=study, subject=study.slug)
    return redirect("research:overview", study.slug)
