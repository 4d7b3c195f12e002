"""What lower layers say in English and a page shows translated, listed so that translators meet it."""

from django.utils.translation import gettext_noop

SERVED = (
    gettext_noop("This study has not opened yet."),
    gettext_noop("This study is closed. Thank you for your interest."),
    gettext_noop("This study is paused. Please come back later."),
    gettext_noop("All places in this study are taken."),
    gettext_noop("This link has already been used to the end."),
    gettext_noop("The consent text has changed since it was shown. Please read it again."),
)
