"""The guided form: the same document as a study's file, asked for in parts."""

from typing import Any, cast

from django import forms
from django.utils.text import slugify
from pydantic import ValidationError

from agents.copies import what_answers
from agents.registry import assistant_slugs, judge_slugs, moderator_slugs
from catalog.selectors import scene_slugs
from play.research.form_checks import checks_as_text, checks_from_text
from play.research.form_fields import (
    CONDITION_CHOICES,
    CONSENT,
    GROUPS,
    UNDER_EVALUATION,
    assistant_field,
    moment_field,
    text_field,
    whole_field,
    yes_field,
)
from questionnaire.selectors import instrument_slugs
from siturec.protocol.study import StudyConfig

USUAL_SCENE = "supermarket"
_NESTED = ("tasks", "limits", "consent", "codes", "roles")


class StudyForm(forms.Form):
    """A study's design in fields. ``config`` is the checked document once ``is_valid()`` said yes."""

    title = forms.CharField(max_length=120, label="Title", help_text="Participants see it.")
    slug = forms.SlugField(
        max_length=60, required=False, label="Short name", help_text="In links; made from the title if empty."
    )
    description = text_field("Description", "For the team; participants do not see it.")
    contact = forms.CharField(required=False, label="Contact", help_text="Whom participants can write to.")
    scene = forms.ChoiceField(label="Store")
    scene_version = forms.CharField(
        required=False, label="Version of the store", help_text="Empty: the newest when the study opens."
    )
    condition = forms.ChoiceField(label="What assistants are given", choices=CONDITION_CHOICES)
    tasks_mode = forms.ChoiceField(
        label="Tasks",
        choices=[("sampled", "drawn from the store's task bank"), ("fixed", "the ones named below")],
    )
    tasks_ids = forms.CharField(
        required=False, label="Named tasks", help_text="Only for named ones: ids such as 3.1, 17.2."
    )
    tasks_sample = whole_field("How many are drawn", "Only when tasks are drawn.")
    tasks_seed = whole_field("Seed of the draw", "The paper's is 42.")
    tasks_per_participant = whole_field("Tasks per participant", "Neighbours among those drawn or named.")
    quota = whole_field("Participants wanted", "As many seats are laid out.")
    seed = whole_field("Seed of the orders", "Shuffles the assistants over the square.")
    opens_at = moment_field("Opens")
    closes_at = moment_field("Closes")
    consent_text = text_field("Consent text", "Shown before anything else.", required=True, initial=CONSENT)
    consent_version = forms.CharField(
        label="Version of the text", max_length=40, help_text="Stored with each agreement."
    )
    limits_turns = whole_field("Most turns", "The interaction then ends.")
    limits_recommendations = whole_field(
        "Most recommendations", "Without a purchase, the interaction then ends."
    )
    limits_stalls = whole_field("Blocked moves in a row", "The interaction then ends.")
    limits_abandon_after_s = whole_field(
        "An interaction is abandoned after (seconds)", "From the last sign of life."
    )
    limits_seat_after_s = whole_field("A seat is dealt again after (seconds)", "From the last sign of life.")
    min_reply_ms = whole_field("Shortest reply time (ms)", "So that letters cannot be told apart by speed.")
    marker_policy = forms.ChoiceField(
        label="When a participant writes a marker",
        help_text="A label of the picture, such as 3 or B.",
        choices=[("warn", "warn, and let it be sent"), ("block", "ask for other words")],
    )
    identity_policy = forms.ChoiceField(
        label="When a language model says who it is",
        help_text="Its own name, its label here, or a maker's name.",
        choices=[("mask", "ask for other words, then hide the name"), ("flag", "show it, and count it")],
    )
    show_user_minimap = yes_field("Users see a floor plan (people and simulated users alike)")
    reply_required = yes_field("Participants must write something each turn")
    instrument = forms.ChoiceField(label="Questionnaire")
    missing_allowed = yes_field("Single items may be left out")
    attention_checks = text_field(
        "Attention checks",
        "One a line: after which interaction; right answer; text. Such as: 2; 4; Please choose 4.",
    )
    attention_failures_allowed = whole_field(
        "Failed checks allowed", "One more, and the participant is screened out."
    )
    codes_done = forms.CharField(
        required=False, label="Code: done", help_text="Made when the study opens if empty."
    )
    codes_screened_out = forms.CharField(required=False, label="Code: screened out", help_text="Likewise.")
    codes_returned = forms.CharField(required=False, label="Code: left early", help_text="Likewise.")
    codes_return_url = forms.CharField(
        required=False, label="Return address", help_text="With {code} where the code goes."
    )
    roles_moderator = forms.ChoiceField(label="Moderator")
    roles_judge = forms.ChoiceField(label="Judge", required=False)

    config: StudyConfig

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._choose("scene", [(slug, slug.replace("_", " ").capitalize()) for slug in scene_slugs()])
        self._choose("instrument", [(slug, slug) for slug in instrument_slugs()])
        self._choose("roles_moderator", [(slug, slug) for slug in moderator_slugs()])
        self._choose("roles_judge", [("", "nobody"), *((slug, slug) for slug in judge_slugs())])
        here = assistant_slugs()
        asked = [name.removeprefix("assistant_") for name in self.initial if name.startswith("assistant_")]
        known = list(dict.fromkeys([*asked, *here]))
        minds = {slug: what_answers(slug) for slug in here}
        for slug in known:
            copies = [other for other in here if other != slug and minds[other] == minds.get(slug)]
            planted = str(self.initial.get(f"assistant_{slug}", "")).removeprefix("twin:")
            copies += [planted] if planted in known and planted not in copies else []
            self.fields[f"assistant_{slug}"] = assistant_field(slug, copies, here=slug in here)
        for name, field in self.fields.items():
            if not isinstance(field.widget, forms.CheckboxInput):
                field.widget.attrs["class"] = "input"
            if isinstance(field.widget, forms.Textarea):
                field.widget.attrs["rows"] = "8" if name == "consent_text" else "3"
            field.widget.attrs.setdefault("id", f"id_{name}")

    def _choose(self, name: str, choices: list[tuple[str, str]]) -> None:
        cast(forms.ChoiceField, self.fields[name]).choices = choices

    def groups(self) -> list[dict[str, Any]]:
        """The form in parts, each with its bound fields."""
        parts = []
        for title, lead, names in GROUPS:
            chosen = names or tuple(name for name in self.fields if name.startswith("assistant_"))
            parts.append({"title": title, "lead": lead, "fields": [self[name] for name in chosen]})
        return parts

    def clean(self) -> dict[str, Any]:
        """Build the document and check it as a file would be; faults stand beside their fields."""
        data = super().clean() or {}
        if self.errors:
            return data
        try:
            document = self._document(data)
            self.config = StudyConfig.model_validate(document)
        except ValidationError as error:
            for fault in error.errors():
                self.add_error(self._field_of(fault["loc"], fault["msg"]), fault["msg"])
        except ValueError as error:
            self.add_error("attention_checks", str(error))
        return data

    def _document(self, data: dict[str, Any]) -> dict[str, Any]:
        document: dict[str, Any] = {name: {} for name in _NESTED}
        for name, value in data.items():
            head, _, rest = name.partition("_")
            if head in _NESTED and rest:
                document[head][rest] = value
            elif head != "assistant" and name != "attention_checks":
                document[name] = value
        document["slug"] = data["slug"] or slugify(data["title"])[:60]
        document["tasks"]["ids"] = [part.strip() for part in data["tasks_ids"].split(",") if part.strip()]
        document["attention_checks"] = checks_from_text(data["attention_checks"])
        document["assistants"] = [
            _choice(name.removeprefix("assistant_"), value)
            for name, value in data.items()
            if name.startswith("assistant_") and value
        ]
        return document

    def _field_of(self, location: tuple[int | str, ...], message: str) -> str | None:
        parts = [str(part) for part in location] or [message.split(":")[0].removeprefix("Value error, ")]
        for name in ("_".join(parts[:2]), parts[0], f"{parts[0]}_mode"):
            if name in self.fields:
                return name
        return None

    @classmethod
    def initial_of(cls, config: StudyConfig | None) -> dict[str, Any]:
        """The fields' values for a design (None: the defaults of a new one)."""
        source = config or _fresh()
        values: dict[str, Any] = {}
        for name, value in source.model_dump(mode="python").items():
            if name in _NESTED:
                values |= {f"{name}_{key}": part for key, part in value.items()}
            else:
                values[name] = value
        values["tasks_ids"] = ", ".join(source.tasks.ids)
        values["attention_checks"] = checks_as_text(source.attention_checks)
        for choice in source.assistants:
            kind = f"twin:{choice.twin_of}" if choice.control == "twin" else choice.control
            values[f"assistant_{choice.slug}"] = kind or UNDER_EVALUATION
        if config is None:
            values |= {"title": "", "slug": ""}
        return values


def _choice(slug: str, value: str) -> dict[str, str]:
    if value.startswith("twin:"):
        return {"slug": slug, "control": "twin", "twin_of": value.removeprefix("twin:")}
    return {"slug": slug, "control": "" if value == UNDER_EVALUATION else value}


def _fresh() -> StudyConfig:
    scenes = [USUAL_SCENE, *scene_slugs()]
    scene = USUAL_SCENE if USUAL_SCENE in scenes[1:] else scenes[-1]
    return StudyConfig.model_validate(
        {
            "slug": "new",
            "title": "New",
            "scene": scene,
            "assistants": [{"slug": slug} for slug in assistant_slugs()[:5]],
            "consent": {"text": CONSENT},
        }
    )
