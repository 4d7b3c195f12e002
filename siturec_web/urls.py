"""Where every page lives: participants `/s/`, `/p/`; researchers `/research/`; machines `/api/`."""

from django.conf import settings
from django.contrib import admin
from django.urls import include, path
from django.views.generic import RedirectView

from siturec_web.views import home

urlpatterns = [
    path("", home, name="home"),
    path("favicon.ico", RedirectView.as_view(url=f"{settings.STATIC_URL}img/mark.svg", permanent=False)),
    path("admin/", admin.site.urls),
    path("", include("play.urls")),
    path("research/", include("play.research.urls")),
    path("research/", include("analysis.replay.urls")),
    path("research/", include("analysis.urls")),
    path("api/", include("analysis.api_urls")),
    path("i18n/", include("django.conf.urls.i18n")),
]
