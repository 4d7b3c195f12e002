"""A participant's addresses: ``/s/<study>/`` to arrive, ``/p/<token>/…`` for everything after."""

from django.urls import URLPattern, URLResolver, path
from django.views.i18n import JavaScriptCatalog

from play import fallback, views, views_arrival, views_end, views_practice, views_questions, views_store

app_name = "play"
urlpatterns: list[URLPattern | URLResolver] = [
    path("s/<slug:slug>/", views_arrival.arrival, name="arrival"),
    path("p/words.js", JavaScriptCatalog.as_view(packages=["play"]), name="words"),
    path("p/<str:token>/", views.go, name="go"),
    path("p/<str:token>/consent/", views.consent, name="consent"),
    path("p/<str:token>/profile/", views.profile, name="profile"),
    path("p/<str:token>/how/", views_practice.how, name="how"),
    path("p/<str:token>/practice/", views_practice.practice, name="practice"),
    path("p/<str:token>/goal/<int:number>/", views.goal, name="goal"),
    path("p/<str:token>/store/<int:number>/", views_store.store, name="store"),
    path("p/<str:token>/questionnaire/<int:number>/", views_questions.questionnaire, name="questionnaire"),
    path(
        "p/<str:token>/questionnaire/<int:number>/draft/",
        views_questions.questionnaire_draft,
        name="questionnaire-draft",
    ),
    path("p/<str:token>/state/", fallback.state, name="state"),
    path("p/<str:token>/act/", fallback.act, name="act"),
    path("p/<str:token>/frame/<int:number>/<int:turn>/", views_store.frame, name="frame"),
    path("p/<str:token>/done/", views_end.done, name="done"),
    path("p/<str:token>/leave/", views_end.leave, name="leave"),
]
