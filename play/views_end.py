"""The end of it: the completion code, leaving, and having one's data erased."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from play.erasure import participant_erase
from play.guard import link_is_the_key
from play.steps import Here, here
from play.views import at_step, design, page, unknown_link
from sessions.models import Participant
from sessions.selectors import participant_by_token
from sessions.services.people import completion_code, participant_return


def _words(state: str) -> tuple[str, str]:
    """Heading and first sentence, by how participation ended."""
    if state == Participant.State.DONE:
        return _("Thank you!"), _("You have done everything. Your answers are stored.")
    if state == Participant.State.SCREENED_OUT:
        return (
            _("Thank you for your time"),
            _("This study ends here for you, because a question that checks attention was missed."),
        )
    if state == Participant.State.RETURNED:
        return _("You have left the study"), _("Thank you for your time. Your place goes to somebody else.")
    return _("This link is no longer in use"), _(
        "Your time for this study has run out. Thank you all the same."
    )


@at_step("done")
def done(request: HttpRequest, participant: Participant, now: Here) -> HttpResponse:
    """Thanks, the code, what the study was about, and the way to erase one's data."""
    heading, lead = _words(participant.state)
    code = completion_code(participant)
    template = design(participant).codes.return_url
    context = {
        "heading": heading,
        "lead": lead,
        "code": code,
        "return_url": template.replace("{code}", code) if template and code else "",
        "state": participant.state,
    }
    return page(request, participant, "play/done.html", **context)


@link_is_the_key
@never_cache
def leave(request: HttpRequest, token: str) -> HttpResponse:
    """Stop, with or without erasing what was given so far."""
    participant = participant_by_token(token)
    if participant is None:
        return unknown_link(request)
    choice = request.POST.get("choice") if request.method == "POST" else ""
    if choice == "leave":
        participant_return(participant=participant)
        return redirect("play:go", token)
    if choice == "erase" and request.POST.get("sure") == "yes":
        participant_erase(participant=participant)
        request.session.flush()
        gone = {
            "heading": _("Your data are erased"),
            "lead": _("Nothing of what you gave is left here. You can close this page."),
        }
        return render(request, "play/message.html", gone)
    context = {
        "active": here(participant).page != "done",
        "leaving": True,
        "episodes": participant.episodes.exclude(started_at=None).count(),
        "code": completion_code(participant),
    }
    return page(request, participant, "play/leave.html", **context)
