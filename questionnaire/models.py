"""Instruments and items as researchers edit them; sheets, answers and ratings as they were given."""

from django.db import models

from siturec.survey.items import InstrumentSpec, ItemSpec


class Instrument(models.Model):
    """A questionnaire. A study names it by ``slug``; a change after first use raises ``version``."""

    slug = models.SlugField(max_length=60, unique=True)
    version = models.PositiveIntegerField(default=1)
    title = models.CharField(max_length=120)
    shuffle = models.BooleanField(default=False, help_text="Show the items in a new order for each episode.")

    class Meta:
        ordering = ["slug"]

    def __str__(self) -> str:
        return self.title

    @property
    def spec(self) -> InstrumentSpec:
        """The instrument as checked data."""
        return InstrumentSpec(
            slug=self.slug,
            version=str(self.version),
            title=self.title,
            shuffle=self.shuffle,
            items=tuple(item.spec for item in self.items.all()),
        )


class Item(models.Model):
    """One question of an instrument."""

    class Kind(models.TextChoices):
        SCALE = "scale", "five points"
        TEXT = "text", "free text"
        CHECK = "check", "attention check"

    instrument = models.ForeignKey(Instrument, on_delete=models.CASCADE, related_name="items")
    position = models.PositiveSmallIntegerField(default=0)
    key = models.SlugField(max_length=60)
    kind = models.CharField(max_length=8, choices=Kind, default=Kind.SCALE)
    dimension = models.CharField(max_length=40, blank=True, help_text="What is rated, if it is a dimension.")
    required = models.BooleanField(default=True)
    expected = models.PositiveSmallIntegerField(null=True, blank=True, help_text="A check's right answer.")
    words = models.JSONField(help_text='By language: {"en": {"title", "text", "guidance", "anchors": [5]}}.')

    class Meta:
        ordering = ["instrument", "position", "pk"]
        constraints = [models.UniqueConstraint(fields=["instrument", "key"], name="item_key_once")]

    def __str__(self) -> str:
        return self.key

    @property
    def spec(self) -> ItemSpec:
        """The item as checked data."""
        return ItemSpec(
            key=self.key,
            kind=self.kind,
            dimension=self.dimension,
            required=self.required,
            expected=self.expected,
            words=self.words,
        )


class Sheet(models.Model):
    """One filled-in questionnaire about one episode: opened once, drafted often, submitted once."""

    episode = models.OneToOneField("study_sessions.Episode", on_delete=models.CASCADE, related_name="sheet")
    instrument = models.CharField(max_length=60)
    instrument_version = models.CharField(max_length=20)
    digest = models.CharField(max_length=64, help_text="SHA-256 of the items as data.")
    language = models.CharField(max_length=12, default="en")
    order = models.JSONField(default=list)
    draft = models.JSONField(default=dict, blank=True)
    client_id = models.CharField(max_length=64, blank=True)
    opened_at = models.DateTimeField(auto_now_add=True)
    submitted_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.instrument} on {self.episode}"


class Answer(models.Model):
    """One answer as given. Neither value nor text: left out, which is never a score."""

    sheet = models.ForeignKey(Sheet, on_delete=models.CASCADE, related_name="answers")
    key = models.SlugField(max_length=60)
    dimension = models.CharField(max_length=40, blank=True)
    value = models.PositiveSmallIntegerField(null=True, blank=True)
    text = models.TextField(blank=True)

    class Meta:
        ordering = ["sheet", "pk"]
        constraints = [models.UniqueConstraint(fields=["sheet", "key"], name="answer_once")]

    def __str__(self) -> str:
        return f"{self.key}: {self.value if self.value is not None else self.text[:40]}"


class Rating(models.Model):
    """One rater's score of one episode on one dimension; a null score is missing, with what was said kept."""

    class RaterKind(models.TextChoices):
        HUMAN = "human"
        JUDGE = "judge"

    episode = models.ForeignKey("study_sessions.Episode", on_delete=models.CASCADE, related_name="ratings")
    rater_kind = models.CharField(max_length=8, choices=RaterKind)
    rater = models.CharField(max_length=80, help_text="A participant's code or a judge's slug.")
    dimension = models.CharField(max_length=40)
    score = models.PositiveSmallIntegerField(null=True, blank=True)
    raw = models.TextField(blank=True)
    evidence = models.TextField(blank=True, help_text="The words of the record a judge's score rests on.")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["episode", "rater_kind", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["episode", "rater_kind", "rater", "dimension"], name="rating_once"
            ),
            models.CheckConstraint(
                condition=models.Q(score=None) | models.Q(score__range=(1, 5)), name="rating_1_to_5"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.dimension}: {self.score}"
