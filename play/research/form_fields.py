"""What the guided form is made of: its groups, its wording, and fields that keep what they are given."""

from typing import Any

from django import forms

from agents.registry import DESCRIPTIONS
from siturec.protocol.vocabulary import CONDITIONS

UNDER_EVALUATION, NOT_IN = "plain", ""
CONSENT = (
    "You will walk through a virtual store and shop with the help of several assistants. We record what you "
    "do and write in the store and your answers to the questions, under a code that is not your name. Taking "
    "part is voluntary. You can stop at any time, and have your data erased on the last page or by writing "
    "to us."
)
GROUPS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("About", "What the study is called and who can be asked.", ("title", "slug", "description", "contact")),
    (
        "What is shopped",
        "The store, and which shopping tasks participants get.",
        (
            "scene",
            "scene_version",
            "condition",
            "tasks_mode",
            "tasks_ids",
            "tasks_sample",
            "tasks_seed",
            "tasks_per_participant",
        ),
    ),
    ("Assistants", "Each participant meets all of them on each task, under letters.", ()),
    (
        "Participants",
        "How many, when, and what they read first.",
        ("quota", "seed", "opens_at", "closes_at", "consent_text", "consent_version"),
    ),
    (
        "In the store",
        "What ends an interaction, and what participants see.",
        (
            "limits_turns",
            "limits_recommendations",
            "limits_stalls",
            "min_reply_ms",
            "marker_policy",
            "identity_policy",
            "show_user_minimap",
            "reply_required",
        ),
    ),
    (
        "Questions",
        "What is asked after each interaction.",
        ("instrument", "missing_allowed", "attention_checks", "attention_failures_allowed"),
    ),
    (
        "Dropouts and completion",
        "When a seat is given to somebody else, and what participants take back.",
        (
            "limits_abandon_after_s",
            "limits_seat_after_s",
            "codes_done",
            "codes_screened_out",
            "codes_returned",
            "codes_return_url",
        ),
    ),
    (
        "Referees",
        "Who ends interactions, and who scores them afterwards.",
        ("roles_moderator", "roles_judge"),
    ),
)
CONDITION_WORDS = {
    "full": "everything (full)",
    "no_ego_view": "all but the picture of the view",
    "no_ego_view_no_caption": "neither picture nor list of what is in view",
}
CONDITION_CHOICES = [(name, CONDITION_WORDS.get(name, name)) for name in CONDITIONS]


def whole_field(label: str, help_text: str = "") -> forms.IntegerField:
    return forms.IntegerField(label=label, help_text=help_text)


def yes_field(label: str) -> forms.BooleanField:
    return forms.BooleanField(label=label, required=False)


def moment_field(label: str) -> forms.DateTimeField:
    widget = forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M:%S")
    return forms.DateTimeField(label=label, required=False, widget=widget, help_text="UTC; empty: no limit.")


def text_field(label: str, help_text: str = "", *, required: bool = False, **more: Any) -> forms.CharField:
    """Several lines, kept to the last space: a consent's hash is over every character."""
    return forms.CharField(
        label=label, help_text=help_text, required=required, widget=forms.Textarea, strip=False, **more
    )


def assistant_field(slug: str, copies: list[str], *, here: bool) -> forms.ChoiceField:
    """How an assistant takes part; as a copy only of those it is a copy of."""
    about = DESCRIPTIONS.get(slug, "a language model").removeprefix("scripted: ")
    return forms.ChoiceField(
        label=slug,
        required=False,
        help_text=about[:1].upper() + about[1:] + "." if here else "Not known on this server.",
        choices=[
            (NOT_IN, "not in this study"),
            (UNDER_EVALUATION, "under evaluation"),
            ("floor", "control: plainly bad"),
            *[(f"twin:{other}", f"control: copy of {other}") for other in copies],
        ],
    )
