"""Scene packs as rows: a scene, its versions, and per version one row for each record of the pack.

Columns that are searched or edited are typed; nested parts of a record are JSON, kept exactly. A row's
``code`` is the record's id. References between rows are codes, as in the pack; ``siturec.scene.check``
proves that they hold.
"""

from uuid import uuid4

from django.conf import settings
from django.db import models


class Scene(models.Model):
    """A store. ``slug`` is its name in every record and the name of its folder."""

    slug = models.SlugField(unique=True, max_length=64)
    name = models.CharField(max_length=120)
    kind = models.CharField(
        max_length=16, choices=[("supermarket", "Supermarket"), ("home", "Home furnishings")]
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["slug"]

    def __str__(self) -> str:
        return self.name


class SceneVersion(models.Model):
    """One state of a scene. Once frozen it never changes; until then edits count up ``revision``."""

    scene = models.ForeignKey(Scene, on_delete=models.CASCADE, related_name="versions")
    number = models.PositiveIntegerField(
        help_text="Counts up within the scene; the highest is the current one."
    )
    label = models.CharField(
        max_length=32, help_text="The version as written in the pack and in every record."
    )
    frozen = models.BooleanField(default=False, help_text="In use by a study: changes make a new version.")
    frozen_at = models.DateTimeField(null=True, blank=True)
    revision = models.PositiveIntegerField(default=1)
    stamp = models.UUIDField(
        default=uuid4, editable=False, help_text="New with every change, also of undone ones."
    )
    info = models.JSONField(help_text="scene.json")
    layout = models.JSONField(help_text="layout.json")
    note = models.CharField(max_length=200, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["scene__slug", "-number"]
        constraints = [
            models.UniqueConstraint(fields=["scene", "number"], name="one_version_per_number"),
            models.UniqueConstraint(fields=["scene", "label"], name="one_version_per_label"),
        ]

    def __str__(self) -> str:
        return f"{self.scene.slug} {self.label}"

    def count_up(self) -> None:
        """Note, unsaved, that the rows changed. The stamp tells apart what a rollback numbers alike."""
        self.revision += 1
        self.stamp = uuid4()


class Row(models.Model):
    """One record of a version's pack; ``position`` is its place in the file."""

    version = models.ForeignKey(SceneVersion, on_delete=models.CASCADE)
    code = models.CharField(max_length=80, help_text="Its id in the pack.")
    position = models.PositiveIntegerField()

    class Meta:
        abstract = True
        ordering = ["version", "position"]

    def __str__(self) -> str:
        return self.code


def _once(table: str) -> list[models.BaseConstraint]:
    return [models.UniqueConstraint(fields=["version", "code"], name=f"one_{table}_per_code")]


class Product(Row):
    """A catalog entry."""

    name = models.CharField(max_length=80)
    category = models.CharField(max_length=60, db_index=True)
    tags = models.JSONField(default=list, blank=True)
    price = models.FloatField(help_text="US dollars")
    colour = models.JSONField(help_text="Segmentation colour: red, green, blue; unique in the scene.")
    storage = models.CharField(max_length=20)
    look = models.JSONField(help_text="Shape, size in metres (across, out, up), colours, label.")
    details = models.JSONField(
        default=dict, blank=True, help_text="What inspection reveals, besides the price."
    )

    class Meta(Row.Meta):
        constraints = _once("product")

    def __str__(self) -> str:
        return self.name


class Target(Row):
    """A fixture, a store, or a display area."""

    kind = models.CharField(max_length=10, db_index=True)
    name = models.CharField(max_length=120)
    type = models.CharField(max_length=20, null=True, blank=True)  # noqa: DJ001 - absent in stores and areas
    colour = models.JSONField(null=True, blank=True)
    footprint = models.JSONField()
    height_m = models.FloatField(default=0.0)
    yaw_deg = models.FloatField(default=0.0, help_text="Where the front or the entrance faces.")
    x_m = models.FloatField()
    y_m = models.FloatField()
    store = models.CharField(max_length=80, null=True, blank=True)  # noqa: DJ001 - absent unless an area
    entrances = models.JSONField(default=list, blank=True)
    standing = models.JSONField(default=list, blank=True)
    products = models.JSONField(default=list, blank=True)

    class Meta(Row.Meta):
        constraints = _once("target")

    def __str__(self) -> str:
        return self.name


class Waypoint(Row):
    """A fixed standing pose."""

    x_m = models.FloatField()
    y_m = models.FloatField()
    yaw_deg = models.FloatField()
    pitch_deg = models.FloatField(default=0.0)

    class Meta(Row.Meta):
        constraints = _once("waypoint")


class Instance(Row):
    """One placed object."""

    product = models.CharField(max_length=80, db_index=True)
    target = models.CharField(max_length=80, db_index=True)
    x_m = models.FloatField()
    y_m = models.FloatField()
    z_m = models.FloatField()
    yaw_deg = models.FloatField(default=0.0)

    class Meta(Row.Meta):
        constraints = _once("instance")


class Profile(Row):
    """A shopper."""

    role = models.CharField(max_length=80)
    persona = models.TextField()
    demographics = models.JSONField()
    big_five = models.JSONField()
    interaction = models.JSONField()
    themes = models.JSONField(default=list)

    class Meta(Row.Meta):
        constraints = _once("profile")

    def __str__(self) -> str:
        return f"{self.code} {self.role}"


class Task(Row):
    """A shopping goal of one profile."""

    profile_id = models.CharField(max_length=20, db_index=True, verbose_name="profile")
    theme = models.CharField(max_length=60)
    goal = models.TextField(help_text="What a participant reads.")
    request = models.TextField()
    needs = models.JSONField(default=list)
    preferences = models.JSONField(default=list)
    budget = models.FloatField(help_text="US dollars")
    tier = models.CharField(max_length=10)
    increment = models.FloatField()
    disclosure = models.JSONField()
    acceptance = models.JSONField()
    target_product = models.CharField(max_length=80, db_index=True)
    reference_items = models.JSONField(default=list)
    eligible_prices = models.JSONField(default=list)

    class Meta(Row.Meta):
        constraints = _once("task")


class SceneEdit(models.Model):
    """One field of one row, changed by someone: what was there before, and what is there now."""

    version = models.ForeignKey(SceneVersion, on_delete=models.CASCADE, related_name="edits")
    revision = models.PositiveIntegerField(help_text="The version's revision this edit led to.")
    table = models.CharField(max_length=20)
    code = models.CharField(max_length=80)
    field = models.CharField(max_length=40)
    before = models.JSONField(null=True)
    after = models.JSONField(null=True)
    editor = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"{self.table} {self.code}, {self.field}"


class Preview(models.Model):
    """A picture rendered in the store: of a product, or of the view from a target's standing point."""

    version = models.ForeignKey(SceneVersion, on_delete=models.CASCADE, related_name="previews")
    kind = models.CharField(max_length=10, choices=[("product", "Product"), ("target", "Target")])
    code = models.CharField(max_length=80)
    image = models.BinaryField(help_text="JPEG")
    made_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["version", "kind", "code"], name="one_preview_per_thing")
        ]

    def __str__(self) -> str:
        return f"{self.version}: {self.kind} {self.code}"
