"""Participants, the seats they sit in, and the people who run a study."""

import secrets

from django.conf import settings
from django.db import models
from django.db.models import Q

from sessions.models.study import Study


def new_token() -> str:
    """A secret that fits in a link: 144 bits."""
    return secrets.token_urlsafe(18)


class Participant(models.Model):
    """One person (or bot, or test visit). Known by ``code`` in records and by ``token`` in links only."""

    class Kind(models.TextChoices):
        HUMAN = "human"
        BOT = "bot"
        TEST = "test"

    class State(models.TextChoices):
        ACTIVE = "active"
        DONE = "done"
        SCREENED_OUT = "screened_out"
        RETURNED = "returned"
        ABANDONED = "abandoned"
        EXCLUDED = "excluded"

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="participants")
    version = models.PositiveIntegerField(default=1, help_text="The study version taken part in.")
    kind = models.CharField(max_length=10, choices=Kind, default=Kind.HUMAN)
    code = models.CharField(max_length=12)
    token = models.CharField(max_length=40, unique=True, default=new_token, editable=False)
    external_id = models.CharField(max_length=120, blank=True, help_text="A recruiting service's id.")
    external = models.JSONField(default=dict, blank=True)
    state = models.CharField(max_length=14, choices=State, default=State.ACTIVE)
    state_reason = models.CharField(max_length=200, blank=True)
    consent_version = models.CharField(max_length=40, blank=True)
    consent_hash = models.CharField(max_length=64, blank=True)
    consented_at = models.DateTimeField(null=True, blank=True)
    profile = models.JSONField(null=True, blank=True)
    profiled_at = models.DateTimeField(null=True, blank=True)
    practised_at = models.DateTimeField(null=True, blank=True)
    practice = models.JSONField(default=dict, blank=True, editable=False)
    joined_at = models.DateTimeField(auto_now_add=True)
    seen_at = models.DateTimeField(auto_now_add=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["study", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["study", "code"], name="participant_code_once"),
            models.UniqueConstraint(
                fields=["study", "external_id"],
                condition=~Q(external_id=""),
                name="participant_external_once",
            ),
        ]

    def __str__(self) -> str:
        return self.code

    @property
    def counts(self) -> bool:
        """Whether balance, quota and results may include this participant."""
        return self.kind == self.Kind.HUMAN and self.state not in (self.State.EXCLUDED, self.State.RETURNED)


class Seat(models.Model):
    """One row of the design: the tasks, and per task the order of assistants.

    ``plan`` is ``[{"task": id, "order": [slug, …], "row": n}, …]``. A released seat keeps its participant
    and reason; the same row is then dealt again as a new seat with the next ``deal``.
    """

    class Status(models.TextChoices):
        FREE = "free"
        CLAIMED = "claimed"
        FINISHED = "finished"
        RELEASED = "released"

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="seats")
    version = models.PositiveIntegerField()
    rehearsal = models.BooleanField(default=False, help_text="For bots and tests; never counted.")
    number = models.PositiveIntegerField()
    deal = models.PositiveIntegerField(default=1)
    plan = models.JSONField()
    status = models.CharField(max_length=10, choices=Status, default=Status.FREE)
    participant = models.ForeignKey(
        Participant, null=True, blank=True, on_delete=models.SET_NULL, related_name="seats"
    )
    claimed_at = models.DateTimeField(null=True, blank=True)
    released_at = models.DateTimeField(null=True, blank=True)
    reason = models.CharField(max_length=200, blank=True)

    class Meta:
        ordering = ["study", "version", "rehearsal", "number", "deal"]
        constraints = [
            models.UniqueConstraint(
                fields=["study", "version", "rehearsal", "number", "deal"], name="seat_dealt_once"
            ),
            models.UniqueConstraint(
                fields=["participant"], condition=Q(status__in=["claimed", "finished"]), name="seat_one_each"
            ),
            models.CheckConstraint(
                condition=Q(status="free", participant=None) | ~Q(status="free"), name="seat_free_is_empty"
            ),
        ]
        indexes = [models.Index(fields=["study", "version", "status"], name="seat_by_status")]

    def __str__(self) -> str:
        return f"seat {self.number}" + (f" (deal {self.deal})" if self.deal > 1 else "")


class StudyMember(models.Model):
    """What someone may do in one study; superusers may do everything."""

    class Role(models.TextChoices):
        RESEARCHER = "researcher"
        MONITOR = "monitor"

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="members")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="study_roles")
    role = models.CharField(max_length=12, choices=Role)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["study", "user"], name="study_member_once")]

    def __str__(self) -> str:
        return f"{self.user}: {self.role}"


class Invitation(models.Model):
    """A link that makes whoever opens it a member of the study, once."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="invitations")
    role = models.CharField(max_length=12, choices=StudyMember.Role)
    token = models.CharField(max_length=40, unique=True, default=new_token, editable=False)
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField(null=True, blank=True)
    used_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL)
    used_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"{self.study}: {self.role}"
