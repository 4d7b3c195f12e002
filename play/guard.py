"""Who may post to a participant's pages: whoever holds the secret link, from a page of this site."""

from collections.abc import Callable
from functools import wraps
from inspect import iscoroutinefunction
from typing import Any, cast
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.http import is_same_domain
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt

View = Callable[..., Any]


def from_elsewhere(request: HttpRequest) -> bool:
    """Whether the browser says that another site's page sent this."""
    origin = request.headers.get("Origin")
    if origin is None:
        return False
    host = urlsplit(origin).netloc
    trusted = (urlsplit(one).netloc.removeprefix("*") for one in settings.CSRF_TRUSTED_ORIGINS)
    return host != request.get_host() and not any(is_same_domain(host, one) for one in trusted)


def link_is_the_key(view: View) -> View:
    """Ask for no cookie: blocked, cleared or run out, it must cost nobody their place (decision 0102).

    What another site's page sends is refused with 403.
    """
    if iscoroutinefunction(view):

        @wraps(view)
        async def answer_later(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            refused = _refused(request)
            return refused or cast(HttpResponse, await view(request, *args, **kwargs))

        return csrf_exempt(answer_later)

    @wraps(view)
    def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        return _refused(request) or cast(HttpResponse, view(request, *args, **kwargs))

    return csrf_exempt(answer)


def _refused(request: HttpRequest) -> HttpResponse | None:
    if request.method in ("GET", "HEAD") or not from_elsewhere(request):
        return None
    context = {
        "heading": _("This was sent from another site"),
        "lead": _("Please open the study's link again and go on there: your place is kept."),
    }
    return render(request, "play/message.html", context, status=403)
