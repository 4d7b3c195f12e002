"""A study's design, its team, and the log of who did what."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST

from play.research.access import study_context, study_page
from play.research.faults import check_design
from play.research.form import StudyForm
from play.research.models import check_models
from sessions.errors import StudyError
from sessions.models import AuditLog, Study
from sessions.selectors.studies import study_config_yaml
from sessions.services import audit_add, study_revise, study_update
from sessions.services.members import invitation_create, member_remove

LOG_LINES = 200


@study_page("monitor")
def settings(request: HttpRequest, study: Study) -> HttpResponse:
    """The design as a file, its versions, the team, open invitations, and the log."""
    invitations = [
        (row, request.build_absolute_uri(reverse("research:invitation", args=[row.token])))
        for row in study.invitations.filter(used_at=None)
    ]
    context = study_context(
        request,
        study,
        "settings",
        document=study_config_yaml(study),
        versions=study.versions.order_by("-number"),
        members=study.members.select_related("user"),
        invitations=invitations,
        log=AuditLog.objects.filter(study=study)[:LOG_LINES],
    )
    return render(request, "research/settings.html", context)


@study_page("researcher")
def study_edit(request: HttpRequest, study: Study) -> HttpResponse:
    """Change a draft, or make a new version of a study that has opened."""
    form = StudyForm(request.POST or None, initial=StudyForm.initial_of(study.design))
    draft = study.status == Study.Status.DRAFT
    if request.method == "POST" and form.is_valid():
        try:
            if draft:
                study = study_update(study=study, config=form.config)
            else:
                check_design(form.config)
                check_models(form.config)
                study = study_revise(study=study, config=form.config)
        except StudyError as error:
            form.add_error(None, str(error))
        else:
            audit_add(
                actor=request.user,  # type: ignore[arg-type]
                action="design changed",
                study=study,
                details={"version": study.version},
            )
            messages.success(request, "Saved." if draft else f"Version {study.version} begins now.")
            return redirect("research:settings", study.slug)
    context = study_context(
        request,
        study,
        "settings",
        form=form,
        heading="Design" if draft else f"Design: version {study.version + 1}",
        submit="Save" if draft else "Begin a new version",
    )
    return render(request, "research/study_edit.html", context, status=400 if form.errors else 200)


@study_page("monitor")
def study_file(request: HttpRequest, study: Study) -> HttpResponse:
    """The design as a YAML file that makes the same study again."""
    response = HttpResponse(study_config_yaml(study), content_type="application/yaml; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{study.slug}.yaml"'
    return response


@require_POST
@study_page("researcher")
def invite(request: HttpRequest, study: Study) -> HttpResponse:
    """Make an invitation link for a role."""
    try:
        invitation_create(study=study, role=request.POST.get("role", ""), actor=request.user)  # type: ignore[arg-type]
    except StudyError as error:
        messages.error(request, str(error))
    else:
        messages.success(request, "The invitation is in the list below. It works once, for two weeks.")
    return redirect("research:settings", study.slug)


@require_POST
@study_page("researcher")
def dismiss(request: HttpRequest, study: Study, user_id: int) -> HttpResponse:
    """Take somebody out of the team."""
    member_remove(study=study, user_id=user_id, actor=request.user)  # type: ignore[arg-type]
    return redirect("research:settings", study.slug)
