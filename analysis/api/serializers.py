"""What the API tells; people under coded ids only."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from analysis.models import Computing
from sessions.models import Episode, Participant, Study, Turn
from siturec.metrics.episode import EpisodeScore
from siturec.metrics.registry import OUTCOME
from siturec.protocol.vocabulary import DIMENSIONS


class StudySerializer(serializers.ModelSerializer[Study]):
    """A study."""

    class Meta:
        model = Study
        fields = [
            "slug", "title", "protocol", "status", "paused", "version", "created_at", "opened_at",
            "closed_at",
        ]  # fmt: skip


class ParticipantSerializer(serializers.ModelSerializer[Participant]):
    """A participant under their code, with their profile."""

    episodes = serializers.IntegerField(source="episode_count", read_only=True)

    class Meta:
        model = Participant
        fields = [
            "code",
            "kind",
            "state",
            "version",
            "profile",
            "consent_version",
            "joined_at",
            "finished_at",
            "episodes",
        ]


class EpisodeSerializer(serializers.ModelSerializer[Episode]):
    """An episode without its turns."""

    id = serializers.CharField(source="public_id", read_only=True)
    participant = serializers.SerializerMethodField()

    class Meta:
        model = Episode
        fields = [
            "id", "participant", "user_kind", "user_policy", "assistant", "letter", "scene", "scene_version",
            "condition", "task_id", "profile_id", "position", "status", "end_reason", "turn_count",
            "started_at", "ended_at", "final_cart", "reference_items",
        ]  # fmt: skip

    def get_participant(self, episode: Episode) -> str | None:
        """The coded id; null for simulated users."""
        return episode.participant.code if episode.participant is not None else None


class TurnSerializer(serializers.ModelSerializer[Turn]):
    """One turn in the trajectory's form."""

    turn = serializers.IntegerField(source="index", read_only=True)

    class Meta:
        model = Turn
        fields = ["turn", "observation", "assistant", "user", "moderator", "observed_at", "executed_at"]


class ScoreSerializer(serializers.Serializer[EpisodeScore]):
    """An episode's value of every metric and rating; null where it has none."""

    id = serializers.CharField(source="episode_id")
    assistant = serializers.CharField(source="key.assistant")
    user_kind = serializers.CharField(source="key.user_kind")
    participant = serializers.CharField(source="key.participant", allow_null=True)
    task_id = serializers.CharField(source="key.task_id")
    condition = serializers.CharField(source="key.condition")
    counted = serializers.BooleanField()
    end_reason = serializers.CharField()
    version = serializers.CharField()
    assistant_version = serializers.CharField(source="key.assistant_version")
    judge_version = serializers.CharField(source="key.judge_version")
    metrics = serializers.SerializerMethodField()
    questionnaire = serializers.SerializerMethodField()
    judge = serializers.SerializerMethodField()
    judged_by = serializers.SerializerMethodField()

    @extend_schema_field(serializers.DictField(child=serializers.FloatField(allow_null=True)))
    def get_metrics(self, score: EpisodeScore) -> dict[str, float | None]:
        """Metrics in their tables' units."""
        return {quantity.key: score.value(quantity.key) for quantity in OUTCOME}

    @extend_schema_field(serializers.DictField(child=serializers.FloatField(allow_null=True)))
    def get_questionnaire(self, score: EpisodeScore) -> dict[str, float | None]:
        """The participant's ratings, 1 to 5."""
        return _ratings(score, "questionnaire")

    @extend_schema_field(serializers.DictField(child=serializers.FloatField(allow_null=True)))
    def get_judge(self, score: EpisodeScore) -> dict[str, float | None]:
        """The judge's ratings, 1 to 5."""
        return _ratings(score, "judge")

    def get_judged_by(self, score: EpisodeScore) -> str | None:
        """The judge's name and what it is: a language model, or rule-based; null where nobody judged."""
        named: dict[str, str] = self.context["judges"]
        return named.get(score.episode_id)


def _ratings(score: EpisodeScore, rater: str) -> dict[str, float | None]:
    return {name: score.value(f"{rater}.{name}") for name in DIMENSIONS}


class ComputingSerializer(serializers.ModelSerializer[Computing]):
    """Results that are being worked out; ask again after as many seconds as ``Retry-After`` says."""

    class Meta:
        model = Computing
        fields = ["done", "total", "fault"]


class ResultsSerializer(serializers.Serializer[dict[str, Any]]):
    """The tables of ``manage.py score`` for people and simulated users."""

    data_version = serializers.CharField()
    scoring_version = serializers.CharField()
    computed_at = serializers.CharField()
    condition = serializers.CharField()
    people = serializers.DictField()
    simulated = serializers.DictField()
    versions = serializers.ListField(child=serializers.DictField())
    judges = serializers.ListField(child=serializers.DictField())
    conduct = serializers.DictField()
    model_calls = serializers.ListField(child=serializers.DictField())


class AgreementSerializer(serializers.Serializer[dict[str, Any]]):
    """The report of ``manage.py agreement``."""

    scoring_version = serializers.CharField()
    assistants = serializers.ListField(child=serializers.CharField())
    absent = serializers.DictField(child=serializers.CharField())
    human = serializers.DictField()
    simulated = serializers.DictField()
    metrics = serializers.DictField()
    sentences = serializers.DictField(child=serializers.CharField())
    questionnaire_vs_judge = serializers.DictField()
    judges = serializers.ListField(child=serializers.DictField())
    reliability = serializers.DictField()
    realism = serializers.DictField()
    controls = serializers.DictField()
