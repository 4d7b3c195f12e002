"""Computing once, keeping, and computing anew when the data has moved on."""

from collections.abc import Callable
from typing import Any

import orjson

from analysis.models import Computed
from analysis.selectors.versions import data_version
from sessions.models import Study

Body = tuple[bytes, str]
KEPT = 150
"""How many results and figures are kept for a study: a report's worth, and as many again for filters."""
FIGURES, RESULTS = "figure:", "results?"
"""How the keys of figures and of results begin; the latter alone is that of the results without a filter."""


def computed_body(*, study: Study, key: str, version: str | None, make: Callable[[], Body]) -> Body:
    """The kept body and content type for this state of the data, or what ``make`` gives, kept from now on.

    Two requests at once may both compute; they compute the same.
    """
    state = version or data_version(study)
    row = Computed.objects.filter(study=study, key=key).first()
    if row is not None and row.data_version == state:
        return bytes(row.body), row.content_type
    body, content_type = make()
    Computed.objects.update_or_create(
        study=study, key=key, defaults={"data_version": state, "body": body, "content_type": content_type}
    )
    computed_prune(study=study)
    return body, content_type


def computed_prune(*, study: Study) -> None:
    """Drop what nobody will be shown again, and of all else what was computed longest ago.

    A figure goes with the state of the data that it was drawn from. Results of an older state stay: they are
    shown while newer ones are being computed. The results without a filter always stay.
    """
    mine = Computed.objects.filter(study=study)
    shown = set(mine.filter(key__startswith=RESULTS).values_list("data_version", flat=True))
    if shown:
        mine.filter(key__startswith=FIGURES).exclude(data_version__in=shown).delete()
    old = mine.exclude(key=RESULTS).order_by("-computed_at", "-pk").values_list("pk", flat=True)[KEPT:]
    mine.filter(pk__in=list(old)).delete()


def computed_json(
    *, study: Study, key: str, version: str | None = None, make: Callable[[], dict[str, Any]]
) -> dict[str, Any]:
    """The same for JSON-able data."""
    body, _ = computed_body(
        study=study, key=key, version=version, make=lambda: (orjson.dumps(make()), "application/json")
    )
    found: dict[str, Any] = orjson.loads(body)
    return found


def kept_json(*, study: Study, key: str) -> tuple[dict[str, Any], str] | None:
    """What is kept under a key and the state of the data it was computed for; None where nothing is."""
    row = Computed.objects.filter(study=study, key=key).first()
    return None if row is None else (orjson.loads(bytes(row.body)), row.data_version)
