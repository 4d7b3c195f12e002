"""The API's addresses, under ``/api/``."""

from django.urls import URLPattern, URLResolver, path
from drf_spectacular.views import SpectacularAPIView
from rest_framework.authtoken.views import obtain_auth_token

from analysis.api import views

app_name = "api"
urlpatterns: list[URLPattern | URLResolver] = [
    path("schema/", SpectacularAPIView.as_view(), name="schema"),
    path("token/", obtain_auth_token, name="token"),
    path("studies/", views.StudyList.as_view(), name="studies"),
    path("studies/<slug:study>/", views.StudyDetail.as_view(), name="study"),
    path("studies/<slug:study>/participants/", views.ParticipantList.as_view(), name="participants"),
    path("studies/<slug:study>/episodes/", views.EpisodeList.as_view(), name="episodes"),
    path("studies/<slug:study>/episodes/<str:episode>/", views.EpisodeDetail.as_view(), name="episode"),
    path("studies/<slug:study>/episodes/<str:episode>/turns/", views.TurnList.as_view(), name="turns"),
    path("studies/<slug:study>/scores/", views.ScoreList.as_view(), name="scores"),
    path("studies/<slug:study>/results/", views.Results.as_view(), name="results"),
    path("studies/<slug:study>/agreement/", views.Agreement.as_view(), name="agreement"),
    # Else a program would get a page for people.
    path("<path:rest>", views.Nowhere.as_view(), name="nowhere"),
]
