"""From a study's link to a step, as a participant's browser asks for it."""

from django.test import Client
from django.utils import timezone

from sessions.models import Episode, Study
from sessions.services.studies import study_create, study_open
from siturec.protocol.study import StudyConfig
from siturec.protocol.vocabulary import DIMENSIONS
from tests.web.shelf import shelve

FULL = dict.fromkeys(DIMENSIONS, "4")


def open_study(**changes) -> Study:
    document = {
        "slug": "demo",
        "title": "Shopping",
        "scene": "supermarket",
        "assistants": [{"slug": "expert"}, {"slug": "bad"}],
        "tasks": {"sample": 2, "per_participant": 1},
        "quota": 6,
        "consent": {"text": "You walk through a store."},
        "codes": {
            "done": "DONE",
            "screened_out": "OUT",
            "returned": "BACK",
            "return_url": "https://x.test/?cc={code}",
        },
    } | changes
    shelve()
    return study_open(study=study_create(config=StudyConfig.model_validate(document)))


def walk(client: Client, until: str, query: str = "") -> str:
    """From the link to a step; returns the participant's base address."""
    base = client.post(f"/s/demo/{query}", _fields(query)).headers["Location"]
    steps = [
        ("consent", {"choice": "agree", "agree": "yes"}),
        ("profile", {"age_group": "25-34"}),
        ("how", {}),
        ("goal/1", {}),
    ]
    for step, data in steps:
        if step == until:
            return base
        if step == "consent":
            data = data | {"shown": Study.objects.get().design.consent.digest}
        assert client.post(f"{base}{step}/", data).status_code == 302
    return base


def _fields(query: str) -> dict[str, str]:
    return dict(pair.split("=") for pair in query.strip("?").split("&") if pair)


def end_visit(number: int = 1, reason: str = "turn_limit") -> Episode:
    """The visit's end, as the runner writes it."""
    episode = Episode.objects.order_by("position")[number - 1]
    now = timezone.now()
    Episode.objects.filter(pk=episode.pk).update(
        status="ended", end_reason=reason, started_at=now, ended_at=now
    )
    return episode


def where(client: Client, base: str) -> str:
    """The step the server sends this participant to."""
    return client.get(base).headers["Location"].removeprefix(base)
