"""The profile form: what helps to read the results, and nothing that tells who someone is."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

UNSAID = ("", _("Rather not say"))
AGE_GROUPS = ((18, 24), (25, 34), (35, 44), (45, 54), (55, 64))
AGES = [
    *((f"{low}-{high}", f"{low}\N{EN DASH}{high}") for low, high in AGE_GROUPS),
    ("65+", _("65 or over")),
]
GENDERS = [("woman", _("Woman")), ("man", _("Man")), ("non_binary", _("Non-binary")), ("other", _("Other"))]
WORK = [
    ("employed", _("Employed")),
    ("self_employed", _("Self-employed")),
    ("student", _("In school or studying")),
    ("homemaker", _("Caring for home or family")),
    ("retired", _("Retired")),
    ("seeking", _("Looking for work")),
]
HOUSEHOLD = [
    ("alone", _("Alone")),
    ("partner", _("With a partner")),
    ("family", _("With family or children")),
    ("shared", _("In a shared home")),
]
SHOPPING = [
    ("daily", _("Daily")),
    ("weekly", _("Every week")),
    ("monthly", _("Every month")),
    ("rarely", _("Rarely")),
]
LEVELS = [("low", _("Little")), ("medium", _("Somewhat")), ("high", _("Very"))]
USE = [
    ("never", _("Never")),
    ("tried", _("Tried once or twice")),
    ("weekly", _("Every week")),
    ("daily", _("Every day")),
]


def _choice(label: Any, options: list[tuple[str, Any]]) -> forms.ChoiceField:
    return forms.ChoiceField(
        label=label,
        required=False,
        choices=[UNSAID, *options],
        widget=forms.Select(attrs={"class": "input"}),
    )


class ProfileForm(forms.Form):
    """Every answer may be left out; what is left out is stored as nothing, not as a default."""

    age_group = _choice(_("How old are you?"), AGES)
    gender = _choice(_("What is your gender?"), GENDERS)
    employment = _choice(_("What do you do?"), WORK)
    household = _choice(_("How do you live?"), HOUSEHOLD)
    shopping = _choice(_("How often do you shop for your household?"), SHOPPING)
    price_sensitivity = _choice(_("How much do you look at prices?"), LEVELS)
    assistant_use = _choice(_("How often do you use chat assistants?"), USE)
    games_use = _choice(_("How often do you play 3D games?"), USE)

    def answers(self) -> dict[str, str]:
        """What was said, without what was left out."""
        return {key: value for key, value in self.cleaned_data.items() if value}
