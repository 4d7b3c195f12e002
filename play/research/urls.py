"""A researcher's addresses, under ``/research/``."""

from django.contrib.auth.views import LoginView, LogoutView
from django.urls import URLPattern, URLResolver, path

from play.research import account, live, overview, settings, studies, watch

app_name = "research"
urlpatterns: list[URLPattern | URLResolver] = [
    path("", studies.studies, name="studies"),
    path(
        "login/", LoginView.as_view(template_name="research/login.html", next_page="/research/"), name="login"
    ),
    path("logout/", LogoutView.as_view(next_page="/"), name="logout"),
    path("invitation/<str:token>/", account.invitation, name="invitation"),
    path("studies/new/", studies.study_new, name="new"),
    path("studies/from-file/", studies.study_from_file, name="from-file"),
    path("studies/<slug:slug>/", overview.overview, name="overview"),
    path("studies/<slug:slug>/do/<slug:deed>/", overview.study_act, name="act"),
    path("studies/<slug:slug>/live/", live.live, name="live"),
    path("studies/<slug:slug>/live/state/", live.live_state, name="live-state"),
    path("studies/<slug:slug>/participants/", watch.participants, name="participants"),
    path("studies/<slug:slug>/participants/<str:code>/", watch.watch, name="watch"),
    path("studies/<slug:slug>/participants/<str:code>/state/", watch.watch_state, name="watch-state"),
    path("studies/<slug:slug>/participants/<str:code>/note/", watch.note, name="note"),
    path("studies/<slug:slug>/participants/<str:code>/remove/", watch.remove, name="remove"),
    path("studies/<slug:slug>/picture/<str:digest>/", watch.picture, name="picture"),
    path("studies/<slug:slug>/settings/", settings.settings, name="settings"),
    path("studies/<slug:slug>/settings/design/", settings.study_edit, name="edit"),
    path("studies/<slug:slug>/settings/file/", settings.study_file, name="file"),
    path("studies/<slug:slug>/settings/invite/", settings.invite, name="invite"),
    path("studies/<slug:slug>/settings/dismiss/<int:user_id>/", settings.dismiss, name="dismiss"),
]
