"""Every page of a study asks for a role; strangers do not learn that the study exists."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache

from sessions.models import Study
from sessions.selectors import study_by_slug
from sessions.selectors.access import RANK, Role, study_role

View = Callable[..., HttpResponse]


def study_page(wanted: Role) -> Callable[[View], View]:
    """Give the view its study, and let in only members whose role includes ``wanted``."""

    def decorate(view: View) -> View:
        @never_cache
        @login_required
        @wraps(view)
        def guarded(request: HttpRequest, slug: str, **kwargs: Any) -> HttpResponse:
            study = study_by_slug(slug)
            role = study_role(request.user, study) if study is not None else ""
            if study is None or not role:
                raise Http404("There is no such study, or you are not in its team.")
            if RANK[role] < RANK[wanted]:
                raise PermissionDenied(f"This needs the role '{wanted}' in this study; yours is '{role}'.")
            return view(request, study, **kwargs)

        return guarded

    return decorate


def study_context(request: HttpRequest, study: Study, tab: str, **more: Any) -> dict[str, Any]:
    """What every page of a study shows: the study, the open tab, and what this user may do."""
    role = study_role(request.user, study)
    return {
        "study": study,
        "tab": tab,
        "role": role,
        "may_change": RANK[role] >= RANK["researcher"],
        **more,
    }
