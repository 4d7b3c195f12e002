"""What the researcher's templates need beyond Django's."""

from typing import Any

from django import template

from sessions.models import Study
from sessions.selectors.balance import Balance

register = template.Library()

Deed = tuple[str, str, str, str]
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
    if study.status == Study.Status.DRAFT:
        return [_PREVIEW, ("open", "Open the study", "play", "button-primary")]
    if study.status == Study.Status.CLOSED:
        return [_PREVIEW, ("open", "Open again", "play", "")]
    wait: Deed = (
        ("resume", "Go on", "play", "button-primary") if study.paused else ("pause", "Pause", "pause", "")
    )
    return [
        _PREVIEW,
        ("release", "Deal seats of the gone again", "refresh-cw", ""),
        wait,
        ("close", "Close", "lock", "button-danger"),
    ]
