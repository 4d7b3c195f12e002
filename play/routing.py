"""Websocket routes."""

from typing import Any

from django.urls import path

from play.consumers import PlayConsumer
from play.consumers_practice import PracticeConsumer

websocket_urlpatterns: list[Any] = [
    path("ws/play/<str:token>/", PlayConsumer.as_asgi()),  # type: ignore[arg-type]
    path("ws/p/<str:token>/practice/", PracticeConsumer.as_asgi()),  # type: ignore[arg-type]
    path("ws/p/<str:token>/", PlayConsumer.as_asgi()),  # type: ignore[arg-type]
]
