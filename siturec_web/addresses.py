"""What an address may hold."""

from urllib.parse import unquote_plus

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.deprecation import MiddlewareMixin


class ReadableAddress(MiddlewareMixin):
    """An address with a NUL in it leads nowhere, and gets there before PostgreSQL has to refuse it."""

    def process_request(self, request: HttpRequest) -> HttpResponse | None:
        """404 for such an address, the usual way for any other."""
        if "\0" in request.path or "\0" in unquote_plus(request.META.get("QUERY_STRING", "")):
            if request.path.startswith("/api/"):
                return JsonResponse({"detail": "An address cannot hold a NUL."}, status=404)
            return render(request, "404.html", status=404)
        return None
