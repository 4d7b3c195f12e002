"""The front door."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render


def home(request: HttpRequest) -> HttpResponse:
    """Say what this is, and lead participants, researchers and admins to their pages."""
    return render(request, "siturec_web/home.html")
