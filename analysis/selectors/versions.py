"""One short name for the state of a study's data: the same name, the same results."""

import hashlib

from django.db.models import Count, Max, Sum

from catalog.selectors import UnknownScene, scene_pack
from questionnaire.models import Rating
from sessions.models import Episode, Participant, Study
from siturec.metrics.registry import SCORING_VERSION

RESULTS_VERSION = "4"
"""Raised when the shape or the rules of computed results, or the look of kept figures, change."""


def data_version(study: Study) -> str:
    """SHA-256 over counts and times of episodes, ratings and participants, the scene, and the rules."""
    episodes = Episode.objects.filter(study=study, status=Episode.Status.ENDED).aggregate(
        n=Count("pk"), last=Max("pk"), ended=Max("ended_at"), rated=Max("rated_at"), judged=Max("judged_at"),
        turns=Sum("turn_count"),
    )  # fmt: skip
    ratings = Rating.objects.filter(episode__study=study).aggregate(
        n=Count("pk"), last=Max("pk"), total=Sum("score")
    )
    states = Participant.objects.filter(study=study).values_list("kind", "state").annotate(n=Count("pk"))
    parts = [
        RESULTS_VERSION,
        SCORING_VERSION,
        str(study.version),
        str(sorted(study.config.items())),
        *(f"{name}={value}" for name, value in sorted(episodes.items())),
        *(f"r.{name}={value}" for name, value in sorted(ratings.items())),
        *(f"{kind}.{state}={n}" for kind, state, n in sorted(states)),
        _scene_version(study),
    ]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def _scene_version(study: Study) -> str:
    try:
        return scene_pack(study.design.scene).info.version
    except UnknownScene:
        return "unknown"
