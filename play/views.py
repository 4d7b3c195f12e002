"""A participant's way: each page shows itself at its own step only, and leads to the right one otherwise."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from play.forms import ProfileForm
from play.guard import link_is_the_key
from play.served import worded
from play.steps import Here, goal_of, here, task_place
from sessions.errors import NotAccepting, WrongStep
from sessions.models import Participant
from sessions.selectors import design_of, participant_by_token
from sessions.services.episodes import episode_goal_read
from sessions.services.people import (
    participant_consent,
    participant_finish,
    participant_profile,
    participant_return,
    participant_seen,
)
from siturec.protocol.study import StudyConfig

View = Callable[..., HttpResponse]


def design(participant: Participant) -> StudyConfig:
    """The design of the version the participant takes part in."""
    return design_of(participant.study, participant.version)


def page(request: HttpRequest, participant: Participant, template: str, **context: Any) -> HttpResponse:
    """A participant's page with what all of them show."""
    config = design(participant)
    now = context.pop("now", None)
    common = {
        "study": participant.study,
        "participant": participant,
        "contact": config.contact,
        "progress": now.percent if now is not None else 0,
    }
    return render(request, template, common | context)


def unknown_link(request: HttpRequest) -> HttpResponse:
    """A link that belongs to nobody: mistyped, or erased."""
    context = {
        "heading": _("This link does not lead anywhere"),
        "lead": _("It may be incomplete, or its data were erased. Please open the study's link again."),
    }
    return render(request, "play/message.html", context, status=404)


def at_step(*pages: str) -> Callable[[View], View]:
    """Show the view only while the participant is at one of these steps; lead there otherwise."""

    def wrap(view: View) -> View:
        @link_is_the_key
        @never_cache
        @require_http_methods(["GET", "HEAD", "POST"])
        @wraps(view)
        def checked(request: HttpRequest, token: str, **kwargs: Any) -> HttpResponse:
            participant = participant_by_token(token)
            if participant is None:
                return unknown_link(request)
            now = here(participant)
            number = kwargs.pop("number", None)
            if now.page not in pages or (number is not None and number != now.place.number):
                return redirect("play:go", token)
            if request.method != "HEAD":
                participant_seen(participant_id=participant.pk)
            return view(request, participant, now, **kwargs)

        return checked

    return wrap


@never_cache
def go(request: HttpRequest, token: str) -> HttpResponse:
    """To the step one is at. The last answer in, this is also where the completion code is taken."""
    participant = participant_by_token(token)
    if participant is None:
        return unknown_link(request)
    now = here(participant)
    if now.page == "finish":
        participant_finish(participant=participant)
        participant.refresh_from_db()
        now = here(participant)
    return redirect(now.url)


@at_step("consent")
def consent(request: HttpRequest, participant: Participant, now: Here) -> HttpResponse:
    """The text, its hash with the answer, and the seat only after a yes."""
    config = design(participant)
    error = ""
    if request.method == "POST":
        if request.POST.get("choice") == "decline":
            participant_return(participant=participant, reason="declined the consent")
            return redirect("play:go", participant.token)
        if request.POST.get("agree") != "yes":
            error = _("To take part, please tick the box. If you do not want to, choose the other button.")
        else:
            try:
                participant_consent(participant=participant, shown_hash=request.POST.get("shown", ""))
                return redirect("play:go", participant.token)
            except (WrongStep, NotAccepting) as refusal:
                error = worded(str(refusal))
    context = {"text": config.consent.text, "shown": config.consent.digest, "error": error}
    return page(request, participant, "play/consent.html", now=now, **context)


@at_step("profile")
def profile(request: HttpRequest, participant: Participant, now: Here) -> HttpResponse:
    """A few questions about oneself, all of them optional."""
    form = ProfileForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        participant_profile(participant=participant, profile=form.answers())
        return redirect("play:go", participant.token)
    return page(request, participant, "play/profile.html", now=now, form=form)


@at_step("goal")
def goal(request: HttpRequest, participant: Participant, now: Here) -> HttpResponse:
    """What to shop for, before the first assistant of each task."""
    episode = now.place.episode
    assert episode is not None
    if request.method == "POST":
        episode_goal_read(episode=episode)
        return redirect("play:go", participant.token)
    task = task_place(episode)
    context = {
        "goal": goal_of(episode),
        "task_number": task.number,
        "task_total": task.total,
        "assistants": task.assistants,
    }
    return page(request, participant, "play/goal.html", now=now, **context)
