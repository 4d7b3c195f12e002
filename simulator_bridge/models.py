"""Worlds an admin has added, who holds a place in which, and who waits for one."""

from datetime import timedelta
from typing import Any

from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models, transaction
from django.utils import timezone

from simulator_bridge.mapping import WorldMap
from simulator_bridge.wire import Address

EMBEDDED_CAPACITY = 128
"""A hundred people may come at once after a mail to all; a shopper costs memory only while there."""
RETRY_DOWN = timedelta(seconds=20)


class WorldServer(models.Model):
    """A place to shop. One Unreal build has room for one shopper; a store has room for many."""

    class Kind(models.TextChoices):
        EMBEDDED = "embedded", "Embedded store (started here when needed)"
        STORE = "store", "Embedded store running elsewhere"
        UNREAL = "unreal", "UnrealCV build"

    class Health(models.TextChoices):
        UNKNOWN = "unknown", "Not tried yet"
        UP = "up", "Up"
        DOWN = "down", "Down"

    name = models.CharField(max_length=80, unique=True)
    kind = models.CharField(max_length=12, choices=Kind.choices, default=Kind.EMBEDDED)
    scene = models.CharField(
        max_length=64, blank=True, help_text="The slug of the only scene it shows; empty for any scene."
    )
    address = models.CharField(
        max_length=200, blank=True, help_text="host:port, or unix:/path. Empty for the embedded store."
    )
    capacity = models.PositiveSmallIntegerField(
        default=EMBEDDED_CAPACITY,
        validators=[MinValueValidator(1), MaxValueValidator(500)],
        help_text="Shoppers at a time. An UnrealCV build has room for one.",
    )
    enabled = models.BooleanField(default=True, help_text="Off: nobody new enters; who is in may finish.")
    agent = models.CharField(
        max_length=80,
        default="GEN_BP_Humanoid_0",
        help_text="The actor's name, for stores running elsewhere.",
    )
    world_map = models.JSONField(
        "map",
        default=dict,
        blank=True,
        help_text="For UnrealCV builds: actor, functions, and which object is which product or place.",
    )
    health = models.CharField(max_length=8, choices=Health.choices, default=Health.UNKNOWN, editable=False)
    health_note = models.CharField(max_length=300, blank=True, editable=False)
    checked_at = models.DateTimeField(null=True, blank=True, editable=False)

    class Meta:
        ordering = ["name"]
        verbose_name = "world"

    def __str__(self) -> str:
        return self.name

    @property
    def worth_trying(self) -> bool:
        """Whether someone may be sent there: not down, or down long enough to try again."""
        if self.health != self.Health.DOWN or self.checked_at is None:
            return True
        return self.checked_at < timezone.now() - RETRY_DOWN

    def delete(self, *args: Any, **kwargs: Any) -> tuple[int, dict[str, int]]:
        """Delete with all who are in it; whoever is just coming in is let in first, or not at all."""
        with transaction.atomic():
            # Or a place taken between finding the others and deleting the row would make that fail.
            list(WorldServer.objects.select_for_update().filter(pk=self.pk))
            return super().delete(*args, **kwargs)

    def clean(self) -> None:
        """Raises: ValidationError naming the field."""
        if self.kind == self.Kind.EMBEDDED:
            if self.address:
                raise ValidationError({"address": "The embedded store has no fixed address; leave it empty."})
            return
        try:
            Address.parse(self.address)
        except ValueError as error:
            raise ValidationError({"address": str(error)}) from None
        if self.kind == self.Kind.UNREAL:
            self._clean_unreal()

    def _clean_unreal(self) -> None:
        if self.capacity != 1:
            raise ValidationError({"capacity": "An UnrealCV build has room for one shopper."})
        if not self.scene:
            raise ValidationError({"scene": "Say which scene this build shows."})
        try:
            WorldMap.model_validate(self.world_map)
        except ValueError as error:
            raise ValidationError({"world_map": str(error)}) from None


class WorldLease(models.Model):
    """A place in a world that someone holds until a moment, unless they say they still need it."""

    server = models.ForeignKey(WorldServer, on_delete=models.CASCADE, related_name="leases")
    token = models.UUIDField(unique=True)
    holder = models.CharField(max_length=120, db_index=True)
    taken_at = models.DateTimeField(default=timezone.now)
    until = models.DateTimeField(db_index=True)

    class Meta:
        ordering = ["taken_at"]
        verbose_name = "place taken"
        verbose_name_plural = "places taken"

    def __str__(self) -> str:
        return f"{self.holder} in {self.server}"


class WorldWait(models.Model):
    """Someone who waits for a place; first come, first served, as long as they keep saying so."""

    scene = models.CharField(max_length=64)
    holder = models.CharField(max_length=120)
    since = models.DateTimeField(default=timezone.now)
    until = models.DateTimeField(db_index=True)

    class Meta:
        ordering = ["since", "id"]
        constraints = [models.UniqueConstraint(fields=["scene", "holder"], name="one_wait_per_holder")]
        verbose_name = "waiting"
        verbose_name_plural = "waiting"

    def __str__(self) -> str:
        return f"{self.holder} for {self.scene}"
