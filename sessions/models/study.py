"""Studies, their versions, and the log of who changed or saw what."""

from django.conf import settings
from django.db import models

from siturec.protocol.study import StudyConfig


class Study(models.Model):
    """A design and its life. ``config`` is the current design (``StudyConfig``), frozen while open."""

    class Status(models.TextChoices):
        DRAFT = "draft"
        OPEN = "open"
        CLOSED = "closed"

    slug = models.SlugField(max_length=60, unique=True)
    title = models.CharField(max_length=120)
    protocol = models.CharField(max_length=40, default="interactive_episode")
    status = models.CharField(max_length=10, choices=Status, default=Status.DRAFT)
    paused = models.BooleanField(default=False, help_text="Nobody new begins; who is inside waits.")
    version = models.PositiveIntegerField(default=1)
    config = models.JSONField()
    created_at = models.DateTimeField(auto_now_add=True)
    opened_at = models.DateTimeField(null=True, blank=True)
    closed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name_plural = "studies"
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return self.title

    @property
    def design(self) -> StudyConfig:
        """The current design as a checked document."""
        return StudyConfig.model_validate(self.config)


class StudyVersion(models.Model):
    """A design as it was when the study opened; what participants and episodes refer to by number."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="versions")
    number = models.PositiveIntegerField()
    config = models.JSONField()
    digest = models.CharField(max_length=64)
    scene_version = models.CharField(max_length=40, blank=True)
    tasks = models.JSONField(default=list, help_text="The ids in the order in which they are dealt.")
    opened_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["study", "number"], name="study_version_once")]
        ordering = ["study", "number"]

    def __str__(self) -> str:
        return f"{self.study} v{self.number}"

    @property
    def design(self) -> StudyConfig:
        """The design as a checked document."""
        return StudyConfig.model_validate(self.config)


class AuditLog(models.Model):
    """Who changed or saw what. Rows are only ever added."""

    at = models.DateTimeField(auto_now_add=True)
    actor = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL)
    actor_name = models.CharField(max_length=150, help_text="Kept when the account is gone.")
    action = models.CharField(max_length=60)
    study = models.ForeignKey(Study, null=True, blank=True, on_delete=models.SET_NULL)
    subject = models.CharField(max_length=120, blank=True)
    details = models.JSONField(default=dict, blank=True)

    class Meta:
        ordering = ["-at", "-pk"]
        indexes = [models.Index(fields=["study", "-at"], name="audit_by_study")]

    def __str__(self) -> str:
        return f"{self.actor_name}: {self.action} {self.subject}"
