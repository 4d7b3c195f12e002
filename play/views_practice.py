"""How it works, and a short practice that does not count."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import get_language

from play.lesson import practice_done, practice_goal
from play.steps import Here
from play.views import at_step, design, page
from sessions.models import Participant
from siturec.protocol.events import MAX_REPLY


@at_step("how")
def how(request: HttpRequest, participant: Participant, now: Here) -> HttpResponse:
    """What a visit is. A POST goes on to the first task, practised or not."""
    if request.method == "POST":
        practice_done(participant=participant)
        return redirect("play:go", participant.token)
    limit = design(participant).limits.turns
    return page(request, participant, "play/instructions.html", now=now, limit=limit)


@at_step("how")
def practice(request: HttpRequest, participant: Participant, now: Here) -> HttpResponse:
    """The store page with a guide in the assistant's place; nothing of it is recorded."""
    token = participant.token
    context = {
        "practice": True,
        "letter": "?",
        "key": f"{participant.code}:practice",
        "socket": f"/ws/p/{token}/practice/?lang={get_language() or 'en'}",
        "reply_limit": MAX_REPLY,
        "goal": practice_goal(),
        "skip_url": reverse("play:how", args=[token]),
    }
    return page(request, participant, "play/store.html", now=now, **context)
