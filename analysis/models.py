"""What analysis keeps of its own: scores by version, plans registered before data, computed results.

The record itself is never written here; all of this can be thrown away and made again, plans excepted.
"""

from django.conf import settings
from django.db import models

from sessions.models import Episode, Study


class EpisodeScore(models.Model):
    """One episode's numerators and denominators under one version of the rules.

    ``sums`` is ``{quantity: [numerator, denominator]}`` of those with a denominator; ratings are not in it,
    since they come later than the episode and are read from where they were given.
    """

    episode = models.ForeignKey(Episode, on_delete=models.CASCADE, related_name="scores")
    version = models.CharField(max_length=20)
    counted = models.BooleanField()
    sums = models.JSONField(default=dict)
    unknown = models.JSONField(default=list)
    scored_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["episode", "version"]
        constraints = [models.UniqueConstraint(fields=["episode", "version"], name="score_once_per_version")]

    def __str__(self) -> str:
        return f"{self.episode} by rules {self.version}"


class AnalysisPlan(models.Model):
    """What a researcher said they would do, before there was data. Never changed; a new one supersedes it."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="analysis_plans")
    number = models.PositiveIntegerField()
    document = models.JSONField(help_text="A plan as checked data: metrics, exclusions, thresholds.")
    digest = models.CharField(max_length=64, help_text="SHA-256 of the document.")
    registered_at = models.DateTimeField(auto_now_add=True)
    registered_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    episodes_before = models.PositiveIntegerField(help_text="Episodes with people that had ended by then.")

    class Meta:
        ordering = ["study", "number"]
        constraints = [models.UniqueConstraint(fields=["study", "number"], name="plan_number_once")]

    def __str__(self) -> str:
        return f"{self.study}: plan {self.number}"


class Computed(models.Model):
    """A result or figure computed once for a state of the data; replaced when the data has moved on."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="computed")
    key = models.CharField(max_length=200, help_text="What it is: a result or figure, with its filters.")
    data_version = models.CharField(max_length=64)
    content_type = models.CharField(max_length=60, default="application/json")
    body = models.BinaryField()
    computed_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["study", "key"]
        constraints = [models.UniqueConstraint(fields=["study", "key"], name="computed_once")]

    def __str__(self) -> str:
        return f"{self.study}: {self.key}"


class Computing(models.Model):
    """Results that a process of its own is working out; gone once they are kept as ``Computed``.

    ``beat_at`` says that it lives: null means that nobody is at it. ``fault`` says why the last try failed.
    """

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="computing")
    key = models.CharField(max_length=200)
    beat_at = models.DateTimeField(null=True, blank=True)
    done = models.PositiveIntegerField(default=0, help_text="Episodes scored so far.")
    total = models.PositiveIntegerField(default=0, help_text="Episodes that had no score yet.")
    fault = models.CharField(max_length=300, blank=True)
    failed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["study", "key"]
        constraints = [models.UniqueConstraint(fields=["study", "key"], name="computing_once")]

    def __str__(self) -> str:
        return f"{self.study}: {self.key}, {self.done} of {self.total}"
