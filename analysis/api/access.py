"""Who may read what: a role in the study, as on the pages; what a user has no role in does not exist."""

from typing import Any, cast

from django.contrib.auth.models import AbstractUser
from django.db.models import QuerySet
from django.http import Http404
from rest_framework.exceptions import ValidationError
from rest_framework.generics import GenericAPIView
from rest_framework.pagination import PageNumberPagination
from rest_framework.request import Request

from sessions.models import Study
from sessions.selectors.access import studies_visible


class Pages(PageNumberPagination):
    """Pages of 100, up to 1,000 with ``page_size``."""

    page_size = 100
    page_size_query_param = "page_size"
    max_page_size = 1_000

    def get_schema_operation_parameters(self, view: Any) -> list[dict[str, Any]]:
        """Pages and their sizes begin at 1."""
        found: list[dict[str, Any]] = super().get_schema_operation_parameters(view)
        return [{**one, "schema": {**one["schema"], "minimum": 1}} for one in found]

    def get_page_size(self, request: Request) -> int:
        """As asked for, at most 1,000. Raises: ValidationError for what is no number above 0."""
        asked = request.query_params.get("page_size", "")
        if asked and not (asked.isascii() and asked.isdigit() and int(asked[:9])):
            raise ValidationError({"page_size": [f"{asked[:40]!r} is not a whole number above 0"]})
        return min(int(asked[:9] or self.page_size), self.max_page_size)


def visible_studies(request: Request) -> QuerySet[Study]:
    """The studies this user has any role in."""
    return studies_visible(cast(AbstractUser, request.user))


class OfStudy(GenericAPIView[Any]):
    """A view below one study; another's study is not found."""

    @property
    def study(self) -> Study:
        """The study of the address. Raises: Http404 for one this user has no role in."""
        found = visible_studies(self.request).filter(slug=self.kwargs["study"]).first()
        if found is None:
            raise Http404
        return found
