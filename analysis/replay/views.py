"""The pages of replay: a study's episodes, one episode, and its pictures."""

from collections.abc import Callable
from functools import wraps
from typing import Any
from urllib.parse import urlencode

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache

from analysis.replay.document import VIEWS, replay_document
from analysis.replay.export import NoPictures, film, images_zip, subtitles
from sessions.models import Episode, Study
from sessions.selectors import study_by_slug
from sessions.selectors.access import RANK, study_role
from sessions.selectors.record import frame_path
from sessions.services import audit_add

PAGE = 50
FILTERS = ("user_kind", "assistant", "task_id", "end_reason", "condition")
View = Callable[..., HttpResponse]
EXPORTS: dict[str, tuple[Callable[..., bytes], str, str]] = {
    "images": (images_zip, "application/zip", "zip"),
    "film": (film, "video/webm", "webm"),
    "subtitles": (subtitles, "text/vtt; charset=utf-8", "vtt"),
}
"""How each is made, its content type and its file's ending; a film and its subtitles have one name."""


def _role_context(request: HttpRequest, study: Study | None) -> dict[str, Any]:
    role = study_role(request.user, study) if study is not None else "admin"
    return {"study": study, "role": role, "may_change": RANK[role] >= RANK["researcher"], "tab": "episodes"}


@never_cache
@login_required
def episodes(request: HttpRequest, slug: str) -> HttpResponse:
    """A study's finished episodes, filtered by what the address says, newest first."""
    study = study_by_slug(slug)
    if study is None or not study_role(request.user, study):
        raise Http404("There is no such study, or you are not in its team.")
    ended = study.episodes.filter(status=Episode.Status.ENDED)
    chosen = {key: request.GET[key] for key in FILTERS if request.GET.get(key)}
    choices = [
        (key, key.replace("_", " ").removesuffix(" id"), _values(ended, key), chosen.get(key, ""))
        for key in FILTERS
    ]
    rows = ended.filter(**chosen).select_related("participant").order_by("-ended_at", "-pk")
    page = Paginator(rows, PAGE).get_page(request.GET.get("page"))
    context = _role_context(request, study) | {"page": page, "choices": choices, "query": urlencode(chosen)}
    return render(request, "replay/episodes.html", context)


def _values(rows: Any, key: str) -> list[str]:
    return [value for value in rows.order_by(key).values_list(key, flat=True).distinct() if value]


def _episode_page(view: View) -> View:
    """Give the view its episode; episodes of no study are for admins."""

    @login_required
    @wraps(view)
    def guarded(request: HttpRequest, public_id: str, **kwargs: Any) -> HttpResponse:
        found = Episode.objects.select_related("study", "participant").filter(public_id=public_id).first()
        allowed = found is not None and (
            bool(study_role(request.user, found.study))
            if found.study is not None
            else request.user.is_superuser
        )
        if found is None or not allowed:
            raise Http404("There is no such episode, or you may not see it.")
        return view(request, found, **kwargs)

    return guarded


@_episode_page
def replay(request: HttpRequest, episode: Episode) -> HttpResponse:
    """One episode, turn by turn; ``?turn=N`` opens it there. Looking at a person's is written down."""
    if episode.user_kind == "human" and request.user.is_authenticated:
        audit_add(actor=request.user, action="replayed", study=episode.study, subject=episode.public_id)
    context = _role_context(request, episode.study) | {
        "episode": episode,
        "document": replay_document(episode),
    }
    return render(request, "replay/replay.html", context)


@_episode_page
def picture(request: HttpRequest, episode: Episode, turn: int, view: str) -> HttpResponse:
    """One stored picture of a turn, exactly the bytes that were shown."""
    row = episode.turns.filter(index=turn).first()
    path = frame_path(getattr(row, view)) if row is not None and view in VIEWS else None
    if path is None:
        raise Http404("This picture was not kept.")
    content = path.read_bytes()
    kind = "image/png" if content.startswith(b"\x89PNG") else "image/jpeg"
    response = HttpResponse(content, content_type=kind)
    response["Cache-Control"] = "private, max-age=86400"
    return response


@_episode_page
def export(request: HttpRequest, episode: Episode, role: str, form: str) -> HttpResponse:
    """The pictures as a zip of images, or as a film, or the film's words."""
    if role not in ("user", "assistant") or form not in EXPORTS:
        raise Http404("There is no such export.")
    make, kind, ending = EXPORTS[form]
    try:
        content = make(episode, role)
    except (NoPictures, OSError) as error:
        return render(request, "replay/nothing.html", {"fault": str(error), "episode": episode}, status=404)
    response = HttpResponse(content, content_type=kind)
    response["Content-Disposition"] = f'attachment; filename="{episode.public_id}-{role}.{ending}"'
    return response
