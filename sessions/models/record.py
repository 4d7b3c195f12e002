"""Runs, episodes, turns, events and frames: what happened, written before anyone is told."""

import secrets
from pathlib import Path

from django.conf import settings
from django.db import models
from django.db.models import Q

from sessions.models.people import Participant
from sessions.models.study import Study


def new_episode_id() -> str:
    """A public id that says nothing: ``e-`` and ten hex digits."""
    return f"e-{secrets.token_hex(5)}"


class Run(models.Model):
    """A plan of simulated episodes, stored before the first is played. ``spec`` is a ``RunSpec``."""

    class Status(models.TextChoices):
        PLANNED = "planned"
        RUNNING = "running"
        DONE = "done"

    name = models.SlugField(max_length=80, unique=True)
    spec = models.JSONField()
    digest = models.CharField(max_length=64, help_text="Of the spec; a name resumes only the same plan.")
    study = models.ForeignKey(Study, null=True, blank=True, on_delete=models.SET_NULL, related_name="runs")
    status = models.CharField(max_length=10, choices=Status, default=Status.PLANNED)
    created_at = models.DateTimeField(auto_now_add=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return self.name


class Episode(models.Model):
    """One shopper, one task, one assistant, one scene, from the start pose to an end reason."""

    class Status(models.TextChoices):
        PLANNED = "planned"
        RUNNING = "running"
        ENDED = "ended"

    public_id = models.CharField(max_length=80, unique=True, default=new_episode_id)
    study = models.ForeignKey(Study, null=True, blank=True, on_delete=models.CASCADE, related_name="episodes")
    study_version = models.PositiveIntegerField(null=True, blank=True)
    participant = models.ForeignKey(
        Participant, null=True, blank=True, on_delete=models.CASCADE, related_name="episodes"
    )
    run = models.ForeignKey(Run, null=True, blank=True, on_delete=models.CASCADE, related_name="episodes")
    source = models.CharField(max_length=120, blank=True, help_text="Where an imported episode came from.")
    scene = models.CharField(max_length=60)
    scene_version = models.CharField(max_length=40, blank=True)
    task_id = models.CharField(max_length=40)
    profile_id = models.CharField(max_length=40)
    assistant = models.CharField(max_length=60)
    letter = models.CharField(max_length=2, blank=True)
    user_kind = models.CharField(max_length=10, choices=[("human", "human"), ("simulated", "simulated")])
    user_policy = models.CharField(max_length=60, blank=True)
    moderator = models.CharField(max_length=60, blank=True)
    judge = models.CharField(max_length=60, blank=True)
    condition = models.CharField(max_length=30, default="full")
    seed = models.BigIntegerField(default=0)
    position = models.PositiveIntegerField(default=0, help_text="Place in the participant's or run's plan.")
    attempt = models.PositiveSmallIntegerField(default=1, help_text="2 and up: the plan's item re-rolled.")
    limits = models.JSONField(default=dict, blank=True)
    status = models.CharField(max_length=10, choices=Status, default=Status.PLANNED)
    end_reason = models.CharField(max_length=30, blank=True)
    failure = models.CharField(max_length=40, blank=True, help_text="The kind of a technical failure.")
    failure_detail = models.TextField(blank=True)
    goal_read_at = models.DateTimeField(null=True, blank=True)
    started_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)
    rated_at = models.DateTimeField(null=True, blank=True)
    judged_at = models.DateTimeField(null=True, blank=True)
    final_cart = models.JSONField(default=list, blank=True)
    reference_items = models.JSONField(default=list, blank=True)
    turn_count = models.PositiveSmallIntegerField(default=0)
    seq = models.PositiveIntegerField(default=0, help_text="The last number given to a message.")
    draft = models.JSONField(default=dict, blank=True)
    versions = models.JSONField(default=dict, blank=True, help_text="Policies and prompts, by role.")
    lease_owner = models.CharField(max_length=80, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)
    extra = models.JSONField(default=dict, blank=True, help_text="Unknown keys of an imported record.")

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["participant", "position"],
                condition=Q(participant__isnull=False),
                name="episode_participant_position",
            ),
            models.UniqueConstraint(
                fields=["run", "position", "attempt"], condition=Q(run__isnull=False), name="episode_run_item"
            ),
        ]
        indexes = [
            models.Index(fields=["run", "status", "attempt", "position"], name="episode_in_turn"),
            models.Index(fields=["study", "user_kind", "assistant"], name="episode_by_study"),
            models.Index(fields=["scene", "assistant", "condition"], name="episode_by_scene"),
        ]

    def __str__(self) -> str:
        return self.public_id


class Turn(models.Model):
    """One turn, filled in step by step; what is null has not happened. JSON in ``trajectory.md``'s form.

    ``observation`` also keeps names and outlines for the page and the replay; exports leave them out.
    ``pose_after`` and ``state_after`` restore the world after this turn.
    """

    episode = models.ForeignKey(Episode, on_delete=models.CASCADE, related_name="turns")
    index = models.PositiveSmallIntegerField()
    observation = models.JSONField(null=True, blank=True)
    assistant = models.JSONField(null=True, blank=True)
    user = models.JSONField(null=True, blank=True)
    moderator = models.JSONField(null=True, blank=True)
    user_frame = models.CharField(max_length=64, blank=True)
    assistant_frame = models.CharField(max_length=64, blank=True)
    user_minimap = models.CharField(max_length=64, blank=True)
    assistant_minimap = models.CharField(max_length=64, blank=True)
    input_digest = models.CharField(max_length=64, blank=True)
    client_id = models.CharField(max_length=64, blank=True)
    pose_after = models.JSONField(null=True, blank=True)
    state_after = models.JSONField(null=True, blank=True)
    notes = models.JSONField(
        default=dict, blank=True, help_text="Violations, refusals, repairs, raw answers."
    )
    extra = models.JSONField(default=dict, blank=True, help_text="Unknown keys of an imported turn.")
    timings = models.JSONField(default=dict, blank=True, help_text="Seconds per step, monotonic clock.")
    observed_at = models.DateTimeField(null=True, blank=True)
    executed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["episode", "index"]
        constraints = [models.UniqueConstraint(fields=["episode", "index"], name="turn_once")]

    def __str__(self) -> str:
        return f"{self.episode} turn {self.index}"


class Event(models.Model):
    """Something that happened around an episode or a participant. Rows are only ever added."""

    participant = models.ForeignKey(
        Participant, null=True, blank=True, on_delete=models.CASCADE, related_name="events"
    )
    episode = models.ForeignKey(
        Episode, null=True, blank=True, on_delete=models.CASCADE, related_name="events"
    )
    turn = models.PositiveSmallIntegerField(null=True, blank=True)
    seq = models.PositiveIntegerField(default=0, help_text="The socket message's number; 0: none was sent.")
    kind = models.CharField(max_length=40)
    payload = models.JSONField(default=dict, blank=True)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["episode", "seq"], condition=Q(seq__gt=0), name="event_seq_once")
        ]
        indexes = [models.Index(fields=["participant", "kind"], name="event_by_kind")]

    def __str__(self) -> str:
        return f"{self.kind} at {self.at:%Y-%m-%d %H:%M:%S}"


class Frame(models.Model):
    """A picture, stored once by the SHA-256 of its bytes; the file lies under ``VAR_DIR/frames``."""

    digest = models.CharField(max_length=64, primary_key=True)
    size = models.PositiveIntegerField()
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.digest[:12]

    @property
    def path(self) -> Path:
        """Where the bytes are."""
        return Path(settings.VAR_DIR) / "frames" / self.digest[:2] / f"{self.digest}.jpg"
