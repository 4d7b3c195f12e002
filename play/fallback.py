"""The same talk over plain requests, for networks that let no websocket through."""

from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from play.guard import link_is_the_key
from play.helping import call_help
from play.incoming import read_message
from play.live import LiveSession, session_of
from sessions import services
from sessions.database import database_sync_to_async
from sessions.selectors import participant_by_token
from siturec.protocol.events import Accepted, Act, CallHelp, Draft, Event, Refused, TakeOver


async def _session(token: str) -> LiveSession | None:
    """The link's session, as it is."""
    participant = await database_sync_to_async(participant_by_token)(token)
    return None if participant is None else session_of(participant.pk, token)


async def _seen(session: LiveSession) -> None:
    await database_sync_to_async(services.participant_seen)(participant_id=session.participant_id)


async def _enter(session: LiveSession) -> None:
    """Somebody is here without a socket: the episode is under way, and is for a while."""
    if not session.busy:
        await session.attach(None)
    session.stay()
    await _seen(session)


@never_cache
@require_GET
async def state(request: HttpRequest, token: str) -> HttpResponse:
    """The snapshot, as JSON; 404 for an unknown link, 409 with the way on when there is no store now."""
    session = await _session(token)
    if session is None:
        return JsonResponse({"reason": "This link is not known here."}, status=404)
    await _enter(session)
    if session.screen is None:
        return JsonResponse({"next_url": session.next_url}, status=409)
    return _json(session.screen.snapshot())


@link_is_the_key
@never_cache
@require_POST
async def act(request: HttpRequest, token: str) -> HttpResponse:
    """Take one client message; answers ``{"events": [...]}``. Sending it again changes nothing.

    A call for help comes this way beside a socket, too, for it wants an answer: it takes no visit from
    whoever plays it, in this process or another.
    """
    session = await _session(token)
    if session is None:
        return JsonResponse({"reason": "This link is not known here."}, status=404)
    if not session.pace.allows():
        return JsonResponse({"reason": "Too many messages at once; please wait a moment."}, status=429)
    event = read_message(request.body)
    if isinstance(event, Refused):
        return _events(event, status=400)
    await (_seen(session) if isinstance(event, CallHelp) else _enter(session))
    answer: Event | None = None
    match event:
        case Act():
            answer = await session.act(event) or await _settled(session, event)
        case Draft():
            answer = await session.keep_draft(event)
        case CallHelp():
            answer = await call_help(session, event.text)
        case TakeOver():
            await session.attach(None)
        case _:
            pass
    return _events(answer) if answer is not None else _events()


async def _settled(session: LiveSession, event: Act) -> Event | None:
    """The acceptance, once the turn is a row; None when that takes unusually long (ask again)."""
    screen = session.screen
    if screen is None or not await session.saved(event.client_id):
        return None
    return Accepted(seq=screen.seq, client_id=event.client_id)


def _json(event: Event) -> HttpResponse:
    return HttpResponse(event.model_dump_json(), content_type="application/json")


def _events(*events: Event, status: int = 200) -> HttpResponse:
    body: dict[str, Any] = {"events": [event.model_dump(mode="json") for event in events]}
    return JsonResponse(body, status=status)
