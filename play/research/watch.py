"""One participant's store as they see it, and what the team can do for them or about them."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST

from play.research.access import study_context, study_page
from play.research.announce import participant_tell
from sessions.errors import StudyError
from sessions.models import Episode, Event, Participant, Study, Turn
from sessions.selectors.people import participant_place
from sessions.selectors.progress import STEP_WORDS
from sessions.selectors.record import frame_path
from sessions.services import audit_add, participant_exclude, participant_return
from siturec.protocol.given import storable

NOTE_LIMIT = 500
ENDED = "The study's team has ended your participation. Thank you for your time. Please reload this page."


def _participant(study: Study, code: str) -> Participant:
    person = study.participants.select_related("study").filter(code=code).first()
    if person is None:
        raise Http404(f"There is no participant {code} in this study.")
    return person


@study_page("monitor")
def watch(request: HttpRequest, study: Study, code: str) -> HttpResponse:
    """One participant: their store, their words, and what the team can do. Watching is written down."""
    person = _participant(study, code)
    audit_add(actor=request.user, action="watched", study=study, subject=code)  # type: ignore[arg-type]
    context = study_context(
        request, study, "live", person=person, state=_watched(person), note_limit=NOTE_LIMIT
    )
    return render(request, "research/watch.html", context)


@study_page("monitor")
def watch_state(request: HttpRequest, study: Study, code: str) -> JsonResponse:
    """The same, asked for every second by the page."""
    return JsonResponse(_watched(_participant(study, code)))


def _watched(person: Participant) -> dict[str, Any]:
    place = participant_place(person)
    episode = place.episode
    turns = list(episode.turns.order_by("index")) if episode is not None else []
    pictured = [turn for turn in turns if turn.user_frame]
    return {
        "code": person.code,
        "state": person.state,
        "step": STEP_WORDS.get(place.step, place.step.replace("_", " ")),
        "number": place.number,
        "total": place.total,
        "letter": episode.letter if episode is not None else "",
        "assistant": episode.assistant if episode is not None else "",
        "task": episode.task_id if episode is not None else "",
        "draft": episode.draft.get("text", "") if episode is not None else "",
        "turn": pictured[-1].index if pictured else None,
        "frame": pictured[-1].user_frame if pictured else None,
        "lines": [line for turn in turns for line in _lines(turn)],
        "messages": _messages(person),
        "away_s": max(0, int((timezone.now() - person.seen_at).total_seconds())),
    }


def _lines(turn: Turn) -> list[dict[str, Any]]:
    lines: list[dict[str, Any]] = []
    if turn.assistant is not None:
        action = turn.assistant.get("action") or {}
        lines.append(
            {
                "turn": turn.index,
                "who": "assistant",
                "text": turn.assistant.get("utterance", ""),
                "act": action.get("type", ""),
            }
        )
    if turn.user is not None:
        call = turn.user.get("tool_call") or {}
        outcome = turn.user.get("outcome") or {}
        lines.append(
            {
                "turn": turn.index,
                "who": "user",
                "text": turn.user.get("reply", ""),
                "act": call.get("tool", ""),
                "outcome": outcome.get("message", ""),
            }
        )
    return lines


def _messages(person: Participant) -> list[dict[str, str]]:
    events = Event.objects.filter(participant=person, kind__in=["help", "note"]).order_by("pk")
    return [
        {"kind": event.kind, "text": str(event.payload.get("text", "")), "at": f"{event.at:%H:%M:%S}"}
        for event in events
    ]


@study_page("monitor")
def picture(request: HttpRequest, study: Study, digest: str) -> HttpResponse:
    """A frame of one of this study's interactions."""
    shown = Turn.objects.filter(episode__study=study)
    known = shown.filter(user_frame=digest).exists() or shown.filter(assistant_frame=digest).exists()
    path = frame_path(digest) if known else None
    if path is None:
        raise Http404("This picture is not kept here.")
    response = HttpResponse(path.read_bytes(), content_type="image/jpeg")
    response["Cache-Control"] = "private, max-age=31536000, immutable"
    return response


@require_POST
@study_page("monitor")
def note(request: HttpRequest, study: Study, code: str) -> HttpResponse:
    """Write to a participant."""
    person, text = _participant(study, code), storable(request.POST.get("text", "")).strip()
    if not text or len(text) > NOTE_LIMIT:
        messages.error(request, f"A note needs between 1 and {NOTE_LIMIT} characters; nothing was sent.")
    else:
        participant_tell(person, text=text, actor=request.user.get_username())
        audit_add(actor=request.user, action="note", study=study, subject=code)  # type: ignore[arg-type]
        messages.success(request, "The note was sent.")
    return redirect("research:watch", study.slug, code)


@require_POST
@study_page("researcher")
def remove(request: HttpRequest, study: Study, code: str) -> HttpResponse:
    """Release a participant's seat, or exclude what they did, with a reason that is kept."""
    person, reason = _participant(study, code), storable(request.POST.get("reason", "")).strip()
    deed = request.POST.get("deed", "")
    if not reason or deed not in ("release", "exclude"):
        messages.error(request, "Please give a reason; it is kept with the data. Nothing was changed.")
        return redirect("research:watch", study.slug, code)
    inside = person.state == Participant.State.ACTIVE
    try:
        if deed == "exclude":
            participant_exclude(participant=person, reason=reason)
        else:
            participant_return(participant=person, reason=f"released by the team: {reason}")
    except StudyError as error:
        messages.error(request, str(error))
    else:
        audit_add(
            actor=request.user,  # type: ignore[arg-type]
            action=f"participant: {deed}",
            study=study,
            subject=code,
            details={"reason": reason},
        )
        if inside:
            participant_tell(person, text=ENDED, actor=request.user.get_username())
        messages.success(request, f"{code}: done. The seat is dealt again.")
    return redirect("research:watch", study.slug, code)


@study_page("monitor")
def participants(request: HttpRequest, study: Study) -> HttpResponse:
    """Everybody who has been in, with how it ended."""
    people = study.participants.order_by("kind", "pk").prefetch_related("seats", "episodes")
    ended = Episode.Status.ENDED
    rows = [
        {
            "person": person,
            "seat": next(iter(person.seats.all()), None),
            "ended": sum(1 for episode in person.episodes.all() if episode.status == ended),
            "planned": len(person.episodes.all()),
        }
        for person in people
    ]
    return render(
        request, "research/participants.html", study_context(request, study, "participants", rows=rows)
    )
