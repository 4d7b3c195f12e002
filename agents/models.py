"""Language models an admin has added, and the log of every call to one."""

import os
import re

from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator, RegexValidator
from django.db import models

SECRET = re.compile(r"(api[_-]?key|secret|token|password|authorization)", re.IGNORECASE)


def parameters_without_secrets(value: object) -> None:
    """Parameters are stored in the clear. Raises: ValidationError for anything that names a secret."""
    if not isinstance(value, dict):
        raise ValidationError('Parameters are one JSON object, such as {"temperature": 0.7}.')
    named = [key for key in value if SECRET.search(str(key)) and "max" not in str(key)]
    if named:
        raise ValidationError(
            f"No secrets here: {', '.join(named)}. Name an environment variable for the key instead."
        )


class LanguageModel(models.Model):
    """A model by litellm's name. Its key stays in the environment; only the variable's name is here."""

    class SchemaMode(models.TextChoices):
        SCHEMA = "schema", "JSON schema"
        OBJECT = "object", "JSON object"
        NONE = "none", "in the prompt only"

    class IdentityPolicy(models.TextChoices):
        MASK = "mask", "mask"
        FLAG = "flag", "flag only"

    slug = models.SlugField(max_length=40, unique=True, help_text="How studies and commands name it.")
    label = models.CharField(max_length=80, help_text="For researchers; no participant ever sees it.")
    model = models.CharField(
        "litellm name", max_length=120, help_text="Such as openai/gpt-5 or openai/NAME with an API base."
    )
    api_base = models.URLField(
        "API base",
        blank=True,
        help_text="For any OpenAI-compatible server, such as http://127.0.0.1:8080/v1.",
    )
    key_variable = models.CharField(
        max_length=80,
        blank=True,
        validators=[
            RegexValidator(r"^[A-Z][A-Z0-9_]*$", "The name of an environment variable, not the key itself.")
        ],
        help_text="Name of the environment variable that holds the key. Never the key.",
    )
    parameters = models.JSONField(
        default=dict,
        blank=True,
        validators=[parameters_without_secrets],
        help_text="Sent along, such as temperature.",
    )
    active = models.BooleanField(default=True)
    as_assistant = models.BooleanField("assistant", default=True)
    as_user = models.BooleanField("simulated user", default=True)
    as_moderator = models.BooleanField("moderator", default=True)
    as_judge = models.BooleanField("judge", default=True)
    timeout_s = models.FloatField(
        "timeout (s)", default=60, validators=[MinValueValidator(1), MaxValueValidator(600)]
    )
    max_retries = models.PositiveSmallIntegerField(default=2, validators=[MaxValueValidator(10)])
    max_wait_s = models.FloatField(
        "longest wait (s)", default=30, validators=[MinValueValidator(0), MaxValueValidator(600)]
    )
    max_tokens = models.PositiveIntegerField("answer tokens", default=900)
    schema_mode = models.CharField(
        "answers as", max_length=8, choices=SchemaMode.choices, default=SchemaMode.SCHEMA
    )
    vision = models.BooleanField("can see pictures", default=True)
    image_px = models.PositiveIntegerField(
        "picture size (px)", default=960, validators=[MinValueValidator(64)]
    )
    concurrency = models.PositiveSmallIntegerField(
        "calls at once", default=4, validators=[MinValueValidator(1)]
    )
    price_in = models.FloatField(
        "$ per million tokens in", null=True, blank=True, validators=[MinValueValidator(0)]
    )
    price_out = models.FloatField(
        "$ per million tokens out", null=True, blank=True, validators=[MinValueValidator(0)]
    )
    max_calls = models.PositiveIntegerField("budget in calls", null=True, blank=True)
    max_cost_usd = models.FloatField("budget in $", null=True, blank=True, validators=[MinValueValidator(0)])
    catalog_limit = models.PositiveIntegerField(
        null=True,
        blank=True,
        help_text="For small contexts: describe only so many products, the best keyword matches.",
    )
    identity_policy = models.CharField(
        max_length=4,
        choices=IdentityPolicy.choices,
        default=IdentityPolicy.MASK,
        help_text="What happens to its own name in its words.",
    )
    fallback = models.ForeignKey(
        "self",
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        help_text="Asked when this one fails for good.",
    )

    class Meta:
        ordering = ["slug"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(price_in__isnull=True, price_out__isnull=True)
                | models.Q(price_in__isnull=False, price_out__isnull=False),
                name="language_model_both_prices_or_none",
                violation_error_message="Give both prices or none.",
            ),
            models.CheckConstraint(
                condition=~models.Q(
                    slug__in=[
                        "expert",
                        "capable",
                        "plain",
                        "hasty",
                        "bad",
                        "expert-twin",
                        "agenda",
                        "rules",
                        "model",
                    ]
                ),
                name="language_model_slug_not_built_in",
                violation_error_message="This name belongs to a built-in mind.",
            ),
        ]

    def __str__(self) -> str:
        return self.label or self.slug

    @property
    def key_state(self) -> str:
        """Whether the key's variable is set where this runs; never its value."""
        if not self.key_variable:
            return "none needed"
        return "set" if os.environ.get(self.key_variable) else "missing"


class ModelCall(models.Model):
    """One call to a model: what was asked, what came back, how long it took, and what became of it."""

    class Outcome(models.TextChoices):
        ANSWERED = "answered"
        REPAIRED = "repaired"
        MISSING = "missing"
        FAILED = "failed"

    id = models.CharField(max_length=32, primary_key=True)
    model_slug = models.CharField("model", max_length=40)
    model = models.CharField("answered by", max_length=120)
    answered_slug = models.CharField(
        max_length=40, blank=True, help_text="The model asked last: this one, or one of its fallbacks."
    )
    role = models.CharField(max_length=12)
    prompt_version = models.CharField(max_length=120)
    episode = models.CharField(max_length=64, blank=True)
    turn = models.PositiveSmallIntegerField(null=True, blank=True)
    started_at = models.DateTimeField()
    duration_s = models.FloatField("seconds")
    outcome = models.CharField(max_length=8, choices=Outcome.choices)
    failure = models.CharField(max_length=16, blank=True)
    fault = models.TextField(blank=True)
    asked_again = models.BooleanField(default=False)
    attempts = models.JSONField(default=list, blank=True)
    messages = models.JSONField()
    reply = models.TextField(blank=True)
    images = models.PositiveSmallIntegerField(default=0)
    tokens_in = models.PositiveIntegerField(null=True, blank=True)
    tokens_out = models.PositiveIntegerField(null=True, blank=True)
    cost_usd = models.FloatField("cost ($)", null=True, blank=True)

    class Meta:
        ordering = ["-started_at"]
        indexes = [
            models.Index(fields=["model_slug", "outcome"], name="model_call_by_outcome"),
            models.Index(fields=["episode", "turn"], name="model_call_by_episode"),
        ]

    def __str__(self) -> str:
        return f"{self.role} call to {self.model_slug}"
