"""What the researcher's templates need beyond Django's."""

from typing import Any

from django import template

from play.research.models import study_models
from sessions.models import Study
from sessions.selectors.balance import Balance

register = template.Library()

Deed = tuple[str, str, str, str]
_TRY: Deed = ("try", "Try the models", "refresh-cw", "")
_PREVIEW: Deed = ("preview", "Preview as participant", "eye", "")


@register.filter
def at(row: dict[str, Any], key: str) -> Any:
    """The row's value under a key that is only known in the template."""
    return row.get(key, "")


@register.filter
def places(balance: Balance) -> range:
    """Column heads 1 … n of the balance table."""
    widest = max((len(counts) for counts in balance.positions.values()), default=0)
    return range(1, widest + 1)


@register.filter
def deeds(study: Study) -> list[Deed]:
    """The steps a study can take from where it is: deed, label, icon, look; the main one last."""
    first = [_PREVIEW, _TRY] if study_models(study.design) else [_PREVIEW]
    if study.status == Study.Status.DRAFT:
        return [*first, ("open", "Open the study", "play", "button-primary")]
    if study.status == Study.Status.CLOSED:
        return [*first, ("open", "Open again", "play", "")]
    wait: Deed = (
        ("resume", "Go on", "play", "button-primary") if study.paused else ("pause", "Pause", "pause", "")
    )
    return [
        *first,
        ("release", "Release seats of people who are gone", "refresh-cw", ""),
        wait,
        ("close", "Close", "lock", "button-danger"),
    ]
