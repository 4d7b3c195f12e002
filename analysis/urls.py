"""A researcher's addresses for results, under ``/research/``."""

from django.urls import URLPattern, URLResolver, path, re_path

from analysis.pages import behind, downloads, plans, results, waiting

app_name = "analysis"
_FIGURE = r"^studies/(?P<slug>[-a-zA-Z0-9_]+)/figures/(?P<name>[a-z0-9-]+)\.(?P<form>svg|png|pdf|json)$"
_TABLE = r"^studies/(?P<slug>[-a-zA-Z0-9_]+)/tables/(?P<name>[a-z0-9-]+)\.(?P<form>csv|tex)$"
urlpatterns: list[URLPattern | URLResolver] = [
    path("charts/runtime.js", results.chart_runtime, name="chart-runtime"),
    path("studies/<slug:slug>/results/", results.results, name="results"),
    path("studies/<slug:slug>/results/progress/", waiting.progress, name="progress"),
    path("studies/<slug:slug>/results/episodes/", behind.behind, name="behind"),
    path("studies/<slug:slug>/agreement/", results.agreement, name="agreement"),
    path("studies/<slug:slug>/agreement/plan/", plans.register, name="plan"),
    re_path(_FIGURE, results.figure, name="figure"),
    re_path(_TABLE, results.table, name="table"),
    path("studies/<slug:slug>/export/", downloads.export, name="export"),
    path("studies/<slug:slug>/export/<slug:what>/<slug:form>/", downloads.file, name="export-file"),
    path("studies/<slug:slug>/export/tables/", downloads.tables, name="export-tables"),
    path("studies/<slug:slug>/export/bundle/", downloads.bundle, name="bundle"),
]
