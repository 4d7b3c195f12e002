"""A study at a glance, and the steps of its life: preview, open, pause, close."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST

from agents.selectors import outcome_rates
from play.research.access import study_context, study_page
from play.research.announce import study_tell
from play.research.faults import check_design, design_faults
from play.research.models import check_models, model_notices
from sessions.errors import StudyError
from sessions.models import Study
from sessions.selectors.balance import balance_table
from sessions.selectors.progress import seats_by_status, study_progress
from sessions.services import audit_add, seats_release_stale, study_close, study_open, study_pause
from sessions.services.rehearsal import participant_rehearse


@study_page("monitor")
def overview(request: HttpRequest, study: Study) -> HttpResponse:
    """Progress, seats, balance, and what there is to do next."""
    draft = study.status == Study.Status.DRAFT
    context = study_context(
        request,
        study,
        "overview",
        design=study.design,
        progress=study_progress(study),
        seats=seats_by_status(study),
        faults=design_faults(study.design) if draft else [],
        notices=model_notices(study),
        calls=outcome_rates(episodes=study.episodes.values_list("public_id", flat=True)),
        balance=None if draft else balance_table(study),
        base=request.build_absolute_uri("/").rstrip("/"),
        link=request.build_absolute_uri(reverse("play:arrival", args=[study.slug])),
    )
    return render(request, "research/overview.html", context)


@require_POST
@study_page("researcher")
def study_act(request: HttpRequest, study: Study, deed: str) -> HttpResponse:
    """Open, pause, resume or close a study, preview it, or take back the seats of people who are gone."""
    try:
        if deed == "preview":
            return redirect("play:go", participant_rehearse(study=study).token)
        said = _do(study, deed)
    except StudyError as error:
        messages.error(request, str(error))
    else:
        audit_add(actor=request.user, action=f"study: {deed}", study=study)  # type: ignore[arg-type]
        messages.success(request, said)
    return redirect("research:overview", study.slug)


def _do(study: Study, deed: str) -> str:
    match deed:
        case "open":
            if study.status == Study.Status.DRAFT:
                check_design(study.design)
            check_models(study.design)
            study_open(study=study)
            return "The study is open. Its design is frozen; send the link below to participants."
        case "try":
            count = check_models(study.design, fresh=True)
            return f"{count} model{'' if count == 1 else 's'} answered." if count else "It has no models."
        case "pause" | "resume":
            study_pause(study=study, paused=deed == "pause")
            study_tell(study, text="", paused=deed == "pause")
            return (
                "The study is paused: nobody new begins, and who is inside waits."
                if deed == "pause"
                else ("The study goes on.")
            )
        case "close":
            study_close(study=study)
            return "The study is closed to newcomers. Who is inside may finish."
        case "release":
            count = len(seats_release_stale(study=study, now=timezone.now()))
            return f"{count} seats of people who are gone were dealt again." if count else "Nobody is gone."
    raise StudyError(f"There is no step '{deed}' in a study's life.")
