"""What lower layers say in English and a page shows translated, listed so that translators meet it."""

from datetime import UTC, datetime

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

SERVED = (
    gettext_noop("This study has not opened yet."),
    gettext_noop("This study is closed. Thank you for your interest."),
    gettext_noop("This study is paused. Please come back later."),
    gettext_noop("All places in this study are taken."),
    gettext_noop("This link has already been used to the end."),
    gettext_noop("The consent text has changed since it was shown. Please read it again."),
)


def worded(reason: str, *, opens_at: datetime | None = None) -> str:
    """A lower layer's reason in the visitor's language.

    All are fixed sentences but one, which names the moment when a study opens: that is said anew.
    """
    if reason in SERVED or opens_at is None:
        return _(reason)
    when = date_format(opens_at.astimezone(UTC), "DATETIME_FORMAT")
    return _("This study opens on %(when)s (UTC). Please come back then.") % {"when": when}
