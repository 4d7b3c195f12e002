"""The episodes behind a number, with their value of it, sorted by the address; each leads to its replay."""

from typing import Any

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse

from analysis.filters import Filters
from analysis.pages.common import filters_of, page_of
from analysis.selectors.ledgers import scored_episodes
from analysis.services.results import study_results
from analysis.services.scoring import scores_complete
from play.research.access import study_page
from sessions.models import Episode, Study
from siturec.agreement.render import metric_name
from siturec.metrics.registry import INDEX

PER_PAGE = 50
SORTS = {
    "episode": "public_id",
    "assistant": "assistant",
    "task": "task_id",
    "turns": "turn_count",
    "ended": "end_reason",
    "began": "started_at",
}


@study_page("monitor")
def behind(request: HttpRequest, study: Study) -> HttpResponse:
    """All episodes, or those that a number of the results rests on, with their value of that metric."""
    filters, fault = filters_of(request)
    users, assistant = request.GET.get("users", ""), request.GET.get("assistant", "")
    metric, sort = request.GET.get("metric", ""), request.GET.get("sort", "")
    if metric and metric not in INDEX:
        raise Http404("There is no such metric.")
    chosen = _chosen(study, filters, users)
    if assistant:
        chosen = of_label(chosen, study, assistant, filters)
    column = SORTS.get(sort.removeprefix("-"))
    if column is not None:
        chosen = chosen.order_by(("-" if sort.startswith("-") else "") + column, "pk")
    page = Paginator(chosen, PER_PAGE).get_page(request.GET.get("page"))
    return page_of(
        request,
        study,
        "results",
        "analysis/behind.html",
        page=page,
        rows=_rows(page.object_list, metric),
        metric=metric,
        metric_title=metric_name(metric) if metric else "",
        users=users,
        assistant=assistant,
        filter_fault=fault,
        filters=filters,
        assistants=sorted(set(study.episodes.values_list("assistant", flat=True))),
        sorts=_sort_links(request, sort),
        pages=_page_links(request, page),
    )


def of_label(chosen: Any, study: Study, label: str, filters: Filters) -> Any:
    """The episodes that a table's row is about: an assistant's, or those of one of its versions."""
    versions = [] if filters.versions else study_results(study=study, filters=filters)["versions"]
    named = [row for row in versions if row["label"] == label]
    chosen = chosen.filter(assistant=named[0]["assistant"] if named else label)
    for row in named:
        if row["label"] != row["assistant"]:
            return chosen.filter(**{f"versions__{row['role']}": row["version"]})
    for row in versions:  # the plain name: without the versions that have names of their own
        if row["assistant"] == label != row["label"]:
            other = chosen.filter(**{f"versions__{row['role']}": row["version"]})
            chosen = chosen.exclude(pk__in=other.values("pk"))
    return chosen


def _chosen(study: Study, filters: Filters, users: str) -> Any:
    if users in ("people", "human"):
        return filters.human(study)
    if users == "simulated":
        return filters.simulated(study)
    return Episode.objects.filter(study=study).exclude(status=Episode.Status.PLANNED).order_by("-pk")


def _rows(shown: Any, metric: str) -> list[dict[str, Any]]:
    found = list(shown.select_related("participant"))
    values: dict[int, float | None] = {}
    if metric:
        ids = Episode.objects.filter(pk__in=[episode.pk for episode in found])
        scores_complete(episodes=ids)
        values = {row["pk"]: score.value(metric) for row, score in scored_episodes(ids)}
    return [{"episode": episode, "value": values.get(episode.pk)} for episode in found]


def _sort_links(request: HttpRequest, sort: str) -> list[dict[str, str]]:
    links = []
    for name in SORTS:
        query = request.GET.copy()
        query["sort"] = f"-{name}" if sort == name else name
        query.pop("page", None)
        state = {name: "ascending", f"-{name}": "descending"}.get(sort, "none")
        links.append({"name": name, "query": query.urlencode(), "state": state})
    return links


def _page_links(request: HttpRequest, page: Any) -> dict[str, str]:
    links = {}
    for name, there in (("previous", page.has_previous()), ("next", page.has_next())):
        if there:
            query = request.GET.copy()
            query["page"] = str(page.number + (1 if name == "next" else -1))
            links[name] = query.urlencode()
    return links
