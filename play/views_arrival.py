"""Arriving by a study's link: a look takes nothing, pressing Start makes a participant."""

import re
import secrets

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from play.guard import link_is_the_key
from play.served import worded
from play.steps import here
from sessions.errors import NotAccepting
from sessions.models import Participant, Study
from sessions.selectors import participant_by_token, study_accepting, study_by_slug
from sessions.services.people import participant_join
from siturec.protocol.given import storable

# What recruiting services append to a study's link, with the one that names the person first.
PERSON_KEYS = ("PROLIFIC_PID", "workerId", "SONA_ID", "participant", "pid")
OTHER_KEYS = ("STUDY_ID", "SESSION_ID", "assignmentId", "hitId")
KEY_LIMIT = 120
# {{%PROLIFIC_PID%}}, ${e://Field/w}, %SURVEY_CODE%, [[pid]], <pid>, and what the preview of a task sends.
_UNFILLED = re.compile(r"\$?\{.*\}|%.*%|\[.*\]|<.*>|ASSIGNMENT_ID_NOT_AVAILABLE")
MINUTES_PER_VISIT = 6


def external_values(source: dict[str, str]) -> dict[str, str]:
    """The recruiting service's parameters that are present, in upper or lower case, cut to a sane length.

    One that the service left as it stands in the link names nobody: all who come by it would be one person.
    """
    said = {key.casefold(): value for key, value in source.items()}
    keys = (*PERSON_KEYS, *OTHER_KEYS)
    given = {key: storable(said.get(key.casefold(), "")).strip()[:KEY_LIMIT] for key in keys}
    return {key: value for key, value in given.items() if value and not _UNFILLED.fullmatch(value)}


@link_is_the_key
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def arrival(request: HttpRequest, slug: str) -> HttpResponse:
    """Tell what to expect and look at the device (GET), or begin (POST). GET changes nothing."""
    study = study_by_slug(slug)
    if study is None:
        lead = _("There is no study under this link. Please check that it is complete.")
        context = {"heading": _("No such study"), "lead": lead}
        return render(request, "play/message.html", context, status=404)
    external = external_values({key: str(value) for key, value in (request.POST or request.GET).items()})
    known = _known(study, external, request.session.get(f"study:{slug}", ""))
    refusal = ""
    if request.method == "POST":
        try:
            participant = known if known is not None and external else _join(request, study, external)
            request.session[f"study:{slug}"] = participant.token
            return redirect("play:go", participant.token)
        except NotAccepting as reason:
            refusal = worded(str(reason), opens_at=study.design.opens_at)
    if known is not None and _person(external):
        return redirect("play:go", known.token)
    return _welcome(request, study, external, known, refusal)


def _person(external: dict[str, str]) -> str:
    return next((external[key] for key in PERSON_KEYS if key in external), "")


def _known(study: Study, external: dict[str, str], token: str) -> Participant | None:
    """Whoever was here before: by the recruiting service's id, else by this browser's memory."""
    person = _person(external)
    if person:
        return Participant.objects.filter(study=study, external_id=person).first()
    remembered = participant_by_token(token) if token else None
    return remembered if remembered is not None and remembered.study_id == study.pk else None


def _join(request: HttpRequest, study: Study, external: dict[str, str]) -> Participant:
    rehearsal = request.user.is_staff and "test" in request.GET
    kind = Participant.Kind.TEST if rehearsal else Participant.Kind.HUMAN
    person = "" if rehearsal else _person(external)
    visit = storable(request.POST.get("visit", ""))[:KEY_LIMIT]
    return participant_join(study=study, kind=kind, external_id=person, external=external, visit=visit)


def _welcome(
    request: HttpRequest, study: Study, external: dict[str, str], known: Participant | None, refusal: str
) -> HttpResponse:
    config = study.design
    visits = config.tasks.per_participant * len(config.assistants)
    rehearsal = request.user.is_staff and "test" in request.GET
    if not refusal and not rehearsal and known is None:
        closed = study_accepting(study, now=timezone.now())
        refusal = worded(closed, opens_at=config.opens_at) if closed else ""
    returning = known is not None and here(known).page != "done"
    context = {
        "study": study,
        "contact": config.contact,
        "external": external,
        "visit": secrets.token_urlsafe(18),
        "refusal": refusal,
        "returning": known.token if known is not None and returning else "",
        "visits": visits,
        "minutes": visits * MINUTES_PER_VISIT,
    }
    return render(request, "play/arrival.html", context)
