"""The store page and what it fetches besides its socket."""

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.cache import cache_control

from play.steps import Here, goal_of, task_place
from play.views import at_step, design, page
from sessions.models import Participant
from sessions.selectors import frame_bytes, participant_by_token
from siturec.protocol.events import MAX_REPLY

SOCKET = "/ws/p/{token}/"


@at_step("store")
def store(request: HttpRequest, participant: Participant, now: Here) -> HttpResponse:
    """One visit to the store with one assistant, known by its letter."""
    episode = now.place.episode
    assert episode is not None
    task = task_place(episode)
    token = participant.token
    context = {
        "letter": episode.letter,
        "key": f"{participant.code}:{now.place.number}",
        "socket": SOCKET.format(token=token),
        "reply_limit": MAX_REPLY,
        "reply_required": design(participant).reply_required,
        "goal": goal_of(episode),
        "number": now.place.number,
        "total": now.place.total,
        "task_number": task.number,
        "task_total": task.total,
        "state_url": reverse("play:state", args=[token]),
        "act_url": reverse("play:act", args=[token]),
        "frames_url": f"/p/{token}/frame/{now.place.number}/",
    }
    return page(request, participant, "play/store.html", now=now, **context)


@cache_control(private=True, max_age=3600, immutable=True)
def frame(request: HttpRequest, token: str, number: int, turn: int) -> HttpResponse:
    """A picture the participant has seen: one turn of their ``number``-th visit, with their own markers."""
    participant = participant_by_token(token)
    if participant is None:
        raise Http404
    episodes = participant.episodes.order_by("position")
    episode = episodes[number - 1] if 0 < number <= episodes.count() else None
    row = episode.turns.filter(index=turn).first() if episode is not None else None
    data = frame_bytes(row.user_frame) if row is not None and row.user_frame else None
    if data is None:
        raise Http404
    return HttpResponse(data, content_type="image/jpeg")
