"""Addresses of the replay, under ``/research/``."""

from django.urls import URLPattern, URLResolver, path

from analysis.replay import views

app_name = "replay"
urlpatterns: list[URLPattern | URLResolver] = [
    path("studies/<slug:slug>/episodes/", views.episodes, name="episodes"),
    path("episodes/<str:public_id>/", views.replay, name="show"),
    path("episodes/<str:public_id>/turn/<int:turn>/<slug:view>/", views.picture, name="picture"),
    path("episodes/<str:public_id>/export/<slug:role>/<slug:form>/", views.export, name="export"),
]
